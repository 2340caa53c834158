package mpi;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Who is not in a new communicator gets none; requests are null when all of them are over. */
@Timeout(60)
class MembersTest extends Worlds {
  @Test
  void gridsAndGraphsAreNullForThoseWhoAreNotInThem() throws Exception {
    play(
        3,
        world -> {
          boolean isIn = world.Rank() < 2;
          int[] two = {2};
          boolean[] ring = {true};
          int[] index = {1, 2};
          int[] edges = {1, 0};
          Cartcomm upper = world.Create_cart(two, ring, false);
          CartComm lower = world.createCart(two, ring, false);
          Graphcomm upperGraph = world.Create_graph(index, edges, false);
          GraphComm lowerGraph = world.createGraph(index, edges, false);
          assertThat(upper == null).isEqualTo(!isIn);
          assertThat(upperGraph == null).isEqualTo(!isIn);
          assertThat(lower.isNull()).isEqualTo(!isIn);
          assertThat(lowerGraph.isNull()).isEqualTo(!isIn);
          assertThat(world.Split(isIn ? 0 : MPI.UNDEFINED, 0) == null).isEqualTo(!isIn);
          assertThat(world.split(isIn ? 0 : MPI.UNDEFINED, 0).isNull()).isEqualTo(!isIn);
          if (upper != null && upperGraph != null) {
            int other = 1 - world.Rank();
            assertThat(upper.Shift(0, 1).rank_dest).isEqualTo(other);
            assertThat(lower.shift(0, 1).getRankDest()).isEqualTo(other);
            assertThat(upperGraph.Neighbours(world.Rank())).containsExactly(other);
            assertThat(lowerGraph.getNeighbors(world.Rank())).containsExactly(other);
            int[] sum = new int[1];
            upper.Allreduce(new int[] {1}, 0, sum, 0, 1, MPI.INT, MPI.SUM);
            assertThat(sum[0]).isEqualTo(2);
          }
        });
  }

  @Test
  void testingAllNullsNothingUntilAllAreOver() throws Exception {
    play(
        1,
        world -> {
          int[] in = new int[2];
          List<Request[]> each = new ArrayList<>();
          for (int i = 0; i < 3; i++) {
            each.add(
                new Request[] {
                  world.Isend(new int[] {i}, 0, 1, MPI.INT, 0, 10 + i),
                  null,
                  world.Irecv(in, 0, 1, MPI.INT, 0, 10 + i),
                  world.Irecv(in, 1, 1, MPI.INT, 0, 20 + i)
                });
          }
          assertThat(Request.testAll(each.get(0))).isFalse();
          assertThat(Request.testAllStatus(each.get(1))).isNull();
          assertThat(Request.Testall(each.get(2))).isNull();
          for (int i = 0; i < 3; i++) {
            assertThat(each.get(i)[0].isNull()).as("sent").isFalse();
            assertThat(each.get(i)[2].isNull()).as("received").isFalse();
            assertThat(each.get(i)[3].Is_null()).as("still to come").isFalse();
            world.Send(new int[] {7}, 0, 1, MPI.INT, 0, 20 + i);
          }
          assertThat(Request.testAll(each.get(0))).isTrue();
          assertThat(Request.testAllStatus(each.get(1))[2].getTag()).isEqualTo(11);
          assertThat(Request.Testall(each.get(2))).hasSize(4);
          for (Request[] all : each) {
            assertThat(all[0].isNull() && all[2].isNull() && all[3].isNull()).isTrue();
          }
        });
  }
}
