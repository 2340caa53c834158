package io.busbar.bus;

import io.busbar.wire.MemberCard;
import org.jspecify.annotations.Nullable;

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

  /** A life that was over when another one followed; it may be later than that one. */
  private long ended;

  /** In editions up to this one that life is not believed again. */
  private int endedEdition;

  /** What others are told of that life. */
  private @Nullable Entry former;

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

  /** Another life is about to be held: if it is an earlier one, this one is over. */
  void noteEnd(MemberState nextState, long nextLife) {
    boolean isFollowed = isFollowedBy(nextState, nextLife);
    boolean isGone = !state.isMember() && Long.compareUnsigned(nextLife, life) < 0;
    if (isFollowed || isGone) {
      ended = life;
      endedEdition = isFollowed ? Integer.MAX_VALUE : edition;
    }
  }

  /**
   * Whether another life is over. While an earlier one lives, news of it from others must not bring
   * it back: each node in turn would suspect it, find it dead, and hear of it from the next one.
   */
  boolean isOver(long otherLife, int otherEdition, boolean isOwnWord) {
    boolean isFollowed = endedEdition == Integer.MAX_VALUE;
    return otherLife != life
        && otherLife == ended
        && otherEdition <= endedEdition
        && (isFollowed || (state.isMember() && !isOwnWord));
  }

  /** The life that is over, in an edition in which somebody believes it to be alive. */
  Entry former(int editionHeard) {
    if (former == null) {
      former = new Entry(id, card);
    }
    former.life = ended;
    former.edition = editionHeard;
    former.state = MemberState.DEAD;
    return former;
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
