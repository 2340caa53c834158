package io.busbar.node;

import io.busbar.fabric.Nic;
import io.busbar.memory.Role;
import io.busbar.wire.Blocked;
import io.busbar.wire.Bodies;
import io.busbar.wire.Records;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;

/**
 * A lane over a carrier that is reliable by itself: a frame is a record. The lane's own records and
 * each channel have a window of their own.
 */
final class RingLane extends Lane {
  private static final ValueLayout.OfLong WORD = ValueLayout.JAVA_LONG_UNALIGNED;

  /** With its header a piece fills half of the largest buffer of a pool of pages. */
  private static final int PIECE_BYTES_MAX = 60 << 10;

  private final Nic nic;
  private final int number;
  private final Runnable placed;
  private final @Nullable Buffers buffers;

  /** The lane's own flow, then those of its channels. */
  private final RingFlow[] flows = new RingFlow[1 + CHANNELS];

  private final BodiesIn bodiesIn = new BodiesIn(CHANNELS);

  /** Bodies that the peer has to be told that we are done with; 0: none. */
  private final long[] bodiesToTell = new long[1 + CHANNELS];

  private long frame = Nic.UNCLAIMABLE;

  /** Whether it waits to be tried again. */
  boolean retrying;

  /** What to pass a buffer takes of a ring: a reference. */
  private static final int REFERENCE_BYTES = Long.BYTES;

  /** The shortest frame for which there was no room in the ring since there was some; 0: none. */
  private int refusedBytes;

  /** So long the peer can do without a ring: others may leave, and give room back. */
  private static final long NO_WAY_NS = 5_000_000_000L;

  /** Nobody says when there is some. */
  private static final long NO_WAY_LOOK_NS = 20_000_000;

  /** Why no ring could be made the last time; empty when one could. */
  private String noWay = "";

  private long noWayNs;

  /**
   * A lane.
   *
   * @param placed told when something was placed that a flush lets go
   */
  RingLane(
      Engine engine,
      int peer,
      Nic nic,
      int number,
      long windowBytes,
      @Nullable Buffers buffers,
      Runnable placed) {
    super(engine, peer);
    this.buffers = buffers;
    this.nic = nic;
    this.number = number;
    this.placed = placed;
    for (int i = 0; i < flows.length; i++) {
      flows[i] = new RingFlow(i, windowBytes);
    }
  }

  int number() {
    return number;
  }

  @Override
  public boolean copies() {
    return true;
  }

  @Override
  public String fabric() {
    return nic.fabric();
  }

  @Override
  String address() {
    return nic.address(number).text();
  }

  private static int frameBytes(int length) {
    return Records.HEADER_BYTES + length;
  }

  // Sending.

  @Override
  public int trySend(long header, MemorySegment from, long at, long token) {
    return send(RECORDS, header, from, at);
  }

  @Override
  public int pieceBytesMax() {
    return PIECE_BYTES_MAX;
  }

  @Override
  int sendPiece(int channel, int flags, MemorySegment from, long at, int length, long token) {
    return send(channel, Records.header(Records.BODY, flags, channel, length), from, at);
  }

  private int send(int flowNumber, long header, MemorySegment from, long at) {
    RingFlow flow = flows[flowNumber];
    int length = Records.length(header);
    long place = reserve(flow, frameBytes(length));
    if (place < 0) {
      return REFUSED;
    }
    MemorySegment memory = nic.transmitMemory();
    boolean copied = false;
    try {
      MemorySegment.copy(from, at, memory, place + Records.HEADER_BYTES, length);
      copied = true;
    } finally {
      end(place, header, copied);
    }
    onSent(flow, frameBytes(length), length);
    return DONE;
  }

  @Override
  public boolean writesInPlace() {
    return true;
  }

  @Override
  public int tryWrite(long header, Content content) {
    int length = Records.length(header);
    long place = reserve(flows[RECORDS], frameBytes(length));
    if (place < 0) {
      return REFUSED;
    }
    boolean written = false;
    try {
      content.write(nic.transmitMemory(), place + Records.HEADER_BYTES);
      written = true;
    } finally {
      end(place, header, written);
    }
    onSent(flows[RECORDS], frameBytes(length), length);
    return DONE;
  }

  /** Where a record can be written; negative: it has to wait. */
  private long reserve(RingFlow flow, int bytes) {
    if (isEnded() || !flow.mayTake(bytes)) {
      flow.refused = true;
      refused(flow.number, Blocked.NO_CREDIT);
      return Nic.FULL;
    }
    long place = nic.reserve(number, bytes);
    if (place < 0) {
      onRingFull(flow, bytes);
    }
    return place;
  }

  private void onRingFull(RingFlow flow, int bytes) {
    flow.refused = true;
    refused(flow.number, Blocked.RING_FULL);
    refusedBytes = refusedBytes == 0 ? bytes : Math.min(refusedBytes, bytes);
    engine().retrySoon(this);
  }

  /** A place that was reserved is given back when the bytes could not be read. */
  private void end(long place, long header, boolean written) {
    if (written) {
      nic.transmitMemory().set(WORD, place, header);
      nic.commit(frameBytes(Records.length(header)));
    } else {
      nic.abandon();
    }
  }

  private void onSent(RingFlow flow, int charge, int length) {
    flow.onSent(charge);
    sent(flow.number, length);
    placed.run();
  }

  @Override
  public boolean passesBuffers() {
    return buffers != null;
  }

  @Override
  public int tryPass(long header, long buffer) {
    Buffers from = buffers;
    if (from == null) {
      return super.tryPass(header, buffer);
    }
    boolean isPiece = Records.kind(header) == Records.BODY;
    RingFlow flow = flows[isPiece ? Records.handler(header) : RECORDS];
    long record = isPiece ? header : Records.passed(header);
    int charge = frameBytes(Records.charge(record));
    if (isEnded() || !flow.mayTake(charge)) {
      flow.refused = true;
      refused(flow.number, Blocked.NO_CREDIT);
      return REFUSED;
    }
    from.frame(buffer).set(WORD, 0, record);
    int bytes = frameBytes(Records.length(header));
    long result = nic.transfer(number, buffer, Role.APPLICATION, bytes);
    if (result < 0) {
      onRingFull(flow, REFERENCE_BYTES);
      return REFUSED;
    }
    onSent(flow, charge, Records.length(header));
    return DONE;
  }

  /** Sends a word of our own, which needs no credit; later, if there is no room now. */
  private boolean tell(int kind, int flowNumber, long word) {
    long place = isEnded() ? Nic.GONE : nic.reserve(number, frameBytes(Long.BYTES));
    if (place >= 0) {
      MemorySegment memory = nic.transmitMemory();
      memory.set(WORD, place, Records.header(kind, 0, flowNumber, Long.BYTES));
      memory.set(WORD, place + Records.HEADER_BYTES, word);
      nic.commit(frameBytes(Long.BYTES));
      placed.run();
    } else if (place == Nic.FULL) {
      engine().retrySoon(this);
    }
    return place >= 0;
  }

  /**
   * {@inheritDoc} Who was refused for want of room in the ring hears of it when there is some, and
   * not before: else he would try, and be refused, for as long as the peer takes nothing.
   */
  @Override
  void retry() {
    for (int i = 0; i < flows.length; i++) {
      tellIfDue(i);
      tellBodyDone(i);
    }
    if (refusedBytes == 0 || isEnded()) {
      return;
    }
    if (!hasRoom(refusedBytes)) {
      waitForRoom();
      return;
    }
    noWay = "";
    refusedBytes = 0;
    for (RingFlow flow : flows) {
      eased(flow.number, Blocked.RING_FULL);
      onRoom(flow);
    }
  }

  /** Room in a ring comes, or its peer goes; room for one may not come. */
  private void waitForRoom() {
    if (!noWay.isEmpty() && engine().nowNs() - noWayNs > NO_WAY_NS) {
      engine().end(this, noWay);
    } else {
      engine().retrySoon(this, noWay.isEmpty() ? Engine.NEVER : NO_WAY_LOOK_NS);
    }
  }

  /** There is no room to make a ring to the peer. */
  void onNoWay(String why) {
    noWayNs = noWay.isEmpty() ? engine().nowNs() : noWayNs;
    noWay = why;
  }

  private boolean hasRoom(int bytes) {
    boolean has = nic.reserve(number, bytes) >= 0;
    if (has) {
      nic.abandon();
    }
    return has;
  }

  private void onRoom(RingFlow flow) {
    if (flow.refused && !isEnded()) {
      flow.refused = false;
      engine().happened();
      engine().user().onSendable(this);
    }
  }

  @Override
  long onTheWayBytes() {
    long bytes = 0;
    for (RingFlow flow : flows) {
      bytes += flow.onTheWayBytes();
    }
    return bytes;
  }

  // Receiving.

  @Override
  public void done(int length) {
    flows[RECORDS].onDone(frameBytes(length));
    tellIfDue(RECORDS);
  }

  @Override
  public void bodyDone(long body, long bytes) {
    int channel = Bodies.channel(body);
    flows[channel].onDone(bytes);
    tellIfDue(channel);
  }

  private void tellIfDue(int flowNumber) {
    RingFlow flow = flows[flowNumber];
    if (flow.isDue() && tell(Records.CREDIT, flowNumber, flow.doneBytes())) {
      flow.onTold();
    }
  }

  @Override
  public void endBody(long body) {
    bodiesIn.onDone(body);
    bodiesToTell[Bodies.channel(body)] = body;
    tellBodyDone(Bodies.channel(body));
  }

  private void tellBodyDone(int channel) {
    if (bodiesToTell[channel] != 0 && tell(Records.BODY_DONE, channel, bodiesToTell[channel])) {
      bodiesToTell[channel] = 0;
    }
  }

  @Override
  public long claim() {
    return frame != Nic.UNCLAIMABLE && nic.claim(frame) ? frame : NO_CLAIM;
  }

  @Override
  public void release(long claim) {
    nic.release(claim);
  }

  /** A frame of the peer's; false when it is no record, or none that is believed. */
  boolean onFrame(MemorySegment memory, long at, int length, long name) {
    if (isEnded() || length < Records.HEADER_BYTES) {
      return false;
    }
    long header = memory.get(WORD, at);
    int bytes = Records.length(header);
    if (!Records.isSound(header) || bytes != length - Records.HEADER_BYTES) {
      return false;
    }
    frame = name;
    try {
      return onRecord(header, memory, at + Records.HEADER_BYTES, bytes);
    } finally {
      frame = Nic.UNCLAIMABLE;
    }
  }

  private boolean onRecord(long header, MemorySegment memory, long at, int bytes) {
    if (isMessage(header)) {
      if (Records.kind(header) == Records.START) {
        if (!isSoundStart(memory, at)) {
          return false;
        }
        long body = memory.get(WORD, at + Bodies.START_BODY_AT);
        if (!bodiesIn.onStart(body)) {
          return expel("started body %x out of its turn".formatted(body));
        }
      }
      received(bytes);
      engine().user().onRecord(this, header, memory, at, bytes);
      return true;
    }
    int flowNumber = Records.handler(header);
    int kind = Records.kind(header);
    if (flowNumber >= flows.length) {
      return false;
    }
    if (kind == Records.BODY) {
      return flowNumber != RECORDS && onPiece(flowNumber, header, memory, at, bytes);
    }
    if (bytes != Long.BYTES) {
      return false;
    }
    long word = memory.get(WORD, at);
    return switch (kind) {
      case Records.BODY_DONE -> onBodyDone(word);
      case Records.CREDIT -> onCredit(flows[flowNumber], word);
      default -> false;
    };
  }

  private boolean onPiece(int channel, long header, MemorySegment memory, long at, int bytes) {
    long body = bodiesIn.onPiece(channel, Records.flags(header));
    if (body == BodiesIn.NONE) {
      return expel("sent of a body on channel %d out of its turn".formatted(channel));
    }
    received(bytes);
    flows[channel].onDone(Records.HEADER_BYTES);
    engine().user().onBody(this, body, Records.flags(header), memory, at, bytes);
    return true;
  }

  /** The peer breaks the rules of bodies: nothing of it is believed any more. */
  private boolean expel(String what) {
    engine().expel(this, "node %d %s".formatted(peer(), what));
    return false;
  }

  private boolean onCredit(RingFlow flow, long bytes) {
    boolean sound = flow.onTold(bytes);
    if (sound) {
      eased(flow.number, Blocked.NO_CREDIT);
      onRoom(flow);
    }
    return sound;
  }
}
