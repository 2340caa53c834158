package io.busbar.lab.stack;

import io.busbar.messages.Messages;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Has several messages open at once, sends their pieces in turns, and ends them in any order. */
final class StreamsPart extends PartOf {
  /** Who has more open than a lane has channels would wait for itself. */
  private static final int OPEN_MAX = 12;

  private static final Deed[] DEEDS = {
    Deed.TAKE,
    Deed.TAKE,
    Deed.HALF,
    Deed.REPLY,
    Deed.THROW,
    Deed.NOBODY,
    Deed.SIP,
    Deed.SIP,
    Deed.LATER,
    Deed.EARLY,
    Deed.WAIT
  };

  private final int steps;
  private final boolean leaves;
  private final List<Speech> open = new ArrayList<>();

  StreamsPart(Setting setting, SplittableRandom random) {
    super(setting, random);
    steps = 20 + random.nextInt(120);
    leaves = random.nextInt(10) == 0;
  }

  @Override
  public boolean leaves() {
    return leaves;
  }

  @Override
  public void play(Actor actor) throws InterruptedException {
    long pauseNs = Math.max(1, 2 * setting.healNs() / steps);
    for (int i = 0; i < steps; i++) {
      step(actor, pauseNs);
      boolean _ = open.removeIf(speech -> !speech.isOpen());
    }
    actor.patience(Long.MAX_VALUE);
    while (!open.isEmpty()) {
      end(any());
      boolean _ = open.removeIf(speech -> !speech.isOpen());
    }
  }

  private Speech any() {
    return open.get(random.nextInt(open.size()));
  }

  private void step(Actor actor, long pauseNs) throws InterruptedException {
    switch (random.nextInt(20)) {
      case 0, 1, 2 -> begin(actor);
      case 3, 4, 5, 6, 7 -> goOn();
      case 8, 9 -> {
        if (!open.isEmpty()) {
          end(any());
        }
      }
      case 10 -> say(actor, anyPeer(actor), anyDeed(), drawLong(), random.nextInt(2));
      case 11, 12 -> say(actor, anyPeer(actor), anyDeed(), drawLength(), random.nextInt(3));
      case 13 -> {
        boolean _ = actor.trySend(anyPeer(actor), Deed.TAKE, drawLength());
      }
      case 14, 15 -> extractNow(actor, random.nextLong(1L << (4 + random.nextInt(16))));
      case 16 -> actor.extractOrWait(random.nextLong(pauseNs));
      case 17 -> actor.awaitHandled(1 + random.nextInt(3), random.nextLong(pauseNs));
      case 18 -> actor.compute(random.nextLong(pauseNs));
      default ->
          actor.patience(random.nextInt(3) == 0 ? 1 + random.nextInt(20_000_000) : Long.MAX_VALUE);
    }
  }

  private Deed anyDeed() {
    return DEEDS[random.nextInt(DEEDS.length)];
  }

  private void begin(Actor actor) {
    if (open.size() < OPEN_MAX) {
      boolean unknown = random.nextInt(3) == 0;
      long size =
          unknown ? Messages.SIZE_UNKNOWN : random.nextBoolean() ? drawLong() : drawLength();
      Speech speech =
          actor.begin(anyPeer(actor), anyDeed(), size, random.nextInt(2), random.nextInt(3) == 0);
      if (speech != null) {
        open.add(speech);
      }
    }
  }

  private void goOn() {
    if (!open.isEmpty()) {
      Speech speech = any();
      int most = random.nextInt(3) == 0 ? 200 : 20 * setting.frameBytes();
      int length = (int) Math.min(speech.left(), 1 + random.nextInt(most));
      switch (random.nextInt(12)) {
        case 0 -> speech.flush();
        case 1 -> {
          if (speech.left() < 100_000) {
            speech.exceed();
          }
        }
        case 2, 3, 4, 5 -> {
          boolean _ = speech.trySend(Math.min(length, PIECE_BYTES_MAX));
        }
        default -> speech.send(length);
      }
    }
  }

  /** Mostly gives what is missing and ends it; or does not. */
  private void end(Speech speech) {
    int lot = random.nextInt(12);
    if (lot == 0) {
      speech.abandon();
      return;
    }
    if (lot > 2 && speech.left() != Long.MAX_VALUE) {
      speech.send((int) speech.left());
    }
    if (speech.isOpen() && (random.nextInt(4) > 0 || !speech.tryClose())) {
      speech.close();
    }
  }
}
