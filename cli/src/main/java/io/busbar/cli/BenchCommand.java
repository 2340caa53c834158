package io.busbar.cli;

import io.busbar.bench.Bench;
import io.busbar.bench.Figure;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code busbar bench}: measures. */
@Command(
    name = "bench",
    mixinStandardHelpOptions = true,
    description = {
      "Measures Busbar beside its floor (the least code that does the same) and its peers, in one",
      "run, in interleaved rounds. Ratios hold on a noisy machine; single times do not.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  ./busbar bench list               what can be measured",
      "  ./busbar bench transport          the state machine, readable",
      "  ./busbar bench all --quick --json one object a line, progress on standard error"
    })
final class BenchCommand implements Callable<Integer> {
  @Parameters(
      paramLabel = "NAME",
      arity = "0..1",
      defaultValue = "list",
      description = "An experiment, `all`, or `list` (default).")
  private String name = "list";

  @Option(names = "--quick", description = "Shorter and coarser: under three minutes a name.")
  private boolean quick;

  @Option(names = "--json", description = "One JSON object per figure, and nothing else.")
  private boolean json;

  @Option(names = "--out", paramLabel = "FILE", description = "Write the JSON lines to FILE too.")
  private @Nullable Path file;

  @Override
  public Integer call() {
    if (name.equals("list")) {
      Bench.ALL.forEach(
          bench -> System.out.printf("%-12s %s%n", bench.name(), bench.description()));
      return 0;
    }
    List<Bench> chosen = new ArrayList<>();
    for (Bench bench : Bench.ALL) {
      if (name.equals("all") || name.equals(bench.name())) {
        chosen.add(bench);
      }
    }
    if (chosen.isEmpty()) {
      throw new IllegalArgumentException(
          "there is no experiment '%s'; ./busbar bench list shows what there is".formatted(name));
    }
    PrintStream copy = open(file);
    try {
      chosen.forEach(bench -> bench.run(new Printer(copy), quick));
    } finally {
      if (copy != null) {
        copy.close();
      }
    }
    return 0;
  }

  private static @Nullable PrintStream open(@Nullable Path file) {
    if (file == null) {
      return null;
    }
    try {
      return new PrintStream(file.toFile(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write " + file + ": " + e.getMessage(), e);
    }
  }

  private final class Printer implements Bench.Report {
    private final @Nullable PrintStream copy;

    Printer(@Nullable PrintStream copy) {
      this.copy = copy;
    }

    @Override
    public void figure(Figure figure) {
      System.out.println(json ? figure.json() : figure.readable());
      if (copy != null) {
        copy.println(figure.json());
      }
    }

    @Override
    public void progress(String what) {
      System.err.println("  " + what + " ...");
    }
  }
}
