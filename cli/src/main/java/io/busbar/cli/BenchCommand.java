package io.busbar.cli;

import io.busbar.bench.Bench;
import io.busbar.bench.Figure;
import io.busbar.bench.report.RunLog;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code busbar bench}: measures. */
@Command(
    name = "bench",
    mixinStandardHelpOptions = true,
    subcommands = ReportCommand.class,
    synopsisSubcommandLabel = "[report]",
    description = {
      "Measures Busbar beside its floor (the least code that does the same) and, where there are"
          + " any, its peers, in one run, in interleaved rounds. Ratios hold on a noisy machine;"
          + " single times do not.",
      ""
    },
    footer = {
      "",
      "A line reads: case, size, metric, the value of each system, the ratio of Busbar's value to",
      "another's, and the aim with its verdict. A ratio is the median over rounds, and the interval",
      "of the middle 80 %%; it is not the quotient of the two medians. The median decides an aim.",
      "",
      "Cases: shm is two processes of one host; udp is two hosts (namespaces joined by a cable, so",
      "it needs root); with -sleep both ends wait in a call that sleeps, otherwise all poll.",
      "",
      "Systems: floor is the bare fabric (a ring in shared memory, a UDP socket; for large messages",
      "over shm a copy within one process); fabric is Busbar's carrier without the layers above;",
      "tcp-nio and udp-nio are java.nio; aeron is Aeron with its driver embedded and invoked;",
      "netty-epoll, jgroups and mpj-express are those over TCP; open-mpi and mpich are programs in",
      "C. How each is set up is said when it begins. As root the bench installs the Debian packages",
      "of the MPIs where they are missing; a peer that cannot be had is missing, with the reason.",
      "Each has processes of its own; those that are not being measured do not spin. Before a run",
      "the bench waits for a moment in which nobody else computes, and says when there was none.",
      "",
      "Without root there are no two hosts: what needs one runs, and a line says what was left out.",
      "",
      "goodput_share is a share of the same line without loss, or of what the line could carry;",
      "half_power_bytes is the size of message at which half of the floor's peak is reached;",
      "line_share is the share of what full datagrams would carry on that line; given is messages",
      "whose buffer changes its owner;",
      "load is the share of a line that long messages take beside the short ones;",
      "records_per_frame says how many messages share a frame; wake_p50 is the round trip of a",
      "message after a second of silence.",
      "",
      "Examples:",
      "  ./busbar bench list               what can be measured",
      "  ./busbar bench latency --quick    round trips beside the floor and the peers",
      "  ./busbar bench rate --out r.jsonl readable, and one object a line in a file",
      "  ./busbar bench all --quick --json one object a line, progress on standard error",
      "  ./busbar bench report --quick     all of them, as a page with plots and a summary"
    })
final class BenchCommand implements Callable<Integer> {
  @Parameters(
      paramLabel = "NAME",
      arity = "0..1",
      defaultValue = "list",
      description = "An experiment, `all`, or `list` (default).")
  private String name = "list";

  @Spec private @Nullable CommandSpec spec;

  @Option(names = "--quick", description = "Shorter and coarser: some minutes a name.")
  private boolean quick;

  @Option(
      names = "--no-install",
      description = "Leave out a peer whose Debian package is missing instead of installing it.")
  private boolean noInstall;

  @Option(names = "--json", description = "One JSON object per figure, and nothing else.")
  private boolean json;

  @Option(names = "--out", paramLabel = "FILE", description = "Write the JSON lines to FILE too.")
  private @Nullable Path file;

  @Override
  public Integer call() {
    if (name.equals("list")) {
      Bench.ALL.forEach(bench -> System.out.println(line(bench)));
      return 0;
    }
    List<Bench> chosen = new ArrayList<>();
    for (Bench bench : Bench.ALL) {
      if (name.equals("all") || name.equals(bench.name())) {
        chosen.add(bench);
      }
    }
    if (chosen.isEmpty()) {
      throw Main.misuse(
          spec, "there is no experiment '%s'; ./busbar bench list shows them".formatted(name));
    }
    return file == null ? run(chosen, null) : runAndLog(chosen, file);
  }

  private int runAndLog(List<Bench> chosen, Path to) {
    String command = "./busbar bench " + name + (quick ? " --quick" : "");
    try (RunLog log = RunLog.create(to, command, quick)) {
      return run(chosen, log);
    }
  }

  /** Nothing at all is a failure, whatever was said to be missing. */
  private int run(List<Bench> chosen, @Nullable RunLog log) {
    Printer printer = new Printer(log);
    for (Bench bench : chosen) {
      if (log != null) {
        log.begin(bench);
      }
      bench.run(printer, quick);
    }
    if (printer.figures == 0) {
      System.err.println("busbar: nothing could be measured; the lines above say why");
      return Main.FAILED;
    }
    return 0;
  }

  private String line(Bench bench) {
    return json
        ? "{\"bench\":\"%s\",\"description\":\"%s\"}"
            .formatted(bench.name(), Json.escape(bench.description()))
        : "%-12s %s".formatted(bench.name(), bench.description());
  }

  private final class Printer implements Bench.Report {
    private final @Nullable RunLog log;
    private int figures;

    Printer(@Nullable RunLog log) {
      this.log = log;
    }

    @Override
    public void figure(Figure figure) {
      figures++;
      if (log != null) {
        log.figure(figure);
      }
      print(json ? figure.json() : figure.readable());
    }

    @Override
    public void missing(String system, String why) {
      if (log != null) {
        log.missing(system, why);
      }
      print(json ? RunLog.missingLine(system, why) : "%s is missing: %s".formatted(system, why));
    }

    @Override
    public boolean mayInstall() {
      return !noInstall;
    }

    @Override
    public void note(String system, String setup) {
      if (log != null) {
        log.note(system, setup);
      }
      System.err.println("  %s: %s".formatted(system, setup));
    }

    private static void print(String line) {
      System.out.println(line);
      if (System.out.checkError()) {
        throw new IllegalStateException("standard output cannot be written any more");
      }
    }

    @Override
    public void progress(String what) {
      System.err.println("  " + what + " ...");
    }
  }
}
