package io.busbar.lab;

import io.busbar.transport.Ending;
import io.busbar.transport.Release;
import io.busbar.transport.Transport;
import io.busbar.wire.RecordReader;
import io.busbar.wire.Records;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * One end of a conversation: it writes its flow as fast as it may, checks what it reads, and
 * behaves as its plan says. Buffers that come back are overwritten at once, so that a repair from a
 * buffer released too early is noticed.
 */
final class Talker {
  private final Program program;
  private final Ledger.Entry entry;
  private final boolean opener;
  private final Flow out;
  private final Flow in;
  private final long total;
  private final SplittableRandom random;
  private final List<MemorySegment> buffers = new ArrayList<>();
  private final List<Long> bufferEnds = new ArrayList<>();
  private final List<Integer> free = new ArrayList<>();
  private int outstanding;
  private int planned;
  private boolean closed;
  private boolean ended;
  private boolean reads = true;
  private boolean pausing;
  private boolean hasPaused;
  private boolean openTold;
  private boolean readEndTold;
  private boolean writeEndTold;
  private long held;
  private final RecordsIn records = new RecordsIn();

  /** The handle; set as soon as it is known. */
  long association;

  Talker(Program program, Ledger.Entry entry, boolean opener) {
    this.program = program;
    this.entry = entry;
    this.opener = opener;
    Conversation plan = entry.plan;
    out = opener ? entry.forward : entry.backward;
    in = opener ? entry.backward : entry.forward;
    total = opener ? plan.forwardBytes() : plan.backwardBytes();
    random = new SplittableRandom(out.id() * 7919L + 13);
  }

  /** Writes until the transport has no room, or all is written; then closes. */
  void write() {
    Transport transport = program.transport();
    while (!ended && !closed && out.written() < total) {
      if (pausesNow()) {
        return;
      }
      if (!(entry.plan.datagrams() ? writeDatagram(transport) : writeMessage(transport))) {
        return;
      }
      abortIfPlanned(transport);
    }
    if (!ended && !closed && (!entry.plan.datagrams() || opener)) {
      closed = true;
      transport.closeWrite(program.nowNs(), association);
    }
  }

  /** Half way, a writer may rest long enough that its credit expires. */
  private boolean pausesNow() {
    if (!hasPaused && entry.plan.pauseNs() > 0 && out.written() >= total >>> 1) {
      hasPaused = true;
      pausing = true;
      program.later(
          entry.plan.pauseNs(),
          () -> {
            pausing = false;
            write();
          });
    }
    return pausing;
  }

  private boolean writeMessage(Transport transport) {
    if (planned == 0) {
      planned = (int) Math.min(1 + random.nextInt(entry.plan.messageMax()), total - out.written());
    }
    int length = planned;
    boolean ends = entry.plan.records() || (out.written() & 3) != 1;
    int token = buffer(length);
    MemorySegment buffer = buffers.get(token);
    Pattern.write(buffer, 0, length, out.id(), out.written());
    bufferEnds.set(token, out.written() + length);
    outstanding++;
    if (!give(transport, buffer, length, token, ends)) {
      outstanding--;
      free.add(token);
      return false;
    }
    planned = 0;
    out.onWritten(length, ends);
    return true;
  }

  private boolean give(
      Transport transport, MemorySegment buffer, int length, int token, boolean ends) {
    long now = program.nowNs();
    if (!entry.plan.records()) {
      return transport.trySend(now, association, buffer, 0, length, token, ends);
    }
    long header = Records.header(Records.WHOLE, 0, handlerAt(out.written()), length);
    boolean taken = transport.trySendRecord(now, association, header, buffer, 0, token);
    if (taken) {
      out.onRecordWritten(length);
    }
    return taken;
  }

  /** Records name a handler; here it says where in the flow its record begins. */
  private static int handlerAt(long position) {
    return (int) position & 0xFFFF;
  }

  private boolean writeDatagram(Transport transport) {
    int length = 4 + Math.min(entry.plan.messageMax(), transport.datagramBytesMax() - 4);
    int number = (int) out.written();
    int token = buffer(length);
    MemorySegment buffer = buffers.get(token);
    buffer.set(ValueLayout.JAVA_INT_UNALIGNED, 0, number);
    Pattern.write(buffer, 4, length - 4, out.id(), number * 8L);
    outstanding++;
    if (!transport.trySend(program.nowNs(), association, buffer, 0, length, token, true)) {
      outstanding--;
      free.add(token);
      return false;
    }
    out.onWritten(length, true);
    return true;
  }

  private int buffer(int length) {
    for (int i = free.size() - 1; i >= 0; i--) {
      if (buffers.get(free.get(i)).byteSize() >= length) {
        return free.remove(/* index */ i);
      }
    }
    buffers.add(MemorySegment.ofArray(new byte[length]));
    bufferEnds.add(0L);
    return buffers.size() - 1;
  }

  void onReleased(long token, Release how) {
    MemorySegment buffer = buffers.get((int) token);
    Violation.check(
        !free.contains((int) token), "released once", "buffer %d of flow %d", token, out.id());
    if (how == Release.DELIVERED) {
      out.onReleasedDelivered(bufferEnds.get((int) token));
    }
    buffer.fill((byte) 0xEE);
    free.add((int) token);
    outstanding--;
  }

  void onBytes(MemorySegment segment, long at, int length, boolean endsMessage) {
    Violation.check(reads, "nothing behind the end", "flow %d was closed for reading", in.id());
    if (entry.plan.datagrams()) {
      int number = segment.get(ValueLayout.JAVA_INT_UNALIGNED, at);
      in.onDatagram(segment, at + 4, length - 4, number);
      return;
    }
    Transport transport = program.transport();
    if (entry.plan.records()) {
      records.read(segment, at, length, endsMessage);
      transport.consumed(program.nowNs(), association, length);
    } else {
      long position = in.read();
      in.onRead(segment, at, length, endsMessage);
      hold(segment, at, length, position);
    }
    boolean enough = entry.plan.closeReadAfter() >= 0 && in.read() > entry.plan.closeReadAfter();
    if (!opener && enough && !ended) {
      reads = false;
      program.onGiven(held);
      transport.closeRead(program.nowNs(), association);
    }
    abortIfPlanned(transport);
  }

  /** Holds what came as long as the plan says, in place if it may, and checks it once more. */
  private void hold(MemorySegment segment, long at, int length, long position) {
    held += length;
    program.onHeld(length);
    long claim = entry.plan.claims() ? program.transport().claimCurrent() : -1;
    MemorySegment kept = segment;
    long keptAt = at;
    if (claim < 0) {
      kept = MemorySegment.ofArray(segment.asSlice(at, length).toArray(ValueLayout.JAVA_BYTE));
      keptAt = 0;
    }
    MemorySegment bytes = kept;
    long from = keptAt;
    if (entry.plan.consumeNs() == 0) {
      give(bytes, from, length, position, claim);
    } else {
      program.later(entry.plan.consumeNs(), () -> give(bytes, from, length, position, claim));
    }
  }

  private void give(MemorySegment bytes, long at, int length, long position, long claim) {
    Violation.check(
        Pattern.matches(bytes, at, length, in.id(), position),
        "claimed frames stay",
        "flow %d: bytes at %d changed while they were held",
        in.id(),
        position);
    if (claim >= 0) {
      program.releaseClaim(claim);
    }
    if (!ended && reads) {
      held -= length;
      program.onGiven(length);
      program.transport().consumed(program.nowNs(), association, length);
    }
  }

  private void abortIfPlanned(Transport transport) {
    boolean due = entry.plan.aborts() && out.written() > entry.plan.abortAfter();
    if (opener && due && !ended) {
      transport.abort(program.nowNs(), association);
    }
  }

  void onOpened() {
    Violation.check(
        opener && !openTold && !ended, "every event once", "flow %d was opened", out.id());
    openTold = true;
  }

  void onReadEnd() {
    readEndTold = true;
    Violation.check(
        records.reader.isAtBoundary(), "complete", "flow %d ended inside a record", in.id());
    in.onReadEnd();
  }

  void onWriteEnd(long undelivered) {
    Violation.check(!writeEndTold, "every event once", "flow %d ended", out.id());
    writeEndTold = true;
    out.onWriteEnd(undelivered);
    closed = true;
  }

  void onEnded(Ending why, long undelivered) {
    Violation.check(!ended, "ended once", "conversation %d", entry.plan.id());
    ended = true;
    program.onGiven(reads ? held : 0);
    boolean allTold = (openTold || !opener) && writeEndTold && (readEndTold || !reads);
    Violation.check(
        why != Ending.DISSOLVED || allTold || entry.plan.datagrams(),
        "every event once",
        "conversation %d dissolved; told: opened %b, end of reading %b, of writing %b",
        entry.plan.id(),
        openTold,
        readEndTold,
        writeEndTold);
    out.onWriteEnd(undelivered);
    Violation.check(
        outstanding == 0,
        "released once",
        "conversation %d ended with %d buffers unreleased",
        entry.plan.id(),
        outstanding);
    program.ledgerEnd(entry, opener, why);
  }

  /** Cuts what comes back into records, and checks each. */
  private final class RecordsIn implements RecordReader.Sink {
    private final RecordReader reader = new RecordReader();

    void read(MemorySegment segment, long at, int length, boolean endsMessage) {
      Violation.check(!endsMessage, "ends of messages", "flow %d has records only", in.id());
      Violation.check(
          reader.feed(segment, at, length, this),
          "once and in order",
          "flow %d: no record begins at %d",
          in.id(),
          in.read());
    }

    @Override
    public void onRecord(long header) {
      Violation.check(
          Records.kind(header) == Records.WHOLE && Records.handler(header) == handlerAt(in.read()),
          "once and in order",
          "flow %d: another record begins at %d",
          in.id(),
          in.read());
    }

    @Override
    public void onBytes(MemorySegment segment, long at, int length, boolean last) {
      in.onRead(segment, at, length, last);
    }
  }
}
