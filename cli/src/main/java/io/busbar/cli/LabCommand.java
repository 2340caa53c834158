package io.busbar.cli;

import io.busbar.lab.bus.BusScenario;
import io.busbar.lab.mpi.MpiScenario;
import java.io.PrintStream;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code busbar lab}: runs the simulated cluster. */
@Command(
    name = "lab",
    mixinStandardHelpOptions = true,
    description = {
      "Runs the simulated cluster: nodes, links and faults drawn from a seed, in virtual time."
          + " Every run is checked: each stream and each message once, in order and complete, or"
          + " who sent it is told; nothing invented; nothing across incarnations; memory within its"
          + " bound; no frame storms; every program ends; rest after the faults. Of the bus: all"
          + " know all when the faults are over, and stay calm; nobody is accused without cause;"
          + " each broadcast once and in order, or who missed it is told, and had been given up."
          + " Of MPI: every receive has what it must have, and nothing overtakes; nothing fails but"
          + " for a rank that died; every rank ends; memory within its bound; credit comes back.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  ./busbar lab --seeds 2000              two thousand runs; stops at the first violation",
      "  ./busbar lab --seeds 500 --from 9000   the runs 9000 to 9499",
      "  ./busbar lab --seed 1234 --trace       one run, every frame on a line",
      "  ./busbar lab messages --seeds 2000     two thousand runs of the whole stack",
      "  ./busbar lab bus --seeds 500           members and broadcasts, 2 to 64 nodes a run",
      "  ./busbar lab bus --seed 7 --nodes 16   one run, with 16 nodes",
      "  ./busbar lab mpi --seeds 500           ranks of MPI, 2 to 7 a run, some of them killed",
      "  ./busbar lab mpi --seed 7 --ranks 16   one run, with 16 ranks",
      "",
      "Exit codes: 0 every promise was kept, 1 a violation (its seed is printed), 2 bad usage."
    })
final class LabCommand implements Callable<Integer> {
  private static final class Which {
    @Option(names = "--seed", paramLabel = "S", description = "Run this seed only.")
    @Nullable Long seed;

    @Option(
        names = "--seeds",
        paramLabel = "N",
        description = "Run this many seeds (default: 1000).")
    @Nullable Long seeds;
  }

  private static final String TRANSPORT = "transport";
  private static final String MESSAGES = "messages";
  private static final String BUS = "bus";
  private static final String MPI = "mpi";

  @Parameters(
      arity = "0..1",
      paramLabel = "WHAT",
      defaultValue = TRANSPORT,
      description = {
        "transport: streams and datagrams over the network (default).",
        "messages: the whole stack, programs that send messages to each other.",
        "bus: members that come, fail and part, and broadcasts among them.",
        "mpi: ranks that run programs of MPI over the whole stack."
      })
  private String what = TRANSPORT;

  @ArgGroup(exclusive = true)
  private @Nullable Which which;

  @Option(
      names = "--from",
      paramLabel = "S",
      description = "The first seed of --seeds (default: 1).")
  private @Nullable Long from;

  @Option(
      names = "--nodes",
      paramLabel = "N",
      description = "Nodes of each run of the bus, 2 to 256 (default: drawn from the seed).")
  private @Nullable Integer nodes;

  @Option(
      names = "--ranks",
      paramLabel = "N",
      description = "Ranks of each run of mpi, 2 to 32 (default: drawn from the seed).")
  private @Nullable Integer ranks;

  @Option(names = "--trace", description = "Print every frame and its fate, readably.")
  private boolean trace;

  @Option(names = "--json", description = "One JSON object per run on standard output.")
  private boolean json;

  @Spec private @Nullable CommandSpec spec;

  @Override
  public Integer call() {
    if (!List.of(TRANSPORT, MESSAGES, BUS, MPI).contains(what)) {
      throw misuse("the lab knows no %s; it runs transport, messages, bus and mpi".formatted(what));
    }
    checkNodes();
    checkRanks();
    Which chosen = which == null ? new Which() : which;
    Long single = chosen.seed;
    if (single != null && from != null) {
      throw misuse("--from belongs to --seeds; --seed runs one seed");
    }
    if (trace && json) {
      throw misuse("--trace and --json both write to standard output; take one of them");
    }
    long first = single != null ? single : from == null ? 1 : from;
    long count = single != null ? 1 : chosen.seeds == null ? 1000 : chosen.seeds;
    if (count < 1) {
      throw misuse("--seeds is %d; it must be at least 1".formatted(count));
    }
    return run(first, count);
  }

  private void checkNodes() {
    Integer asked = nodes;
    if (asked != null && !BUS.equals(what)) {
      throw misuse("--nodes belongs to bus; the others draw their nodes from the seed");
    }
    if (asked != null && (asked < BusScenario.NODES_MIN || asked > BusScenario.NODES_MAX)) {
      throw misuse(
          "--nodes is %d; it must be %d to %d"
              .formatted(asked, BusScenario.NODES_MIN, BusScenario.NODES_MAX));
    }
  }

  private void checkRanks() {
    Integer asked = ranks;
    if (asked != null && !MPI.equals(what)) {
      throw misuse("--ranks belongs to mpi; bus takes --nodes");
    }
    if (asked != null && (asked < MpiScenario.RANKS_MIN || asked > MpiScenario.RANKS_MAX)) {
      throw misuse(
          "--ranks is %d; it must be %d to %d"
              .formatted(asked, MpiScenario.RANKS_MIN, MpiScenario.RANKS_MAX));
    }
  }

  private LabRun runOf(long seed) {
    Consumer<String> lines = trace ? System.out::println : null;
    return switch (what) {
      case MESSAGES -> LabRun.ofMessages(seed, lines);
      case BUS -> LabRun.ofBus(seed, nodes == null ? 0 : nodes, lines);
      case MPI -> LabRun.ofMpi(seed, ranks == null ? 0 : ranks, lines);
      default -> LabRun.ofTransport(seed, lines);
    };
  }

  private ParameterException misuse(String what) {
    return Main.misuse(spec, what);
  }

  private int run(long first, long count) {
    PrintStream out = System.out;
    long startNs = System.nanoTime();
    LabTotals totals = new LabTotals();
    Progress progress = new Progress();
    for (long i = 0; i < count; i++) {
      if (trace && count > 1) {
        out.println("seed " + (first + i));
      }
      LabRun run = runOf(first + i);
      totals.add(run);
      if (json) {
        out.println(run.json());
      }
      if (run.violation() != null) {
        progress.clear();
        report(run, totals);
        return Main.FAILED;
      }
      if (out.checkError()) {
        throw new IllegalStateException(
            "standard output cannot be written any more; stopped after %d runs".formatted(i + 1));
      }
      double rate = totals.frames() * 1e9 / (System.nanoTime() - startNs);
      progress.show(
          String.format(
              Locale.ROOT,
              "%,d of %,d seeds, %,d frames, %,.0f frames/s",
              i + 1,
              count,
              totals.frames(),
              rate));
      if (count == 1 && !json) {
        out.println(run.readable());
      }
    }
    progress.clear();
    if (!json && count > 1) {
      summarise(first, totals, (System.nanoTime() - startNs) / 1e9);
    }
    return 0;
  }

  private void summarise(long first, LabTotals totals, double seconds) {
    System.out.printf(
        Locale.ROOT,
        "%,d seeds from %d kept every promise: %,d frames in %.1f s, %,.0f frames/s%n",
        totals.seeds(),
        first,
        totals.frames(),
        seconds,
        totals.frames() / seconds);
    if (BUS.equals(what) || MPI.equals(what)) {
      System.out.println("  " + totals.text());
    }
  }

  private void report(LabRun run, LabTotals totals) {
    System.err.printf(
        Locale.ROOT,
        "busbar lab: seed %d broke a promise: %s%n  faults: %s%n  so far: %s%n  replay: ./busbar"
            + " lab%s --seed %d%s --trace%n",
        run.seed(),
        run.violation(),
        run.faultNames(),
        totals.text(),
        TRANSPORT.equals(what) ? "" : " " + what,
        run.seed(),
        nodes != null ? " --nodes " + nodes : ranks != null ? " --ranks " + ranks : "");
  }
}
