package io.busbar.lab.conformance;

import io.busbar.fabric.Nic;
import io.busbar.fabric.NicCount;
import io.busbar.wire.Format;
import io.busbar.wire.FrameBuilder;
import io.busbar.wire.Seal;
import java.lang.foreign.MemorySegment;
import java.util.SplittableRandom;

/** How a frame is handed over, and when it is not taken. */
final class SendingChecks {
  private static final int ROUNDS = 2000;
  private static final int ABANDONED = 20_000;

  private SendingChecks() {}

  static void writtenInPlace(Trial t) {
    Station[] stations = t.connected(2);
    Station from = stations[0];
    Station to = stations[1];
    int least = t.rig().frameBytesMin();
    int most = Math.min(from.nic.frameBytesMax(from.peer(to)), 2048);
    SplittableRandom random = new SplittableRandom(2);
    long sent = from.counted(NicCount.FRAMES_SENT);
    for (int i = 0; i < ROUNDS; i++) {
      int reserved = least + random.nextInt(most - least + 1);
      long at = reserve(t, from, to, reserved);
      if (i % 3 == 0) {
        from.nic.transmitMemory().asSlice(at, reserved).fill((byte) 0xAB);
        from.nic.abandon();
      } else {
        int length = i % 3 == 1 ? reserved : least + random.nextInt(reserved - least + 1);
        long number = t.nextNumber();
        Probe.fill(from.nic.transmitMemory(), at, length, from.index, number);
        from.nic.commit(length);
        sent++;
        t.expect(to, from, number, length);
      }
    }
    for (int i = 0; i < ABANDONED; i++) {
      t.require(
          from.nic.reserve(from.peer(to), most) >= 0,
          "full after %d frames that were abandoned",
          i);
      from.nic.abandon();
    }
    t.exchange(from, to, most);
    t.require(
        from.counted(NicCount.FRAMES_SENT) == sent + 1,
        "%d frames were committed, %d are counted as sent",
        sent + 1,
        from.counted(NicCount.FRAMES_SENT));
    t.quiet();
  }

  /** Room for a frame, inside the memory that it is said to lie in. */
  static long reserve(Trial t, Station from, Station to, int length) {
    int peer = from.peer(to);
    long at = t.taken(() -> from.nic.reserve(peer, length));
    t.require(
        at + length <= from.nic.transmitMemory().byteSize(),
        "%d bytes were reserved at %d of %d",
        length,
        at,
        from.nic.transmitMemory().byteSize());
    return at;
  }

  static void tooLongAndTooShort(Trial t) {
    Station[] stations = t.connected(2);
    Station from = stations[0];
    Nic nic = from.nic;
    int peer = from.peer(stations[1]);
    int most = nic.frameBytesMax(peer);
    MemorySegment bytes = from.scratch(most + 1);
    long sent = from.counted(NicCount.FRAMES_SENT);
    requireTooLong(t, "transmit", nic.transmit(peer, bytes, 0, most + 1));
    requireTooLong(t, "reserve", nic.reserve(peer, most + 1));
    int refused = 2;
    if (most + 1 - 32 <= 0xFFFF) {
      requireTooLong(t, "transmit of parts", nic.transmit(peer, frame(bytes, most + 1)));
      refused++;
    }
    t.require(
        from.counted(NicCount.REFUSED_TOO_LONG) == refused,
        "%d frames were too long, %d are counted",
        refused,
        from.counted(NicCount.REFUSED_TOO_LONG));
    for (int length : new int[] {0, -1, Integer.MIN_VALUE}) {
      t.requireRefused(
          "a frame of %d bytes".formatted(length),
          () -> nic.transmit(peer, bytes, 0, length),
          IllegalArgumentException.class);
      t.requireRefused(
          "a reservation of %d bytes".formatted(length),
          () -> nic.reserve(peer, length),
          IllegalArgumentException.class);
    }
    t.quiet();
    t.require(from.counted(NicCount.FRAMES_SENT) == sent, "a refused frame was counted as sent");
    t.exchange(from, stations[1], most);
    t.exchange(stations[1], from, Math.max(1, t.rig().frameBytesMin()));
  }

  private static void requireTooLong(Trial t, String what, long result) {
    t.require(result == Nic.TOO_LONG, "%s of a byte too much gave %d, not TOO_LONG", what, result);
  }

  /** A frame of so many bytes, header included. */
  static FrameBuilder frame(MemorySegment scratch, int bytes) {
    FrameBuilder frame = new FrameBuilder(scratch, false, Seal.NONE);
    frame.begin();
    frame.reserve(bytes - frame.frameBytes());
    frame.finish(Format.DATA, 0, 1, 0, 1, 0, 0, 0, 0);
    return frame;
  }
}
