package io.busbar.cli;

import io.busbar.lab.Outcome;
import io.busbar.lab.Scenario;
import io.busbar.lab.TraceLine;
import java.io.PrintStream;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code busbar lab}: runs the simulated cluster. */
@Command(
    name = "lab",
    mixinStandardHelpOptions = true,
    description = {
      "Runs the simulated cluster: nodes, links and faults drawn from a seed, in virtual time."
          + " Every run is checked: each stream once, in order and complete; nothing invented;"
          + " nothing across incarnations; memory within its bound; no frame storms; rest after the"
          + " faults.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  ./busbar lab --seeds 2000              two thousand runs; stops at the first violation",
      "  ./busbar lab --seeds 500 --from 9000   the runs 9000 to 9499",
      "  ./busbar lab --seed 1234 --trace       one run, every frame on a line",
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

  @ArgGroup(exclusive = true)
  private @Nullable Which which;

  @Option(
      names = "--from",
      paramLabel = "S",
      description = "The first seed of --seeds (default: 1).")
  private @Nullable Long from;

  @Option(names = "--trace", description = "Print every frame and its fate, readably.")
  private boolean trace;

  @Option(names = "--json", description = "One JSON object per run on standard output.")
  private boolean json;

  @Spec private @Nullable CommandSpec spec;

  @Override
  public Integer call() {
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

  private ParameterException misuse(String what) {
    return Main.misuse(spec, what);
  }

  private int run(long first, long count) {
    PrintStream out = System.out;
    long startNs = System.nanoTime();
    long frames = 0;
    Progress progress = new Progress();
    for (long i = 0; i < count; i++) {
      if (trace && count > 1) {
        out.println("seed " + (first + i));
      }
      Outcome outcome = new Scenario(first + i).run(trace ? new TraceLine(out::println) : null);
      frames += outcome.frames();
      if (json) {
        out.println(json(outcome));
      }
      if (!outcome.ok()) {
        progress.clear();
        report(outcome);
        return Main.FAILED;
      }
      if (out.checkError()) {
        throw new IllegalStateException(
            "standard output cannot be written any more; stopped after %d runs".formatted(i + 1));
      }
      double rate = frames * 1e9 / (System.nanoTime() - startNs);
      progress.show(
          String.format(
              Locale.ROOT,
              "%,d of %,d seeds, %,d frames, %,.0f frames/s",
              i + 1,
              count,
              frames,
              rate));
      if (count == 1 && !json) {
        out.println(readable(outcome));
      }
    }
    progress.clear();
    if (!json && count > 1) {
      double seconds = (System.nanoTime() - startNs) / 1e9;
      out.printf(
          Locale.ROOT,
          "%,d seeds from %d kept every promise: %,d frames in %.1f s, %,.0f frames/s%n",
          count,
          first,
          frames,
          seconds,
          frames / seconds);
    }
    return 0;
  }

  private static void report(Outcome outcome) {
    System.err.printf(
        Locale.ROOT,
        "busbar lab: seed %d broke a promise: %s%n  faults: %s%n  replay: ./busbar lab --seed %d"
            + " --trace%n",
        outcome.seed(),
        message(outcome),
        kinds(outcome),
        outcome.seed());
  }

  private static String message(Outcome outcome) {
    return outcome.violation() == null ? "" : String.valueOf(outcome.violation().getMessage());
  }

  private static String kinds(Outcome outcome) {
    return outcome.faults().stream()
        .map(kind -> kind.name().toLowerCase(Locale.ROOT).replace('_', ' '))
        .collect(Collectors.joining(", "));
  }

  private static String readable(Outcome outcome) {
    return String.format(
        Locale.ROOT,
        "seed %d: %d nodes, %,d frames, %,d bytes delivered, %,d repairs, %,d timeouts, %.3f s of"
            + " virtual time, trace hash %016x%n  faults drawn: %s",
        outcome.seed(),
        outcome.nodes(),
        outcome.frames(),
        outcome.bytes(),
        outcome.repairs(),
        outcome.timeouts(),
        outcome.virtualNs() / 1e9,
        outcome.traceHash(),
        kinds(outcome));
  }

  private static String json(Outcome outcome) {
    String faults =
        outcome.faults().stream()
            .map(kind -> '"' + kind.name() + '"')
            .collect(Collectors.joining(","));
    String violation = outcome.ok() ? "null" : '"' + Json.escape(message(outcome)) + '"';
    return String.format(
        Locale.ROOT,
        "{\"lab\":\"scenario\",\"seed\":%d,\"ok\":%b,\"nodes\":%d,\"frames\":%d,\"bytes\":%d,"
            + "\"repairs\":%d,\"timeouts\":%d,\"virtual_ns\":%d,\"trace_hash\":\"%016x\","
            + "\"faults\":[%s],\"violation\":%s}",
        outcome.seed(),
        outcome.ok(),
        outcome.nodes(),
        outcome.frames(),
        outcome.bytes(),
        outcome.repairs(),
        outcome.timeouts(),
        outcome.virtualNs(),
        outcome.traceHash(),
        faults,
        violation);
  }
}
