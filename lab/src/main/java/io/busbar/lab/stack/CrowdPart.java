package io.busbar.lab.stack;

import io.busbar.messages.Messages;
import io.busbar.node.Lane;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Begins as many long messages as it can, which are held where they arrive until a short one comes,
 * and asks others for the same: what waits for a channel must not be in that one's way.
 */
final class CrowdPart extends PartOf {
  private static final int PIECE_BYTES = 1_000;
  private static final int MORE_BYTES = 40_000;

  private final boolean asks;

  CrowdPart(Setting setting, SplittableRandom random) {
    super(setting, random);
    asks = random.nextBoolean();
  }

  @Override
  public boolean leaves() {
    return false;
  }

  @Override
  public void play(Actor actor) {
    int to = anyPeer(actor);
    if (asks) {
      say(actor, to, Deed.CROWD, random.nextInt(64), 0);
    }
    List<Speech> open = begin(actor, to);
    for (int i = random.nextInt(4); i > 0; i--) {
      say(actor, to, Deed.TAKE, drawLength(), 0);
    }
    say(actor, to, Deed.GO, random.nextInt(64), 0);
    for (Speech speech : open) {
      if (speech.isOpen()) {
        speech.send((int) speech.left());
      }
      if (speech.isOpen()) {
        speech.close();
      }
    }
    extractNow(actor, Long.MAX_VALUE);
  }

  /** Until it is refused: all channels are in use then. */
  private List<Speech> begin(Actor actor, int to) {
    List<Speech> open = new ArrayList<>();
    for (int i = 0; i < 2 * Lane.CHANNELS; i++) {
      long size = Messages.WHOLE_BYTES_MAX + 1L + random.nextInt(MORE_BYTES);
      Speech speech = actor.begin(to, Deed.HOLD, size, 0, true);
      if (speech != null) {
        open.add(speech);
        boolean _ = speech.trySend(1 + random.nextInt(PIECE_BYTES));
      }
    }
    return open;
  }
}
