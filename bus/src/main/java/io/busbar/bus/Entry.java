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

  /** What it was asked last, by a frame to its address; 0 when it was not. */
  long question;

  /** When it last said that it lives another life, and was asked therefore. */
  long doubtNs = -Core.NEVER / 2;

  /** A life that answered at its address: the former process is gone. 0 when none did. */
  long heir;

  /** A life that is over, though it is later than the one that followed. */
  long ended;

  /** Since when it has been gone. */
  long goneNs;

  Entry(int id, MemberCard card) {
    this.id = id;
    this.card = card;
  }

  Member member() {
    return new Member(id, life, edition, state, card);
  }

  /** Whether a life that is no later is known to have followed the one that is held. */
  boolean isFollowedBy(MemberState otherState, long otherLife) {
    return otherLife == heir && otherLife != life && otherState.isMember();
  }

  /** Whether a record says something newer. */
  boolean isOlderThan(MemberState otherState, int otherEdition, long otherLife) {
    if (otherLife != life && otherLife == ended) {
      return false;
    }
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
