package io.busbar.node;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The launchers of others, which tell a process its rank and the size of its job in variables of
 * their own: Open MPI, MPICH and all that speak PMI, Slurm, and those that do as torchrun does.
 */
public final class Launchers {
  private static final String PMIX_RANK = "PMIX_RANK";
  private static final int SIZE_MAX = 1024;
  private static final String SLURM_STEP = "SLURM_STEP_ID";

  /**
   * What one of them sets.
   *
   * @param rank the variable of the rank
   * @param size the variable of the size
   * @param jobs what names the job: the first that is there, variables of one name with commas
   */
  private record Launcher(String rank, String size, List<String> jobs) {
    boolean isIn(Map<String, String> environment) {
      boolean hasRank = environment.containsKey(rank) || environment.containsKey(PMIX_RANK);
      return hasRank && environment.containsKey(size);
    }

    @Nullable String job(Map<String, String> environment) {
      for (String variables : jobs) {
        List<String> names = List.of(variables.split(",", -1));
        if (names.stream().allMatch(environment::containsKey)) {
          return names.stream().map(environment::get).collect(Collectors.joining(":"));
        }
      }
      return null;
    }
  }

  private static final Launcher BUSBAR =
      new Launcher(NodeConfig.RANK, NodeConfig.SIZE, List.of(NodeConfig.JOB));

  private static final List<Launcher> MPI =
      List.of(
          new Launcher(
              "OMPI_COMM_WORLD_RANK",
              "OMPI_COMM_WORLD_SIZE",
              List.of("OMPI_MCA_ess_base_jobid", "PMIX_NAMESPACE")),
          new Launcher("PMI_RANK", "PMI_SIZE", List.of("PMI_JOBID", "PMIX_NAMESPACE")));

  private static final Launcher SLURM =
      new Launcher("SLURM_PROCID", "SLURM_NTASKS", List.of("SLURM_JOB_ID," + SLURM_STEP));

  private static final Launcher TORCH =
      new Launcher("RANK", "WORLD_SIZE", List.of("MASTER_ADDR,MASTER_PORT", "TORCHELASTIC_RUN_ID"));

  private Launchers() {}

  /**
   * A process's place in its job.
   *
   * @param rank which one it is
   * @param size how many there are
   */
  record Seat(int rank, int size) {}

  /** All variables that say a rank or a size, for who tells a process another one. */
  public static Set<String> variables() {
    Set<String> all = new LinkedHashSet<>(Set.of(PMIX_RANK));
    Stream.concat(MPI.stream(), Stream.of(SLURM, TORCH))
        .forEach(launcher -> all.addAll(List.of(launcher.rank, launcher.size)));
    return all;
  }

  /**
   * The place that an environment gives to a process; null when it gives none.
   *
   * @throws IllegalArgumentException when two of its variables contradict each other
   */
  static @Nullable Seat seat(Map<String, String> environment) {
    List<Launcher> speaking = speaking(environment);
    if (speaking.isEmpty()) {
      return null;
    }
    Set<String> ranks = new LinkedHashSet<>();
    Set<String> sizes = new LinkedHashSet<>();
    for (Launcher launcher : speaking) {
      ranks.add(launcher.rank);
      sizes.add(launcher.size);
    }
    ranks.add(PMIX_RANK);
    int rank = agreed(environment, ranks);
    int size = agreed(environment, sizes);
    if (size < 1 || size > SIZE_MAX) {
      throw new IllegalArgumentException(
          "size is %d; allowed: 1 to %d; %s"
              .formatted(size, SIZE_MAX, said(environment, ranks, sizes)));
    }
    if (rank < 0 || rank >= size) {
      throw new IllegalArgumentException(
          "rank is %d; allowed: 0 to %d; %s"
              .formatted(rank, size - 1, said(environment, ranks, sizes)));
    }
    return new Seat(rank, size);
  }

  private static List<Launcher> speaking(Map<String, String> environment) {
    List<Launcher> all = new ArrayList<>();
    Stream.concat(Stream.of(BUSBAR), MPI.stream())
        .filter(launcher -> launcher.isIn(environment))
        .forEach(all::add);
    // An MPI in Slurm starts its daemons with srun: then Slurm counts those.
    boolean isStep = environment.containsKey(SLURM_STEP) && MPI.stream().noneMatch(all::contains);
    if (isStep && SLURM.isIn(environment)) {
      all.add(SLURM);
    }
    if (TORCH.isIn(environment) && environment.containsKey(TORCH.rank)) {
      all.add(TORCH);
    }
    return all;
  }

  private static int agreed(Map<String, String> environment, Set<String> names) {
    List<String> set = names.stream().filter(environment::containsKey).toList();
    String first = set.getFirst();
    int value = number(environment, first);
    for (String other : set) {
      if (number(environment, other) != value) {
        throw new IllegalArgumentException(
            "%s is %d and %s is %d: two launchers contradict each other; unset what is not meant"
                .formatted(first, value, other, number(environment, other)));
      }
    }
    return value;
  }

  private static int number(Map<String, String> environment, String name) {
    return NodeConfig.number(environment, name, 0);
  }

  private static String said(
      Map<String, String> environment, Set<String> ranks, Set<String> sizes) {
    return Stream.concat(ranks.stream(), sizes.stream())
        .filter(environment::containsKey)
        .map(name -> name + "=" + environment.get(name))
        .collect(Collectors.joining(", "));
  }

  /**
   * What names the job: the same for all its processes, and for no others.
   *
   * @throws IllegalArgumentException when nothing does
   */
  static String job(Map<String, String> environment) {
    List<Launcher> all = speaking(environment);
    String who = all.getFirst().size;
    boolean _ = all.remove(BUSBAR);
    all.add(BUSBAR); // its name is what others fall back to
    return all.stream()
        .map(launcher -> launcher.job(environment))
        .filter(Objects::nonNull)
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "%s is set, and nothing names the job: set %s, the same for all its processes"
                        .formatted(who, NodeConfig.JOB)));
  }
}
