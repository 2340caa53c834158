package io.busbar.node.stat;

import io.busbar.linux.Capabilities;
import io.busbar.linux.Capability;
import io.busbar.linux.MemoryFile;
import io.busbar.node.NodeException;
import io.busbar.wire.Blocked;
import io.busbar.wire.StatLayout;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Another JVM: one that owns a file of counters and changes it, fills a folder, or reads a file.
 */
final class StatChild implements AutoCloseable {
  private final Process process;
  private final BufferedReader output;

  StatChild(List<String> wrapper, String deed, Path argument) throws IOException {
    List<String> command = new ArrayList<>(wrapper);
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx64m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    command.addAll(List.of("--enable-native-access=ALL-UNNAMED", "-cp", classPath()));
    command.addAll(List.of(StatChild.class.getName(), deed, argument.toString()));
    process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    output = process.inputReader(StandardCharsets.UTF_8);
  }

  private static String classPath() {
    return Stream.of(MemoryFile.class, StatLayout.class, StatFile.class, StatChild.class)
        .map(type -> Objects.requireNonNull(type.getProtectionDomain().getCodeSource()))
        .map(CodeSource::getLocation)
        .map(location -> Path.of(location.getPath()).toString())
        .distinct()
        .reduce((one, other) -> one + ":" + other)
        .orElseThrow();
  }

  /** Runs a command with its own mounts, among them an empty tmpfs of so many bytes. */
  static List<String> withTmpfs(Path at, long bytes) {
    return withTmpfs(at, "size=" + bytes);
  }

  /** The same with other options of the mount. */
  static List<String> withTmpfs(Path at, String options) {
    List<String> command = new ArrayList<>(List.of("unshare", "--mount"));
    if (!Capabilities.effective().has(Capability.CAP_SYS_ADMIN)) {
      command.addAll(List.of("--user", "--map-root-user"));
    }
    String mount = "mount -t tmpfs -o %s none %s && exec \"$@\"".formatted(options, at);
    command.addAll(List.of("sh", "-c", mount, "sh"));
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

  long pid() {
    return process.pid();
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

  public static void main(String[] args) throws Exception {
    Path path = Path.of(args[1]);
    switch (args[0]) {
      case "own" -> own(path);
      case "usual" -> usual(path);
      case "fill" -> fill(path);
      case "read" -> System.out.println(StatReader.read(path));
      default -> throw new IllegalArgumentException(args[0]);
    }
  }

  /** Counts rounds in a counter and in every field of a row, until it is killed. */
  private static void own(Path folder) throws InterruptedException {
    StatFile stat = StatFile.create(folder, new StatOwner(3, "child", 33, 44));
    int slot = stat.register("rounds");
    PeerRow row = stat.row(9);
    row.fabric("shm");
    row.address("shm:here");
    row.blocked(Blocked.NO_BUFFER, System.nanoTime());
    System.out.println(stat.path());
    for (long round = 1; true; round++) {
      stat.set(slot, round);
      row.begin();
      row.bytesIn(round);
      row.bytesOut(round);
      row.end();
      if (round % 1000 == 0) {
        stat.tick(System.nanoTime(), System.currentTimeMillis());
        TimeUnit.MILLISECONDS.sleep(1);
      }
    }
  }

  /** Says where a file goes that is not told where. */
  private static void usual(Path temporary) {
    System.setProperty("java.io.tmpdir", temporary.toString());
    StatFile stat = StatFile.create(new StatOwner(1, "", 1, 1));
    stat.close(); // before it is said, because then it is killed
    System.out.println(stat.path());
  }

  private static void fill(Path folder) {
    List<StatFile> made = new ArrayList<>();
    try {
      while (true) {
        made.add(StatFile.create(folder, new StatOwner(made.size(), "", 1, 1)));
      }
    } catch (NodeException e) {
      System.out.println(e.getMessage());
    }
    System.out.println(made.size() + " " + StatReader.list(folder).size());
    for (StatFile stat : made) { // every byte has its place
      for (int peer = 0; peer < StatLayout.PEERS_MAX; peer++) {
        stat.row(peer).address("x".repeat(StatLayout.ADDRESS_BYTES));
      }
      stat.close();
    }
    System.out.println(StatReader.list(folder).size());
  }
}
