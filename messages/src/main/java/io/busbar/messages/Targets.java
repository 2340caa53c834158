package io.busbar.messages;

import io.busbar.wire.Header;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** What goes to each node. Whoever drives adds some; any thread looks. */
final class Targets {
  private volatile @Nullable Outgoing[] byNode = new @Nullable Outgoing[0];
  private final Map<Integer, Outgoing> groups = new ConcurrentHashMap<>();
  private volatile List<Outgoing> all = List.of();

  /** What goes to a node, a group or everyone; null when there was no lane to it. */
  @Nullable Outgoing to(int node) {
    if (node >= Header.EVERYONE) {
      return groups.get(node);
    }
    @Nullable Outgoing[] known = byNode;
    return node < 0 || node >= known.length ? null : known[node];
  }

  /** There is a lane to a node, in place of a former one. */
  void put(Outgoing target) {
    int node = target.lane.destination();
    if (node >= Header.EVERYONE) {
      groups.put(node, target);
      List<Outgoing> more = new ArrayList<>(all);
      more.add(target);
      all = List.copyOf(more);
      return;
    }
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
