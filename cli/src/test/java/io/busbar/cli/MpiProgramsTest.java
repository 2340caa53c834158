package io.busbar.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.lab.bed.TestBed;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Programs of both families, which use all of their interface and check what they get. */
@Timeout(120)
class MpiProgramsTest extends RunCase {
  private Path program(String name) throws IOException {
    String file = name + ".java";
    try (InputStream text =
        Objects.requireNonNull(MpiProgramsTest.class.getResourceAsStream("/programs/" + file))) {
      return source(file, new String(text.readAllBytes(), UTF_8));
    }
  }

  private static String[] all(int ranks) {
    return IntStream.range(0, ranks)
        .mapToObj(rank -> "[%d] rank %d of %d: all hold".formatted(rank, rank, ranks))
        .toArray(String[]::new);
  }

  @ParameterizedTest
  @CsvSource({
    "UpperCase, 1",
    "LowerCase, 1",
    "More, 1",
    "UpperCase, 4",
    "LowerCase, 4",
    "More, 4",
    "More, 3",
    "Threads, 3"
  })
  void allHolds(String name, int ranks) throws Exception {
    assertThat(run("-n", ranks, "--label", program(name), "argument")).as(err()).isZero();
    assertThat(out().lines()).containsExactlyInAnyOrder(all(ranks));
  }

  /** What is right is right when it is looked at, too. */
  @Tag("long")
  @ParameterizedTest
  @CsvSource({"UpperCase, 3", "LowerCase, 3", "More, 3", "UpperCase, 4", "LowerCase, 4"})
  void allHoldsWhenChecked(String name, int ranks) throws Exception {
    assertThat(
            run(
                "-n",
                ranks,
                "--label",
                "--check",
                "--watch-deadlock=30",
                program(name),
                "argument"))
        .as(err())
        .isZero();
    assertThat(out().lines()).containsExactlyInAnyOrder(all(ranks));
    assertThat(err()).doesNotContain("deadlock");
  }

  @Tag("long")
  @ParameterizedTest
  @CsvSource({
    "UpperCase, 2",
    "LowerCase, 2",
    "UpperCase, 3",
    "LowerCase, 3",
    "UpperCase, 7",
    "LowerCase, 7",
    "UpperCase, 8",
    "LowerCase, 8",
    "More, 2",
    "More, 7",
    "More, 8",
    "Threads, 1",
    "Threads, 2",
    "Threads, 7"
  })
  void allHoldsOnOddAndEven(String name, int ranks) throws Exception {
    allHolds(name, ranks);
  }

  @Tag("long")
  @ParameterizedTest
  @CsvSource({
    "UpperCase, 1, udp",
    "LowerCase, 1, udp",
    "UpperCase, 2, udp",
    "LowerCase, 2, udp",
    "UpperCase, 3, udp",
    "LowerCase, 3, udp",
    "UpperCase, 4, udp",
    "LowerCase, 4, udp",
    "UpperCase, 7, udp",
    "LowerCase, 7, udp",
    "UpperCase, 8, udp",
    "LowerCase, 8, udp",
    "UpperCase, 3, packet|udp",
    "LowerCase, 3, packet|udp",
    "UpperCase, 8, xdp|udp",
    "More, 4, udp",
    "Threads, 3, udp",
    "More, 8, packet|udp"
  })
  void allHoldsBetweenHosts(String name, int ranks, String fabric) throws Exception {
    try (TestBed bed = TestBed.create(ranks)) {
      PrintWriter err = new PrintWriter(System.err, true, UTF_8);
      Launch launch =
          new Launch(
              new SourceProgram(program(name), List.of()),
              rank -> List.of("argument"),
              ranks,
              true,
              List.of("-XX:TieredStopAtLevel=1"),
              rank -> LocalSeat.in(bed.host(rank)).with(RunEnvironment.FABRICS, fabric));
      assertThat(launch.run(err)).as(err()).isZero();
    }
    assertThat(out().lines()).containsExactlyInAnyOrder(all(ranks));
  }

  @Test
  void abortEndsAllAndSaysWho() throws Exception {
    Path file =
        source(
            "Aborts.java",
            """
            import mpi.MPI;

            void main(String[] args) throws Exception {
              MPI.Init(args);
              if (MPI.COMM_WORLD.getRank() == 1) {
                MPI.COMM_WORLD.abort(42);
              }
              MPI.COMM_WORLD.barrier();
            }
            """);
    long startNs = System.nanoTime();
    assertThat(run("-n", 3, file)).isEqualTo(42);
    assertThat(err())
        .contains("rank 1 called abort with code 42")
        .contains("busbar run: rank 1 on ")
        .doesNotContain("cannot wait");
    assertThat(err()).contains(" ended with 42; the others were ended");
    assertThat(System.nanoTime() - startNs).isLessThan(20_000_000_000L);
  }

  /**
   * Some programs skip the three arguments themselves, others ask Init for the rest. The second is
   * how many processes there are, as when MPJ Express runs them on one host: programs read it.
   */
  @Test
  void argumentsAreThoseOfMpjExpress() throws Exception {
    Path file =
        source(
            "Given.java",
            """
            import mpi.MPI;

            void main(String[] args) {
              String[] mine = MPI.Init(args);
              IO.println(String.join(" ", args) + ": " + args[3] + " " + String.join(" ", mine));
              MPI.Finalize();
            }
            """);
    assertThat(run("-n", 2, "--mpj", "--label", file, "a", "b")).as(err()).isZero();
    assertThat(out().lines())
        .containsExactlyInAnyOrder("[0] 0 2 niodev a b: a a b", "[1] 1 2 niodev a b: a a b");
  }

  /** Those who wait for a rank that is gone are told; nobody hangs. */
  @Test
  void deathOfRankIsAnError() throws Exception {
    Path file =
        source(
            "Dies.java",
            """
            import mpi.*;

            void main(String[] args) throws Exception {
              MPI.Init(args);
              if (MPI.COMM_WORLD.getRank() == 1) {
                System.exit(0); // without a word
              }
              try {
                MPI.COMM_WORLD.recv(new int[1], 1, MPI.INT, 1, 0);
                IO.println("received");
              } catch (MPIException e) {
                IO.println("error class " + (e.getErrorClass() == MPI.ERR_PROC_ABORTED));
              }
            }
            """);
    assertThat(run("-n", 2, file)).as(err()).isZero();
    assertThat(out().strip()).isEqualTo("error class true");
  }

  /** A rank may finalise and end while others work. */
  @Test
  void ranksEndWhenTheyWant() throws Exception {
    Path file =
        source(
            "Early.java",
            """
            import mpi.*;

            void main(String[] args) throws Exception {
              MPI.Init(args);
              int rank = MPI.COMM_WORLD.getRank();
              int[] word = {rank};
              if (rank == 0) {
                int sum = 0;
                for (int i = 0; i < 2; i++) {
                  MPI.COMM_WORLD.recv(word, 1, MPI.INT, MPI.ANY_SOURCE, 0);
                  sum += word[0];
                }
                try {
                  MPI.COMM_WORLD.recv(word, 1, MPI.INT, 1, 1);
                } catch (MPIException e) {
                  IO.println("rank 1 has ended " + (e.getErrorClass() == MPI.ERR_PROC_ABORTED));
                }
                MPI.COMM_WORLD.send(word, 1, MPI.INT, 2, 0);
                MPI.COMM_WORLD.recv(word, 1, MPI.INT, MPI.ANY_SOURCE, 0);
                IO.println("sum " + (sum + word[0]));
              } else {
                MPI.COMM_WORLD.send(word, 1, MPI.INT, 0, 0);
                if (rank == 2) {
                  MPI.COMM_WORLD.recv(new int[1], 1, MPI.INT, 0, 0); // rank 1 has ended
                  MPI.COMM_WORLD.send(word, 1, MPI.INT, 0, 0);
                }
              }
              MPI.Finalize();
            }
            """);
    assertThat(run("-n", 3, file)).as(err()).isZero();
    assertThat(out().lines()).containsExactly("rank 1 has ended true", "sum 5");
  }
}
