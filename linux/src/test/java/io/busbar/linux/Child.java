package io.busbar.linux;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Another JVM that runs a {@link Role}, to be killed. */
final class Child implements AutoCloseable {
  private final Process process;
  private final BufferedReader output;

  /**
   * Starts a child.
   *
   * @param wrapper a command that runs the JVM, such as one that takes rights away; may be empty
   */
  Child(List<String> wrapper, String role, String... arguments) throws IOException {
    List<String> command = new ArrayList<>(wrapper);
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx64m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    command.add("--enable-native-access=ALL-UNNAMED");
    command.addAll(List.of("-cp", folderOf(Fifo.class) + ":" + folderOf(Role.class)));
    command.addAll(List.of(Role.class.getName(), role));
    command.addAll(List.of(arguments));
    process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    output = process.inputReader(StandardCharsets.UTF_8);
  }

  private static String folderOf(Class<?> type) {
    CodeSource source = Objects.requireNonNull(type.getProtectionDomain().getCodeSource());
    return Path.of(source.getLocation().getPath()).toString();
  }

  /** The next line that the child prints. */
  String line() throws IOException {
    return Objects.requireNonNull(output.readLine(), "the child ended without a word");
  }

  int pid() {
    return (int) process.pid();
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
