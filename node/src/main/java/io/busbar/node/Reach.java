package io.busbar.node;

import io.busbar.fabric.Nic;
import io.busbar.fabric.NicAddress;
import io.busbar.fabric.NicCapability;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Whom of the members a datagram to everyone reaches, as far as can be told; the others hear by
 * themselves what is for all. Who was heard by a datagram to everyone hears those of this node.
 * Before that, a node that was given no seeds counts on the group, but not for who stands in
 * another net, or tells this node by itself what is for all; one with seeds does not count on it.
 */
final class Reach {
  private final OwnNet net;
  private final boolean hasGroup;
  private final boolean hasSeeds;
  private final Map<Integer, Known> members = new HashMap<>();

  /** What is known of one member, in one life. */
  private static final class Known {
    final long life;
    final boolean isInNet;
    boolean wasHeardByAll;
    boolean tellsByItself;

    Known(long life, boolean isInNet) {
      this.life = life;
      this.isInNet = isInNet;
    }
  }

  Reach(Nic nic, boolean hasSeeds) {
    this.net = OwnNet.of(nic.address());
    this.hasGroup = nic.capabilities().contains(NicCapability.BROADCAST);
    this.hasSeeds = hasSeeds;
  }

  /** There is a member, or another life of one. */
  void meet(int id, long life, List<NicAddress> addresses) {
    Known known = members.get(id);
    if (known == null || known.life != life) {
      members.put(id, new Known(life, net.hasOneOf(addresses)));
    }
  }

  void forget(int id) {
    members.remove(id);
  }

  /**
   * A member has said something for everyone.
   *
   * @param byAll whether a datagram to everyone brought it
   * @return whether it is reached otherwise than before
   */
  boolean hear(int id, long life, boolean byAll) {
    Known known = members.get(id);
    if (known == null || known.life != life) {
      return false;
    }
    boolean before = isApart(id);
    known.wasHeardByAll |= byAll;
    known.tellsByItself |= !byAll;
    return isApart(id) != before;
  }

  /** Whether a datagram to everyone may not reach a member. */
  boolean isApart(int id) {
    Known known = members.get(id);
    if (!hasGroup || known == null) {
      return !hasGroup || hasSeeds;
    }
    return !known.wasHeardByAll && (hasSeeds || known.tellsByItself || !known.isInNet);
  }
}
