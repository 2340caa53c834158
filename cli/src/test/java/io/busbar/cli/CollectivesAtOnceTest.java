package io.busbar.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Many non-blocking collectives at once, whose threads share one processor, all end. */
@Timeout(60)
class CollectivesAtOnceTest extends RunCase {
  @Test
  void allOfThemEnd() throws Exception {
    Path file =
        source(
            "AtOnce.java",
            """
            import java.nio.IntBuffer;
            import mpi.*;

            class AtOnce {
              public static void main(String[] args) throws Exception {
                MPI.Init(args);
                Intracomm world = MPI.COMM_WORLD;
                int size = world.getSize();
                int me = world.getRank();
                for (int count : new int[] {1, 700, 50_000}) {
                  IntBuffer mine = MPI.newIntBuffer(count).put(0, me);
                  IntBuffer all = MPI.newIntBuffer(count * size);
                  IntBuffer[] into = new IntBuffer[8];
                  Request[] started = new Request[8];
                  for (int i = 0; i < 8; i += 2) {
                    into[i] = MPI.newIntBuffer(count);
                    into[i + 1] = MPI.newIntBuffer(count * size);
                    started[i] = world.iAllReduce(mine, into[i], count, MPI.INT, MPI.SUM);
                    started[i + 1] = world.iAllGather(mine, count, MPI.INT, into[i + 1], count, MPI.INT);
                  }
                  world.allGather(mine, count, MPI.INT, all, count, MPI.INT);
                  Request.waitAll(started);
                  for (int i = 0; i < 8; i += 2) {
                    boolean right = into[i].get(0) == size * (size - 1) / 2
                        && into[i + 1].get(count * (size - 1)) == size - 1;
                    if (!right) {
                      throw new AssertionError(count + " ints, collective " + i);
                    }
                  }
                }
                if (me == 0) {
                  IO.println("all ended");
                }
                MPI.Finalize();
              }
            }
            """);
    String one = "--java-opts=-Djdk.virtualThreadScheduler.parallelism=1";
    assertThat(run("-n", 8, one, file)).as(err()).isZero();
    assertThat(out()).isEqualTo("all ended\n");
  }
}
