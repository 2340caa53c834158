package mpi;

import io.busbar.mpi.Group.Likeness;
import java.util.stream.IntStream;

/** Processes in an order. */
public class Group implements Freeable {
  /** The code of the empty group. */
  public static final int EMPTY = 0;

  private io.busbar.mpi.Group core;

  Group(io.busbar.mpi.Group core) {
    this.core = core;
  }

  io.busbar.mpi.Group core() {
    if (core == null) {
      throw new MPIException(MPI.ERR_GROUP, "Group: it is null, or was freed");
    }
    return core;
  }

  static int code(Likeness likeness) {
    return switch (likeness) {
      case IDENT -> MPI.IDENT;
      case CONGRUENT -> MPI.CONGRUENT;
      case SIMILAR -> MPI.SIMILAR;
      case UNEQUAL -> MPI.UNEQUAL;
    };
  }

  /** How many there are. */
  public int getSize() throws MPIException {
    return core().size();
  }

  /** The rank of this process; UNDEFINED if it is not among them. */
  public int getRank() throws MPIException {
    return core().rankOf(MPI.runningWorld("Group.getRank").rank());
  }

  /** Gives it back. */
  @Override
  public void free() {
    if (equals(MPI.GROUP_EMPTY)) {
      throw new MPIException(MPI.ERR_GROUP, "Group.free: a predefined group cannot be freed");
    }
    core = null;
  }

  /** Whether it was freed. */
  public boolean isNull() {
    return core == null;
  }

  /** The ranks in another group of some of one. */
  public static int[] translateRanks(Group group1, int[] ranks1, Group group2) throws MPIException {
    return BusbarErrors.get(
        "Group.translateRanks",
        () ->
            IntStream.of(ranks1)
                .map(
                    rank ->
                        rank == MPI.PROC_NULL ? rank : group1.core().translate(rank, group2.core()))
                .toArray());
  }

  /** How two compare: IDENT, SIMILAR or UNEQUAL. */
  public static int compare(Group group1, Group group2) throws MPIException {
    return code(group1.core().compare(group2.core()));
  }

  /** Those of both. */
  public static Group union(Group group1, Group group2) throws MPIException {
    return new Group(group1.core().union(group2.core()));
  }

  /** Those of the first that are in the second. */
  public static Group intersection(Group group1, Group group2) throws MPIException {
    return new Group(group1.core().intersection(group2.core()));
  }

  /** Those of the first that are not in the second. */
  public static Group difference(Group group1, Group group2) throws MPIException {
    return new Group(group1.core().difference(group2.core()));
  }

  /** Some of them, in the order given. */
  public Group incl(int[] ranks) throws MPIException {
    return BusbarErrors.get("Group.incl", () -> new Group(core().include(ranks)));
  }

  /** All but some of them. */
  public Group excl(int[] ranks) throws MPIException {
    return BusbarErrors.get("Group.excl", () -> new Group(core().exclude(ranks)));
  }

  /** Those of ranges of first, last and step. */
  public Group rangeIncl(int[][] ranges) throws MPIException {
    return BusbarErrors.get(
        "Group.rangeIncl", () -> new Group(core().include(io.busbar.mpi.Group.ranks(ranges))));
  }

  /** All but those of ranges. */
  public Group rangeExcl(int[][] ranges) throws MPIException {
    return BusbarErrors.get(
        "Group.rangeExcl", () -> new Group(core().exclude(io.busbar.mpi.Group.ranks(ranges))));
  }

  // The upper-case interface.

  /** How many there are. */
  public int Size() throws MPIException {
    return getSize();
  }

  /** The rank of this process. */
  public int Rank() throws MPIException {
    return getRank();
  }

  /** The ranks in another group of some of one. */
  public static int[] Translate_ranks(Group group1, int[] ranks1, Group group2)
      throws MPIException {
    return translateRanks(group1, ranks1, group2);
  }

  /** How two compare. */
  public static int Compare(Group group1, Group group2) throws MPIException {
    return compare(group1, group2);
  }

  /** Those of both. */
  public static Group Union(Group group1, Group group2) throws MPIException {
    return union(group1, group2);
  }

  /** Those of the first that are in the second. */
  public static Group Intersection(Group group1, Group group2) throws MPIException {
    return intersection(group1, group2);
  }

  /** Those of the first that are not in the second. */
  public static Group Difference(Group group1, Group group2) throws MPIException {
    return difference(group1, group2);
  }

  /** Some of them. */
  public Group Incl(int[] ranks) throws MPIException {
    return incl(ranks);
  }

  /** All but some of them. */
  public Group Excl(int[] ranks) throws MPIException {
    return excl(ranks);
  }

  /** Those of ranges. */
  public Group Range_incl(int[][] ranges) throws MPIException {
    return rangeIncl(ranges);
  }

  /** All but those of ranges. */
  public Group Range_excl(int[][] ranges) throws MPIException {
    return rangeExcl(ranges);
  }
}
