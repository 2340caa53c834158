package io.busbar.lab.stack;

import java.util.SplittableRandom;

/** Sends to both neighbours, more than they can hold, and takes nothing before it has done so. */
final class FloodPart extends PartOf {
  private static final int BYTES_MIN = 250_000;
  private static final int MESSAGE_BYTES_MIN = 600;

  private final int messageBytes;
  private final int bytes;

  FloodPart(Setting setting, SplittableRandom random) {
    super(setting, random);
    messageBytes = MESSAGE_BYTES_MIN + drawMore(random);
    bytes = BYTES_MIN + random.nextInt(BYTES_MIN);
  }

  private static int drawMore(SplittableRandom random) {
    return random.nextInt(
        switch (random.nextInt(3)) {
          case 0 -> 2_000;
          case 1 -> 60_000;
          default -> 300_000;
        });
  }

  @Override
  public boolean leaves() {
    return false;
  }

  @Override
  public void play(Actor actor) {
    int size = actor.size();
    int right = (actor.node() + 1) % size;
    int left = (actor.node() + size - 1) % size;
    int share = size == 2 ? bytes : bytes / 2;
    for (long sent = 0; sent < share; sent += messageBytes) {
      say(actor, right, Deed.TAKE, messageBytes, 0);
      if (left != right) {
        say(actor, left, Deed.TAKE, messageBytes, 0);
      }
    }
    extractNow(actor, Long.MAX_VALUE);
  }
}
