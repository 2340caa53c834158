package io.busbar.fabric.socket;

/**
 * When to look at what changes rarely and tells nobody: every so many polls, and more often where
 * each poll is a sleep; one system call in thousands.
 */
public final class Cadence {
  private static final int POLLS_PER_LOOK = 1 << 14;
  private static final int POLLS_PER_SLEEP = 1 << 8;

  private int polls;

  /** Begins to count. */
  public Cadence() {}

  /** At every poll: whether to look. */
  public boolean isDue() {
    return isDue(1);
  }

  /** Before every sleep: whether to look. */
  public boolean isDueBeforeSleep() {
    return isDue(POLLS_PER_SLEEP);
  }

  private boolean isDue(int worth) {
    polls += worth;
    if (polls < POLLS_PER_LOOK) {
      return false;
    }
    polls = 0;
    return true;
  }
}
