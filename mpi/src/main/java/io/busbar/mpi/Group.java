package io.busbar.mpi;

import io.busbar.mpi.MpiError.Kind;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.stream.IntStream;

/** Processes in an order: rank {@code i} of a group is one of the world's. */
public final class Group {
  /** Not in the group. */
  public static final int NONE = -1;

  /** Nobody. */
  public static final Group EMPTY = new Group(new int[0]);

  /** How two groups or communicators compare. */
  public enum Likeness {
    /** The same object. */
    IDENT,
    /** The same processes in the same order. */
    CONGRUENT,
    /** The same processes in another order. */
    SIMILAR,
    /** Other processes. */
    UNEQUAL
  }

  private final int[] nodes;

  Group(int[] nodes) {
    this.nodes = nodes;
  }

  /** All of the world. */
  static Group all(int size) {
    int[] nodes = new int[size];
    Arrays.setAll(nodes, i -> i);
    return new Group(nodes);
  }

  /** How many processes there are. */
  public int size() {
    return nodes.length;
  }

  /** The rank in the world of one of them. */
  public int node(int rank) {
    return nodes[rank];
  }

  /** The rank of a process of the world; {@link #NONE} if it is not in the group. */
  public int rankOf(int node) {
    if (node >= 0 && node < nodes.length && nodes[node] == node) {
      return node; // as in the world itself
    }
    for (int i = 0; i < nodes.length; i++) {
      if (nodes[i] == node) {
        return i;
      }
    }
    return NONE;
  }

  /** The ranks in another group of some of this one's. */
  public int translate(int rank, Group to) {
    checkRank(rank);
    return to.rankOf(nodes[rank]);
  }

  private void checkRank(int rank) {
    if (rank < 0 || rank >= nodes.length) {
      throw new MpiError(
          Kind.RANK, "rank %d of a group of %d processes".formatted(rank, nodes.length));
    }
  }

  /** Whether two groups have the same processes. */
  public Likeness compare(Group other) {
    if (Arrays.equals(nodes, other.nodes)) {
      return Likeness.IDENT;
    }
    return set().equals(other.set()) && nodes.length == other.nodes.length
        ? Likeness.SIMILAR
        : Likeness.UNEQUAL;
  }

  private Set<Integer> set() {
    Set<Integer> all = new LinkedHashSet<>();
    for (int node : nodes) {
      all.add(node);
    }
    return all;
  }

  private static Group of(Set<Integer> nodes) {
    return new Group(nodes.stream().mapToInt(Integer::intValue).toArray());
  }

  /** Those of this one, then those that are only in the other. */
  public Group union(Group other) {
    Set<Integer> all = set();
    all.addAll(other.set());
    return of(all);
  }

  /** Those of this one that are in the other, too. */
  public Group intersection(Group other) {
    Set<Integer> all = set();
    all.retainAll(other.set());
    return of(all);
  }

  /** Those of this one that are not in the other. */
  public Group difference(Group other) {
    Set<Integer> all = set();
    all.removeAll(other.set());
    return of(all);
  }

  /** Some of them, in the order given. */
  public Group include(int[] ranks) {
    int[] some = new int[ranks.length];
    Set<Integer> seen = new HashSet<>();
    for (int i = 0; i < ranks.length; i++) {
      checkRank(ranks[i]);
      if (!seen.add(ranks[i])) {
        throw new MpiError(Kind.RANK, "rank %d is named twice".formatted(ranks[i]));
      }
      some[i] = nodes[ranks[i]];
    }
    return new Group(some);
  }

  /** All but some of them. */
  public Group exclude(int[] ranks) {
    return difference(include(ranks));
  }

  /** The ranks of ranges of first, last and step. */
  public static int[] ranks(int[][] ranges) {
    return Arrays.stream(ranges).flatMapToInt(Group::range).toArray();
  }

  private static IntStream range(int[] range) {
    if (range.length != 3 || range[2] == 0) {
      throw new MpiError(
          Kind.ARG,
          "a range is %s; it has a first, a last and a step".formatted(Arrays.toString(range)));
    }
    int steps = Math.floorDiv(range[1] - range[0], range[2]) + 1;
    return IntStream.range(0, Math.max(0, steps)).map(i -> range[0] + i * range[2]);
  }

  @Override
  public String toString() {
    return Arrays.toString(nodes);
  }
}
