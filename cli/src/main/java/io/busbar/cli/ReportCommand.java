package io.busbar.cli;

import io.busbar.bench.Bench;
import io.busbar.bench.report.Campaign;
import io.busbar.bench.report.Recording;
import io.busbar.bench.report.RecordingReader;
import io.busbar.bench.report.ReportFolder;
import io.busbar.bench.report.RunLog;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code busbar bench report}: measures, and makes a page and a summary of it. */
@Command(
    name = "report",
    mixinStandardHelpOptions = true,
    description = {
      "Runs the experiments and writes a folder: index.html (one file, plots with the papers'"
          + " numbers beside today's), summary.md, and results.jsonl, from which both are made.",
      ""
    },
    footer = {
      "",
      "An experiment that fails is named on the page with its reason, and the others go on. How",
      "far it is goes to standard error; the time left is a guess from what experiments usually",
      "take.",
      "",
      "Exit codes: 0 all experiments came to their end, whether aims were met or missed; 1 one",
      "failed; 2 wrong use.",
      "",
      "Examples:",
      "  ./busbar bench report --quick                   all of them, coarsely",
      "  ./busbar bench report --only latency,rate       two of them, in full",
      "  ./busbar bench report --from r.jsonl --out page the lines of an earlier run"
    })
final class ReportCommand implements Callable<Integer> {
  @Option(names = "--quick", description = "Shorter and coarser: under four minutes a name.")
  private boolean quick;

  @Option(
      names = "--only",
      paramLabel = "NAME",
      split = ",",
      description = "Only these experiments, with commas between; ./busbar bench list names all.")
  private List<String> only = new ArrayList<>();

  @Option(
      names = "--no-install",
      description = "Leave out a peer whose Debian package is missing instead of installing it.")
  private boolean noInstall;

  @Option(
      names = "--from",
      paramLabel = "FILE",
      description = "Measure nothing: take the lines of an earlier run, or of --out.")
  private @Nullable Path from;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "Where to write (default: ${DEFAULT-VALUE}).")
  private Path out = Path.of("bench-report");

  @Spec private @Nullable CommandSpec spec;

  @Override
  public Integer call() {
    check();
    List<Bench> chosen = chosen();
    ReportFolder folder = ReportFolder.create(out);
    if (from == null) {
      Line line = new Line();
      try (RunLog log = RunLog.create(folder.lines(), command(), quick)) {
        new Campaign(chosen, quick, !noInstall, log, line).run();
      }
      line.progress.clear();
    }
    Recording recording = RecordingReader.read(from == null ? folder.lines() : from);
    folder.write(recording);
    System.out.println(ReportFolder.verdicts(recording));
    System.out.println("page: " + folder.page());
    System.out.println("summary: " + folder.summary());
    recording.failed().forEach(failed -> System.out.println("failed: " + failed.name()));
    return recording.failed().isEmpty() ? 0 : Main.FAILED;
  }

  private void check() {
    CommandSpec parent = Objects.requireNonNull(spec).parent();
    if (!parent.commandLine().getParseResult().matchedArgs().isEmpty()) {
      throw Main.misuse(spec, "names and options of a report follow the word report");
    }
    if (from != null && (quick || !only.isEmpty())) {
      throw Main.misuse(spec, "--from measures nothing; it goes without --quick and --only");
    }
  }

  private List<Bench> chosen() {
    List<String> names = Bench.ALL.stream().map(Bench::name).toList();
    for (String name : only) {
      if (!names.contains(name)) {
        throw Main.misuse(
            spec, "there is no experiment '%s'; ./busbar bench list shows them".formatted(name));
      }
    }
    return Bench.ALL.stream()
        .filter(bench -> only.isEmpty() || only.contains(bench.name()))
        .toList();
  }

  private String command() {
    return "./busbar bench report"
        + (quick ? " --quick" : "")
        + (only.isEmpty() ? "" : " --only " + String.join(",", only));
  }

  /** The line on standard error. */
  private static final class Line implements Campaign.Screen {
    private final Progress progress = new Progress();

    @Override
    public void status(String line) {
      progress.show(line);
    }

    @Override
    public void say(String line) {
      progress.clear();
      System.err.println(line);
    }
  }
}
