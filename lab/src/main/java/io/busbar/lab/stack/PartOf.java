package io.busbar.lab.stack;

import io.busbar.messages.Messages;
import io.busbar.node.Lane;
import java.util.SplittableRandom;

/** What all parts have in common: how long messages are, and how handlers react. */
abstract class PartOf implements Part {
  /** What is sent without waiting has at most so many bytes. */
  static final int PIECE_BYTES_MAX = 60 << 10;

  private static final int FLOOD_MESSAGES = 4;
  private static final long LONG_BYTES_MAX = 8 << 20;

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

  /** Longer than what goes whole; so many frames that a run does not take for ever. */
  final long drawLong() {
    long frames = 1L + random.nextInt(random.nextInt(8) == 0 ? 400 : 60);
    long most = random.nextInt(50) == 0 ? LONG_BYTES_MAX : 2 << 20;
    return Math.min(
        most, Messages.WHOLE_BYTES_MAX + 1 + random.nextLong(frames * setting.frameBytes()));
  }

  final int anyPeer(Actor actor) {
    return (actor.node() + 1 + random.nextInt(actor.size() - 1)) % actor.size();
  }

  final void extractNow(Actor actor, long bytesMax) {
    int _ = actor.extract(bytesMax);
  }

  final void say(Actor actor, int to, Deed deed, long length, int hops) {
    boolean _ = actor.send(to, deed, length, hops);
  }

  @Override
  public void react(Actor actor, Sent message, int from) {
    switch (message.deed()) {
      case REPLY -> answer(actor, message, from);
      case FORWARD ->
          say(actor, anyPeer(actor), next(message), message.given(), message.hops() - 1);
      case FLOOD -> {
        for (int i = 0; i < FLOOD_MESSAGES; i++) {
          int more = random.nextInt(4) == 0 ? 100_000 : 1024;
          say(actor, from, Deed.TAKE, Messages.WHOLE_BYTES_MAX - 1024 + random.nextInt(more), 0);
        }
      }
      case CROWD -> {
        for (int i = Lane.CHANNELS + 1 + random.nextInt(6); i > 0; i--) {
          say(actor, from, Deed.HOLD, Messages.WHOLE_BYTES_MAX + 1L + random.nextInt(4_000), 0);
        }
        say(actor, from, Deed.GO, random.nextInt(64), 0);
      }
      default -> {}
    }
  }

  /** Answers, short or long, at once or in pieces: a handler waits for none of it. */
  private void answer(Actor actor, Sent message, int from) {
    int lot = random.nextInt(8);
    Deed deed = next(message);
    int hops = message.hops() - 1;
    if (lot == 0) {
      say(actor, from, deed, drawLong(), hops);
    } else if (lot == 1) {
      long size = random.nextBoolean() ? Messages.SIZE_UNKNOWN : drawLong();
      Speech speech = actor.begin(from, deed, size, hops, random.nextInt(4) == 0);
      if (speech != null) {
        speakOn(speech);
      }
    } else {
      say(actor, from, deed, drawLength(), hops);
    }
  }

  private void speakOn(Speech speech) {
    for (int i = random.nextInt(6); i > 0 && speech.isOpen() && speech.left() > 0; i--) {
      speech.send((int) Math.min(speech.left(), random.nextInt(20 * setting.frameBytes())));
    }
    if (!speech.isOpen()) {
      return;
    }
    if (random.nextInt(5) == 0) {
      speech.abandon();
      return;
    }
    if (speech.left() != Long.MAX_VALUE && random.nextInt(6) > 0) {
      speech.send((int) speech.left());
    }
    if (speech.isOpen()) {
      speech.close();
    }
  }

  /** What is sent on is sent on once less. */
  private Deed next(Sent message) {
    return message.hops() <= 0 ? Deed.TAKE : random.nextBoolean() ? Deed.REPLY : Deed.FORWARD;
  }
}
