package io.busbar.node;

import io.busbar.testkit.ChildJvm;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Another JVM with two nodes that have nothing to do. */
final class IdleChild implements AutoCloseable {
  static final int NODES = 2;
  private static final long HOUR_NS = 3_600_000_000_000L;

  /** What the program does meanwhile. */
  enum Program {
    /** It makes no call: the caretakers drive. */
    COMPUTES,
    /** It waits for something that does not come, and drives. */
    WAITS,
    /** It makes no call, and its nodes were not told of each other: they found each other. */
    FOUND
  }

  private final ChildJvm child;

  IdleChild(Program program, Path meeting) {
    child = ChildJvm.start(List.of(), ChildJvm.SMALL, IdleChild.class, program, meeting);
  }

  /** Waits until its nodes have joined. */
  void awaitReady() throws InterruptedException {
    String _ = child.awaitLine("ready", 60);
  }

  /** What its threads have run so far, the virtual machine's own among them. */
  long cpuNs() throws IOException {
    long sum = 0;
    Path tasks = Path.of("/proc", Long.toString(child.pid()), "task");
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

  /** Lets it leave, so that nothing of it remains in shared memory. */
  @Override
  public void close() {
    try (child) {
      child.tell("leave");
      int _ = child.awaitExit(20);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** The child. */
  public static void main(String[] arguments) throws Exception {
    Program program = Program.valueOf(arguments[0]);
    Path meeting = Path.of(arguments[1]);
    try (ExecutorService threads = Executors.newCachedThreadPool()) {
      List<Future<Node>> joining = new ArrayList<>();
      for (int rank = 0; rank < NODES; rank++) {
        NodeConfig told = NodeConfig.of(Map.of()).as(rank, NODES, meeting);
        String cluster = "idle-" + ProcessHandle.current().pid();
        NodeConfig config = program == Program.FOUND ? told.in(cluster).found() : told;
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
