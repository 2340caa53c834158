package io.busbar.cli;

import io.busbar.node.stat.NodeSnapshot;
import io.busbar.node.stat.StatReader;
import io.busbar.node.stat.StatReading;
import io.busbar.node.stat.Unreadable;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code busbar stat}: the counters of the nodes on this host. */
@Command(
    name = "stat",
    mixinStandardHelpOptions = true,
    description = {
      "Shows the nodes that run on this host, or one of them in full: its counters, its peers, and"
          + " of each peer why nothing leaves for it, and for how long. It reads the file in which"
          + " a node keeps its counters, and does not disturb the node.",
      ""
    },
    footer = {
      "",
      "Why a peer is blocked, where to look:",
      "  NO_CREDIT, WAITING_FOR_PEER     at the peer",
      "  WINDOW_FULL, PACED              at the path to it",
      "  RING_FULL                       at the carrier, and whether the peer runs",
      "  QUEUE_FULL, NO_BUFFER           at this process",
      "",
      "Examples:",
      "  ./busbar stat                   the nodes of this host",
      "  ./busbar stat 4711              all about the node of process 4711",
      "  ./busbar stat 4711 --watch      the same again every second, with rates",
      "  ./busbar stat --watch=5 --json  one object a node and round, for programs",
      "",
      "Exit codes: 0 done, 1 no such node or it cannot be read, 2 bad usage."
    })
final class StatCommand implements Callable<Integer> {
  private static final double WATCH_MIN_S = 0.001;

  /** Low, because a PID behind --watch is taken for seconds. */
  private static final double WATCH_MAX_S = 3600;

  @Parameters(
      paramLabel = "PID",
      arity = "0..1",
      description = "The process whose nodes are shown in full.")
  private @Nullable Integer pid;

  @Option(
      names = "--directory",
      paramLabel = "DIR",
      description = "Where the nodes' files are (default: /dev/shm and the temporary directory).")
  private @Nullable Path directory;

  @Option(names = "--dead", description = "Also nodes that died and left their file.")
  private boolean dead;

  @Option(names = "--json", description = "One JSON object a node, each on a line.")
  private boolean json;

  @Option(
      names = "--watch",
      arity = "0..1",
      fallbackValue = "1",
      paramLabel = "SECONDS",
      description = "Again and again, with rates per second; every second unless said otherwise.")
  private @Nullable Double watch;

  @Option(
      names = "--count",
      paramLabel = "N",
      description = "Stop after so many rounds of --watch.")
  private @Nullable Long count;

  @Spec private @Nullable CommandSpec spec;

  @Override
  public Integer call() throws InterruptedException {
    if (pid != null && pid <= 0) {
      throw Main.misuse(spec, "%d is no process; take one that ./busbar stat lists".formatted(pid));
    }
    if (count != null && (watch == null || count < 1)) {
      throw Main.misuse(spec, "--count belongs to --watch, and is at least 1");
    }
    if (watch == null) {
      show(find(), new StatRates(List.of(), 0));
    } else if (watch >= WATCH_MIN_S && watch <= WATCH_MAX_S) {
      watch((long) (watch * 1e9), count == null ? Long.MAX_VALUE : count);
    } else {
      throw Main.misuse(
          spec,
          "--watch is %s seconds; from %s to %s. A PID stands before --watch"
              .formatted(watch, WATCH_MIN_S, WATCH_MAX_S));
    }
    return 0;
  }

  private void watch(long pauseNs, long rounds) throws InterruptedException {
    List<StatReading> before = List.of();
    long beforeNs = 0;
    for (long round = 0; round < rounds; round++) {
      if (round > 0) {
        TimeUnit.NANOSECONDS.sleep(pauseNs);
        if (!json) {
          System.out.println();
        }
      }
      List<StatReading> found = find();
      long nowNs = System.nanoTime();
      show(found, new StatRates(before, (nowNs - beforeNs) / 1e9));
      if (System.out.checkError()) {
        throw new IllegalStateException("standard output cannot be written any more");
      }
      before = found;
      beforeNs = nowNs;
    }
  }

  /** All files that are asked for; of one process, at least one that can be shown. */
  private List<StatReading> find() {
    List<Path> places = directory == null ? StatReader.places() : List.of(directory);
    List<StatReading> all =
        places.stream().flatMap(place -> StatReader.list(place).stream()).toList();
    List<StatReading> shown =
        all.stream()
            .filter(reading -> dead || !(reading instanceof NodeSnapshot node) || node.alive())
            .toList();
    if (pid == null) {
      return shown;
    }
    List<StatReading> chosen = shown.stream().filter(reading -> reading.pid() == pid).toList();
    if (chosen.isEmpty()) {
      boolean died = all.stream().anyMatch(reading -> reading.pid() == pid);
      throw new IllegalStateException(
          died
              ? "process %d is dead; --dead shows what it left".formatted(pid)
              : "no node of process %d in %s; there %s"
                  .formatted(pid, StatText.join(places), others(shown)));
    }
    if (chosen.stream().allMatch(Unreadable.class::isInstance)) {
      throw new IllegalStateException(StatText.readable((Unreadable) chosen.getFirst()));
    }
    return chosen;
  }

  private static String others(List<StatReading> all) {
    String pids =
        all.stream()
            .map(reading -> Integer.toString(reading.pid()))
            .distinct()
            .collect(Collectors.joining(", "));
    return pids.isEmpty() ? "is none at all" : "are nodes of process " + pids;
  }

  private void show(List<StatReading> found, StatRates rates) {
    boolean rated = watch != null;
    if (json) {
      StatJson writer = new StatJson(rated ? rates : null, pid != null);
      found.forEach(reading -> System.out.println(writer.of(reading)));
      return;
    }
    StatText writer = new StatText(rated ? rates : null);
    List<NodeSnapshot> nodes =
        found.stream()
            .filter(NodeSnapshot.class::isInstance)
            .map(NodeSnapshot.class::cast)
            .toList();
    if (pid != null) {
      nodes.forEach(node -> System.out.println(writer.full(node)));
    } else if (nodes.isEmpty()) {
      System.out.println("No node runs on this host" + (dead ? ", and none left a file." : "."));
    } else {
      System.out.println(writer.list(nodes));
    }
    found.stream()
        .filter(Unreadable.class::isInstance)
        .forEach(reading -> System.err.println(StatText.readable((Unreadable) reading)));
  }
}
