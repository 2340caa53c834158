package io.busbar.fabric;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.EnumSet;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * Spoils what arrives, from a seed: the n-th frame that the interface below hands up suffers the
 * same fault in every run. Each fault is counted as {@link NicCount#FAULTS}, among the counters of
 * the interface below; its {@link NicCount#FRAMES_RECEIVED} counts what arrived there.
 *
 * <p>A frame that is held back, doubled or changed is a copy and cannot be claimed; all others,
 * also those cut short, are the interface's own. While frames are held back {@link #arm} says that
 * there is something to poll for: polls are what they wait for.
 */
public final class FaultyNic extends ForwardingNic {
  private static final FrameReceiver NOBODY = (peer, memory, offset, length, frame) -> {};

  /** More frames than any copy waits for. */
  private static final int FOREVER = Integer.MAX_VALUE;

  private static final int FLIPS_MAX = 3;

  private final FaultShares shares;
  private final SplittableRandom random;
  private final Set<NicCapability> capabilities;
  private final HeldCopies held;
  private final FrameReceiver arrivals = this::onArrival;
  private MemorySegment changed = MemorySegment.NULL;
  private FrameReceiver receiver = NOBODY;
  private boolean polling;
  private boolean closed;
  private int handedUp;

  /** The copy that is being handed up, or {@link HeldCopies#NONE}. */
  private int current = HeldCopies.NONE;

  /** Over any interface; the same seed and the same arrivals give the same faults. */
  public FaultyNic(Nic below, FaultShares shares, long seed) {
    super(below);
    this.shares = shares;
    random = new SplittableRandom(seed);
    held = new HeldCopies(shares.heldFramesMax());
    Set<NicCapability> rest = EnumSet.noneOf(NicCapability.class);
    rest.addAll(below.capabilities());
    rest.remove(NicCapability.RELIABLE);
    capabilities = Set.copyOf(rest);
  }

  /** What the interface below can do, and never {@link NicCapability#RELIABLE}. */
  @Override
  public Set<NicCapability> capabilities() {
    return capabilities;
  }

  /**
   * As below; looks at no more arrivals than the budget, so that it may hand up fewer frames, or
   * none, although more wait.
   */
  @Override
  public int poll(FrameReceiver to, int budget) {
    if (polling) {
      throw new IllegalStateException("poll was called by a receiver; return first");
    }
    if (closed || shares.areNone()) {
      return below.poll(to, budget);
    }
    polling = true;
    receiver = to;
    handedUp = 0;
    try {
      held.onPoll();
      int seen = 0;
      int arrived = 1;
      while (arrived > 0 && !closed) {
        handUpDue(budget);
        arrived = below.poll(arrivals, seen < budget && handedUp < budget ? 1 : 0);
        seen += arrived;
      }
      return handedUp;
    } finally {
      polling = false;
      receiver = NOBODY;
    }
  }

  private void handUpDue(int budget) {
    while (handedUp < budget) {
      current = held.takeDue();
      if (current == HeldCopies.NONE) {
        return;
      }
      try {
        handUp(held.peer(current), held.memory(current), 0, held.length(current), UNCLAIMABLE);
      } finally {
        current = HeldCopies.NONE;
      }
    }
  }

  private void handUp(int peer, MemorySegment memory, long offset, int length, long frame) {
    handedUp++;
    held.onHandedUp();
    receiver.onFrame(peer, memory, offset, length, frame);
  }

  private void onArrival(int peer, MemorySegment memory, long offset, int length, long frame) {
    Fate fate = shares.fate(random.nextDouble());
    long detail = random.nextLong();
    switch (fate) {
      case UNHARMED -> handUp(peer, memory, offset, length, frame);
      case LOST -> count();
      case OVERTAKEN -> {
        int frames = upTo(shares.reorderFramesMax(), detail);
        if (!hold(peer, memory, offset, length, frames, shares.delayPollsMax())) {
          handUp(peer, memory, offset, length, frame);
        }
      }
      case DELAYED -> {
        int polls = upTo(shares.delayPollsMax(), detail);
        if (!hold(peer, memory, offset, length, FOREVER, polls)) {
          handUp(peer, memory, offset, length, frame);
        }
      }
      case DOUBLED -> {
        int frames = upTo(shares.reorderFramesMax(), detail);
        hold(peer, memory, offset, length, frames, shares.delayPollsMax());
        handUp(peer, memory, offset, length, frame);
      }
      case FLIPPED -> {
        flip(memory, offset, length, detail);
        handUp(peer, changed, 0, length, UNCLAIMABLE);
      }
      case CUT -> {
        int left = length == 1 ? 1 : upTo(length - 1, detail);
        if (left < length) {
          count();
        }
        handUp(peer, memory, offset, left, frame);
      }
    }
  }

  /** Holds a copy back; false when there is no room for one more. */
  private boolean hold(
      int peer, MemorySegment memory, long offset, int length, int frames, int polls) {
    if (held.isFull()) {
      return false;
    }
    count();
    NicAddress source = peer == STRANGER ? below.source() : null;
    held.add(peer, source, memory, offset, length, frames, polls);
    return true;
  }

  private void flip(MemorySegment memory, long offset, int length, long detail) {
    count();
    if (changed.byteSize() < length) {
      changed = HeldCopies.room(length);
    }
    MemorySegment.copy(memory, offset, changed, 0, length);
    long bits = 8L * length;
    long rest = detail;
    long bit = 0;
    for (int flips = upTo(FLIPS_MAX, detail); flips > 0; flips--) {
      rest = rest * 6364136223846793005L + 1442695040888963407L;
      bit = (bit + 1 + (rest >>> 16) % (bits - 1)) % bits; // another one than before
      byte old = changed.get(ValueLayout.JAVA_BYTE, bit >>> 3);
      changed.set(ValueLayout.JAVA_BYTE, bit >>> 3, (byte) (old ^ 1 << (bit & 7)));
    }
  }

  /** From 1 to {@code most}. */
  private static int upTo(int most, long drawn) {
    return 1 + (int) ((drawn >>> 1) % most);
  }

  private void count() {
    below.counters().add(NicCount.FAULTS);
  }

  @Override
  public NicAddress source() {
    if (current == HeldCopies.NONE) {
      return below.source();
    }
    NicAddress stranger = held.source(current);
    return stranger == null ? below.address(held.peer(current)) : stranger;
  }

  @Override
  public boolean claim(long frame) {
    if (frame == UNCLAIMABLE) {
      below.counters().add(NicCount.CLAIMS_REFUSED);
      return false;
    }
    return below.claim(frame);
  }

  @Override
  public void close(int peer) {
    held.forget(peer);
    below.close(peer);
  }

  @Override
  public boolean arm() {
    return below.arm() && held.isEmpty();
  }

  @Override
  public void close() {
    closed = true;
    held.clear();
    below.close();
  }
}
