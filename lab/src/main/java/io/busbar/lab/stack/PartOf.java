package io.busbar.lab.stack;

import io.busbar.messages.Messages;
import java.util.SplittableRandom;

/** What all parts have in common: how long messages are, and how handlers react. */
abstract class PartOf implements Part {
  private static final int FLOOD_MESSAGES = 4;

  final Setting setting;
  final SplittableRandom random;

  PartOf(Setting setting, SplittableRandom random) {
    this.setting = setting;
    this.random = random;
  }

  @Override
  public final long calmNs() {
    return setting.calmNs();
  }

  /** Mostly short, often about a frame, seldom as long as can be. */
  final int drawLength() {
    int frame = setting.frameBytes();
    int length =
        switch (random.nextInt(12)) {
          case 0 -> 0;
          case 1, 2 -> 1 + random.nextInt(16);
          case 3, 4, 5, 6 -> random.nextInt(1024);
          case 7, 8 -> Math.max(0, frame - 64 + random.nextInt(96));
          case 9, 10 -> random.nextInt(8 * frame);
          default -> random.nextInt(8) == 0 ? Messages.WHOLE_BYTES_MAX : random.nextInt(24 * frame);
        };
    return Math.min(length, Messages.WHOLE_BYTES_MAX);
  }

  final int anyPeer(Actor actor) {
    return (actor.node() + 1 + random.nextInt(actor.size() - 1)) % actor.size();
  }

  final void extractNow(Actor actor, long bytesMax) {
    int _ = actor.extract(bytesMax);
  }

  final void say(Actor actor, int to, Deed deed, int length, int hops) {
    boolean _ = actor.send(to, deed, length, hops);
  }

  @Override
  public void react(Actor actor, Sent message, int from) {
    switch (message.deed()) {
      case REPLY -> say(actor, from, next(message), drawLength(), message.hops() - 1);
      case FORWARD ->
          say(actor, anyPeer(actor), next(message), message.length(), message.hops() - 1);
      case FLOOD -> {
        for (int i = 0; i < FLOOD_MESSAGES; i++) {
          say(actor, from, Deed.TAKE, Messages.WHOLE_BYTES_MAX - random.nextInt(1024), 0);
        }
      }
      case WORDS, TAKE, HALF, THROW, NOBODY -> {}
    }
  }

  /** What is sent on is sent on once less. */
  private Deed next(Sent message) {
    return message.hops() <= 0 ? Deed.TAKE : random.nextBoolean() ? Deed.REPLY : Deed.FORWARD;
  }
}
