package io.busbar.node;

import io.busbar.wire.Blocked;
import io.busbar.wire.Bodies;
import io.busbar.wire.Records;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** A lane over datagrams: streams of the transport's, one for the records, one for each channel. */
final class QmpLane extends Lane {
  private static final ValueLayout.OfLong WORD = ValueLayout.JAVA_LONG_UNALIGNED;

  /** The token of our own records, whose memory nobody waits for. */
  static final long OWN = -1;

  private volatile String carrier;
  private final LaneStream records;
  private final BodiesIn bodiesIn = new BodiesIn(CHANNELS);
  private final BodyStream[] bodies = new BodyStream[1 + CHANNELS];

  /** For each channel the body that we are done with, as it is sent. */
  private final MemorySegment bodiesDone = Arena.ofAuto().allocate(8L * (1 + CHANNELS), 8);

  private final boolean[] bodyToTell = new boolean[1 + CHANNELS];
  private boolean claimable;
  private boolean heard;

  QmpLane(Engine engine, int peer, String carrier, long parkedBytesMax) {
    super(engine, peer);
    this.carrier = carrier;
    this.records = new LaneStream(this, Engine.PORT_LANE, parkedBytesMax);
    for (int i = 1; i < bodies.length; i++) {
      bodies[i] = new BodyStream(this, Engine.PORT_LANE + i, i);
    }
  }

  @Override
  public boolean copies() {
    return false;
  }

  @Override
  public String fabric() {
    return carrier;
  }

  /** Another carrier is used from now on. */
  void carriedBy(String fabric) {
    carrier = fabric;
  }

  /** A queue is full because of what holds back those that are in it. */
  @Override
  Blocked heldBackBy(int flow, Blocked refusal) {
    if (refusal != Blocked.QUEUE_FULL) {
      return refusal;
    }
    Blocked below = stream(Engine.PORT_LANE + flow).heldBackBy();
    return below == Blocked.NOT ? refusal : below;
  }

  @Override
  String address() {
    Way way = engine().way(peer());
    return way == null ? "" : way.carrier().nic.address(way.number()).text();
  }

  /** The stream of a port that the peer opened. */
  QmpStream stream(int port) {
    return port == Engine.PORT_LANE ? records : bodies[port - Engine.PORT_LANE];
  }

  // Sending.

  @Override
  public int trySend(long record, MemorySegment from, long at, long token) {
    return send(records, record, from, at, token);
  }

  @Override
  public int pieceBytesMax() {
    return RECORD_BYTES_MAX;
  }

  @Override
  int sendPiece(int channel, int flags, MemorySegment from, long at, int length, long token) {
    long record = Records.header(Records.BODY, flags, 0, length);
    int result = send(bodies[channel], record, from, at, token);
    if (result == TAKEN && (flags & Bodies.LAST) != 0) {
      bodies[channel].push();
    }
    return result;
  }

  private int send(QmpStream stream, long record, MemorySegment from, long at, long token) {
    if (isEnded()) {
      return REFUSED;
    }
    if (!stream.trySend(record, from, at, token)) {
      refused(stream.flow(), Blocked.QUEUE_FULL);
      return REFUSED;
    }
    sent(stream.flow(), Records.length(record));
    return TAKEN;
  }

  /** Called when the transport, which refused something, takes it now. */
  @Override
  void retry() {
    for (int i = 1; i < bodyToTell.length && !isEnded(); i++) {
      if (bodyToTell[i]) {
        tellBodyDone(i);
      }
    }
  }

  @Override
  long onTheWayBytes() {
    return engine().transport().onTheirWayBytes(peer());
  }

  /** A frame of the peer's has come. */
  void onHeard() {
    heard = true;
  }

  /** Asks the peer for a sign of life, if there was none since the last time. */
  void probe() {
    if (!heard && !isEnded() && records.isOpen()) {
      long record = Records.header(Records.ALIVE, 0, 0, 0);
      boolean _ = records.trySend(record, MemorySegment.NULL, 0, OWN);
    }
    heard = false;
  }

  /** Whether the peer can be asked. */
  boolean isOpen() {
    return !isEnded() && records.isOpen();
  }

  /** What is left of the lane ends, and the peer hears of it. */
  void abort() {
    records.abort();
    for (int i = 1; i < bodies.length; i++) {
      bodies[i].abort();
    }
  }

  // Receiving.

  void onMessage(long header, MemorySegment memory, long at, int length, boolean inFrame) {
    received(length);
    claimable = inFrame;
    engine().user().onRecord(this, header, memory, at, length);
    claimable = false;
  }

  /** A body starts; false when it is not its turn. */
  boolean onStart(long body) {
    return bodiesIn.onStart(body);
  }

  /** A piece of a body; false when it is not its turn. */
  boolean onPiece(int channel, int flags, MemorySegment memory, long at, int length) {
    long body = bodiesIn.onPiece(channel, flags);
    if (body != BodiesIn.NONE) {
      onPieceOf(body, flags, memory, at, length);
    }
    return body != BodiesIn.NONE;
  }

  private void onPieceOf(long body, int flags, MemorySegment memory, long at, int length) {
    received(length);
    claimable = true;
    engine().user().onBody(this, body, flags, memory, at, length);
    claimable = false;
  }

  @Override
  public void done(int length) {
    records.dealtWith(Records.streamBytes(length));
    records.tell();
  }

  @Override
  public void bodyDone(long body, long bytes) {
    BodyStream stream = bodies[Bodies.channel(body)];
    stream.dealtWith(bytes);
    stream.tell();
  }

  @Override
  public void endBody(long body) {
    bodiesIn.onDone(body);
    bodiesDone.set(WORD, 8L * Bodies.channel(body), body);
    bodyToTell[Bodies.channel(body)] = true;
    if (!isEnded()) {
      tellBodyDone(Bodies.channel(body));
    }
  }

  private void tellBodyDone(int channel) {
    long record = Records.header(Records.BODY_DONE, 0, 0, Long.BYTES);
    bodyToTell[channel] = !records.trySend(record, bodiesDone, 8L * channel, OWN);
  }

  @Override
  public long claim() {
    return claimable ? engine().transport().claimCurrent() : records.gathered().claim();
  }

  @Override
  public void release(long claim) {
    if (Gathered.isName(claim)) {
      records.gathered().release(claim);
    } else {
      engine().carriers().release(claim);
    }
  }
}
