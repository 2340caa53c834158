package io.busbar.lab.stack;

import java.util.SplittableRandom;

/**
 * Does not take anything for a long time, then takes it in small portions. Before, it may ask the
 * others for floods of answers.
 */
final class DeafPart extends PartOf {
  private static final long DEAF_NS_MAX = 2_000_000_000;
  private static final int ASKS_MAX = 24;
  private static final int PORTIONS = 30;

  private final boolean asks;

  DeafPart(Setting setting, SplittableRandom random, boolean asks) {
    super(setting, random);
    this.asks = asks;
  }

  @Override
  public boolean leaves() {
    return false;
  }

  @Override
  public void play(Actor actor) {
    if (asks) {
      int asked = 1 + random.nextInt(actor.size() - 1);
      for (int i = random.nextInt(ASKS_MAX); i > 0; i--) {
        say(actor, asked, Deed.FLOOD, random.nextInt(64), 0);
      }
    }
    actor.compute(random.nextLong(DEAF_NS_MAX));
    for (int i = 0; i < PORTIONS; i++) {
      extractNow(actor, 1 + random.nextLong(100_000));
      actor.compute(random.nextLong(2_000_000));
    }
  }
}
