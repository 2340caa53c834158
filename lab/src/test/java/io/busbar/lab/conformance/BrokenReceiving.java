package io.busbar.lab.conformance;

import io.busbar.fabric.ForwardingNic;
import io.busbar.fabric.FrameReceiver;
import io.busbar.fabric.Nic;
import io.busbar.fabric.NicCount;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** Interfaces that break their word when they deliver. */
final class BrokenReceiving {
  private BrokenReceiving() {}

  /** Names a wrong sender. */
  static final class SwapsPeers extends ForwardingNic {
    SwapsPeers(Nic below) {
      super(below);
    }

    @Override
    public int poll(FrameReceiver receiver, int budget) {
      return below.poll(
          (peer, memory, offset, length, frame) ->
              receiver.onFrame(2 - peer, memory, offset, length, frame),
          budget);
    }
  }

  /** Delivers a few more than it was told to. */
  static final class IgnoresTheBudget extends ForwardingNic {
    IgnoresTheBudget(Nic below) {
      super(below);
    }

    @Override
    public int poll(FrameReceiver receiver, int budget) {
      return below.poll(receiver, budget == 0 ? 0 : budget + 2);
    }
  }

  /** Says that it delivered one more. */
  static final class Miscounts extends ForwardingNic {
    Miscounts(Nic below) {
      super(below);
    }

    @Override
    public int poll(FrameReceiver receiver, int budget) {
      int count = below.poll(receiver, budget);
      return count == 0 ? 0 : count + 1;
    }
  }

  /** Throws away what its budget left. */
  static final class ForgetsTheRest extends ForwardingNic {
    ForgetsTheRest(Nic below) {
      super(below);
    }

    @Override
    public int poll(FrameReceiver receiver, int budget) {
      int count = below.poll(receiver, budget);
      below.poll((peer, memory, offset, length, frame) -> {}, 1);
      return count;
    }
  }

  /** Grants claims, and uses the memory again. */
  static final class ReusesClaimed extends ForwardingNic {
    private final Map<Long, Integer> granted = new HashMap<>();
    private final int quota;

    ReusesClaimed(Nic below, int quota) {
      super(below);
      this.quota = quota;
    }

    @Override
    public boolean claim(long frame) {
      if (granted.size() < quota && below.claim(frame)) {
        below.release(frame);
        granted.merge(frame, 1, Integer::sum);
        return true;
      }
      below.counters().add(NicCount.CLAIMS_REFUSED);
      return false;
    }

    @Override
    public void release(long frame) {
      if (granted.getOrDefault(frame, 0) == 0) {
        below.release(frame);
      }
      granted.computeIfPresent(frame, (name, count) -> count == 1 ? null : count - 1);
    }
  }

  /** Counts claims of a frame once. */
  static final class ForgetsTheCount extends ForwardingNic {
    private final Set<Long> claimed = new HashSet<>();

    ForgetsTheCount(Nic below) {
      super(below);
    }

    @Override
    public boolean claim(long frame) {
      return claimed.contains(frame) || (below.claim(frame) && claimed.add(frame));
    }

    @Override
    public void release(long frame) {
      claimed.remove(frame);
      below.release(frame);
    }
  }

  /** Takes any release. */
  static final class ReleasesAnything extends ForwardingNic {
    ReleasesAnything(Nic below) {
      super(below);
    }

    @Override
    public void release(long frame) {
      try {
        below.release(frame);
      } catch (IllegalStateException e) {
        // As if it had been claimed.
      }
    }
  }

  /** Takes the release of an old name while anything is kept. */
  static final class TakesOldNames extends ForwardingNic {
    private final Set<Long> kept = new HashSet<>();
    private final Set<Long> old = new HashSet<>();

    TakesOldNames(Nic below) {
      super(below);
    }

    @Override
    public boolean claim(long frame) {
      return below.claim(frame) && (kept.add(frame) || kept.contains(frame));
    }

    @Override
    public void release(long frame) {
      if (kept.isEmpty() || !old.contains(frame)) {
        below.release(frame);
        kept.remove(frame);
        old.add(frame);
      }
    }
  }

  /** Lets only the frame be claimed that is being delivered. */
  static final class ClaimsOnlyTheCurrent extends ForwardingNic {
    private long current = UNCLAIMABLE;

    ClaimsOnlyTheCurrent(Nic below) {
      super(below);
    }

    @Override
    public boolean claim(long frame) {
      return frame == current && below.claim(frame);
    }

    @Override
    public int poll(FrameReceiver receiver, int budget) {
      return below.poll(
          (peer, memory, offset, length, frame) -> {
            current = frame;
            receiver.onFrame(peer, memory, offset, length, frame);
            current = UNCLAIMABLE;
          },
          budget);
    }
  }

  /** Does not hear what is released while a frame is delivered. */
  static final class ForgetsReleases extends ForwardingNic {
    private boolean polling;

    ForgetsReleases(Nic below) {
      super(below);
    }

    @Override
    public void release(long frame) {
      if (!polling) {
        below.release(frame);
      }
    }

    @Override
    public int poll(FrameReceiver receiver, int budget) {
      polling = true;
      try {
        return below.poll(receiver, budget);
      } finally {
        polling = false;
      }
    }
  }

  /** Delivers one frame of each peer. */
  static final class LosesLastWords extends ForwardingNic {
    private final Set<Integer> heard = new HashSet<>();

    LosesLastWords(Nic below) {
      super(below);
    }

    @Override
    public int poll(FrameReceiver receiver, int budget) {
      int[] lost = new int[1];
      int count =
          below.poll(
              (peer, memory, offset, length, frame) -> {
                if (peer != 1 || heard.add(peer)) {
                  receiver.onFrame(peer, memory, offset, length, frame);
                } else {
                  lost[0]++;
                }
              },
              budget);
      return count - lost[0];
    }
  }

  /** Loses one claim's room in ten. */
  static final class LosesTheQuota extends ForwardingNic {
    private int claims;

    LosesTheQuota(Nic below) {
      super(below);
    }

    @Override
    public boolean claim(long frame) {
      boolean kept = below.claim(frame);
      if (kept && ++claims % 10 == 0) {
        below.claim(frame);
      }
      return kept;
    }
  }

  /** Lets a receiver poll. */
  static final class PollsInside extends ForwardingNic {
    private boolean polling;

    PollsInside(Nic below) {
      super(below);
    }

    @Override
    public int poll(FrameReceiver receiver, int budget) {
      if (polling) {
        return 0;
      }
      polling = true;
      try {
        return below.poll(receiver, budget);
      } finally {
        polling = false;
      }
    }
  }

  /** Does something else with a receiver's trouble than to pass it on once. */
  static final class Troubles extends ForwardingNic {
    private final boolean swallows;
    private boolean over;

    Troubles(Nic below, boolean swallows) {
      super(below);
      this.swallows = swallows;
    }

    @Override
    public int poll(FrameReceiver receiver, int budget) {
      if (over) {
        return 0;
      }
      FrameReceiver careful =
          (peer, memory, offset, length, frame) -> {
            try {
              receiver.onFrame(peer, memory, offset, length, frame);
            } catch (RuntimeException e) {
              if (!swallows) {
                over = true;
                throw e;
              }
            }
          };
      return below.poll(careful, budget);
    }
  }

  /** Delivers a frame again whose receiver threw. */
  static final class DeliversAgain extends ForwardingNic {
    private final MemorySegment copy = Arena.ofAuto().allocate(1 << 16);
    private int peer;
    private int length;
    private boolean again;
    private boolean polling;

    DeliversAgain(Nic below) {
      super(below);
    }

    @Override
    public int poll(FrameReceiver receiver, int budget) {
      if (again && budget > 0 && !polling) {
        again = false;
        receiver.onFrame(peer, copy, 0, length, UNCLAIMABLE);
        return 1;
      }
      FrameReceiver copying =
          (from, memory, offset, bytes, frame) -> {
            MemorySegment.copy(memory, offset, copy, 0, bytes);
            peer = from;
            length = bytes;
            again = true;
            receiver.onFrame(from, memory, offset, bytes, frame);
            again = false;
          };
      boolean outer = polling;
      polling = true;
      try {
        return below.poll(copying, budget);
      } finally {
        polling = outer;
      }
    }
  }

  /** Has no room for what a receiver sends. */
  static final class SilentInside extends ForwardingNic {
    private boolean polling;

    SilentInside(Nic below) {
      super(below);
    }

    @Override
    public int poll(FrameReceiver receiver, int budget) {
      polling = true;
      try {
        return below.poll(receiver, budget);
      } finally {
        polling = false;
      }
    }

    @Override
    public long transmit(int peer, MemorySegment from, long offset, int length) {
      return polling ? FULL : below.transmit(peer, from, offset, length);
    }
  }

  /** Makes an object for each poll. */
  static final class AllocatesPolling extends ForwardingNic {
    private byte[] last = {};

    AllocatesPolling(Nic below) {
      super(below);
    }

    @Override
    public int poll(FrameReceiver receiver, int budget) {
      last = new byte[last.length == 16 ? 24 : 16];
      return below.poll(receiver, budget);
    }
  }

  /** Keeps a buffer for itself now and then. */
  static final class KeepsBuffers extends ForwardingNic {
    private int frames;

    KeepsBuffers(Nic below) {
      super(below);
    }

    @Override
    public int poll(FrameReceiver receiver, int budget) {
      return below.poll(
          (peer, memory, offset, length, frame) -> {
            if (++frames % 500 == 0) {
              below.claim(frame);
            }
            receiver.onFrame(peer, memory, offset, length, frame);
          },
          budget);
    }
  }
}
