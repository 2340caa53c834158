package io.busbar.testkit;

import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.lang.module.ModuleReference;
import java.lang.module.ResolvedModule;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Another JVM with the classes of this one: its lines are waited for, it is told lines, and gets
 * signals. Its output is drained, so that it never waits for a reader.
 */
public final class ChildJvm implements AutoCloseable {
  /** For a child that lives short: it starts sooner, and is small. */
  public static final List<String> SMALL =
      List.of("-Xmx64m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");

  private final Process process;
  private final PrintStream input;
  private final ArrayDeque<String> lines = new ArrayDeque<>();
  private final List<String> all = new ArrayList<>();
  private boolean ended;

  private ChildJvm(Process process) {
    this.process = process;
    this.input = new PrintStream(process.getOutputStream(), true, StandardCharsets.UTF_8);
    Thread.ofPlatform().daemon().name("output of " + process.pid()).start(this::drain);
  }

  /**
   * Starts one.
   *
   * @param wrapper a command that runs the JVM, such as one that takes rights away; may be empty
   * @param options for the JVM, such as {@link #SMALL}
   * @param main the class to run, of a room or of its tests
   */
  public static ChildJvm start(
      List<String> wrapper, List<String> options, Class<?> main, Object... arguments) {
    List<String> command = new ArrayList<>(wrapper);
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(options);
    command.addAll(List.of("--enable-native-access=ALL-UNNAMED", "-cp", classPath(main)));
    command.add(main.getName());
    Stream.of(arguments).map(Object::toString).forEach(command::add);
    try {
      return new ChildJvm(
          new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start());
    } catch (IOException e) {
      throw new UncheckedIOException("cannot start " + command, e);
    }
  }

  /**
   * A wrapper with mounts of its own, among them an empty tmpfs; they end with the process. Who is
   * not root is root in a user's namespace.
   *
   * @param options of the mount, such as {@code size=1m}
   */
  public static List<String> withTmpfs(Path at, String options) {
    List<String> command = new ArrayList<>(List.of("unshare", "--mount"));
    if (!System.getProperty("user.name").equals("root")) {
      command.addAll(List.of("--user", "--map-root-user"));
    }
    String mount = "mount -t tmpfs -o %s none %s && exec \"$@\"".formatted(options, at);
    command.addAll(List.of("sh", "-c", mount, "sh"));
    return command;
  }

  /** The rooms of this JVM, the folder of the class itself, and this one. */
  private static String classPath(Class<?> main) {
    if (!main.getModule().isNamed()) {
      return System.getProperty("java.class.path");
    }
    Stream<Path> rooms =
        ModuleLayer.boot().configuration().modules().stream()
            .map(ResolvedModule::reference)
            .map(ModuleReference::location)
            .flatMap(Optional::stream)
            .filter(location -> location.getScheme().equals("file"))
            .map(Path::of);
    return Stream.concat(Stream.of(folder(main), folder(ChildJvm.class)), rooms)
        .map(Path::toString)
        .distinct()
        .collect(Collectors.joining(":"));
  }

  private static Path folder(Class<?> type) {
    CodeSource source = type.getProtectionDomain().getCodeSource();
    if (source == null) {
      throw new IllegalArgumentException(type + " comes from no folder");
    }
    return Path.of(URI.create(source.getLocation().toString()));
  }

  private void drain() {
    try (var reader = process.inputReader(StandardCharsets.UTF_8)) {
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        add(line);
      }
    } catch (IOException e) {
      add("(its output could not be read any further: " + e.getMessage() + ")");
    } finally {
      end();
    }
  }

  private synchronized void add(String line) {
    lines.add(line);
    all.add(line);
    notifyAll();
  }

  private synchronized void end() {
    ended = true;
    notifyAll();
  }

  public long pid() {
    return process.pid();
  }

  /** Waits for a line that begins so; those before it are passed over. */
  public String awaitLine(String start, long seconds) throws InterruptedException {
    return awaitLine(line -> line.startsWith(start), start, seconds);
  }

  private synchronized String awaitLine(Predicate<String> wanted, String what, long seconds)
      throws InterruptedException {
    long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    while (true) {
      for (String line = lines.poll(); line != null; line = lines.poll()) {
        if (wanted.test(line)) {
          return line;
        }
      }
      long leftMs = (deadlineNs - System.nanoTime()) / 1_000_000;
      if (ended || leftMs <= 0) {
        throw new AssertionError(
            "process %d %s, and did not say \"%s\"; it said %s"
                .formatted(
                    pid(), ended ? "ended" : "went on for %d s".formatted(seconds), what, all));
      }
      wait(leftMs);
    }
  }

  /** All that it has said so far. */
  public synchronized List<String> output() {
    return List.copyOf(all);
  }

  /** Tells it a line. */
  public void tell(String line) {
    input.println(line);
  }

  /** Stops it, and returns when each of its threads stands still: that takes them a moment. */
  public void pause() throws InterruptedException {
    signal("STOP");
    while (!isStill()) {
      Thread.sleep(1);
    }
  }

  private boolean isStill() {
    try (Stream<Path> threads = Files.list(Path.of("/proc/%d/task".formatted(pid())))) {
      return threads.allMatch(ChildJvm::isStopped);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The state is the first word behind the name, which may hold anything: man 5 proc. */
  private static boolean isStopped(Path thread) {
    try {
      String stat = Files.readString(thread.resolve("stat"));
      return stat.charAt(stat.lastIndexOf(')') + 2) == 'T';
    } catch (IOException e) {
      return true; // it has ended meanwhile
    }
  }

  /** Sends a signal by its name, such as CONT. */
  public void signal(String name) throws InterruptedException {
    try {
      int result =
          new ProcessBuilder("kill", "-" + name, Long.toString(pid()))
              .inheritIO()
              .start()
              .waitFor();
      if (result != 0) {
        throw new AssertionError("kill -%s %d failed".formatted(name, pid()));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Ends it with SIGKILL, and waits until it is gone. */
  public void kill() throws InterruptedException {
    process.destroyForcibly();
    int _ = process.waitFor();
  }

  /** Waits until it has ended by itself; its exit code. */
  public int awaitExit(long seconds) throws InterruptedException {
    if (!process.waitFor(seconds, TimeUnit.SECONDS)) {
      throw new AssertionError(
          "process %d goes on after %d s; it said %s".formatted(pid(), seconds, output()));
    }
    return process.exitValue();
  }

  @Override
  public void close() {
    process.destroyForcibly();
    int _ = process.onExit().join().exitValue();
  }
}
