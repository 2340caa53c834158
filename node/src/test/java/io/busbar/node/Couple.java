package io.busbar.node;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** A JVM with two nodes: it says what carries the lanes between them, or why it cannot join. */
final class Couple {
  private Couple() {}

  /**
   * The child.
   *
   * @param arguments meeting, carriers, folder of shared memory
   */
  public static void main(String[] arguments) throws Exception {
    NodeConfig config =
        NodeConfig.of(Map.of())
            .withFabrics(arguments[1].split(",", -1))
            .withShmDirectory(arguments[2]);
    try (ExecutorService threads = Executors.newCachedThreadPool()) {
      List<Future<Node>> joining = new ArrayList<>();
      for (int rank = 0; rank < 2; rank++) {
        NodeConfig own = config.as(rank, 2, Path.of(arguments[0]));
        joining.add(threads.submit(() -> Node.join(own, Users.deaf())));
      }
      List<Node> nodes = new ArrayList<>();
      for (Future<Node> one : joining) {
        try {
          Node node = one.get();
          nodes.add(node);
          System.out.println("choice " + node.choices());
          System.out.println("counters " + node.counters());
        } catch (ExecutionException e) {
          System.out.println("refused " + e.getCause());
        }
      }
      nodes.forEach(Node::close);
    }
    System.out.println("end");
  }
}
