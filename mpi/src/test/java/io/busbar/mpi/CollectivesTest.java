package io.busbar.mpi;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every collective against what it is defined to give, on as many ranks as are odd and even. */
@Timeout(120)
class CollectivesTest extends Ranks {
  /** Does not commute: {@code (a, b) -> 10 a + b}, for digits. */
  private static final Operation APPEND =
      new Operation(
          "append",
          false,
          (in, inAt, inout, inoutAt, count, type) -> {
            long[] a = (long[]) in;
            long[] b = (long[]) inout;
            for (int i = 0; i < 2 * count; i += 2) {
              b[inoutAt + i] += a[inAt + i] * b[inoutAt + i + 1];
              b[inoutAt + i + 1] *= a[inAt + i + 1];
            }
          });

  private static double value(int rank, int i) {
    return 1000 * rank + i;
  }

  private static double[] values(int rank, int length) {
    double[] made = new double[length];
    Arrays.setAll(made, i -> value(rank, i));
    return made;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 7, 8})
  void dataMove(int n) throws Exception {
    for (int length : new int[] {1, 1000, 20_000}) {
      run(n, world -> move(world, length));
    }
  }

  /** Some share memory, others are alone: those of a host side by side, and not. */
  @ParameterizedTest
  @CsvSource({
    "3, shm+udp/shm+udp/udp",
    "4, shm+udp/shm+udp/udp",
    "4, udp/shm+udp/shm+udp/shm+udp",
    "7, shm+udp/shm+udp/udp",
    "8, shm+udp/udp"
  })
  void dataMoveAndAreCombinedByHost(int n, String fabrics) throws Exception {
    String each = fabrics.replace('+', ',');
    for (int length : new int[] {1, 1000, 20_000}) {
      run(n, each, world -> move(world, length));
      run(n, each, world -> reduce(world, length));
    }
    run(n, each, CollectivesTest::append);
  }

  /** Once all know who is where, only leaders speak to other hosts. */
  @Test
  void onlyLeadersSpeakToOtherHosts() throws Exception {
    long[] before = new long[5];
    long[] after = new long[5];
    run(
        5,
        "shm,udp/shm,udp/udp",
        world -> {
          agree(world);
          before[world.rank()] = sent(world.rank(), 2);
          for (int i = 0; i < 10; i++) {
            agree(world);
          }
          after[world.rank()] = sent(world.rank(), 2);
        });
    assertThat(after[1]).as("by rank 1").isEqualTo(before[1]);
    assertThat(after[3]).as("by rank 3").isEqualTo(before[3]);
    assertThat(after[0]).as("by rank 0, who leads").isGreaterThanOrEqualTo(before[0] + 30);
  }

  private static void agree(Communicator world) {
    int[] one = {1};
    int[] sum = new int[1];
    world.collectives().allReduce(one, 0, sum, 0, 1, Datatype.INT, Operation.SUM);
    assertThat(sum[0]).isEqualTo(world.size());
    world.collectives().broadcast(one, 0, 1, Datatype.INT, 3);
    world.collectives().barrier();
  }

  private static void move(Communicator world, int length) {
    int n = world.size();
    int me = world.rank();
    world.collectives().barrier();
    for (int root = 0; root < n; root++) {
      double[] all = root == me ? values(root, length) : new double[length];
      world.collectives().broadcast(all, 0, length, Datatype.DOUBLE, root);
      assertThat(all).isEqualTo(values(root, length));
    }
    double[] mine = values(me, length);
    double[] gathered = new double[n * length];
    double[] right = new double[n * length];
    Arrays.setAll(right, i -> value(i / length, i % length));
    int root = n / 2;
    world
        .collectives()
        .gather(mine, 0, length, Datatype.DOUBLE, gathered, 0, length, Datatype.DOUBLE, root);
    assertThat(gathered).isEqualTo(me == root ? right : new double[n * length]);
    Arrays.fill(gathered, 0);
    world
        .collectives()
        .allGather(mine, 0, length, Datatype.DOUBLE, gathered, 0, length, Datatype.DOUBLE);
    assertThat(gathered).isEqualTo(right);
    double[] part = new double[length];
    world
        .collectives()
        .scatter(right, 0, length, Datatype.DOUBLE, part, 0, length, Datatype.DOUBLE, root);
    assertThat(part).isEqualTo(mine);
    allToAll(world, length);
  }

  private static void allToAll(Communicator world, int length) {
    int n = world.size();
    double[] out = new double[n * length];
    Arrays.setAll(out, i -> 1e6 * world.rank() + value(i / length, i % length));
    double[] in = new double[n * length];
    long[] places = IntStream.range(0, n).mapToLong(i -> 8L * i * length).toArray();
    int[] counts = new int[n];
    Arrays.fill(counts, length);
    Datatype[] types = new Datatype[n];
    Arrays.fill(types, Datatype.DOUBLE);
    world.collectives().allToAll(out, places, counts, types, in, places, counts, types);
    double[] right = new double[n * length];
    Arrays.setAll(right, i -> 1e6 * Math.floorDiv(i, length) + value(world.rank(), i % length));
    assertThat(in).isEqualTo(right);
    world
        .collectives()
        .allToAll(Collectives.IN_PLACE, places, counts, types, out, places, counts, types);
    assertThat(out).isEqualTo(right);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 7, 8})
  void reductions(int n) throws Exception {
    for (int length : new int[] {1, 13, 30_001}) {
      run(n, world -> reduce(world, length));
    }
  }

  private static void reduce(Communicator world, int length) {
    int n = world.size();
    int me = world.rank();
    double[] sum = new double[length];
    Arrays.setAll(sum, i -> IntStream.range(0, n).mapToDouble(r -> value(r, i)).sum());
    double[] mine = values(me, length);
    double[] in = new double[length];
    int root = n - 1;
    world.collectives().reduce(mine, 0, in, 0, length, Datatype.DOUBLE, Operation.SUM, root);
    assertThat(in).isEqualTo(me == root ? sum : new double[length]);
    world.collectives().allReduce(mine, 0, in, 0, length, Datatype.DOUBLE, Operation.SUM);
    assertThat(in).isEqualTo(sum);
    double[] same = values(me, length);
    world
        .collectives()
        .allReduce(Collectives.IN_PLACE, 0, same, 0, length, Datatype.DOUBLE, Operation.SUM);
    assertThat(same).isEqualTo(sum);
    double[] among = new double[length + 7];
    world.collectives().allReduce(mine, 0, among, 24, length, Datatype.DOUBLE, Operation.SUM);
    assertThat(Arrays.copyOfRange(among, 3, length + 3)).isEqualTo(sum);
    assertThat(among[2]).isZero();
    assertThat(among[length + 3]).isZero();
    world.collectives().scan(mine, 0, in, 0, length, Datatype.DOUBLE, Operation.SUM, false);
    double[] upToMe = new double[length];
    Arrays.setAll(upToMe, i -> IntStream.rangeClosed(0, me).mapToDouble(r -> value(r, i)).sum());
    assertThat(in).isEqualTo(upToMe);
    Arrays.fill(in, -1);
    world.collectives().scan(mine, 0, in, 0, length, Datatype.DOUBLE, Operation.SUM, true);
    double[] beforeMe = new double[length];
    Arrays.setAll(
        beforeMe, i -> me == 0 ? -1 : IntStream.range(0, me).mapToDouble(r -> value(r, i)).sum());
    assertThat(in).isEqualTo(beforeMe);
    reduceScatter(world, length);
  }

  private static void reduceScatter(Communicator world, int length) {
    int n = world.size();
    int[] counts = new int[n];
    Arrays.setAll(counts, i -> length + i);
    int total = Arrays.stream(counts).sum();
    double[] in = new double[counts[world.rank()]];
    world
        .collectives()
        .reduceScatter(
            values(world.rank(), total), 0, in, 0, counts, Datatype.DOUBLE, Operation.SUM);
    int start = IntStream.range(0, world.rank()).map(i -> counts[i]).sum();
    double[] right = new double[in.length];
    Arrays.setAll(right, i -> IntStream.range(0, n).mapToDouble(r -> value(r, start + i)).sum());
    assertThat(in).isEqualTo(right);
  }

  /** The digits of all ranks, in their order. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8})
  void operationsNeedNotCommute(int n) throws Exception {
    run(n, CollectivesTest::append);
  }

  private static void append(Communicator world) {
    Datatype pair = Datatype.contiguous(2, Datatype.LONG);
    int n = world.size();
    long right = 0;
    for (int i = 1; i <= n; i++) {
      right = 10 * right + i;
    }
    long[] mine = {world.rank() + 1, 10};
    long[] in = new long[2];
    for (int root = 0; root < n; root++) {
      world.collectives().reduce(mine, 0, in, 0, 1, pair, APPEND, root);
      if (root == world.rank()) {
        assertThat(in[0]).isEqualTo(right);
      }
    }
    world.collectives().allReduce(mine, 0, in, 0, 1, pair, APPEND);
    assertThat(in[0]).isEqualTo(right);
    world.collectives().scan(mine, 0, in, 0, 1, pair, APPEND, false);
    assertThat(in[0]).isEqualTo(right / (long) Math.pow(10, n - 1 - world.rank()));
  }

  @Test
  void manyAreUnderWayAtOnce() throws Exception {
    run(
        4,
        world -> {
          List<Request> all = new ArrayList<>();
          List<int[]> sums = new ArrayList<>();
          for (int i = 0; i < 100; i++) {
            all.add(world.start("barrier", Collectives::barrier));
            int[] mine = {i + world.rank()};
            int[] sum = new int[1];
            sums.add(sum);
            all.add(
                world.start(
                    "sum", c -> c.allReduce(mine, 0, sum, 0, 1, Datatype.INT, Operation.SUM)));
          }
          all.forEach(Request::await);
          for (int i = 0; i < 100; i++) {
            assertThat(sums.get(i)[0]).isEqualTo(4 * i + 6);
          }
        });
  }

  /** What each side does among itself is of one of them, too, whichever thread comes first. */
  @Test
  void manyAreUnderWayBetweenTwoSides() throws Exception {
    run(
        4,
        world -> {
          int mine = world.rank() % 2;
          Communicator side = Objects.requireNonNull(world.split(mine, 0));
          Communicator both = side.createInter(0, world, 1 - mine, 5);
          List<Request> all = new ArrayList<>();
          List<int[]> sums = new ArrayList<>();
          for (int i = 0; i < 50; i++) {
            int[] value = {100 * i + mine};
            int[] sum = new int[1];
            sums.add(sum);
            all.add(
                both.start(
                    "iAllReduce",
                    c -> c.allReduce(value, 0, sum, 0, 1, Datatype.INT, Operation.SUM)));
          }
          for (int i = 0; i < 50; i++) {
            all.get(i).await();
            assertThat(all.get(i).error()).isNull();
            assertThat(sums.get(i)[0]).isEqualTo(2 * (100 * i + 1 - mine));
          }
        });
  }

  @Test
  void communicatorsAreMadeOfOthers() throws Exception {
    run(
        5,
        world -> {
          Communicator same = world.duplicate();
          assertThat(same.compare(world)).isEqualTo(Group.Likeness.CONGRUENT);
          Communicator half = Objects.requireNonNull(world.split(world.rank() % 2, -world.rank()));
          assertThat(half.size()).isEqualTo(world.rank() % 2 == 0 ? 3 : 2);
          int[] sum = new int[1];
          int[] mine = {world.rank()};
          half.collectives().allReduce(mine, 0, sum, 0, 1, Datatype.INT, Operation.SUM);
          assertThat(sum[0]).isEqualTo(world.rank() % 2 == 0 ? 6 : 4);
          assertThat(half.group().node(0)).isEqualTo(world.rank() % 2 == 0 ? 4 : 3);
          Communicator between = half.createInter(0, world, world.rank() % 2 == 0 ? 3 : 4, 17);
          assertThat(between.remoteSize()).isEqualTo(world.rank() % 2 == 0 ? 2 : 3);
          between.collectives().allReduce(mine, 0, sum, 0, 1, Datatype.INT, Operation.SUM);
          assertThat(sum[0]).isEqualTo(world.rank() % 2 == 0 ? 4 : 6);
          between.collectives().barrier();
          Communicator all = between.merge(world.rank() % 2 == 0);
          assertThat(all.size()).isEqualTo(5);
          assertThat(all.group().node(0)).isEqualTo(3);
          all.collectives().allReduce(mine, 0, sum, 0, 1, Datatype.INT, Operation.SUM);
          assertThat(sum[0]).isEqualTo(10);
        });
  }
}
