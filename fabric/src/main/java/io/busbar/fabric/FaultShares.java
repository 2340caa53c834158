package io.busbar.fabric;

/**
 * How many of the frames that arrive suffer which fault, as shares of 1; a frame suffers one fault
 * at most. {@link #defaults} has none, and the bounds.
 *
 * @param loss frames that never come
 * @param duplicate frames that come twice, the second time after up to {@code reorderFramesMax}
 *     others
 * @param reorder frames that others overtake
 * @param flip frames with one to three flipped bits
 * @param truncate frames cut short, to one byte or more
 * @param delay frames that wait while the receiver polls
 * @param reorderFramesMax frames that may overtake one: past the reordering that a transport allows
 *     for, it looks like loss
 * @param delayPollsMax polls that a frame may wait; also the longest wait of an overtaken frame
 *     that nothing overtakes
 * @param heldFramesMax frames held back at a time, each a copy; while so many are, faults that need
 *     one more do not happen
 */
public record FaultShares(
    double loss,
    double duplicate,
    double reorder,
    double flip,
    double truncate,
    double delay,
    int reorderFramesMax,
    int delayPollsMax,
    int heldFramesMax) {
  private static final Fate[] FATES = Fate.values();
  private static final int REORDER_FRAMES = 8;
  private static final int DELAY_POLLS = 64;
  private static final int HELD_FRAMES = 64;
  private static final int HELD_FRAMES_LIMIT = 1 << 16;

  /** Refuses shares below 0, or above 1 together, and bounds that hold nothing. */
  public FaultShares {
    double least = loss;
    double sum = 0;
    for (double share : new double[] {loss, duplicate, reorder, flip, truncate, delay}) {
      least = Math.min(least, share);
      sum += share;
    }
    if (!(least >= 0 && sum <= 1)) {
      throw new IllegalArgumentException(
          "shares from %s, together %s; allowed: from 0, together 1 at most".formatted(least, sum));
    }
    if (reorderFramesMax < 1 || delayPollsMax < 1) {
      throw new IllegalArgumentException(
          "overtaken by %d frames, delayed by %d polls; allowed: from 1"
              .formatted(reorderFramesMax, delayPollsMax));
    }
    if (heldFramesMax < 1 || heldFramesMax > HELD_FRAMES_LIMIT) {
      throw new IllegalArgumentException(
          "%d frames held back; allowed: 1 to %d".formatted(heldFramesMax, HELD_FRAMES_LIMIT));
    }
  }

  /** No fault; overtaken by up to 8 frames, delayed by up to 64 polls, 64 held back. */
  public static FaultShares defaults() {
    return new FaultShares(0, 0, 0, 0, 0, 0, REORDER_FRAMES, DELAY_POLLS, HELD_FRAMES);
  }

  /** Whether nothing goes wrong. */
  public boolean areNone() {
    return loss + duplicate + reorder + flip + truncate + delay == 0;
  }

  /** What becomes of a frame for which {@code drawn}, from 0 and below 1, was drawn. */
  Fate fate(double drawn) {
    double rest = drawn;
    for (Fate fate : FATES) {
      rest -= share(fate);
      if (rest < 0) {
        return fate;
      }
    }
    return Fate.UNHARMED;
  }

  private double share(Fate fate) {
    return switch (fate) {
      case LOST -> loss;
      case DOUBLED -> duplicate;
      case OVERTAKEN -> reorder;
      case FLIPPED -> flip;
      case CUT -> truncate;
      case DELAYED -> delay;
      case UNHARMED -> 1;
    };
  }

  /** The same with another share lost. */
  public FaultShares withLoss(double share) {
    return new FaultShares(
        share,
        duplicate,
        reorder,
        flip,
        truncate,
        delay,
        reorderFramesMax,
        delayPollsMax,
        heldFramesMax);
  }

  /** The same with another share that comes twice. */
  public FaultShares withDuplicate(double share) {
    return new FaultShares(
        loss,
        share,
        reorder,
        flip,
        truncate,
        delay,
        reorderFramesMax,
        delayPollsMax,
        heldFramesMax);
  }

  /** The same with another share overtaken, by up to so many frames. */
  public FaultShares withReorder(double share, int framesMax) {
    return new FaultShares(
        loss, duplicate, share, flip, truncate, delay, framesMax, delayPollsMax, heldFramesMax);
  }

  /** The same with another share of flipped bits. */
  public FaultShares withFlip(double share) {
    return new FaultShares(
        loss,
        duplicate,
        reorder,
        share,
        truncate,
        delay,
        reorderFramesMax,
        delayPollsMax,
        heldFramesMax);
  }

  /** The same with another share cut short. */
  public FaultShares withTruncate(double share) {
    return new FaultShares(
        loss,
        duplicate,
        reorder,
        flip,
        share,
        delay,
        reorderFramesMax,
        delayPollsMax,
        heldFramesMax);
  }

  /** The same with another share delayed, by up to so many polls. */
  public FaultShares withDelay(double share, int pollsMax) {
    return new FaultShares(
        loss, duplicate, reorder, flip, truncate, share, reorderFramesMax, pollsMax, heldFramesMax);
  }

  /** The same with another bound on what is held back. */
  public FaultShares withHeld(int framesMax) {
    return new FaultShares(
        loss,
        duplicate,
        reorder,
        flip,
        truncate,
        delay,
        reorderFramesMax,
        delayPollsMax,
        framesMax);
  }
}
