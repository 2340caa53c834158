package io.busbar.lab.conformance;

import io.busbar.fabric.Nic;
import io.busbar.wire.Format;
import io.busbar.wire.FrameBuilder;
import io.busbar.wire.Seal;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** What a frame is sent from, and from when on it may be overwritten. */
final class MemoryChecks {
  private static final byte OVERWRITTEN = (byte) 0xEE;
  private static final int ROUNDS = 100;
  private static final int TICKETS = 8;

  /** Long enough for what a carrier does not copy, short enough for a frame of the wire. */
  private static final int LENGTH_MAX = 48 * 1024;

  private static final int LENGTH_MIN = 64;
  private static final int PIECE_BYTES = 256;

  private MemoryChecks() {}

  static void memoryOfTheCaller(Trial t) {
    Station[] stations = t.connected(2);
    Station from = stations[0];
    Station to = stations[1];
    int most = Math.min(from.nic.frameBytesMax(from.peer(to)), LENGTH_MAX);
    MemorySegment heap = MemorySegment.ofArray(new byte[most + 3]);
    MemorySegment nativeMemory = Arena.ofAuto().allocate(most + 3L);
    MemorySegment registered = Arena.ofAuto().allocate((long) TICKETS * most, Long.BYTES);
    for (int i = 0; i < ROUNDS; i++) {
      int length = length(t, most, i);
      onePiece(t, from, to, heap, length);
      onePiece(t, from, to, nativeMemory, length);
      parts(t, from, to, heap, nativeMemory, length);
    }
    from.nic.register(registered);
    for (int i = 0; i < ROUNDS; i++) {
      inPlace(t, from, to, registered, length(t, most, i));
      parts(t, from, to, heap, registered, length(t, most, i));
    }
    from.nic.deregister(registered);
    onePiece(t, from, to, registered, most);
    t.quiet();
  }

  /** From the longest to some hundred bytes, and over again. */
  private static int length(Trial t, int most, int round) {
    return Math.max(Math.max(LENGTH_MIN, t.rig().frameBytesMin()), (most >> round % 8) - round);
  }

  /** Memory that was not registered is the caller's again at once. */
  private static void onePiece(
      Trial t, Station from, Station to, MemorySegment memory, int length) {
    long number = t.nextNumber();
    int offset = (int) (memory.byteSize() - length) & 3;
    Probe.fill(memory, offset, length, from.index, number);
    int peer = from.peer(to);
    long ticket = t.taken(() -> from.nic.transmit(peer, memory, offset, length));
    t.require(
        from.nic.isComplete(ticket), "memory that was not registered is still in use after send");
    memory.fill(OVERWRITTEN);
    t.expect(to, from, number, length);
  }

  /** Several frames from registered memory, each overwritten as soon as its ticket is complete. */
  private static void inPlace(Trial t, Station from, Station to, MemorySegment memory, int length) {
    int peer = from.peer(to);
    long[] tickets = new long[TICKETS];
    long[] numbers = new long[TICKETS];
    for (int i = 0; i < TICKETS; i++) {
      long at = (long) i * length;
      numbers[i] = t.nextNumber();
      Probe.fill(memory, at, length, from.index, numbers[i]);
      tickets[i] = t.taken(() -> from.nic.transmit(peer, memory, at, length));
    }
    for (int i = 0; i < TICKETS; i++) {
      overwriteWhenComplete(t, from.nic, tickets[i], memory.asSlice((long) i * length, length));
    }
    for (int i = 0; i < TICKETS; i++) {
      t.expect(to, from, numbers[i], length);
    }
  }

  private static void overwriteWhenComplete(Trial t, Nic nic, long ticket, MemorySegment memory) {
    t.await(() -> nic.isComplete(ticket), "ticket %d never completes", ticket);
    memory.fill(OVERWRITTEN);
  }

  /** A frame of as many parts as there is room for, from both memories in turn. */
  private static void parts(
      Trial t, Station from, Station to, MemorySegment one, MemorySegment other, int bytes) {
    MemorySegment scratch = from.scratch(bytes);
    FrameBuilder frame = new FrameBuilder(scratch, false, Seal.NONE);
    Probe.fill(one, 0, bytes, from.index, t.nextNumber());
    Probe.fill(other, 0, bytes, from.index, t.nextNumber());
    frame.begin();
    for (int i = 0; frame.frameBytes() + PIECE_BYTES + 2 <= bytes && frame.hasPart(); i++) {
      MemorySegment memory = (i & 1) == 0 ? one : other;
      frame.bytes(memory, (long) i * PIECE_BYTES, PIECE_BYTES);
      frame.word(i, 0, 2);
    }
    frame.finish(Format.DATA, 0, 1, 0, 1, 0, 0, 0, 0);
    MemorySegment expected = MemorySegment.ofArray(new byte[frame.frameBytes()]);
    frame.copyTo(expected, 0);
    int peer = from.peer(to);
    long ticket = t.taken(() -> from.nic.transmit(peer, frame));
    scratch.fill(OVERWRITTEN);
    one.fill(OVERWRITTEN);
    overwriteWhenComplete(t, from.nic, ticket, other);
    t.await(() -> !to.letters.isEmpty(), "a frame of %d parts never came", frame.parts());
    MemorySegment came = to.letters.remove().bytes();
    t.require(
        expected.mismatch(came) == -1,
        "a frame of %d parts and %d bytes came as %d other bytes",
        frame.parts(),
        expected.byteSize(),
        came.byteSize());
  }
}
