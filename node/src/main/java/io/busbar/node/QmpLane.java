package io.busbar.node;

import io.busbar.transport.Service;
import io.busbar.transport.Transport;
import io.busbar.wire.Blocked;
import io.busbar.wire.RecordReader;
import io.busbar.wire.Records;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * A lane over datagrams: records in a stream of the transport's. Each side writes to one
 * association: the one that the peer opened, if there is one when the first record is sent, else
 * one that it opens. So two that begin at once have two associations, one for each way, and the
 * order of each way is that of one stream.
 */
final class QmpLane extends Lane implements RecordReader.Sink {
  private static final long NONE = 0;

  private final Engine engine;
  private final Transport transport;
  private final String carrier;
  private long writing = NONE;
  private long accepted = NONE;

  /** The association that the peer's records come from: it has but one, too. */
  private long reading = NONE;

  private final RecordReader reader = new RecordReader();

  // Bytes of the peer's stream: that have come, that our user has dealt with, and for which the
  // transport was told that there is room again.
  private long arrived;
  private long done;
  private long told;
  private final long parkedBytesMax;
  private boolean unusable;

  // The record that is being read.
  private long header;
  private int length;
  private int gathered;
  private MemorySegment gathering = MemorySegment.NULL;

  /**
   * A lane.
   *
   * @param parkedBytesMax what may wait for our user beyond the transport's own window; more than a
   *     record, so that every record can be gathered
   */
  QmpLane(Engine engine, int peer, Transport transport, String carrier, long parkedBytesMax) {
    super(peer);
    this.engine = engine;
    this.transport = transport;
    this.carrier = carrier;
    this.parkedBytesMax = Math.max(parkedBytesMax, 2L * RECORD_BYTES_MAX);
  }

  @Override
  public boolean copies() {
    return false;
  }

  @Override
  public String fabric() {
    return carrier;
  }

  @Override
  public int trySend(long record, MemorySegment from, long at, long token) {
    if (isEnded()) {
      return REFUSED;
    }
    if (writing == NONE) {
      writing = accepted != NONE ? accepted : open();
    }
    boolean taken = transport.trySendRecord(engine.nowNs(), writing, record, from, at, token);
    engine.transportIsDue();
    if (!taken) {
      refused(Blocked.QUEUE_FULL);
      return REFUSED;
    }
    sent(Records.length(record));
    return TAKEN;
  }

  private long open() {
    long opened =
        transport.open(
            engine.nowNs(),
            peer(),
            Engine.PROTO_LANE,
            Service.STREAM,
            Engine.PORT_LANE,
            Engine.PORT_LANE,
            0,
            0);
    engine.own(opened, this);
    return opened;
  }

  /** The peer has opened an association for its records. */
  void onAccepted(long association) {
    accepted = association;
  }

  /** Whether the peer has opened one already: it needs no second. */
  boolean hasAccepted() {
    return accepted != NONE;
  }

  /** Whether an association is one of this lane's that still count. */
  boolean isOver(long association) {
    return association == writing || association == accepted;
  }

  @Override
  public void done(int bytes) {
    done += Records.streamBytes(bytes);
    tell();
  }

  /** Tells the transport how much room there is again. */
  private void tell() {
    long room = Math.min(arrived, done + parkedBytesMax);
    if (room > told && !isEnded()) {
      transport.consumed(engine.nowNs(), reading, room - told);
      told = room;
      engine.transportIsDue();
    }
  }

  @Override
  long onTheWayBytes() {
    return transport.onTheirWayBytes(peer());
  }

  /** Bytes of the peer's stream; false when they are no records. */
  boolean onBytes(long association, MemorySegment memory, long at, int bytes) {
    if (reading == NONE) {
      reading = association;
    }
    if (association != reading || !reader.feed(memory, at, bytes, this) || unusable) {
      return false;
    }
    arrived += bytes;
    tell();
    return true;
  }

  @Override
  public void onRecord(long word) {
    header = word;
    length = Records.length(word);
    gathered = 0;
    unusable |= length > RECORD_BYTES_MAX || !isMessage(word);
    if (length == 0 && !unusable) {
      received(0);
      engine.user().onRecord(this, header, MemorySegment.NULL, 0, 0);
    }
  }

  @Override
  public void onBytes(MemorySegment memory, long at, int bytes, boolean last) {
    if (unusable) {
      return;
    }
    if (last && gathered == 0) {
      received(length);
      engine.user().onRecord(this, header, memory, at, bytes);
      return;
    }
    if (gathering.byteSize() < length) {
      gathering = Arena.ofAuto().allocate(RECORD_BYTES_MAX);
    }
    MemorySegment.copy(memory, at, gathering, gathered, bytes);
    gathered += bytes;
    if (last) {
      received(length);
      engine.user().onRecord(this, header, gathering, 0, length);
    }
  }
}
