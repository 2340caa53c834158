package io.busbar.mpi;

import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * Which processes of a communicator are on one host. The lowest of each host leads it: where it
 * pays, those of a host agree first, then the leaders do.
 */
final class Topology {
  private final int[] leaders;
  private final int[] mine;
  private final int[] byHost;
  private final int[] leaderOf;
  private final boolean inOrder;
  private final boolean isFlat;
  private final boolean isOnBus;

  /**
   * A topology.
   *
   * @param leaderOf for each process, the lowest one of its host
   * @param isOnBus whether each of them can send to all others at once, and to nobody else
   */
  Topology(int[] leaderOf, int rank, boolean isOnBus) {
    this.leaderOf = leaderOf;
    this.isOnBus = isOnBus;
    int size = leaderOf.length;
    boolean isSound = IntStream.of(leaderOf).allMatch(leader -> leaderOf[leader] == leader);
    this.leaders = IntStream.range(0, size).filter(i -> leaderOf[i] == i).toArray();
    this.mine = IntStream.range(0, size).filter(i -> leaderOf[i] == leaderOf[rank]).toArray();
    this.byHost =
        IntStream.of(leaders)
            .flatMap(leader -> IntStream.range(0, size).filter(i -> leaderOf[i] == leader))
            .toArray();
    this.isFlat = !isSound || leaders.length == 1 || leaders.length == size;
    this.inOrder = Arrays.equals(byHost, IntStream.range(0, size).toArray());
  }

  /**
   * Whether there is nothing to gain: one host has them all, or each has one, or they do not agree
   * on who is where.
   */
  boolean isFlat() {
    return isFlat;
  }

  /** Whether all are on one host. */
  boolean isOneHost() {
    return leaders.length == 1;
  }

  /** Whether each can send to all others at once, and to nobody else. */
  boolean isOnBus() {
    return isOnBus;
  }

  /** The leaders of all hosts, in the order of ranks. */
  int[] leaders() {
    return leaders;
  }

  /** Those of this host, in the order of ranks; the first one leads. */
  int[] mine() {
    return mine;
  }

  /** All, those of a host side by side. */
  int[] byHost() {
    return byHost;
  }

  /** Whether that is the order of ranks. */
  boolean isInOrder() {
    return inOrder;
  }

  /** Whether a process leads its host. */
  boolean leads(int rank) {
    return leaderOf[rank] == rank;
  }

  /** Whether a process is on this host. */
  boolean isMine(int rank) {
    return leaderOf[rank] == mine[0];
  }

  /** The leader of a process, as an index of the leaders. */
  int indexOfLeader(int rank) {
    return Arrays.binarySearch(leaders, leaderOf[rank]);
  }

  /** A process of this host, as an index of those. */
  int indexOfMine(int rank) {
    return Arrays.binarySearch(mine, rank);
  }
}
