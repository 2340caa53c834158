package io.busbar.lab.conformance;

import io.busbar.fabric.ForwardingNic;
import io.busbar.fabric.Nic;
import io.busbar.fabric.NicCount;
import io.busbar.memory.Role;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.locks.LockSupport;

/** Interfaces that break their word when they send. */
final class BrokenSending {
  private BrokenSending() {}

  /** Does something else with one frame in so many. */
  abstract static class Sometimes extends ForwardingNic {
    private final int every;
    private int frames;

    Sometimes(Nic below, int every) {
      super(below);
      this.every = every;
    }

    @Override
    public long transmit(int peer, MemorySegment from, long offset, int length) {
      return ++frames % every == 0
          ? otherwise(peer, from, offset, length)
          : below.transmit(peer, from, offset, length);
    }

    abstract long otherwise(int peer, MemorySegment from, long offset, int length);
  }

  /** Takes a frame and loses it. */
  static final class Loses extends Sometimes {
    Loses(Nic below, int every) {
      super(below, every);
    }

    @Override
    long otherwise(int peer, MemorySegment from, long offset, int length) {
      return DONE;
    }
  }

  /** Keeps one frame in so many, and loses the others. */
  static final class LosesMost extends Sometimes {
    private final int every;
    private int frames;

    LosesMost(Nic below, int every) {
      super(below, 1);
      this.every = every;
    }

    @Override
    long otherwise(int peer, MemorySegment from, long offset, int length) {
      return ++frames % every == 0 ? below.transmit(peer, from, offset, length) : DONE;
    }
  }

  /** Sends a frame twice. */
  static final class Doubles extends Sometimes {
    Doubles(Nic below, int every) {
      super(below, every);
    }

    @Override
    long otherwise(int peer, MemorySegment from, long offset, int length) {
      below.transmit(peer, from, offset, length);
      return below.transmit(peer, from, offset, length);
    }
  }

  /** Changes the last byte of a frame. */
  static final class Flips extends Sometimes {
    private final MemorySegment changed = Arena.ofAuto().allocate(1 << 16);

    Flips(Nic below, int every) {
      super(below, every);
    }

    @Override
    long otherwise(int peer, MemorySegment from, long offset, int length) {
      MemorySegment.copy(from, offset, changed, 0, length);
      byte last = changed.get(ValueLayout.JAVA_BYTE, length - 1L);
      changed.set(ValueLayout.JAVA_BYTE, length - 1L, (byte) (last ^ 1));
      return below.transmit(peer, changed, 0, length);
    }
  }

  /** Cuts long frames. */
  static final class Cuts extends ForwardingNic {
    Cuts(Nic below) {
      super(below);
    }

    @Override
    public long transmit(int peer, MemorySegment from, long offset, int length) {
      return below.transmit(peer, from, offset, length > 1024 ? length - 1 : length);
    }
  }

  /** Lets the next frame overtake one. */
  static final class Overtakes extends Sometimes {
    private final MemorySegment kept = Arena.ofAuto().allocate(1 << 16);
    private int keptPeer = STRANGER;
    private int keptLength;

    Overtakes(Nic below, int every) {
      super(below, every);
    }

    @Override
    long otherwise(int peer, MemorySegment from, long offset, int length) {
      MemorySegment.copy(from, offset, kept, 0, length);
      keptPeer = peer;
      keptLength = length;
      return DONE;
    }

    @Override
    public long transmit(int peer, MemorySegment from, long offset, int length) {
      int waiting = keptPeer;
      long result = super.transmit(peer, from, offset, length);
      if (waiting != STRANGER && below.transmit(waiting, kept, 0, keptLength) == DONE) {
        keptPeer = STRANGER;
      }
      return result;
    }
  }

  /** Makes wrong use of what was reserved. */
  static class Reservations extends ForwardingNic {
    int reserved;

    Reservations(Nic below) {
      super(below);
    }

    @Override
    public long reserve(int peer, int length) {
      reserved = length;
      return below.reserve(peer, length);
    }
  }

  /** Sends all that was reserved. */
  static final class CommitsAll extends Reservations {
    CommitsAll(Nic below) {
      super(below);
    }

    @Override
    public void commit(int length) {
      below.commit(reserved);
    }
  }

  /** Sends what was abandoned. */
  static final class SendsAbandoned extends Reservations {
    SendsAbandoned(Nic below) {
      super(below);
    }

    @Override
    public void abandon() {
      below.commit(reserved);
    }
  }

  /** Has no room any more when much was abandoned. */
  static final class LeaksAbandoned extends Reservations {
    private int abandoned;

    LeaksAbandoned(Nic below) {
      super(below);
    }

    @Override
    public long reserve(int peer, int length) {
      return abandoned > 10_000 ? FULL : super.reserve(peer, length);
    }

    @Override
    public void abandon() {
      abandoned++;
      below.abandon();
    }
  }

  /** Reads the caller's memory at the next flush. */
  static final class ReadsLate extends ForwardingNic {
    private MemorySegment late = MemorySegment.NULL;
    private int latePeer;
    private long lateOffset;
    private int lateLength;

    ReadsLate(Nic below) {
      super(below);
    }

    @Override
    public long transmit(int peer, MemorySegment from, long offset, int length) {
      flush();
      late = from;
      latePeer = peer;
      lateOffset = offset;
      lateLength = length;
      return DONE;
    }

    @Override
    public int flush() {
      if (late.byteSize() > 0) {
        below.transmit(latePeer, late, lateOffset, lateLength);
        late = MemorySegment.NULL;
      }
      return below.flush();
    }
  }

  /** Says too soon, or never, that memory is the caller's again. */
  static final class Tickets extends ForwardingNic {
    private final boolean complete;

    Tickets(Nic below, boolean complete) {
      super(below);
      this.complete = complete;
    }

    @Override
    public boolean isComplete(long ticket) {
      return complete || ticket == DONE;
    }
  }

  /** Says that a frame was taken when it was refused. */
  static final class Hides extends ForwardingNic {
    private final long refusal;

    Hides(Nic below, long refusal) {
      super(below);
      this.refusal = refusal;
    }

    @Override
    public long transmit(int peer, MemorySegment from, long offset, int length) {
      long result = below.transmit(peer, from, offset, length);
      return result == refusal ? DONE : result;
    }
  }

  /** Once full, always full. */
  static final class StaysFull extends ForwardingNic {
    private boolean full;

    StaysFull(Nic below) {
      super(below);
    }

    @Override
    public long transmit(int peer, MemorySegment from, long offset, int length) {
      if (full) {
        below.counters().add(NicCount.REFUSED_FULL);
        return FULL;
      }
      long result = below.transmit(peer, from, offset, length);
      full = result == FULL;
      return result;
    }
  }

  /** Waits for room, for ever. */
  static final class Hangs extends ForwardingNic {
    Hangs(Nic below) {
      super(below);
    }

    @Override
    public long transmit(int peer, MemorySegment from, long offset, int length) {
      long result = below.transmit(peer, from, offset, length);
      while (result == FULL) {
        LockSupport.park();
      }
      return result;
    }
  }

  /** Takes frames of no bytes. */
  static final class TakesNothing extends ForwardingNic {
    TakesNothing(Nic below) {
      super(below);
    }

    @Override
    public long transmit(int peer, MemorySegment from, long offset, int length) {
      return length == 0 ? DONE : below.transmit(peer, from, offset, length);
    }
  }

  /** Makes an object for each frame that it sends. */
  static final class AllocatesSending extends ForwardingNic {
    private byte[] last = {};

    AllocatesSending(Nic below) {
      super(below);
    }

    @Override
    public long transmit(int peer, MemorySegment from, long offset, int length) {
      last = new byte[last.length == 16 ? 24 : 16];
      return below.transmit(peer, from, offset, length);
    }
  }

  /** Copies a buffer, and leaves it to who gave it away. */
  static final class CopiesBuffers extends ForwardingNic {
    CopiesBuffers(Nic below) {
      super(below);
    }

    @Override
    public long transfer(int peer, long handle, Role from, int length) {
      return below.transmit(peer, pool().segment(handle, from), 0, length);
    }
  }
}
