package io.busbar.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Programs that are checked, and programs that wait for each other. */
@Timeout(120)
class RunWatchedTest extends RunCase {
  private Path program(String name, String body) throws Exception {
    return source(
        name + ".java",
        """
        import mpi.*;

        class %s {
          public static void main(String[] args) throws Exception {
            MPI.Init(args);
            Comm world = MPI.COMM_WORLD;
            int rank = world.getRank();
            int[] word = new int[2];
        %s
            MPI.Finalize();
          }
        }
        """
            .formatted(name, body));
  }

  @Test
  void whatIsNotTheSameEverywhereIsTold() throws Exception {
    Path file =
        program(
            "Differ",
            """
            try {
              if (rank == 0) {
                world.barrier();
              } else {
                world.bcast(word, 2, MPI.INT, 0);
              }
            } catch (MPIException e) {
              IO.println(e.getMessage() + " " + (e.getErrorClass() == MPI.ERR_OTHER));
            }
            """);
    assertThat(run("-n", 2, "--check", "--label", file)).as(err()).isZero();
    String text =
        "not the same call everywhere in MPI_COMM_WORLD: "
            + "rank 0 calls barrier(), rank 1 calls bcast(root 0, 8 B) true";
    assertThat(out().lines())
        .containsExactlyInAnyOrder("[0] Comm.barrier: " + text, "[1] Comm.bcast: " + text);
    assertThat(err()).isEmpty();
  }

  @Test
  void whatIsLeftIsTold() throws Exception {
    Path file =
        program(
            "Leaves",
            """
            if (rank == 1) {
              world.send(word, 1, MPI.INT, 0, 9);
              world.send(word, 2, MPI.INT, 0, 9);
            } else {
              world.iRecv(MPI.newIntBuffer(1), 1, MPI.INT, MPI.ANY_SOURCE, 4);
              Comm made = MPI.COMM_SELF.dup();
              made.setName("a copy");
            }
            """);
    assertThat(run("-n", 2, "--check", "--label", file)).as(err()).isZero();
    assertThat(err().lines())
        .containsExactly(
            "[0] busbar check: rank 0 never received 2 messages from rank 1 with tag 9 in"
                + " MPI_COMM_WORLD, 12 bytes",
            "[0] busbar check: rank 0 ended with 1 receive from any rank with tag 4 in"
                + " MPI_COMM_WORLD that nothing came for",
            "[0] busbar check: rank 0 never freed a copy");
    assertThat(out()).isEmpty();
    assertThat(run("-n", 2, file)).isZero();
    assertThat(err().lines()).hasSize(3);
  }

  @Test
  void deadlockIsShownAndEnded() throws Exception {
    Path file =
        program(
            "Dead",
            """
            if (rank == 2) {
              world.sSend(word, 1, MPI.INT, 0, 3);
            } else {
              world.recv(word, 1, MPI.INT, rank + 1, 7);
            }
            """);
    assertThat(run("-n", 3, "--watch-deadlock=0.5", file)).isEqualTo(1);
    assertThat(err())
        .containsPattern("0 +recv +receive +1 +7 +MPI_COMM_WORLD +[0-9.]+ s +Dead.main.Dead.java:")
        .containsPattern("1 +recv +receive +2 +7 +MPI_COMM_WORLD +[0-9.]+ s +Dead.main.Dead.java:")
        .containsPattern("2 +sSend +send +0 +3 +MPI_COMM_WORLD +[0-9.]+ s +Dead.main.Dead.java:")
        .endsWith(
            "busbar run: deadlock: rank 0 waits for rank 1, rank 1 waits for rank 2, "
                + "rank 2 waits for rank 0; all were ended\n");
  }

  @Tag("long")
  @Test
  void whoIsOnlySlowGoesOn() throws Exception {
    Path file =
        program(
            "Slow",
            """
            if (rank == 1) {
              Thread.ofPlatform().start(() -> {
                try {
                  Thread.sleep(3500);
                  world.send(word, 1, MPI.INT, 0, 1);
                } catch (InterruptedException e) {
                  throw new IllegalStateException(e);
                }
              });
            } else {
              world.recv(word, 1, MPI.INT, 1, 1);
            }
            world.iBarrier().waitFor();
            IO.println("done");
            """);
    assertThat(run("-n", 2, "--watch-deadlock=0.5", file)).as(err()).isZero();
    assertThat(out().lines()).containsExactly("done", "done");
    assertThat(err())
        .contains("busbar run: all ranks wait, which need not be a deadlock:")
        .containsPattern("1 +waitFor +a collective +itself")
        .containsPattern("1 +iBarrier +receive +0 .* by itself")
        .containsPattern("rank 1 may go on: thread Thread-0 at Slow.lambda")
        .doesNotContain("deadlock, who");
  }

  /** Only a number is taken for the seconds, so that the program can follow. */
  @Test
  void wordsAreRead() throws Exception {
    Path file = program("Ends", "");
    assertThat(run("--watch-deadlock", file)).as(err()).isZero();
    assertThat(run("--watch-deadlock=0", file)).isEqualTo(2);
    assertThat(err()).contains("--watch-deadlock is 0.0; it must be 0.5 to 86400.0 seconds");
  }

  /** Its classes are not taken for Busbar's, which have that package, too. */
  @Test
  void programInPackageMpiIsSeen() throws Exception {
    Path file =
        source(
            "Own.java",
            """
            package mpi;

            public class Own {
              public static void main(String[] args) {
                MPI.Init(args);
                MPI.COMM_WORLD.Recv(new int[1], 0, 1, MPI.INT, 1 - MPI.COMM_WORLD.Rank(), 3);
                MPI.Finalize();
              }
            }
            """);
    assertThat(run("-n", 2, "--watch-deadlock=0.5", file)).isEqualTo(1);
    assertThat(err()).contains("  Recv  receive  ").contains("mpi.Own.main(Own.java:6)");
  }
}
