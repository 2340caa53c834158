package io.busbar.lab.bed;

import io.busbar.messages.Handler;
import io.busbar.messages.MessageEvents;
import io.busbar.messages.Messages;
import io.busbar.node.NodeConfig;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.Map;

/** One of several nodes that greet each other, in a host of its own. */
final class Greeter {
  private static final long PATIENCE_NS = 60_000_000_000L;

  private Greeter() {}

  /**
   * The child.
   *
   * @param arguments rank, size, meeting, address, carriers
   */
  public static void main(String[] arguments) throws Exception {
    int rank = Integer.parseInt(arguments[0]);
    int size = Integer.parseInt(arguments[1]);
    NodeConfig config =
        NodeConfig.of(Map.of())
            .as(rank, size, Path.of(arguments[2]))
            .withHost(arguments[3])
            .withFabrics(arguments[4].split(",", -1));
    BitSet greeted = new BitSet();
    try (Messages fm = Messages.join(config, MessageEvents.NONE)) {
      Handler greet = fm.handler("greet", (in, from) -> greeted.set(from));
      System.out.println("choices " + fm.node().choices());
      for (int to = 0; to < size; to++) {
        if (to != rank) {
          fm.send(to, greet, rank, 0, 0, 0);
        }
      }
      boolean all = fm.await(() -> greeted.cardinality() == size - 1, PATIENCE_NS);
      System.out.println("greeted by all " + all);
    }
  }
}
