package io.busbar.lab.conformance;

import io.busbar.fabric.ForwardingNic;
import io.busbar.fabric.FrameReceiver;
import io.busbar.fabric.Nic;
import io.busbar.fabric.NicAddress;
import io.busbar.fabric.NicCapability;
import io.busbar.fabric.NicCount;
import io.busbar.fabric.NicCounters;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.BitSet;
import java.util.HashSet;
import java.util.Set;

/** Interfaces that break their word about peers, sleep, and themselves. */
final class BrokenPeers {
  private BrokenPeers() {}

  /** Hears its own broadcasts. */
  static final class HearsItself extends ForwardingNic {
    private final MemorySegment copy = Arena.ofAuto().allocate(1 << 16);
    private int length;

    HearsItself(Nic below) {
      super(below);
    }

    @Override
    public long transmit(int peer, MemorySegment from, long offset, int bytes) {
      long result = below.transmit(peer, from, offset, bytes);
      if (peer == EVERYONE && result == DONE) {
        MemorySegment.copy(from, offset, copy, 0, bytes);
        length = bytes;
      }
      return result;
    }

    @Override
    public int poll(FrameReceiver receiver, int budget) {
      if (length == 0) {
        return below.poll(receiver, budget);
      }
      int bytes = length;
      length = 0;
      receiver.onFrame(0, copy, 0, bytes, UNCLAIMABLE);
      return 1;
    }
  }

  /** Reaches one peer with a broadcast, or reaches all twice. */
  static final class Broadcasts extends ForwardingNic {
    private final boolean twice;

    Broadcasts(Nic below, boolean twice) {
      super(below);
      this.twice = twice;
    }

    @Override
    public long transmit(int peer, MemorySegment from, long offset, int length) {
      if (peer != EVERYONE) {
        return below.transmit(peer, from, offset, length);
      }
      if (twice) {
        below.transmit(EVERYONE, from, offset, length);
        return below.transmit(EVERYONE, from, offset, length);
      }
      int first = address().text().endsWith("0") ? 1 : 0;
      return below.transmit(first, from, offset, length);
    }
  }

  /** Says that all comes from itself. */
  static final class WrongSource extends ForwardingNic {
    WrongSource(Nic below) {
      super(below);
    }

    @Override
    public NicAddress source() {
      return address();
    }
  }

  /** Gives an address a new number each time. */
  static final class TwoNumbers extends ForwardingNic {
    private final Set<NicAddress> known = new HashSet<>();

    TwoNumbers(Nic below) {
      super(below);
    }

    @Override
    public int open(NicAddress peer) {
      int number = below.open(peer);
      return known.add(peer) ? number : number + 1;
    }
  }

  /** Does not close, or does not open again. */
  static final class Ways extends ForwardingNic {
    private final boolean closes;
    private final BitSet closed = new BitSet();

    Ways(Nic below, boolean closes) {
      super(below);
      this.closes = closes;
    }

    @Override
    public void close(int peer) {
      closed.set(peer, closes);
      if (closes) {
        below.close(peer);
      }
    }

    @Override
    public int open(NicAddress peer) {
      int number = below.open(peer);
      if (closed.get(number)) {
        below.close(number);
      }
      return number;
    }
  }

  /** Closes no peer inside a delivery, or lets go of the frame with it. */
  static final class Closing extends ForwardingNic {
    private final boolean wipes;
    private MemorySegment delivered = MemorySegment.NULL;

    Closing(Nic below, boolean wipes) {
      super(below);
      this.wipes = wipes;
    }

    @Override
    public int poll(FrameReceiver receiver, int budget) {
      return below.poll(
          (peer, memory, offset, length, frame) -> {
            delivered = memory.asSlice(offset, length);
            receiver.onFrame(peer, memory, offset, length, frame);
            delivered = MemorySegment.NULL;
          },
          budget);
    }

    @Override
    public void close(int peer) {
      if (!wipes && delivered.byteSize() > 0) {
        throw new IllegalStateException("not from inside a delivery");
      }
      byte nothing = 0;
      MemorySegment _ = delivered.fill(nothing);
      below.close(peer);
    }
  }

  /** Forgets to ring, from some flush on. */
  static final class ForgetsABell extends ForwardingNic {
    private final int from;
    private int flushes;

    ForgetsABell(Nic below, int from) {
      super(below);
      this.from = from;
    }

    @Override
    public int flush() {
      return ++flushes >= from ? 0 : below.flush();
    }
  }

  /** Says always, or never, that one may sleep. */
  static final class Arms extends ForwardingNic {
    private final boolean sleeps;

    Arms(Nic below, boolean sleeps) {
      super(below);
      this.sleeps = sleeps;
    }

    @Override
    public boolean arm() {
      below.arm();
      return sleeps;
    }
  }

  /** Leaves the bell ringing. */
  static final class RingsOn extends ForwardingNic {
    RingsOn(Nic below) {
      super(below);
    }

    @Override
    public void disarm() {}
  }

  /** Can do more than it says. */
  static final class Understates extends ForwardingNic {
    Understates(Nic below) {
      super(below);
    }

    @Override
    public Set<NicCapability> capabilities() {
      return Set.of();
    }
  }

  /** Counts a frame that was not there, or only what was when it was asked. */
  static final class Counters extends ForwardingNic {
    private final boolean stale;

    Counters(Nic below, boolean stale) {
      super(below);
      this.stale = stale;
    }

    @Override
    public NicCounters counters() {
      NicCounters copy = new NicCounters();
      for (NicCount count : NicCount.values()) {
        copy.add(count, below.counters().get(count));
      }
      return stale ? copy : below.counters();
    }

    @Override
    public int flush() {
      if (!stale) {
        below.counters().add(NicCount.FRAMES_SENT);
      }
      return below.flush();
    }
  }

  /** Works, or seems to, when it is closed. */
  static final class WorksClosed extends ForwardingNic {
    private boolean closed;

    WorksClosed(Nic below) {
      super(below);
    }

    @Override
    public int poll(FrameReceiver receiver, int budget) {
      return closed ? 0 : below.poll(receiver, budget);
    }

    @Override
    public void close() {
      closed = true;
      below.close();
    }
  }

  /** Can be closed once. */
  static final class ClosesOnce extends ForwardingNic {
    private boolean closed;

    ClosesOnce(Nic below) {
      super(below);
    }

    @Override
    public void close() {
      if (closed) {
        throw new IllegalStateException("closed twice");
      }
      closed = true;
      below.close();
    }
  }
}
