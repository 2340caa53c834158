package mpi;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Collectives between two sides that are not of one size, with lengths that differ. */
@Timeout(60)
class AcrossTest extends Worlds {
  /** One rank, on one of two sides. */
  private record Place(Intercomm between, int side, int rank, int here, int there) {
    /** What a rank of a side has at an index. */
    static int value(int side, int rank, int index) {
      return 1_000 * side + 100 * rank + index;
    }

    int own(int index) {
      return value(side, rank, index);
    }

    int theirs(int other, int index) {
      return value(1 - side, other, index);
    }

    int[] own(int from, int count) {
      return IntStream.range(from, from + count).map(this::own).toArray();
    }

    /** As the root of a side is named by each. */
    int root(int ofSide, int leader) {
      return side != ofSide ? leader : rank == leader ? MPI.ROOT : MPI.PROC_NULL;
    }
  }

  @FunctionalInterface
  private interface Act {
    void run(Place place) throws Exception;
  }

  private void between(int left, int right, Act act) throws Exception {
    play(
        left + right,
        world -> {
          int side = world.getRank() < left ? 0 : 1;
          Intracomm half = world.split(side, world.getRank());
          Intercomm between = world.createIntercomm(half, 0, side == 0 ? left : 0, 9);
          act.run(
              new Place(between, side, half.getRank(), half.getSize(), between.getRemoteSize()));
        });
  }

  private static int[] places(int[] lengths) {
    int[] made = new int[lengths.length];
    for (int i = 1; i < made.length; i++) {
      made[i] = made[i - 1] + lengths[i - 1] + 1; // a gap behind each
    }
    return made;
  }

  private static int room(int[] lengths) {
    return Arrays.stream(lengths).sum() + lengths.length;
  }

  private static int[] upTo(int n) {
    return IntStream.range(0, n).map(i -> i + 1).toArray();
  }

  @ParameterizedTest
  @CsvSource({"2, 3", "3, 1"})
  void aRootGathersFromTheOthersAndScattersToThem(int left, int right) throws Exception {
    between(
        left,
        right,
        at -> {
          for (int side = 0; side < 2; side++) {
            int leader = (side == 0 ? left : right) - 1;
            int root = at.root(side, leader);
            int[] lengths = upTo(at.side() == side ? at.there() : at.here());
            int[] places = places(lengths);
            int[] all = new int[room(lengths)];
            int mine = at.rank() + 1;
            int[] own = at.side() == side ? new int[0] : at.own(0, mine);
            at.between().gatherv(own, own.length, MPI.INT, all, lengths, places, MPI.INT, root);
            for (int i = 0; root == MPI.ROOT && i < at.there(); i++) {
              for (int n = 0; n <= i; n++) {
                assertThat(all[places[i] + n]).isEqualTo(at.theirs(i, n));
              }
              assertThat(all[places[i] + i + 1]).as("the gap").isZero();
            }
            int[] back = new int[at.side() == side ? 0 : mine];
            at.between().scatterv(all, lengths, places, MPI.INT, back, back.length, MPI.INT, root);
            assertThat(back).isEqualTo(at.side() == side ? new int[0] : own);
          }
        });
  }

  @ParameterizedTest
  @CsvSource({"2, 3", "3, 1"})
  void eachSideGetsAllOfTheOther(int left, int right) throws Exception {
    between(
        left,
        right,
        at -> {
          int[] lengths = upTo(at.there());
          int[] places = places(lengths);
          int[] all = new int[room(lengths)];
          int mine = at.rank() + 1;
          at.between().allGatherv(at.own(0, mine), mine, MPI.INT, all, lengths, places, MPI.INT);
          for (int i = 0; i < at.there(); i++) {
            for (int n = 0; n <= i; n++) {
              assertThat(all[places[i] + n]).isEqualTo(at.theirs(i, n));
            }
          }
        });
  }

  /** From a rank to another one: as many as their ranks and one more. */
  private static int length(int from, int to) {
    return from + to + 1;
  }

  @ParameterizedTest
  @CsvSource({"2, 3", "3, 1"})
  void eachGivesEachOfTheOthersAPart(int left, int right) throws Exception {
    between(
        left,
        right,
        at -> {
          int[] lengths = IntStream.range(0, at.there()).map(i -> length(at.rank(), i)).toArray();
          int[] places = places(lengths);
          int[] out = new int[room(lengths)];
          for (int i = 0; i < at.there(); i++) {
            for (int n = 0; n < lengths[i]; n++) {
              out[places[i] + n] = at.own(10 * i + n);
            }
          }
          int[] in = new int[room(lengths)];
          at.between().allToAllv(out, lengths, places, MPI.INT, in, lengths, places, MPI.INT);
          check(at, in, lengths, places);
          int[] bytes = IntStream.of(places).map(place -> 4 * place).toArray();
          Datatype[] types = new Datatype[at.there()];
          Arrays.fill(types, MPI.INT);
          int[] again = new int[in.length];
          at.between().allToAllw(out, lengths, bytes, types, again, lengths, bytes, types);
          check(at, again, lengths, places);
        });
  }

  private static void check(Place at, int[] in, int[] lengths, int[] places) {
    for (int i = 0; i < at.there(); i++) {
      for (int n = 0; n < lengths[i]; n++) {
        assertThat(in[places[i] + n]).isEqualTo(at.theirs(i, 10 * at.rank() + n));
      }
    }
  }

  /** The sum over the other side, of which each rank here gets its part. */
  @ParameterizedTest
  @CsvSource({"2, 3", "3, 1"})
  void eachSideGetsPartsOfTheSumOfTheOther(int left, int right) throws Exception {
    int total = 12;
    between(
        left,
        right,
        at -> {
          int[] counts = upTo(at.here());
          counts[at.here() - 1] = total - at.here() * (at.here() - 1) / 2;
          int first = at.rank() * (at.rank() + 1) / 2;
          int[] part = new int[counts[at.rank()]];
          at.between().reduceScatter(at.own(0, total), part, counts, MPI.INT, MPI.SUM);
          checkSum(at, part, first);
          int each = total / at.here();
          int[] equal = new int[each];
          at.between().reduceScatterBlock(at.own(0, total), equal, each, MPI.INT, MPI.SUM);
          checkSum(at, equal, each * at.rank());
        });
  }

  private static void checkSum(Place at, int[] part, int first) {
    for (int n = 0; n < part.length; n++) {
      int index = first + n;
      int sum = IntStream.range(0, at.there()).map(i -> at.theirs(i, index)).sum();
      assertThat(part[n]).as("element %d", index).isEqualTo(sum);
    }
  }
}
