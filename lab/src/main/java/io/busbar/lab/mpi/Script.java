package io.busbar.lab.mpi;

import java.util.SplittableRandom;

/**
 * What all ranks of a run know of it: each draws the same program.
 *
 * @param seed of the program
 * @param epochs how often MPI is begun and ended
 * @param phases parts of each epoch
 * @param creditBytes what each may send to each without being asked
 * @param frameBytes the longest frame
 * @param changesMind whether programs change what they have begun to send, or call it back
 */
record Script(
    long seed,
    Manner manner,
    int epochs,
    int phases,
    long creditBytes,
    int frameBytes,
    boolean changesMind) {
  private static final int PHASES_MAX = 12;

  static Script draw(SplittableRandom random, int frameBytes) {
    return new Script(
        random.nextLong(),
        random.nextInt(4) == 0 ? Manner.GO_ON : Manner.GIVE_UP,
        random.nextInt(4) == 0 ? 2 : 1,
        1 + random.nextInt(PHASES_MAX),
        switch (random.nextInt(4)) {
          case 0 -> random.nextInt(500);
          case 1 -> random.nextInt(8_000);
          case 2 -> random.nextInt(100_000);
          default -> 1 << 20;
        },
        frameBytes,
        random.nextInt(3) == 0);
  }
}
