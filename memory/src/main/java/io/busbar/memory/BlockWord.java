package io.busbar.memory;

import java.util.Locale;

/**
 * The state word of a block: state 8, blocks 8, role 8, participant (or head) 8, generation 32. It
 * is the truth about the block; a change of owner is one compare-and-swap of it.
 */
final class BlockWord {
  static final int FREE = 0;
  static final int CLAIMING = 1;
  static final int OWNED = 2;
  static final int TAIL = 3;
  static final int RECLAIMING = 4;

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

  static Role role(long word) {
    return Role.of((int) word >>> 16 & 0xFF);
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

  /** Whether a participant holds this head, in any state. */
  static boolean isHeldBy(long word, int participant) {
    int state = state(word);
    boolean head = state == CLAIMING || state == OWNED || state == RECLAIMING;
    return head && participant(word) == participant;
  }

  /** Who holds the block, in words. */
  static String owner(long word) {
    return switch (state(word)) {
      case FREE -> "nobody: it is free";
      case CLAIMING -> "participant %d, which is allocating it".formatted(participant(word));
      case OWNED ->
          "the %s of participant %d"
              .formatted(role(word).name().toLowerCase(Locale.ROOT), participant(word));
      case TAIL -> "the buffer that begins at block %d of its zone".formatted(head(word));
      default -> "participant %d, which is freeing it".formatted(participant(word));
    };
  }
}
