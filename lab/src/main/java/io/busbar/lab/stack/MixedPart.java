package io.busbar.lab.stack;

import java.util.SplittableRandom;

/** Sends this and that to whomever, takes what comes, computes, and is deaf now and then. */
final class MixedPart extends PartOf {
  private static final Deed[] DEEDS = {
    Deed.WORDS,
    Deed.WORDS,
    Deed.TAKE,
    Deed.TAKE,
    Deed.TAKE,
    Deed.HALF,
    Deed.REPLY,
    Deed.REPLY,
    Deed.FORWARD,
    Deed.THROW,
    Deed.SIP,
    Deed.EARLY,
    Deed.WAIT,
    Deed.NOBODY
  };
  private static final int HOPS_MAX = 3;
  private static final int DEAF_NS_MAX = 1_000_000_000;

  private final int steps;

  MixedPart(Setting setting, SplittableRandom random) {
    super(setting, random);
    steps = 5 + random.nextInt(40);
  }

  @Override
  public boolean leaves() {
    return false;
  }

  @Override
  public void play(Actor actor) throws InterruptedException {
    play(actor, steps, setting.healNs());
    if (setting.isCut()) {
      actor.extractUntil(setting.cutNs() + random.nextLong(1_000_000_000));
      play(actor, steps / 2, 1_000_000_000);
    }
  }

  private void play(Actor actor, int count, long withinNs) throws InterruptedException {
    for (int i = 0; i < count; i++) {
      step(actor, Math.max(1, 2 * withinNs / count));
    }
  }

  private void step(Actor actor, long pauseNs) throws InterruptedException {
    switch (random.nextInt(17)) {
      case 0, 1, 2, 3, 4 -> sendOne(actor);
      case 5 -> {
        boolean _ = actor.trySend(anyPeer(actor), Deed.TAKE, drawLength());
      }
      case 6, 7 -> burst(actor);
      case 8, 9 -> extractNow(actor, random.nextLong(1 << 16));
      case 10, 11 -> actor.extractOrWait(random.nextLong(pauseNs));
      case 12 -> actor.awaitHandled(1 + random.nextInt(4), random.nextLong(pauseNs));
      case 16 -> {
        if (random.nextInt(3) == 0) {
          say(actor, anyPeer(actor), Deed.TAKE, drawLong(), 0);
        }
      }
      case 13, 14 -> actor.compute(random.nextLong(pauseNs));
      default -> actor.compute(random.nextInt(4) == 0 ? random.nextLong(DEAF_NS_MAX) : pauseNs);
    }
  }

  private void sendOne(Actor actor) {
    Deed deed = DEEDS[random.nextInt(DEEDS.length)];
    say(actor, anyPeer(actor), deed, drawLength(), random.nextInt(HOPS_MAX + 1));
  }

  private void burst(Actor actor) {
    int to = anyPeer(actor);
    int length = random.nextInt(2 * setting.frameBytes());
    for (int i = 2 + random.nextInt(20); i > 0; i--) {
      say(actor, to, random.nextBoolean() ? Deed.WORDS : Deed.TAKE, length, 0);
    }
  }
}
