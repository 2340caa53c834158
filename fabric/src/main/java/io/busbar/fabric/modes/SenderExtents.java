package io.busbar.fabric.modes;

import io.busbar.memory.ExchangeBank;

/**
 * Which extents the sender has, and for what. One that was given away comes back when the receiver
 * writes its owner word; the one that was given last is looked at first, because it is warm.
 */
final class SenderExtents {
  private static final byte FREE = 0;
  private static final byte KEPT = 1;
  private static final byte AWAY = 2;

  private final ChannelWords words;
  private final byte[] states;
  private final int keptMax;
  private int kept;
  private int last = ExchangeBank.NONE;

  SenderExtents(ChannelWords words, int extents) {
    this.words = words;
    this.states = new byte[extents];
    this.keptMax = extents / 2 - 1;
  }

  /** One that is free now, to be copied into; {@link ExchangeBank#NONE} when there is none. */
  int free() {
    if (last != ExchangeBank.NONE && isFree(last)) {
      return last;
    }
    for (int extent = 0; extent < states.length; extent++) {
      if (isFree(extent)) {
        return extent;
      }
    }
    return ExchangeBank.NONE;
  }

  private boolean isFree(int extent) {
    if (states[extent] == AWAY && words.owner(extent) == ChannelWords.SENDERS) {
      states[extent] = FREE;
    }
    return states[extent] == FREE;
  }

  /** Gives a free one to the receiver; what was written to it is published with the message. */
  void give(int extent) {
    states[extent] = AWAY;
    words.setOwner(extent, ChannelWords.RECEIVERS);
    last = extent;
  }

  /** Gives a kept one to the receiver, which stays kept. */
  void lend(int extent) {
    words.setOwner(extent, ChannelWords.RECEIVERS);
  }

  /** Whether a kept one is here. */
  boolean isHere(int extent) {
    return words.owner(extent) == ChannelWords.SENDERS;
  }

  /** Whether it is one that the sender keeps. */
  boolean isKept(int extent) {
    return extent < states.length && states[extent] == KEPT;
  }

  /** Takes one for as long as the channel lives. */
  int keep() {
    int extent = kept < keptMax ? free() : ExchangeBank.NONE;
    if (extent == ExchangeBank.NONE) {
      throw new IllegalStateException(
          ("%d of %d extents are kept for views and direct memory, and no further one can be; give"
                  + " the channel more extents, or wait for the receiver")
              .formatted(kept, states.length));
    }
    states[extent] = KEPT;
    kept++;
    return extent;
  }

  /** The receiver is dead: all that it had is the sender's. */
  void reclaim() {
    for (int extent = 0; extent < states.length; extent++) {
      words.setOwner(extent, ChannelWords.SENDERS);
    }
  }
}
