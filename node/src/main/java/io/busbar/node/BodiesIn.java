package io.busbar.node;

import io.busbar.wire.Bodies;

/**
 * The receiver's side of a lane's channels: which body of each has started, has come to its end,
 * and was dealt with. A channel's sender begins the next one when it was told that the former is
 * dealt with. So who starts a body twice, or one out of its turn, or sends of the next one before,
 * is none of us; and of each channel at most two bodies are known here.
 */
final class BodiesIn {
  /** No body: it is not its turn. */
  static final long NONE = -1;

  // For each channel, how many bodies.
  private final long[] started;
  private final long[] ended;
  private final long[] done;

  /** So many channels, numbered from 1. */
  BodiesIn(int count) {
    started = new long[count + 1];
    ended = new long[count + 1];
    done = new long[count + 1];
  }

  /** A body starts, on one of the channels; false when it is not its turn. */
  boolean onStart(long body) {
    int channel = Bodies.channel(body);
    boolean isNext = body == Bodies.body(channel, started[channel]);
    if (!isNext || started[channel] > done[channel]) {
      return false;
    }
    started[channel]++;
    return true;
  }

  /** The body of which a piece has come on a channel, its START perhaps later; or {@link #NONE}. */
  long onPiece(int channel, int flags) {
    long number = ended[channel];
    if (number > done[channel]) {
      return NONE;
    }
    ended[channel] += flags & Bodies.LAST;
    return Bodies.body(channel, number);
  }

  /** A body that has started was dealt with; more of it may come. */
  void onDone(long body) {
    done[Bodies.channel(body)]++;
  }
}
