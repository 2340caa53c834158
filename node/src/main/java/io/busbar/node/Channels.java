package io.busbar.node;

import io.busbar.wire.Bodies;

/**
 * The sender's side of a lane's channels: each carries the body of one long message at a time. A
 * channel is free again when the last piece was sent and the receiver has said that it is done with
 * the body, so that a body never waits behind one whose handler waits.
 */
final class Channels {
  /** No body: all channels are in use. */
  static final long NONE = -1;

  private final boolean[] busy;
  private final boolean[] lastSent;
  private final boolean[] done;
  private final long[] numbers;

  /** So many channels, numbered from 1. */
  Channels(int count) {
    busy = new boolean[count + 1];
    lastSent = new boolean[count + 1];
    done = new boolean[count + 1];
    numbers = new long[count + 1];
  }

  /** Takes a free channel for a body, if more than so many are; its name, or {@link #NONE}. */
  long take(int others) {
    if (busy.length - 1 - inUse() <= others) {
      return NONE;
    }
    for (int channel = 1; channel < busy.length; channel++) {
      if (!busy[channel]) {
        busy[channel] = true;
        lastSent[channel] = false;
        done[channel] = false;
        return Bodies.body(channel, numbers[channel]);
      }
    }
    return NONE;
  }

  /** Channels that carry a body, or whose body is not done with. */
  int inUse() {
    int count = 0;
    for (boolean one : busy) {
      count += one ? 1 : 0;
    }
    return count;
  }

  /** Gives back what was taken, before anything was sent. */
  void giveBack(long body) {
    busy[Bodies.channel(body)] = false;
  }

  /** Whether the receiver wants no more of a body that is being sent. */
  boolean isUnwanted(long body) {
    return done[Bodies.channel(body)];
  }

  /** The last piece of a channel's body was sent; whether the channel is free by that. */
  boolean onLastSent(int channel) {
    lastSent[channel] = true;
    freeIfOver(channel);
    return !busy[channel];
  }

  /** The receiver is done with a body; false when it is not one that is being sent. */
  boolean onDone(long body) {
    int channel = Bodies.channel(body);
    boolean known = channel >= 1 && channel < busy.length && busy[channel] && !done[channel];
    if (!known || body != Bodies.body(channel, numbers[channel])) {
      return false;
    }
    done[channel] = true;
    freeIfOver(channel);
    return true;
  }

  /** Nobody has to say that he is done with what a channel carries. */
  void onDone(int channel) {
    done[channel] = true;
  }

  private void freeIfOver(int channel) {
    if (lastSent[channel] && done[channel]) {
      busy[channel] = false;
      numbers[channel]++;
    }
  }
}
