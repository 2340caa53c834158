package io.busbar.memory;

import java.util.Locale;

/**
 * The state word of a block: state 8, blocks 8, role 8, participant (or head) 8, generation 32. It
 * is the truth about the block; a change of owner is one compare-and-swap of it.
 *
 * <p>Other processes write these words too, so none is trusted: a word that no pool writes is
 * neither free nor held by anybody, and its block is out of use.
 */
final class BlockWord {
  static final int FREE = 0;
  static final int CLAIMING = 1;
  static final int OWNED = 2;
  static final int TAIL = 3;
  static final int RECLAIMING = 4;
  static final int RESTING = 5;

  private BlockWord() {}

  static long free(int generation) {
    return of(FREE, 0, 0, 0, generation);
  }

  static long claiming(int participant, int generation) {
    return of(CLAIMING, 0, 0, participant, generation);
  }

  static long owned(int blocks, Role role, int participant, int generation) {
    return of(OWNED, blocks, role.number(), participant, generation);
  }

  static long tail(int head, int generation) {
    return of(TAIL, 0, 0, head, generation);
  }

  static long reclaiming(int participant, int generation) {
    return of(RECLAIMING, 0, 0, participant, generation);
  }

  /** A buffer that is nobody's, and still whole: who wants one of its size need not build it. */
  static long resting(int blocks, int generation) {
    return of(RESTING, blocks, 0, 0, generation);
  }

  private static long of(int state, int blocks, int role, int participant, int generation) {
    return state
        | (long) blocks << 8
        | (long) role << 16
        | (long) participant << 24
        | (long) generation << 32;
  }

  static int state(long word) {
    return (int) word & 0xFF;
  }

  static int blocks(long word) {
    return (int) word >>> 8 & 0xFF;
  }

  private static int role(long word) {
    return (int) word >>> 16 & 0xFF;
  }

  static int participant(long word) {
    return (int) word >>> 24;
  }

  /** The block of the zone under which a TAIL lies. */
  static int head(long word) {
    return participant(word);
  }

  static int generation(long word) {
    return (int) (word >>> 32);
  }

  /** Whether the block is free: all but the generation is zero. */
  static boolean isFree(long word) {
    return (int) word == 0;
  }

  /** Whether it is the head of a buffer that is nobody's. */
  static boolean isResting(long word, int place) {
    return state(word) == RESTING && isHead(word, place);
  }

  /** Whether the block lies under a head of its zone. */
  static boolean isTailOf(long word, int head) {
    return (int) word == (int) tail(head, 0);
  }

  /** Whether a participant holds this head, in any state. */
  static boolean isHeldBy(long word, int participant, int place) {
    return isHead(word, place) && participant(word) == participant;
  }

  /** Whether it is a head that a pool writes for a block at this place of its zone. */
  static boolean isHead(long word, int place) {
    int blocks = blocks(word);
    return switch (state(word)) {
      case CLAIMING, RECLAIMING -> blocks == 0 && role(word) == 0 && participant(word) != 0;
      case OWNED -> fits(blocks, place) && Role.exists(role(word)) && participant(word) != 0;
      case RESTING -> fits(blocks, place) && role(word) == 0 && participant(word) == 0;
      default -> false;
    };
  }

  /** Whether so many blocks from this place on lie in one zone. */
  static boolean fits(int blocks, int place) {
    return blocks >= 1 && place + blocks <= PoolLayout.ZONE_BLOCKS;
  }

  /** Who holds the block, in words. */
  static String owner(long word, int place) {
    if (isFree(word)) {
      return "nobody: it is free";
    }
    if (state(word) == TAIL && isTailOf(word, head(word)) && head(word) < place) {
      return "the buffer that begins at block %d of its zone".formatted(head(word));
    }
    if (!isHead(word, place)) {
      return "nobody: its word %016x is damaged".formatted(word);
    }
    return switch (state(word)) {
      case CLAIMING -> "participant %d, which is allocating it".formatted(participant(word));
      case RECLAIMING -> "participant %d, which is freeing it".formatted(participant(word));
      case RESTING -> "nobody: it was freed, and rests";
      default ->
          "the %s of participant %d"
              .formatted(Role.of(role(word)).name().toLowerCase(Locale.ROOT), participant(word));
    };
  }
}
