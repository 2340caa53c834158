package io.busbar.bench.mpi;

import java.util.HashMap;
import java.util.Map;

/**
 * What a rank has to say of a task, on a line of names and numbers.
 *
 * @param tookNs from when all were ready
 * @param allocatedBytes by the thread that called MPI
 * @param compiledMs what its compilers have worked since the task before
 */
record Did(long tookNs, long allocatedBytes, long compiledMs) {
  /** Of the time that a task takes. */
  private static final double COMPILING_MAX = 0.02;

  String line() {
    return "took %d allocated %d compiled %d".formatted(tookNs, allocatedBytes, compiledMs);
  }

  static Did parse(String line) {
    String[] words = line.split(" ", -1);
    Map<String, Long> noted = new HashMap<>();
    for (int i = 0; i + 1 < words.length; i += 2) {
      noted.put(words[i], Long.valueOf(words[i + 1]));
    }
    Long took = noted.get("took");
    if (took == null) {
      throw new IllegalArgumentException("a rank that does not say how long it took: " + line);
    }
    return new Did(took, noted.getOrDefault("allocated", 0L), noted.getOrDefault("compiled", 0L));
  }

  /** All ranks as one: the time of this one, and the most that one of both allocated, compiled. */
  Did with(Did other) {
    return new Did(
        tookNs,
        Math.max(allocatedBytes, other.allocatedBytes),
        Math.max(compiledMs, other.compiledMs));
  }

  /** Whether the compilers had next to nothing to do with it. */
  boolean wasReady() {
    return compiledMs * 1_000_000 <= COMPILING_MAX * tookNs;
  }
}
