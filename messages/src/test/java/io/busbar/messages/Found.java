package io.busbar.messages;

import io.busbar.node.Discovery;
import io.busbar.node.NodeConfig;
import java.nio.file.Path;

/** A node in a JVM of its own that nobody told of others, and that ends when it is killed. */
final class Found {
  private Found() {}

  /**
   * The child.
   *
   * @param arguments cluster, group, folder of shared memory, carriers
   */
  public static void main(String[] arguments) throws Exception {
    Discovery discovery = Discovery.onSegment().withGroup(arguments[1]).withPort(0);
    NodeConfig config =
        NodeConfig.find(arguments[0], discovery)
            .withHost("127.0.0.1")
            .withShmDirectory(Path.of(arguments[2]).toString())
            .withFabrics(arguments[3].split(",", -1));
    try (Messages fm = Messages.join(config, MessageEvents.NONE)) {
      System.out.println("joined " + fm.node().id());
      while (System.in.read() >= 0) {} // until the parent is gone
    }
  }
}
