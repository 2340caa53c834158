package io.busbar.node;

import io.busbar.bus.BusConfig;
import io.busbar.bus.CastConfig;
import io.busbar.bus.Member;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * How a node finds others that nobody told it of. On one segment that needs no configuration; where
 * broadcast does not reach, seeds: addresses of some of the others, each of which tells the rest.
 *
 * @param id this node's id, or {@link BusConfig#CLAIM} to claim one
 * @param group where frames to everyone go: a multicast address and a port, the same for all; empty
 *     to use none
 * @param port that a node tries to have for itself, so that seeds can name it; the first one on a
 *     host gets it
 * @param seeds {@code HOST} or {@code HOST:PORT} of others, by name or address; a name is looked up
 *     when the node joins. What is told to all is told to them as well
 * @param expected so many members, this one included, are waited for
 * @param attributes what the program says of this node
 * @param paceNs so long a node that takes no broadcasts may hold back a sender before it is
 *     evicted; {@link Long#MAX_VALUE} for ever
 * @param times how long things take
 * @param isOfJob whether a launcher keeps the others together: then nobody is given up on suspicion
 */
public record Discovery(
    int id,
    String group,
    int port,
    List<String> seeds,
    int expected,
    Map<String, String> attributes,
    long paceNs,
    BusConfig.Times times,
    boolean isOfJob) {
  /** The port of the bus. */
  public static final int PORT = 7009;

  /** Where everyone is, within an organisation. */
  public static final String GROUP = "239.255.70.9:" + PORT;

  /** Nodes that a view holds, members and those that have gone. */
  static final int MEMBERS_MAX = 4096;

  private static final int SEEDS_MAX = 64;

  /** The attribute that names a member's groups. */
  private static final String GROUPS = "busbar.groups";

  /** Refuses what cannot work, by name. */
  public Discovery {
    seeds = List.copyOf(seeds);
    attributes = Map.copyOf(attributes);
    if (seeds.size() > SEEDS_MAX) {
      throw new IllegalArgumentException(
          "%d seeds; allowed: %d. A few are enough: each tells the rest"
              .formatted(seeds.size(), SEEDS_MAX));
    }
    if (group.isEmpty() && seeds.isEmpty()) {
      throw new IllegalArgumentException(
          "neither a group nor seeds: nobody can be found. Give one of them");
    }
    if (port < 0 || port > 0xFFFF) {
      throw new IllegalArgumentException("port is %d; allowed: 0 to 65535".formatted(port));
    }
    if (expected < 1 || expected > MEMBERS_MAX) {
      throw new IllegalArgumentException(
          "expected is %d; allowed: 1 to %d, as many as a view holds"
              .formatted(expected, MEMBERS_MAX));
    }
  }

  /** Everyone on the segment, with an id that is claimed. */
  public static Discovery onSegment() {
    return new Discovery(
        BusConfig.CLAIM,
        GROUP,
        PORT,
        List.of(),
        1,
        Map.of(),
        CastConfig.PACE_NS,
        BusConfig.Times.DEFAULT,
        false);
  }

  /** With an id that a launcher gave. */
  public Discovery withId(int given) {
    return new Discovery(given, group, port, seeds, expected, attributes, paceNs, times, isOfJob);
  }

  /** With another group; empty for none. */
  public Discovery withGroup(String other) {
    return new Discovery(id, other, port, seeds, expected, attributes, paceNs, times, isOfJob);
  }

  /** With another port for itself, which seeds without one have, too. */
  public Discovery withPort(int other) {
    return new Discovery(id, group, other, seeds, expected, attributes, paceNs, times, isOfJob);
  }

  /** With addresses of others. */
  public Discovery withSeeds(List<String> others) {
    return new Discovery(id, group, port, others, expected, attributes, paceNs, times, isOfJob);
  }

  /**
   * With the hosts of a file besides: an address in each line; what follows a # is a remark.
   *
   * @throws NodeException when the file cannot be read
   */
  public Discovery withHosts(Path file) {
    List<String> hosts = new ArrayList<>(seeds);
    try {
      for (String line : Files.readAllLines(file)) {
        String host = line.replaceFirst("#.*", "").strip();
        if (!host.isEmpty()) {
          hosts.add(host);
        }
      }
    } catch (IOException e) {
      throw new NodeException("cannot read the hosts in %s: %s".formatted(file, e), e);
    }
    return withSeeds(hosts);
  }

  /** Waits for so many members when it joins. */
  public Discovery expecting(int members) {
    return new Discovery(id, group, port, seeds, members, attributes, paceNs, times, isOfJob);
  }

  /** With what the program says of this node. */
  public Discovery withAttributes(Map<String, String> said) {
    return new Discovery(id, group, port, seeds, expected, said, paceNs, times, isOfJob);
  }

  /** As a member of groups, to which others may broadcast; names without commas. */
  public Discovery inGroups(String... names) {
    Map<String, String> said = new HashMap<>(attributes);
    said.put(GROUPS, String.join(",", names));
    return withAttributes(said);
  }

  /** The groups of a member. */
  public static List<String> groupsOf(Member member) {
    String names = member.card().attributes().getOrDefault(GROUPS, "");
    return names.isEmpty() ? List.of() : List.of(names.split(",", -1));
  }

  /**
   * As one of a job that a launcher keeps together. A rank may compute for long: slow readers of
   * broadcasts are waited for, silent ones too, until the lane to them ends.
   */
  public Discovery ofJob() {
    return new Discovery(
        id, group, port, seeds, expected, attributes, CastConfig.FOR_EVER_NS, times, true);
  }

  /** With another time that slow readers of broadcasts are waited for. */
  public Discovery pacing(long ns) {
    return new Discovery(id, group, port, seeds, expected, attributes, ns, times, isOfJob);
  }

  /**
   * With other times, as {@link BusConfig.Times#withPeriodNs} makes them: how soon a death is
   * noticed, and how often somebody is suspected for nothing. Every node goes by its own; where a
   * few have a shorter period, those suspect first, and all others hear of it.
   */
  public Discovery withTimes(BusConfig.Times other) {
    return new Discovery(id, group, port, seeds, expected, attributes, paceNs, other, isOfJob);
  }
}
