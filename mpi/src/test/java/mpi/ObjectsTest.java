package mpi;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Objects go where numbers go: through every collective, and as derived types have them. */
@Timeout(60)
class ObjectsTest extends Worlds {
  private static String text(int of, int number) {
    return "rank %d, %d".formatted(of, number);
  }

  /** So many of a rank's, the second one a list; in front of them something that stays. */
  private static Object[] own(int rank, int count) {
    Object[] made = new Object[1 + count];
    made[0] = "stays";
    for (int i = 0; i < count; i++) {
      made[1 + i] = one(rank, i);
    }
    return made;
  }

  private static Object one(int rank, int i) {
    return i == 1 ? List.of(rank, i) : text(rank, i);
  }

  private static void has(Object[] all, int at, int rank, int first, int count) {
    for (int i = 0; i < count; i++) {
      assertThat(all[at + i]).as("%d of %d", first + i, rank).isEqualTo(one(rank, first + i));
    }
  }

  private static int[] lengths(int n) {
    return IntStream.range(0, n).map(i -> i + 1).toArray();
  }

  /** The last one first, and a gap behind each. */
  private static int[] places(int n) {
    int[] made = new int[n];
    int next = 1;
    for (int i = n - 1; i >= 0; i--) {
      made[i] = next;
      next += i + 2;
    }
    return made;
  }

  private static int room(int n) {
    return 1 + n * (n + 3) / 2;
  }

  @ParameterizedTest
  @ValueSource(ints = {3, 4})
  void aRootGathersAndScatters(int ranks) throws Exception {
    play(
        ranks,
        world -> {
          int me = world.Rank();
          int root = ranks - 1;
          Object[] all = new Object[1 + 2 * ranks];
          world.Gather(own(me, 2), 1, 2, MPI.OBJECT, all, 1, 2, MPI.OBJECT, root);
          for (int i = 0; i < ranks && me == root; i++) {
            has(all, 1 + 2 * i, i, 0, 2);
          }
          Object[] back = new Object[3];
          world.Scatter(all, 1, 2, MPI.OBJECT, back, 1, 2, MPI.OBJECT, root);
          has(back, 1, me, 0, 2);
          Object[] many = new Object[room(ranks)];
          int[] counts = lengths(ranks);
          int[] at = places(ranks);
          world.Gatherv(
              own(me, me + 1), 1, me + 1, MPI.OBJECT, many, 0, counts, at, MPI.OBJECT, root);
          for (int i = 0; i < ranks && me == root; i++) {
            has(many, at[i], i, 0, i + 1);
            assertThat(many[at[i] + i + 1 < many.length ? at[i] + i + 1 : 0]).isNull();
          }
          Object[] part = new Object[me + 2];
          world.Scatterv(many, 0, counts, at, MPI.OBJECT, part, 1, me + 1, MPI.OBJECT, root);
          has(part, 1, me, 0, me + 1);
          assertThat(part[0]).isNull();
        });
  }

  @ParameterizedTest
  @ValueSource(ints = {3, 4})
  void allGather(int ranks) throws Exception {
    play(
        ranks,
        world -> {
          int me = world.Rank();
          int[] at = places(ranks);
          Object[] many = new Object[room(ranks)];
          world.Allgatherv(
              own(me, me + 1), 1, me + 1, MPI.OBJECT, many, 0, lengths(ranks), at, MPI.OBJECT);
          for (int i = 0; i < ranks; i++) {
            has(many, at[i], i, 0, i + 1);
          }
          Object[] all = new Object[ranks];
          world.Iallgather(own(me, 1), 1, 1, MPI.OBJECT, all, 0, 1, MPI.OBJECT).Wait();
          for (int i = 0; i < ranks; i++) {
            has(all, i, i, 0, 1);
          }
        });
  }

  @ParameterizedTest
  @ValueSource(ints = {3, 4})
  void eachGivesEach(int ranks) throws Exception {
    play(
        ranks,
        world -> {
          int me = world.Rank();
          Object[] in = new Object[1 + ranks];
          world.Alltoall(own(me, ranks), 1, 1, MPI.OBJECT, in, 1, 1, MPI.OBJECT);
          for (int i = 0; i < ranks; i++) {
            has(in, 1 + i, i, me, 1);
          }
          int[] out = lengths(ranks); // one to rank 0, two to rank 1
          int[] from = new int[ranks];
          int[] each = new int[ranks];
          int[] at = new int[ranks];
          for (int i = 0; i < ranks; i++) {
            from[i] = i * (i + 1) / 2;
            each[i] = me + 1;
            at[i] = (me + 1) * (ranks - 1 - i);
          }
          Object[] many = own(me, ranks * (ranks + 1) / 2);
          Object[] got = new Object[(me + 1) * ranks];
          world.Alltoallv(many, 1, out, from, MPI.OBJECT, got, 0, each, at, MPI.OBJECT);
          for (int i = 0; i < ranks; i++) {
            has(got, at[i], i, me * (me + 1) / 2, me + 1);
          }
        });
  }

  private static final class Joined extends UserFunction {
    @Override
    public void call(Object in, Object inOut, int count, Datatype type) {
      Object[] from = (Object[]) in;
      Object[] to = (Object[]) inOut;
      for (int i = 0; i < count; i++) {
        to[i] = from[i] + "" + to[i];
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {3, 4})
  void reductionsOfThoseBefore(int ranks) throws Exception {
    play(
        ranks,
        world -> {
          int me = world.Rank();
          String letters = "abcdefgh";
          Op join = new Op(new Joined(), false);
          String[] mine = {letters.substring(me, me + 1)};
          String[] before = {"none"};
          world.exScan(mine, before, 1, MPI.OBJECT, join);
          assertThat(before).containsExactly(me == 0 ? "none" : letters.substring(0, me));
          String[] all = new String[1];
          world.Iallreduce(mine, 0, all, 0, 1, MPI.OBJECT, join).Wait();
          assertThat(all).containsExactly(letters.substring(0, ranks));
          int[] ones = new int[ranks];
          Arrays.fill(ones, 1);
          String[] row = new String[ranks];
          Arrays.fill(row, mine[0]);
          String[] part = new String[1];
          world.reduceScatter(row, part, ones, MPI.OBJECT, join);
          assertThat(part).containsExactly(letters.substring(0, ranks));
        });
  }

  @Test
  void whatIsSentIsReplaced() throws Exception {
    play(
        3,
        world -> {
          int me = world.Rank();
          Object[] both = own(me, 2);
          Status status =
              world.Sendrecv_replace(both, 1, 2, MPI.OBJECT, (me + 1) % 3, 5, (me + 2) % 3, 5);
          has(both, 1, (me + 2) % 3, 0, 2);
          assertThat(both[0]).isEqualTo("stays");
          assertThat(status.Get_count(MPI.OBJECT)).isEqualTo(2);
        });
  }

  /** Where a type has objects, and nowhere else. */
  @Test
  void derivedTypesSayWhereTheyLie() throws Exception {
    Datatype everySecond = Datatype.Vector(2, 1, 2, MPI.OBJECT);
    Datatype backwards = Datatype.Indexed(new int[] {1, 2}, new int[] {4, 0}, MPI.OBJECT);
    assertThat(everySecond.Extent()).isEqualTo(3);
    assertThat(backwards.Size()).isEqualTo(3);
    play(
        2,
        world -> {
          if (world.Rank() == 0) {
            Object[] all = own(0, 8); // at 1 to 8
            world.Send(all, 1, 1, everySecond, 1, 5);
            world.Send(all, 1, 2, everySecond, 1, 6);
            world.Send(all, 1, 1, backwards, 1, 7);
            world.Send(all, 1, 3, MPI.OBJECT, 1, 8);
            world.Isend(all, 1, 2, everySecond, 1, 9).Wait();
          } else {
            Object[] in = new Object[7];
            Status status = world.Recv(in, 0, 7, MPI.OBJECT, 0, 5);
            assertThat(in).startsWith(one(0, 0), one(0, 2), null);
            assertThat(status.Get_count(everySecond)).isOne();
            status = world.Recv(in, 0, 7, MPI.OBJECT, 0, 6);
            assertThat(in).startsWith(one(0, 0), one(0, 2), one(0, 3), one(0, 5), null);
            Arrays.fill(in, null);
            Status _ = world.Recv(in, 0, 3, MPI.OBJECT, 0, 7);
            assertThat(in).startsWith(one(0, 4), one(0, 0), one(0, 1), null);
            Arrays.fill(in, null);
            Status _ = world.Recv(in, 1, 1, backwards, 0, 8);
            assertThat(in).containsExactly(null, one(0, 1), one(0, 2), null, null, one(0, 0), null);
            Arrays.fill(in, null);
            Request came = world.Irecv(in, 1, 2, everySecond, 0, 9);
            Status _ = came.Wait();
            assertThat(in)
                .containsExactly(null, one(0, 0), null, one(0, 2), one(0, 3), null, one(0, 5));
          }
        });
  }

  @ParameterizedTest
  @ValueSource(ints = {3, 4})
  void derivedTypesSayWhereTheyLieInCollectives(int ranks) throws Exception {
    Datatype everySecond = Datatype.Vector(2, 1, 2, MPI.OBJECT);
    play(
        ranks,
        world -> {
          int me = world.Rank();
          Object[] all = new Object[3 * ranks];
          world.Gather(own(me, 3), 1, 1, everySecond, all, 0, 1, everySecond, 0);
          for (int i = 0; i < ranks && me == 0; i++) {
            assertThat(Arrays.copyOfRange(all, 3 * i, 3 * i + 3))
                .containsExactly(one(i, 0), null, one(i, 2));
          }
          Object[] cast = me == 1 ? own(me, 3) : new Object[4];
          world.Bcast(cast, 1, 1, everySecond, 1);
          assertThat(cast[1]).isEqualTo(one(1, 0));
          assertThat(cast[3]).isEqualTo(one(1, 2));
          assertThat(me == 1 || cast[2] == null).isTrue();
          Object[] every = new Object[3 * ranks];
          world.Allgather(own(me, 3), 1, 1, everySecond, every, 0, 1, everySecond);
          for (int i = 0; i < ranks; i++) {
            assertThat(Arrays.copyOfRange(every, 3 * i, 3 * i + 3))
                .containsExactly(one(i, 0), null, one(i, 2));
          }
        });
  }
}
