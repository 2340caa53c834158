package io.busbar.lab.bed;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * A process whose output, standard error included, is drained and kept, so that it never waits for
 * a reader; a failure shows all of it.
 */
public final class HostProcess implements AutoCloseable {
  /**
   * Starts every process. The kernel ends what {@code setpriv --pdeathsig} started when the thread
   * that started it ends, so this one lives as long as the JVM.
   */
  private static final ExecutorService LAUNCHER =
      Executors.newSingleThreadExecutor(
          Thread.ofPlatform().daemon().name("bed-launcher").factory());

  private static final Duration END_LIMIT = Duration.ofSeconds(10);

  private final String what;
  private final Process process;
  private final Transcript transcript = new Transcript();

  private HostProcess(String what, Process process) {
    this.what = what;
    this.process = process;
  }

  /**
   * Starts a command where this JVM is.
   *
   * @param what the command, as failures name it
   */
  static HostProcess start(String what, List<String> command) {
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().put("PATH", String.join(":", Tool.folders()));
    try {
      HostProcess started = new HostProcess(what, LAUNCHER.submit(builder::start).get());
      Thread.ofPlatform().daemon().name("bed-output " + what).start(started::drain);
      return started;
    } catch (ExecutionException e) {
      throw new TestBedException("cannot start " + what + ": " + e.getCause(), e);
    } catch (InterruptedException e) {
      throw TestBedException.interrupted("the start of " + what, e);
    }
  }

  private void drain() {
    try (BufferedReader reader = process.inputReader(StandardCharsets.UTF_8)) {
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        transcript.add(line);
      }
    } catch (IOException e) {
      transcript.add("(its output could not be read any further: " + e.getMessage() + ")");
    } finally {
      transcript.end();
    }
  }

  /** Its process id, on this machine. */
  public long pid() {
    return process.pid();
  }

  /** Whether it still runs. */
  public boolean isAlive() {
    return process.isAlive();
  }

  /** What it has said so far. */
  public String output() {
    return transcript.text();
  }

  /** Waits for a line that fits and that was not waited for before; those before it are skipped. */
  public String awaitLine(Predicate<String> wanted, Duration limit) {
    try {
      String line = transcript.next(wanted, limit);
      if (line != null) {
        return line;
      }
      // The output ends a moment before the process does.
      if (transcript.hasEnded() && process.waitFor(END_LIMIT.toNanos(), TimeUnit.NANOSECONDS)) {
        throw failure("ended with %d before it said what was waited for".formatted(exitCode()));
      }
      throw failure("did not say what was waited for within " + limit);
    } catch (InterruptedException e) {
      throw TestBedException.interrupted("a line of " + what, e);
    }
  }

  /** Gives it a line on its standard input. */
  public void sendLine(String line) {
    try {
      give(line + "\n");
    } catch (IOException e) {
      TestBedException failure = failure("does not read its input");
      failure.initCause(e);
      throw failure;
    }
  }

  private void give(String text) throws IOException {
    Writer input = process.outputWriter(StandardCharsets.UTF_8);
    input.write(text);
    input.flush();
  }

  /** Waits until it has ended by itself: its exit code, 128 and more for a signal. */
  public int awaitExit(Duration limit) {
    try {
      if (!process.waitFor(limit.toNanos(), TimeUnit.NANOSECONDS)) {
        throw failure("did not end within " + limit);
      }
      // Its children may keep the pipe open.
      transcript.awaitEnd(END_LIMIT);
      return exitCode();
    } catch (InterruptedException e) {
      throw TestBedException.interrupted("the end of " + what, e);
    }
  }

  /**
   * Asks processes to end by a line on their standard input, and ends what does not in time: it
   * spins in what another one gave up, or is dead already.
   */
  public static void dismiss(List<HostProcess> all, String line, Duration limit) {
    for (HostProcess each : all) {
      try {
        each.sendLine(line);
      } catch (TestBedException e) {
        each.kill();
      }
    }
    for (HostProcess each : all) {
      try (each) {
        int _ = each.awaitExit(limit);
      } catch (TestBedException e) {
        each.kill();
      }
    }
  }

  /** Gives it all its input, waits until it has ended well, and returns what it said. */
  String finish(String input, Duration limit) {
    try (this) {
      try {
        give(input);
        process.outputWriter(StandardCharsets.UTF_8).close();
      } catch (IOException e) {
        // It ended before it had read all; what it said and its exit code tell why.
      }
      int code = awaitExit(limit);
      if (code != 0) {
        throw failure("failed with exit code " + code);
      }
      return output();
    }
  }

  private int exitCode() {
    return process.exitValue();
  }

  private TestBedException failure(String how) {
    String said = output();
    return new TestBedException(
        "%s %s; it said%s".formatted(what, how, said.isEmpty() ? " nothing" : ":\n" + said));
  }

  /** Ends it and its children with SIGKILL, without waiting. */
  public void kill() {
    List<ProcessHandle> children = process.descendants().toList();
    // First, so that it does not notice the end of its children.
    process.destroyForcibly();
    children.forEach(ProcessHandle::destroyForcibly);
  }

  /** Ends it if it still runs, and waits until it is gone. */
  @Override
  public void close() {
    if (!process.isAlive()) {
      return;
    }
    kill();
    try {
      if (!process.waitFor(END_LIMIT.toNanos(), TimeUnit.NANOSECONDS)) {
        throw failure("outlives SIGKILL");
      }
    } catch (InterruptedException e) {
      throw TestBedException.interrupted("the end of " + what, e);
    }
  }

  @Override
  public String toString() {
    return "%s (process %d)".formatted(what, process.pid());
  }
}
