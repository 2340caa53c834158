package io.busbar.bus;

import io.busbar.wire.MemberCard;
import org.jspecify.annotations.Nullable;

/** A node, as the roster holds it. */
final class Entry {
  final int id;
  long life;
  int edition;
  MemberState state = MemberState.ALIVE;
  private MemberCard card;
  private byte[] encoded;
  private long cardHash;

  /** A suspicion ends then. */
  long deadlineNs;

  /** Whether others say that it has left: it has, if it does not say that it lives. */
  boolean isSaidToHaveLeft;

  /** When a frame of that life was heard that is no word on who is there. */
  long signNs = -Core.NEVER / 2;

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
    this(id, card, card.encoded());
  }

  /**
   * One that says something of itself.
   *
   * @param encoded the card as it came: the same card is not always written alike
   */
  Entry(int id, MemberCard card, byte[] encoded) {
    this.id = id;
    this.card = card;
    this.encoded = encoded;
    this.cardHash = hash(encoded);
  }

  /** It says something else of itself. */
  void describe(MemberCard said, byte[] bytes) {
    card = said;
    encoded = bytes;
    cardHash = hash(bytes);
  }

  /** What it says of itself, as it is on the wire. */
  byte[] encoded() {
    return encoded;
  }

  /** Of what it says of itself: to the byte, and no protection against who makes up the same. */
  long cardHash() {
    return cardHash;
  }

  private static long hash(byte[] bytes) {
    long hash = bytes.length;
    for (byte b : bytes) {
      hash = (hash ^ (b & 0xFF)) * 0x9E37_79B9_7F4A_7C15L;
      hash ^= hash >>> 32;
    }
    return hash;
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
      former = new Entry(id, card, encoded);
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
