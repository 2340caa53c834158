package io.busbar.lab.stack;

import java.util.SplittableRandom;

/** What a run is about. */
public enum Plot {
  /** Everybody does everything. */
  MIXED,
  /** Long messages in pieces, several at once. */
  STREAMS,
  /** Two only send at first, and take later. */
  DUEL,
  /** Sixteen in a ring, each sends to both neighbours and takes later. */
  RING,
  /** Many send to one, who does not listen for a while. */
  FUNNEL,
  /** Handlers answer with more than can leave. */
  BACKFLOOD,
  /** More long messages than there are channels, held until a short one comes. */
  CROWD;

  private static final int RING_NODES = 16;

  static Plot draw(SplittableRandom random) {
    int lot = random.nextInt(100);
    if (lot < 36) {
      return MIXED;
    }
    if (lot < 40) {
      return CROWD;
    }
    return lot < 72 ? STREAMS : lot < 83 ? DUEL : lot < 84 ? RING : lot < 94 ? FUNNEL : BACKFLOOD;
  }

  int drawNodes(SplittableRandom random) {
    return switch (this) {
      case MIXED -> 2 + random.nextInt(7);
      case STREAMS -> 2 + random.nextInt(3);
      case DUEL -> 2;
      case RING -> RING_NODES;
      case FUNNEL -> 3 + random.nextInt(6);
      case BACKFLOOD -> 2 + random.nextInt(3);
      case CROWD -> 2 + random.nextInt(2);
    };
  }

  /** Plots that move much do not do it in tiny frames. */
  int frameBytesMin() {
    return switch (this) {
      case MIXED, FUNNEL -> 0;
      case STREAMS, CROWD -> 576;
      case DUEL, RING -> 1472;
      case BACKFLOOD -> 4096;
    };
  }

  /**
   * Frames that a node can hold for others. Streams that share less than one each go on, but each
   * waits for a timer before each frame.
   */
  int budgetFramesMin() {
    return switch (this) {
      case FUNNEL -> 0;
      case MIXED, BACKFLOOD -> 16;
      case STREAMS, DUEL, RING, CROWD -> 36;
    };
  }

  Part part(Setting setting, SimProcess process) {
    SplittableRandom random = process.random();
    return switch (this) {
      case MIXED -> new MixedPart(setting, random);
      case STREAMS -> new StreamsPart(setting, random);
      case DUEL, RING -> new FloodPart(setting, random);
      case CROWD -> new CrowdPart(setting, random);
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
