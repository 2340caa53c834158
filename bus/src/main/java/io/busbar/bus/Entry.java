package io.busbar.bus;

import io.busbar.wire.MemberCard;

/** A node, as the roster holds it. */
final class Entry {
  final int id;
  long life;
  int edition;
  MemberState state = MemberState.ALIVE;
  byte[] encoded = {};

  /** What {@link #encoded} says. */
  MemberCard card;

  /** A suspicion ends in death then. */
  long deadlineNs;

  /** While it is suspected by this node itself, it is asked again then. */
  long urgeAtNs = Core.NEVER;

  /** Since when it has been gone. */
  long goneNs;

  Entry(int id, MemberCard card) {
    this.id = id;
    this.card = card;
  }

  Member member() {
    return new Member(id, life, edition, state, card);
  }

  /** Whether a record says something newer. */
  boolean isOlderThan(MemberState otherState, int otherEdition, long otherLife) {
    if (otherLife != life) {
      boolean lives = otherState.isMember();
      return lives == state.isMember() ? Long.compareUnsigned(otherLife, life) > 0 : lives;
    }
    if (otherEdition != edition) {
      return otherEdition > edition;
    }
    return otherState.compareTo(state) > 0;
  }
}
