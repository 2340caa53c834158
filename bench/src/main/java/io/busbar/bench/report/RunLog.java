package io.busbar.bench.report;

import io.busbar.bench.Bench;
import io.busbar.bench.Figure;
import io.busbar.bench.Machine;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.StringJoiner;

/**
 * Writes what a run leaves behind, one object a line, each as soon as it is known: a run that is
 * stopped keeps what it has.
 */
public final class RunLog implements Bench.Report, AutoCloseable {
  private final Path file;
  private final PrintStream out;
  private final boolean quick;

  private RunLog(Path file, PrintStream out, boolean quick) {
    this.file = file;
    this.out = out;
    this.quick = quick;
  }

  /** Begins a file with the circumstances of the run; what was in it is gone. */
  public static RunLog create(Path file, String command, boolean quick) {
    try {
      PrintStream out = new PrintStream(file.toFile(), StandardCharsets.UTF_8);
      RunLog log = new RunLog(file, out, quick);
      log.print(run(command, quick));
      return log;
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write " + e.getMessage(), e);
    }
  }

  private static String run(String command, boolean quick) {
    StringJoiner machine = new StringJoiner(",", "{", "}");
    Machine.facts().forEach((key, value) -> machine.add(Json.quote(key) + ":" + Json.quote(value)));
    return "{\"run\":{\"date\":%s,\"command\":%s,\"quick\":%b,\"machine\":%s}}"
        .formatted(
            Json.quote(Instant.now().truncatedTo(ChronoUnit.SECONDS).toString()),
            Json.quote(command),
            quick,
            machine);
  }

  private void print(String line) {
    out.println(line);
    if (out.checkError()) {
      throw new IllegalStateException("%s cannot be written any more".formatted(file));
    }
  }

  /** An experiment begins; what follows is its own. */
  public void begin(Bench bench) {
    String command = "./busbar bench " + bench.name() + (quick ? " --quick" : "");
    print(
        "{\"experiment\":%s,\"description\":%s,\"command\":%s}"
            .formatted(
                Json.quote(bench.name()), Json.quote(bench.description()), Json.quote(command)));
  }

  /** An experiment ended early. */
  public void failed(Bench bench, String why) {
    print("{\"failed\":%s,\"why\":%s}".formatted(Json.quote(bench.name()), Json.quote(why)));
  }

  @Override
  public void figure(Figure figure) {
    print(figure.json());
  }

  @Override
  public void missing(String system, String why) {
    print(missingLine(system, why));
  }

  /** The line of a system that is missing. */
  public static String missingLine(String system, String why) {
    return "{\"missing\":%s,\"why\":%s}".formatted(Json.quote(system), Json.quote(why));
  }

  @Override
  public void note(String system, String setup) {
    print("{\"note\":%s,\"setup\":%s}".formatted(Json.quote(system), Json.quote(setup)));
  }

  /** Nothing is written of it. */
  @Override
  public void progress(String what) {}

  @Override
  public void close() {
    out.close();
  }
}
