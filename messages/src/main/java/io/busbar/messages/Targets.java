package io.busbar.messages;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What goes to each node. Whoever drives adds some; any thread looks. */
final class Targets {
  private volatile @Nullable Outgoing[] byNode = new @Nullable Outgoing[0];
  private volatile List<Outgoing> all = List.of();

  /** What goes to a node; null when there was no lane to it. */
  @Nullable Outgoing to(int node) {
    @Nullable Outgoing[] known = byNode;
    return node < 0 || node >= known.length ? null : known[node];
  }

  /** There is a lane to a node, in place of a former one. */
  void put(Outgoing target) {
    int node = target.lane.peer();
    @Nullable Outgoing[] known = Arrays.copyOf(byNode, Math.max(node + 1, byNode.length));
    List<Outgoing> others = new ArrayList<>(all);
    boolean _ = others.remove(known[node]);
    others.add(target);
    known[node] = target;
    byNode = known;
    all = List.copyOf(others);
  }

  /** All that there are. */
  List<Outgoing> all() {
    return all;
  }
}
