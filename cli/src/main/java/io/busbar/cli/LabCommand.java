package io.busbar.cli;

import java.io.PrintStream;
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
          + " bound; no frame storms; every program ends; rest after the faults.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  ./busbar lab --seeds 2000              two thousand runs; stops at the first violation",
      "  ./busbar lab --seeds 500 --from 9000   the runs 9000 to 9499",
      "  ./busbar lab --seed 1234 --trace       one run, every frame on a line",
      "  ./busbar lab messages --seeds 2000     two thousand runs of the whole stack",
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

  @Parameters(
      arity = "0..1",
      paramLabel = "WHAT",
      defaultValue = TRANSPORT,
      description = {
        "transport: streams and datagrams over the network (default).",
        "messages: the whole stack, programs that send messages to each other."
      })
  private String what = TRANSPORT;

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
    if (!TRANSPORT.equals(what) && !MESSAGES.equals(what)) {
      throw misuse("the lab knows no %s; it runs transport and messages".formatted(what));
    }
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
      Consumer<String> lines = trace ? out::println : null;
      LabRun run =
          MESSAGES.equals(what)
              ? LabRun.ofMessages(first + i, lines)
              : LabRun.ofTransport(first + i, lines);
      frames += run.frames();
      if (json) {
        out.println(run.json());
      }
      if (run.violation() != null) {
        progress.clear();
        report(run);
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
        out.println(run.readable());
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

  private void report(LabRun run) {
    System.err.printf(
        Locale.ROOT,
        "busbar lab: seed %d broke a promise: %s%n  faults: %s%n  replay: ./busbar lab%s --seed %d"
            + " --trace%n",
        run.seed(),
        run.violation(),
        run.faultNames(),
        MESSAGES.equals(what) ? " " + MESSAGES : "",
        run.seed());
  }
}
