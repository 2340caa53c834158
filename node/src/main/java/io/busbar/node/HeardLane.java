package io.busbar.node;

import io.busbar.bus.CastIn;
import io.busbar.wire.Bodies;
import io.busbar.wire.RecordReader;
import io.busbar.wire.Records;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/** The broadcasts of one sender, as they come. Nothing is sent by it. */
final class HeardLane extends Lane implements RecordReader.Sink {
  private static final ValueLayout.OfLong WORD = ValueLayout.JAVA_LONG_UNALIGNED;

  private final Broadcasts broadcasts;
  private final CastIn in;
  private final String group;

  /** The body that each channel brings now; {@link #NO_BODY} when its start was not heard. */
  private final long[] bodies = new long[1 + CHANNELS];

  /** The body that each channel brought last: names count up. */
  private final long[] last = new long[1 + CHANNELS];

  private RecordReader reader = new RecordReader();
  private final Gathered gathered = new Gathered();
  private long header;
  private int length;

  /** The number of the message that comes next. */
  private long number;

  HeardLane(Engine engine, Broadcasts broadcasts, CastIn in, String group, long number) {
    super(engine, in.sender());
    this.broadcasts = broadcasts;
    this.in = in;
    this.group = group;
    this.number = number;
    Arrays.fill(bodies, NO_BODY);
  }

  @Override
  public int destination() {
    return NOWHERE;
  }

  /** Whom they are for; empty for everyone. */
  String group() {
    return group;
  }

  /** The number of the message that comes next. */
  long number() {
    return number;
  }

  /** The next bytes of the stream; false when they are no records. */
  boolean onBytes(MemorySegment memory, long at, int bytes) {
    return reader.feed(memory, at, bytes, this);
  }

  /** What was begun does not end; the stream goes on with another message. */
  void onGap(long message) {
    breakBodies();
    int begun = reader.isAtBoundary() ? 0 : gathered.bytes() + Records.HEADER_BYTES;
    broadcasts.done(in, begun);
    reader = new RecordReader();
    number = message;
  }

  /** Long messages that have begun do not end; pieces of them that still come are nobody's. */
  void breakBodies() {
    for (int channel = 1; channel < bodies.length; channel++) {
      breakBody(channel);
    }
  }

  private void breakBody(int channel) {
    if (bodies[channel] != NO_BODY) {
      long body = bodies[channel];
      bodies[channel] = NO_BODY;
      engine().user().onBody(this, body, Bodies.LAST | Bodies.BROKEN, MemorySegment.NULL, 0, 0);
    }
  }

  @Override
  public void onRecord(long word) {
    header = word;
    length = Records.length(word);
    gathered.begin();
    if (length == 0) {
      give(MemorySegment.NULL, 0);
    }
  }

  @Override
  public void onBytes(MemorySegment memory, long at, int bytes, boolean last) {
    if (length > RECORD_BYTES_MAX) {
      broadcasts.done(in, bytes + (last ? overhead() : 0)); // nobody who sends so is one of us
      return;
    }
    if (last && gathered.bytes() == 0) {
      give(memory, at);
      return;
    }
    gathered.add(memory, at, bytes);
    if (last) {
      give(gathered.show(), 0);
      gathered.hide();
    }
  }

  private int overhead() {
    return (int) (Records.streamBytes(length) - length);
  }

  private void give(MemorySegment memory, long at) {
    int kind = Records.kind(header);
    if (isMessage(header)) {
      number++;
      if (kind == Records.START) {
        if (!isSoundStart(memory, at) || !begin(memory.get(WORD, at + Bodies.START_BODY_AT))) {
          broadcasts.done(in, Records.streamBytes(length));
          return;
        }
      }
      received(length);
      engine().user().onRecord(this, header, memory, at, length);
    } else if (kind == Records.BODY) {
      onPiece(memory, at);
    } else {
      broadcasts.done(in, Records.streamBytes(length));
    }
  }

  /** A body begins on its channel; false when that, or a later one, has begun before. */
  private boolean begin(long body) {
    int channel = Bodies.channel(body);
    if (body <= last[channel]) {
      return false;
    }
    last[channel] = body;
    breakBody(channel);
    bodies[channel] = body;
    return true;
  }

  private void onPiece(MemorySegment memory, long at) {
    int channel = Records.handler(header);
    boolean isKnown = channel >= 1 && channel <= CHANNELS && bodies[channel] != NO_BODY;
    broadcasts.done(in, isKnown ? overhead() : Records.streamBytes(length));
    if (isKnown) {
      received(length);
      int flags = Records.flags(header);
      long body = bodies[channel];
      bodies[channel] = (flags & Bodies.LAST) == 0 ? body : NO_BODY;
      engine().user().onBody(this, body, flags, memory, at, length);
    }
  }

  @Override
  public void done(int bytes) {
    broadcasts.done(in, Records.streamBytes(bytes));
  }

  @Override
  public void bodyDone(long body, long bytes) {
    broadcasts.done(in, bytes);
  }

  @Override
  public void endBody(long body) {}

  @Override
  public String fabric() {
    return "broadcast";
  }

  // Nothing is sent by it.

  @Override
  long onTheWayBytes() {
    return 0;
  }

  @Override
  public boolean copies() {
    return true;
  }

  @Override
  public int trySend(long record, MemorySegment from, long at, long token) {
    return REFUSED;
  }

  @Override
  public int pieceBytesMax() {
    return 0;
  }

  @Override
  int sendPiece(int channel, int flags, MemorySegment from, long at, int bytes, long token) {
    return REFUSED;
  }

  @Override
  public long claim() {
    return gathered.claim();
  }

  @Override
  public void release(long claim) {
    gathered.release(claim);
  }

  @Override
  void retry() {}
}
