package io.busbar.lab.stack;

import java.util.SplittableRandom;

/** What a run is about. */
public enum Plot {
  /** Everybody does everything. */
  MIXED,
  /** Two only send at first, and take later. */
  DUEL,
  /** Sixteen in a ring, each sends to both neighbours and takes later. */
  RING,
  /** Many send to one, who does not listen for a while. */
  FUNNEL,
  /** Handlers answer with more than can leave. */
  BACKFLOOD;

  private static final int RING_NODES = 16;

  static Plot draw(SplittableRandom random) {
    int lot = random.nextInt(100);
    return lot < 66 ? MIXED : lot < 78 ? DUEL : lot < 80 ? RING : lot < 92 ? FUNNEL : BACKFLOOD;
  }

  int drawNodes(SplittableRandom random) {
    return switch (this) {
      case MIXED -> 2 + random.nextInt(7);
      case DUEL -> 2;
      case RING -> RING_NODES;
      case FUNNEL -> 3 + random.nextInt(6);
      case BACKFLOOD -> 2 + random.nextInt(3);
    };
  }

  /** Plots that move much do not do it in tiny frames. */
  int frameBytesMin() {
    return switch (this) {
      case MIXED, FUNNEL -> 0;
      case DUEL, RING -> 1472;
      case BACKFLOOD -> 4096;
    };
  }

  Part part(Setting setting, SimProcess process) {
    SplittableRandom random = process.random();
    return switch (this) {
      case MIXED -> new MixedPart(setting, random);
      case DUEL, RING -> new FloodPart(setting, random);
      case FUNNEL ->
          process.node() == 0
              ? new DeafPart(setting, random, false)
              : new FunnelPart(setting, random);
      case BACKFLOOD ->
          process.node() == 0
              ? new DeafPart(setting, random, true)
              : new FunnelPart(setting, random);
    };
  }
}
