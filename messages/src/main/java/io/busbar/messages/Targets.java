package io.busbar.messages;

import io.busbar.wire.Header;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What goes to each node. Whoever drives adds some; any thread looks. */
final class Targets {
  private volatile @Nullable Outgoing[] nodes = new @Nullable Outgoing[0];

  /** Everyone, and the groups, whose numbers follow. */
  private volatile @Nullable Outgoing[] groups = new @Nullable Outgoing[0];

  private volatile List<Outgoing> all = List.of();

  /** What goes to a node, a group or everyone; null when there was no lane to it. */
  @Nullable Outgoing to(int node) {
    boolean isGroup = node >= Header.EVERYONE;
    @Nullable Outgoing[] known = isGroup ? groups : nodes;
    int place = isGroup ? node - Header.EVERYONE : node;
    return place < 0 || place >= known.length ? null : known[place];
  }

  /** There is a lane to a node, in place of a former one. */
  void put(Outgoing target) {
    int node = target.lane.destination();
    List<Outgoing> others = new ArrayList<>(all);
    if (node >= Header.EVERYONE) {
      groups = with(groups, node - Header.EVERYONE, target, others);
    } else {
      nodes = with(nodes, node, target, others);
    }
    others.add(target);
    all = List.copyOf(others);
  }

  private static @Nullable Outgoing[] with(
      @Nullable Outgoing[] known, int place, Outgoing target, List<Outgoing> others) {
    @Nullable Outgoing[] more = Arrays.copyOf(known, Math.max(place + 1, known.length));
    boolean _ = others.remove(more[place]);
    more[place] = target;
    return more;
  }

  /** All that there are. */
  List<Outgoing> all() {
    return all;
  }
}
