package io.busbar.mpi;

/**
 * What a rank is told once.
 *
 * @param creditBytesMax what one other rank may send without being asked, at most: more lets short
 *     messages leave at once for longer, and is held here until somebody asks for them
 * @param tasks where collectives run that their callers do not wait for
 */
public record MpiConfig(long creditBytesMax, Tasks tasks) {
  private static final long CREDIT_BYTES_MAX = 1L << 20;

  /** Starts what goes on by itself. */
  @FunctionalInterface
  public interface Tasks {
    /** Starts it; whoever calls this does not wait for it. */
    void start(String name, Runnable work);
  }

  /** Refuses what cannot work, by name. */
  public MpiConfig {
    if (creditBytesMax < 0) {
      throw new IllegalArgumentException(
          "mpi config: creditBytesMax is %d; allowed: 0 or more".formatted(creditBytesMax));
    }
  }

  /** A megabyte for each other rank, while there are few; a virtual thread for each collective. */
  public static MpiConfig defaults() {
    return new MpiConfig(
        CREDIT_BYTES_MAX,
        (name, work) -> {
          Thread _ = Thread.ofVirtual().name(name).start(work);
        });
  }
}
