package io.busbar.fabric.shm;

import io.busbar.fabric.Nic;
import io.busbar.linux.Capabilities;
import io.busbar.linux.Capability;
import io.busbar.linux.MemoryFile;
import io.busbar.memory.Pool;
import io.busbar.wire.RingSlot;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/** Another JVM, which does a {@link Deed} until it is told to end, or killed. */
final class ChildJvm implements AutoCloseable {
  private final Process process;
  private final BufferedReader output;
  private final PrintStream input;

  ChildJvm(Deed deed, Object... arguments) throws IOException {
    this(List.of(), deed, arguments);
  }

  /**
   * Starts a child.
   *
   * @param wrapper a command that runs the JVM, such as one that takes rights away; may be empty
   */
  ChildJvm(List<String> wrapper, Deed deed, Object... arguments) throws IOException {
    List<String> command = new ArrayList<>(wrapper);
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx64m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    command.add("--enable-native-access=ALL-UNNAMED");
    command.addAll(List.of("-cp", classPath()));
    command.addAll(List.of(Deed.class.getName(), deed.name()));
    Stream.of(arguments).map(Object::toString).forEach(command::add);
    process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    output = process.inputReader(StandardCharsets.UTF_8);
    input = new PrintStream(process.getOutputStream(), true, StandardCharsets.UTF_8);
  }

  private static String classPath() {
    return Stream.of(MemoryFile.class, Pool.class, RingSlot.class, Nic.class, Deed.class)
        .map(type -> Objects.requireNonNull(type.getProtectionDomain().getCodeSource()))
        .map(CodeSource::getLocation)
        .map(location -> Path.of(location.getPath()).toString())
        .distinct()
        .reduce((one, other) -> one + ":" + other)
        .orElseThrow();
  }

  /** Runs a command in namespaces of its own; a user who may not is root in a user's namespace. */
  static List<String> unshare(String... namespaces) {
    List<String> command = new ArrayList<>(List.of("unshare"));
    command.addAll(List.of(namespaces));
    if (!Capabilities.effective().has(Capability.CAP_SYS_ADMIN)) {
      command.addAll(List.of("--user", "--map-root-user"));
    }
    return command;
  }

  /** Runs a command without the right to open what the file's mode forbids. */
  static List<String> withoutOverride() {
    long override = 1L << 1; // CAP_DAC_OVERRIDE
    if ((Capabilities.effective().bits() & override) == 0) {
      return List.of();
    }
    String less = "-dac_override,-dac_read_search";
    return List.of("setpriv", "--bounding-set=" + less, "--inh-caps=" + less);
  }

  /** The next line that the child prints. */
  String line() throws IOException {
    return Objects.requireNonNull(output.readLine(), "the child ended without a word");
  }

  /** Where the child's interface is: the first that most children print. */
  ShmAddress address() throws IOException {
    return ShmAddress.parse(line());
  }

  /** Tells the child something. */
  void tell(String line) {
    input.println(line);
  }

  /** Sends a signal by its name. */
  void signal(String name) throws IOException, InterruptedException {
    String pid = Long.toString(process.pid());
    int result = new ProcessBuilder("kill", "-" + name, pid).inheritIO().start().waitFor();
    if (result != 0) {
      throw new AssertionError("kill -%s %s failed".formatted(name, pid));
    }
  }

  /** Ends it with SIGKILL, without waiting. */
  void strike() {
    process.destroyForcibly();
  }

  /** Ends it with SIGKILL, and waits until it is gone. */
  void kill() throws InterruptedException {
    strike();
    process.waitFor();
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
