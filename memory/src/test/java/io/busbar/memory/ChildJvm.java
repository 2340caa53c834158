package io.busbar.memory;

import io.busbar.linux.Capabilities;
import io.busbar.linux.Capability;
import io.busbar.linux.MemoryFile;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/** Another JVM, which does a {@link Deed}. */
final class ChildJvm implements AutoCloseable {
  private final List<String> command;
  private final Process process;
  private final BufferedReader output;

  /**
   * Starts a child.
   *
   * @param wrapper a command that runs the JVM, such as one that takes rights away; may be empty
   */
  ChildJvm(List<String> wrapper, Deed deed, Object... arguments) throws IOException {
    command = new ArrayList<>(wrapper);
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx64m", "-Xshare:auto", "-XX:TieredStopAtLevel=1"));
    command.addAll(List.of("-XX:+UseSerialGC", "--enable-native-access=ALL-UNNAMED"));
    command.addAll(List.of("-cp", classPath()));
    command.addAll(List.of(Deed.class.getName(), deed.name()));
    Stream.of(arguments).map(Object::toString).forEach(command::add);
    process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    output = process.inputReader(StandardCharsets.UTF_8);
  }

  private static String classPath() {
    return Stream.of(MemoryFile.class, Pool.class, ChildJvm.class)
        .map(type -> Objects.requireNonNull(type.getProtectionDomain().getCodeSource()))
        .map(CodeSource::getLocation)
        .map(location -> Path.of(location.getPath()).toString())
        .reduce((one, other) -> one + ":" + other)
        .orElseThrow();
  }

  /** Runs a command with its own mounts, among them an empty tmpfs of so many bytes. */
  static List<String> withTmpfs(Path at, long bytes) {
    List<String> command = new ArrayList<>(List.of("unshare", "--mount"));
    if (!Capabilities.effective().has(Capability.CAP_SYS_ADMIN)) {
      command.addAll(List.of("--user", "--map-root-user"));
    }
    String mount = "mount -t tmpfs -o size=%d none %s && exec \"$@\"".formatted(bytes, at);
    command.addAll(List.of("sh", "-c", mount, "sh"));
    return command;
  }

  /** Runs a command that may lock so many kilobytes, and has no right to lock more. */
  static List<String> withLockLimit(int kilobytes) {
    String drop = "setpriv --bounding-set=-ipc_lock --inh-caps=-ipc_lock ";
    boolean privileged = Capabilities.effective().has(Capability.CAP_IPC_LOCK);
    String script = "ulimit -l %d && exec %s\"$@\"".formatted(kilobytes, privileged ? drop : "");
    return List.of("sh", "-c", script, "sh");
  }

  /** The next line that the child prints. */
  String line() throws IOException {
    return Objects.requireNonNull(output.readLine(), "the child ended without a word");
  }

  /** All that the child prints until it ends, which it does well. */
  List<String> lines() throws IOException, InterruptedException {
    List<String> lines = output.lines().toList();
    int code = process.waitFor();
    if (code != 0) {
      throw new AssertionError(
          "the child ended with %d and said %s; it was %s".formatted(code, lines, command));
    }
    return lines;
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /** Ends it with SIGKILL, and waits until it is gone. */
  void kill() throws InterruptedException {
    process.destroyForcibly();
    process.waitFor();
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
