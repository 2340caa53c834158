package io.busbar.lab.stack;

import java.util.SplittableRandom;

/** Sends to node 0, waiting or trying, and may leave then. */
final class FunnelPart extends PartOf {
  private static final int TRIES_MAX = 20;

  private final int messages;
  private final boolean leaves;

  FunnelPart(Setting setting, SplittableRandom random) {
    super(setting, random);
    messages = 10 + random.nextInt(100);
    leaves = random.nextInt(8) == 0;
  }

  @Override
  public boolean leaves() {
    return leaves;
  }

  @Override
  public void play(Actor actor) {
    int length = random.nextInt(4 * setting.frameBytes());
    for (int i = 0; i < messages; i++) {
      if (random.nextInt(4) > 0) {
        say(actor, 0, Deed.TAKE, length, 0);
      } else {
        insist(actor, length);
      }
    }
  }

  /** Tries until it goes; who only tries has to look for what comes by itself. */
  private void insist(Actor actor, int length) {
    for (int i = 0; i < TRIES_MAX && !actor.trySend(0, Deed.TAKE, length); i++) {
      if (random.nextInt(8) == 0) {
        extractNow(actor, 1);
      }
    }
  }
}
