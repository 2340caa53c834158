package io.busbar.bench;

import java.util.BitSet;
import java.util.stream.IntStream;

/**
 * Whom a node opens an association to when it joins. A way to join that finds its peers itself, as
 * membership will, is another one of these.
 */
enum Acquaintance {
  /** Its neighbours on a ring, and those at distances of powers of two. */
  FINGERS {
    @Override
    IntStream of(int node, int nodes) {
      BitSet peers = new BitSet(nodes);
      peers.set(Math.floorMod(node - 1, nodes));
      for (int distance = 1; distance < nodes; distance *= 2) {
        peers.set((node + distance) % nodes);
      }
      peers.clear(node);
      return peers.stream();
    }
  },

  /** All know one, and nobody else. */
  ONE {
    @Override
    IntStream of(int node, int nodes) {
      return node == 0 ? IntStream.empty() : IntStream.of(0);
    }
  };

  /** The peers, each once, without the node itself. */
  abstract IntStream of(int node, int nodes);

  /** Associations that all nodes open together. */
  long count(int nodes) {
    return IntStream.range(0, nodes).mapToLong(node -> of(node, nodes).count()).sum();
  }
}
