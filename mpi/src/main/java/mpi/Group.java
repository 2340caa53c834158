package mpi;

import io.busbar.mpi.Group.Likeness;
import io.busbar.mpi.MpiError;
import java.util.function.BinaryOperator;
import java.util.function.UnaryOperator;
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
    return core(this, "the group");
  }

  /**
   * What a group stands for.
   *
   * @param what the argument, for people
   */
  static io.busbar.mpi.Group core(Group group, String what) {
    if (group == null || group.core == null) {
      throw new MpiError(MpiError.Kind.GROUP, what + " is null, or was freed");
    }
    return group.core;
  }

  static int code(Likeness likeness) {
    return switch (likeness) {
      case IDENT -> MPI.IDENT;
      case CONGRUENT -> MPI.CONGRUENT;
      case SIMILAR -> MPI.SIMILAR;
      case UNEQUAL -> MPI.UNEQUAL;
    };
  }

  private int size(String call) {
    return BusbarErrors.get(call, () -> core().size());
  }

  private int rank(String call) {
    return BusbarErrors.get(call, () -> core().rankOf(MPI.runningWorld(call).rank()));
  }

  /** How many there are. */
  public int getSize() throws MPIException {
    return size("Group.getSize");
  }

  /** The rank of this process; UNDEFINED if it is not among them. */
  public int getRank() throws MPIException {
    return rank("Group.getRank");
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

  // Each call of both interfaces, under the name that the program uses.

  private static int[] translate(String call, Group group1, int[] ranks1, Group group2) {
    return BusbarErrors.get(
        call,
        () -> {
          io.busbar.mpi.Group from = core(group1, "group1");
          io.busbar.mpi.Group to = core(group2, "group2");
          return IntStream.of(ranks1)
              .map(rank -> rank == MPI.PROC_NULL ? rank : from.translate(rank, to))
              .toArray();
        });
  }

  private static Group of(
      String call, Group group1, Group group2, BinaryOperator<io.busbar.mpi.Group> made) {
    return BusbarErrors.get(
        call, () -> new Group(made.apply(core(group1, "group1"), core(group2, "group2"))));
  }

  private static int compare(String call, Group group1, Group group2) {
    return BusbarErrors.get(
        call, () -> code(core(group1, "group1").compare(core(group2, "group2"))));
  }

  private Group part(String call, UnaryOperator<io.busbar.mpi.Group> made) {
    return BusbarErrors.get(call, () -> new Group(made.apply(core())));
  }

  /** The ranks in another group of some of one. */
  public static int[] translateRanks(Group group1, int[] ranks1, Group group2) throws MPIException {
    return translate("Group.translateRanks", group1, ranks1, group2);
  }

  /** How two compare: IDENT, SIMILAR or UNEQUAL. */
  public static int compare(Group group1, Group group2) throws MPIException {
    return compare("Group.compare", group1, group2);
  }

  /** Those of both. */
  public static Group union(Group group1, Group group2) throws MPIException {
    return of("Group.union", group1, group2, io.busbar.mpi.Group::union);
  }

  /** Those of the first that are in the second. */
  public static Group intersection(Group group1, Group group2) throws MPIException {
    return of("Group.intersection", group1, group2, io.busbar.mpi.Group::intersection);
  }

  /** Those of the first that are not in the second. */
  public static Group difference(Group group1, Group group2) throws MPIException {
    return of("Group.difference", group1, group2, io.busbar.mpi.Group::difference);
  }

  /** Some of them, in the order given. */
  public Group incl(int[] ranks) throws MPIException {
    return part("Group.incl", all -> all.include(ranks));
  }

  /** All but some of them. */
  public Group excl(int[] ranks) throws MPIException {
    return part("Group.excl", all -> all.exclude(ranks));
  }

  /** Those of ranges of first, last and step. */
  public Group rangeIncl(int[][] ranges) throws MPIException {
    return part("Group.rangeIncl", all -> all.include(io.busbar.mpi.Group.ranks(ranges)));
  }

  /** All but those of ranges. */
  public Group rangeExcl(int[][] ranges) throws MPIException {
    return part("Group.rangeExcl", all -> all.exclude(io.busbar.mpi.Group.ranks(ranges)));
  }

  // The upper-case interface.

  /** How many there are. */
  public int Size() throws MPIException {
    return size("Group.Size");
  }

  /** The rank of this process. */
  public int Rank() throws MPIException {
    return rank("Group.Rank");
  }

  /** The ranks in another group of some of one. */
  public static int[] Translate_ranks(Group group1, int[] ranks1, Group group2)
      throws MPIException {
    return translate("Group.Translate_ranks", group1, ranks1, group2);
  }

  /** How two compare. */
  public static int Compare(Group group1, Group group2) throws MPIException {
    return compare("Group.Compare", group1, group2);
  }

  /** Those of both. */
  public static Group Union(Group group1, Group group2) throws MPIException {
    return of("Group.Union", group1, group2, io.busbar.mpi.Group::union);
  }

  /** Those of the first that are in the second. */
  public static Group Intersection(Group group1, Group group2) throws MPIException {
    return of("Group.Intersection", group1, group2, io.busbar.mpi.Group::intersection);
  }

  /** Those of the first that are not in the second. */
  public static Group Difference(Group group1, Group group2) throws MPIException {
    return of("Group.Difference", group1, group2, io.busbar.mpi.Group::difference);
  }

  /** Some of them. */
  public Group Incl(int[] ranks) throws MPIException {
    return part("Group.Incl", all -> all.include(ranks));
  }

  /** All but some of them. */
  public Group Excl(int[] ranks) throws MPIException {
    return part("Group.Excl", all -> all.exclude(ranks));
  }

  /** Those of ranges. */
  public Group Range_incl(int[][] ranges) throws MPIException {
    return part("Group.Range_incl", all -> all.include(io.busbar.mpi.Group.ranks(ranges)));
  }

  /** All but those of ranges. */
  public Group Range_excl(int[][] ranges) throws MPIException {
    return part("Group.Range_excl", all -> all.exclude(io.busbar.mpi.Group.ranks(ranges)));
  }
}
