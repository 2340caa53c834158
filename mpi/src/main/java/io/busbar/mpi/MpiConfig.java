package io.busbar.mpi;

import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How closely a program is looked at.
 *
 * @param checks whether the members of a communicator compare what they call before they do it, and
 *     what is left at the end is reported; each collective costs a round of messages more
 * @param watch a folder in which this rank says what it waits for; null: it does not say
 */
public record MpiConfig(boolean checks, @Nullable Path watch) {
  /** Set to anything but 0: the program is checked; for all ranks or none. */
  public static final String CHECK = "BUSBAR_MPI_CHECK";

  /** Names the folder in which ranks say what they wait for. */
  public static final String WATCH = "BUSBAR_MPI_WATCH";

  /** Neither, which costs nothing. */
  public static MpiConfig defaults() {
    return new MpiConfig(false, null);
  }

  /** As an environment says. */
  public static MpiConfig of(Map<String, String> environment) {
    String check = environment.getOrDefault(CHECK, "");
    String watch = environment.getOrDefault(WATCH, "");
    return new MpiConfig(
        !check.isEmpty() && !check.equals("0"), watch.isEmpty() ? null : Path.of(watch));
  }
}
