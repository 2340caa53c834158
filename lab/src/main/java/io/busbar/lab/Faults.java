package io.busbar.lab;

import java.util.Arrays;
import java.util.Set;
import java.util.SplittableRandom;

/** What goes wrong with frames at the moment; {@link FaultPlan} turns the knobs. */
public final class Faults {
  /** What becomes of a frame. */
  enum Fate {
    PASSES,
    LOST,
    CORRUPTED,
    TRUNCATED
  }

  /** Share of frames lost, one by one. */
  public double loss;

  /** Chance that a burst of losses begins. */
  public double burst;

  /** Frames lost in a burst, on average. */
  public double burstLength = 1;

  /** Share of frames that come twice. */
  public double duplicate;

  /** Share of frames that others overtake. */
  public double reorder;

  /** How late an overtaken frame is, at most. */
  public long reorderNs;

  /** Share of frames with flipped bits. */
  public double corrupt;

  /** Share of frames cut short. */
  public double truncate;

  /** Share of frames that are very late. */
  public double spike;

  /** How late. */
  public long spikeNs;

  private final SplittableRandom random;
  private final boolean[][] cut;
  private int burstLeft;

  /** Nothing goes wrong yet. */
  public Faults(SplittableRandom random, int nodes) {
    this.random = random;
    cut = new boolean[nodes][nodes];
  }

  /** Frames from one node to another are lost, or no longer. */
  public void cut(int from, int to, boolean isCut) {
    cut[from][to] = isCut;
  }

  /** Adds the kinds of what goes wrong with single frames. */
  public void addKindsTo(Set<FaultPlan.Kind> kinds) {
    if (loss > 0) {
      kinds.add(FaultPlan.Kind.LOSS);
    }
    if (duplicate > 0) {
      kinds.add(FaultPlan.Kind.DUPLICATION);
    }
    if (reorder > 0) {
      kinds.add(FaultPlan.Kind.REORDERING);
    }
    if (burst > 0) {
      kinds.add(FaultPlan.Kind.BURST);
    }
    if (truncate > 0) {
      kinds.add(FaultPlan.Kind.TRUNCATION);
    }
    if (spike > 0) {
      kinds.add(FaultPlan.Kind.DELAY_SPIKES);
    }
  }

  /** Everything is well again. */
  public void heal() {
    loss = 0;
    burst = 0;
    burstLeft = 0;
    duplicate = 0;
    reorder = 0;
    corrupt = 0;
    truncate = 0;
    spike = 0;
    for (boolean[] row : cut) {
      Arrays.fill(row, false);
    }
  }

  Fate fate(int from, int to) {
    if (cut[from][to]) {
      return Fate.LOST;
    }
    if (burstLeft > 0) {
      burstLeft--;
      return Fate.LOST;
    }
    if (chance(burst)) {
      burstLeft = (int) (random.nextDouble() * 2 * burstLength);
      return Fate.LOST;
    }
    if (chance(loss)) {
      return Fate.LOST;
    }
    if (chance(corrupt)) {
      return Fate.CORRUPTED;
    }
    return chance(truncate) ? Fate.TRUNCATED : Fate.PASSES;
  }

  boolean comesTwice() {
    return chance(duplicate);
  }

  /** How much later than the link says. */
  long lateNs() {
    if (chance(spike)) {
      return random.nextLong(spikeNs + 1);
    }
    return chance(reorder) ? random.nextLong(reorderNs + 1) : 0;
  }

  /** A number below {@code bound}, for where to flip and cut. */
  int pick(int bound) {
    return random.nextInt(bound);
  }

  private boolean chance(double share) {
    return share > 0 && random.nextDouble() < share;
  }
}
