package io.busbar.messages;

import io.busbar.node.Discovery;
import io.busbar.node.NodeConfig;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * A node in a JVM of its own that nobody told of others, and that ends when it is killed. When it
 * is told {@code cast N}, it says the first N bytes of a long message to everyone.
 */
final class Found {
  private static final int LONG_BYTES = 1_000_000;

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
      BufferedReader input =
          new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
      for (String line = input.readLine(); line != null; line = input.readLine()) {
        boolean _ = fm.await(() -> fm.node().size() > 1, Segment.SECOND_NS);
        OutMessage begun = fm.begin(Messages.EVERYONE, LONG_BYTES, Segment.HEAR_LONG);
        begun.send(new byte[Integer.parseInt(line.split(" ", -1)[1])]);
        begun.flush();
        System.out.println("cast");
      } // until the parent is gone
    }
  }
}
