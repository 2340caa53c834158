package io.busbar.bench.mpi;

/**
 * What ranks are told to do, on a line: {@code WHAT RANKS BYTES COUNT}. The first so many ranks of
 * the job do it, the others rest.
 *
 * @param what one of the exercises
 * @param ranks how many take part
 * @param bytes of each message or operand
 * @param count how often
 */
record Task(What what, int ranks, int bytes, int count) {
  private static final int WORDS = 4;

  /** The exercises. */
  enum What {
    /** Sums of doubles for all. */
    ALLREDUCE("allreduce"),

    /** From each rank in turn to all others: who sends next had to receive before. */
    BCAST("bcast"),

    /** From rank 0 to all others, as many at a time as the system likes; a barrier at the end. */
    CAST("cast"),

    /** From rank 0 to rank 1, as many at a time as the system likes; an answer at the end. */
    STREAM("stream"),

    /** There and back with {@code send} and {@code recv}, as Open MPI has them. */
    TRIPS("trips"),

    /** There and back with {@code Send} and {@code Recv}, as MPJ Express has them. */
    MPJ_TRIPS("mpj-trips");

    final String word;

    What(String word) {
      this.word = word;
    }

    static What of(String word) {
      for (What what : values()) {
        if (what.word.equals(word)) {
          return what;
        }
      }
      throw new IllegalArgumentException("ranks do not know how to " + word);
    }
  }

  /** Refuses what no rank can do. */
  Task {
    if (ranks < 2 || bytes < 1 || count < 1) {
      throw new IllegalArgumentException(
          "%d ranks, %d bytes, %d times; allowed: 2, 1 and 1 at least"
              .formatted(ranks, bytes, count));
    }
  }

  /** The same, so often. */
  Task times(int other) {
    return new Task(what, ranks, bytes, other);
  }

  /** As ranks are told. */
  String line() {
    return "%s %d %d %d".formatted(what.word, ranks, bytes, count);
  }

  static Task parse(String line) {
    String[] words = line.split(" ", -1);
    if (words.length != WORDS) {
      throw new IllegalArgumentException("not WHAT RANKS BYTES COUNT: " + line);
    }
    return new Task(
        What.of(words[0]),
        Integer.parseInt(words[1]),
        Integer.parseInt(words[2]),
        Integer.parseInt(words[3]));
  }
}
