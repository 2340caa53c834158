package io.busbar.wire;

/** What DIAG says. Numbers run from 1 without a gap. */
public enum Diagnosis {
  /** No listening context takes this FIRST. */
  NO_LISTENER(1),
  /** A listener matched, and its user said no; the detail is the user's. */
  REFUSED(2),
  /** The key names nothing here (any more). */
  UNKNOWN_KEY(3),
  /** FIRST was meant for another life of this node; the block carries the right one. */
  WRONG_INCARNATION(4),
  /** The frame's version is not spoken here; the block carries the versions that are. */
  VERSION(5),
  /** A new life is claimed: is it so? The serial is a nonce. */
  CHALLENGE(6),
  /** Yes: the nonce comes back, with the life that answers. */
  CONFIRM(7),
  /** No room for another association now; try later. */
  BUSY(8);

  private static final Diagnosis[] ALL = values();

  private final int number;

  Diagnosis(int number) {
    this.number = number;
  }

  /** The number on the wire. */
  public int number() {
    return number;
  }

  static boolean isKnown(int number) {
    return number >= 1 && number <= ALL.length;
  }

  static Diagnosis of(int number) {
    return ALL[number - 1];
  }
}
