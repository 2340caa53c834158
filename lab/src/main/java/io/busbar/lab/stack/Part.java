package io.busbar.lab.stack;

/** What one program of a plot does. */
interface Part {
  /** Plays its part, while things go wrong. */
  void play(Actor actor) throws InterruptedException;

  /** Does what a message is for, inside its handler. */
  void react(Actor actor, Sent message, int from);

  /** When everything is well again, in the schedule's time. */
  long calmNs();

  /** Whether it leaves when it has played. */
  boolean leaves();
}
