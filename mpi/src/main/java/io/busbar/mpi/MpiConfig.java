package io.busbar.mpi;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a rank is told once.
 *
 * @param checks whether the members of a communicator compare what they call before they do it, and
 *     what is left at the end is reported; each collective costs a round of messages more
 * @param watch where this rank says what it waits for; null: it does not say
 * @param creditBytesMax what one other rank may send without being asked, at most: more lets short
 *     messages leave at once for longer, and is held here until somebody asks for them
 * @param tasks where collectives run that their callers do not wait for
 */
public record MpiConfig(
    boolean checks, @Nullable WatchBoard watch, long creditBytesMax, Tasks tasks) {
  /** Set to anything but 0: the program is checked; for all ranks or none. */
  public static final String CHECK = "BUSBAR_MPI_CHECK";

  /** Names the folder in which ranks say what they wait for; or {@code stderr:} and a word. */
  public static final String WATCH = "BUSBAR_MPI_WATCH";

  static final long CREDIT_BYTES_MAX = 1L << 20;

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

  /**
   * Not looked at; a megabyte for each other rank, while there are few; a virtual thread for each
   * collective.
   */
  public static MpiConfig defaults() {
    return new MpiConfig(
        false,
        null,
        CREDIT_BYTES_MAX,
        (name, work) -> {
          Thread _ = Thread.ofVirtual().name(name).start(work);
        });
  }

  /** As an environment says. */
  public static MpiConfig of(Map<String, String> environment) {
    String check = environment.getOrDefault(CHECK, "");
    String watch = environment.getOrDefault(WATCH, "");
    MpiConfig config = defaults();
    config = check.isEmpty() || check.equals("0") ? config : config.checked();
    return watch.isEmpty() ? config : config.watchedAt(WatchBoard.of(watch));
  }

  /** The same for a program that is checked. */
  public MpiConfig checked() {
    return new MpiConfig(true, watch, creditBytesMax, tasks);
  }

  /** The same for a rank that says what it waits for. */
  public MpiConfig watchedAt(WatchBoard board) {
    return new MpiConfig(checks, board, creditBytesMax, tasks);
  }

  /** The same with another bound of what comes unasked. */
  public MpiConfig withCredit(long bytesMax) {
    return new MpiConfig(checks, watch, bytesMax, tasks);
  }

  /** The same with collectives running elsewhere. */
  public MpiConfig withTasks(Tasks elsewhere) {
    return new MpiConfig(checks, watch, creditBytesMax, elsewhere);
  }
}
