package io.busbar.node;

import io.busbar.wire.ClusterName;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What the groups of a node are called; frames have a number instead of the name. */
final class GroupNames {
  /** Everyone is the group without a name. */
  static final String EVERYONE = "";

  private static final long NUMBER_OF_EVERYONE = 0;

  private final Map<Long, String> names = new HashMap<>();

  /** Knows these, and everyone. */
  GroupNames(List<String> known) {
    known.forEach(name -> names.put(number(name), name));
  }

  /** What frames have instead of a name. */
  static long number(String name) {
    return name.equals(EVERYONE) ? NUMBER_OF_EVERYONE : ClusterName.hash(name);
  }

  /** The name; of a group that is not known, which only a forger speaks to, its number in hex. */
  String of(long number) {
    return number == NUMBER_OF_EVERYONE
        ? EVERYONE
        : names.getOrDefault(number, "0x%016x".formatted(number));
  }
}
