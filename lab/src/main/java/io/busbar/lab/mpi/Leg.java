package io.busbar.lab.mpi;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * One message of an exchange that all its ranks know of.
 *
 * @param hasGaps whether its bytes lie in blocks where it is sent
 */
record Leg(int from, int to, int tag, int length, boolean hasGaps, Mode mode) {
  /** Tags of a phase; those of others are others. */
  static final int TAGS = 8;

  /** A payload of so many bytes goes with its envelope. */
  private static final int SHORT_BYTES_MAX = (60 << 10) - 40;

  private static final int UNASKED_BYTES_MAX = 256 << 10;

  /** How it is sent. */
  enum Mode {
    PLAIN,
    SYNC,
    START,
    START_SYNC,
    START_COPY
  }

  /** A few for each rank, or many short ones for one. */
  static List<Leg> draw(SplittableRandom random, int ranks, int phase, int frameBytes) {
    boolean isFlood = random.nextInt(4) == 0;
    int target = random.nextInt(ranks);
    int count = isFlood ? 10 + random.nextInt(40) : random.nextInt(3 * ranks);
    int tags = 1 + random.nextInt(TAGS - 2);
    List<Leg> legs = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      boolean gaps = random.nextInt(5) == 0;
      int length = isFlood ? random.nextInt(2_500) : length(random, frameBytes);
      legs.add(
          new Leg(
              random.nextInt(ranks),
              isFlood ? target : random.nextInt(ranks),
              phase * TAGS + random.nextInt(tags),
              Sheet.room(length, gaps),
              gaps,
              Mode.values()[random.nextInt(Mode.values().length)]));
    }
    return legs;
  }

  private static int length(SplittableRandom random, int frameBytes) {
    return switch (random.nextInt(24)) {
      case 0, 1 -> 0;
      case 2, 3, 4, 5, 6, 7 -> random.nextInt(64);
      case 8, 9, 10, 11, 12, 13 -> random.nextInt(2_000);
      case 14, 15 -> Math.max(0, frameBytes - 100 + random.nextInt(120));
      case 16, 17 -> random.nextInt(20_000);
      case 18, 19, 20 -> SHORT_BYTES_MAX - 2 + random.nextInt(5);
      case 21 -> UNASKED_BYTES_MAX - 2 + random.nextInt(5);
      default -> random.nextInt(SHORT_BYTES_MAX, 3 * SHORT_BYTES_MAX);
    };
  }
}
