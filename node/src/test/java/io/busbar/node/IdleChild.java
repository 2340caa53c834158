package io.busbar.node;

import io.busbar.fabric.Nic;
import io.busbar.linux.EventFd;
import io.busbar.memory.Pool;
import io.busbar.transport.Transport;
import io.busbar.wire.Records;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Another JVM with two nodes that have nothing to do. */
final class IdleChild implements AutoCloseable {
  static final int NODES = 2;
  private static final long HOUR_NS = 3_600_000_000_000L;

  /** What the program does meanwhile. */
  enum Program {
    /** It makes no call: the caretakers drive. */
    COMPUTES,
    /** It waits for something that does not come, and drives. */
    WAITS
  }

  private final Process process;
  private final BufferedReader output;

  IdleChild(Program program, Path meeting) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx64m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    command.addAll(List.of("--enable-native-access=ALL-UNNAMED", "-cp", classPath()));
    command.addAll(List.of(IdleChild.class.getName(), program.name(), meeting.toString()));
    process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    output = process.inputReader(StandardCharsets.UTF_8);
  }

  private static String classPath() {
    return Stream.of(
            EventFd.class,
            Pool.class,
            Records.class,
            Nic.class,
            Transport.class,
            Node.class,
            IdleChild.class)
        .map(type -> Objects.requireNonNull(type.getProtectionDomain().getCodeSource()))
        .map(CodeSource::getLocation)
        .map(location -> Path.of(location.getPath()).toString())
        .distinct()
        .reduce((one, other) -> one + ":" + other)
        .orElseThrow();
  }

  /** Waits until its nodes have joined. */
  void awaitReady() throws IOException {
    String line = line();
    if (!line.equals("ready")) {
      throw new AssertionError("the child says " + line);
    }
  }

  /** What its threads have run so far, the virtual machine's own among them. */
  long cpuNs() throws IOException {
    long sum = 0;
    Path tasks = Path.of("/proc", Long.toString(process.pid()), "task");
    try (DirectoryStream<Path> threads = Files.newDirectoryStream(tasks)) {
      for (Path thread : threads) {
        try {
          String schedstat = Files.readString(thread.resolve("schedstat"));
          sum += Long.parseLong(schedstat.substring(0, schedstat.indexOf(' ')));
        } catch (NoSuchFileException e) {
          sum += 0; // it has ended meanwhile
        }
      }
    }
    return sum;
  }

  private String line() throws IOException {
    return Objects.requireNonNull(output.readLine(), "the child ended without a word");
  }

  /** Lets it leave, so that nothing of it remains in shared memory. */
  @Override
  public void close() throws IOException {
    process.getOutputStream().close();
    try {
      Process _ = process.onExit().orTimeout(20, TimeUnit.SECONDS).join();
    } finally {
      process.destroyForcibly();
    }
  }

  /** The child. */
  public static void main(String[] arguments) throws Exception {
    Program program = Program.valueOf(arguments[0]);
    Path meeting = Path.of(arguments[1]);
    try (ExecutorService threads = Executors.newCachedThreadPool()) {
      List<Future<Node>> joining = new ArrayList<>();
      for (int rank = 0; rank < NODES; rank++) {
        NodeConfig config = NodeConfig.of(Map.of()).as(rank, NODES, meeting);
        joining.add(threads.submit(() -> Node.join(config, Users.deaf())));
      }
      List<Node> nodes = new ArrayList<>();
      for (Future<Node> one : joining) {
        nodes.add(one.get());
      }
      List<Future<Boolean>> waits = new ArrayList<>();
      if (program == Program.WAITS) {
        for (Node node : nodes) {
          waits.add(threads.submit(() -> node.await(() -> false, HOUR_NS)));
        }
      }
      System.out.println("ready");
      int _ = System.in.read(); // until the parent has seen enough, or is gone
      List<Runnable> _ = threads.shutdownNow(); // interrupts those who wait
      for (Future<Boolean> wait : waits) {
        while (!wait.isDone()) {
          Thread.onSpinWait();
        }
      }
      nodes.forEach(Node::close);
    }
  }
}
