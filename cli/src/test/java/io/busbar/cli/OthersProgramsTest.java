package io.busbar.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What programs of others rely on, though no standard says it, or few know that it does. */
@Timeout(60)
class OthersProgramsTest extends RunCase {
  /** What may pass on a busy machine before a process that is started does anything. */
  private static final long STARTS_MS = 500;

  /** As the suite of MPJ Express packs, into buffers of its own. */
  @Test
  void buffersOfMpjExpressAreSentAndReceived() throws Exception {
    Path file =
        source(
            "Packs.java",
            """
            import mpi.*;
            import mpjbuf.*;

            public class Packs {
              public static void main(String[] args) throws Exception {
                MPI.Init(args);
                Intracomm world = MPI.COMM_WORLD;
                Buffer buffer =
                    new Buffer(
                        BufferFactory.create(600 + MPI.SEND_OVERHEAD),
                        MPI.SEND_OVERHEAD,
                        600 + MPI.SEND_OVERHEAD);
                int[] length = new int[1];
                double[] real = {2.5};
                Object[] objects = {"text"};
                if (world.Rank() == 0) {
                  int at = world.Pack(real, 0, 1, MPI.DOUBLE, buffer, 0);
                  length[0] = world.Pack(objects, 0, 1, MPI.OBJECT, buffer, at);
                  world.Send(length, 0, 1, MPI.INT, 1, 1);
                  world.Send(buffer, 0, length[0], MPI.PACKED, 1, 2);
                  world.Isend(buffer, 0, length[0], MPI.PACKED, 1, 3).Wait();
                } else {
                  world.Recv(length, 0, 1, MPI.INT, 0, 1);
                  for (int tag = 2; tag <= 3; tag++) {
                    world.Recv(buffer, 0, length[0], MPI.PACKED, 0, tag);
                    real[0] = 0;
                    objects[0] = null;
                    int at = world.Unpack(buffer, 0, real, 0, 1, MPI.DOUBLE);
                    at = world.Unpack(buffer, at, objects, 0, 1, MPI.OBJECT);
                    System.out.println(real[0] + " " + objects[0] + " " + (at == length[0]));
                  }
                }
                BufferFactory.destroy(buffer.getStaticBuffer());
                MPI.Finalize();
              }
            }
            """);
    assertThat(run("-n", 2, file)).as(err()).isZero();
    assertThat(out().lines()).containsExactly("2.5 text true", "2.5 text true");
  }

  /** They make room for what they have probed, before they say as what they will receive it. */
  @Test
  void probesSayHowManyElementsThereAre() throws Exception {
    Path file =
        source(
            "Probes.java",
            """
            import mpi.*;

            void main(String[] args) {
              MPI.Init(args);
              Intracomm world = MPI.COMM_WORLD;
              if (world.Rank() == 0) {
                world.Send(new int[9], 1, 7, MPI.INT, 1, 1);
                world.Send(new double[50_000], 0, 50_000, MPI.DOUBLE, 1, 2);
                world.Send(new Object[] {"a", "b"}, 0, 2, MPI.OBJECT, 1, 3);
                world.Send(new char[0], 0, 0, MPI.CHAR, 1, 4);
              } else {
                for (int tag = 1; tag <= 4; tag++) {
                  Status probed = world.Probe(0, tag);
                  IO.println(probed.count + " " + probed.numEls);
                  switch (tag) {
                    case 1 -> world.Recv(new int[probed.count], 0, probed.count, MPI.INT, 0, 1);
                    case 2 ->
                        world.Recv(new double[probed.count], 0, probed.count, MPI.DOUBLE, 0, 2);
                    case 3 ->
                        world.Recv(new Object[probed.count], 0, probed.count, MPI.OBJECT, 0, 3);
                    default -> world.Recv(new char[0], 0, 0, MPI.CHAR, 0, 4);
                  }
                }
              }
              MPI.Finalize();
            }
            """);
    assertThat(run("-n", 2, file)).as(err()).isZero();
    assertThat(out().lines()).containsExactly("7 7", "50000 50000", "2 2", "0 0");
  }

  /** No program may, but many do: other implementations keep short messages without a bound. */
  @Test
  void thousandsOfShortMessagesAreSentBeforeAnyIsReceived() throws Exception {
    Path file =
        source(
            "Many.java",
            """
            import mpi.*;

            void main(String[] args) {
              MPI.Init(args);
              Intracomm world = MPI.COMM_WORLD;
              int other = 1 - world.Rank();
              int count = 60_000;
              int[] value = new int[25];
              for (int i = 0; i < count; i++) {
                value[0] = i;
                value[24] = -i;
                world.Send(value, 0, 25, MPI.INT, other, i % 7);
              }
              boolean right = true;
              for (int i = 0; i < count - 1; i++) {
                world.Recv(value, 0, 25, MPI.INT, other, i % 7);
                right &= value[0] == i && value[24] == -i;
              }
              long startNs = System.nanoTime();
              if (world.Rank() == 1) {
                for (int i = 0; i < 50_000; i++) {
                  world.Send(value, 0, 25, MPI.INT, 0, 9);
                }
              }
              if (world.Rank() == 0) {
                for (int i = 0; i < 50_000; i++) {
                  world.Recv(value, 0, 25, MPI.INT, 1, 9);
                }
              }
              MPI.Finalize();
              boolean isSoon = System.nanoTime() - startNs < 15_000_000_000L;
              IO.println(right + " " + isSoon);
            }
            """);
    assertThat(run("-n", 2, file)).as(err()).isZero();
    assertThat(out().lines()).containsExactly("true true", "true true");
  }

  /** They ignore where they are told to begin: so they are given all, from its beginning. */
  @Test
  void functionsOfProgramsAreGivenWholeArrays() throws Exception {
    Path file =
        source(
            "Whole.java",
            """
            import mpi.*;

            void main(String[] args) {
              MPI.Init(args);
              Intracomm world = MPI.COMM_WORLD;
              int count = 100_000;
              User_function add =
                  new User_function() {
                    public void Call(
                        Object in, int inAt, Object inout, int inoutAt, int n, Datatype type) {
                      for (int i = 0; i < n; i++) {
                        ((int[]) inout)[i] += ((int[]) in)[i];
                      }
                    }
                  };
              int[] mine = new int[count];
              for (int i = 0; i < count; i++) {
                mine[i] = i + world.Rank();
              }
              int[] sums = new int[count];
              world.Allreduce(mine, 0, sums, 0, count, MPI.INT, new Op(add, true));
              int size = world.Size();
              int wrong = 0;
              for (int i = 0; i < count; i++) {
                wrong += sums[i] == size * i + size * (size - 1) / 2 ? 0 : 1;
              }
              IO.println(wrong);
              MPI.Finalize();
            }
            """);
    assertThat(run("-n", 3, file)).as(err()).isZero();
    assertThat(run("-n", 4, file)).as(err()).isZero();
    assertThat(out().lines()).hasSize(3 + 4).containsOnly("0");
  }

  /** MPJ Express does not make it collective, and has a test in which the members alone call it. */
  @Test
  void membersAloneMayCreate() throws Exception {
    Path file =
        source(
            "Members.java",
            """
            import mpi.*;

            void main(String[] args) {
              MPI.Init(args);
              int rank = MPI.COMM_WORLD.Rank();
              Group some = MPI.COMM_WORLD.Group().Incl(new int[] {2, 0});
              if (rank != 1) {
                Intracomm made = MPI.COMM_WORLD.Create(some);
                int[] sum = {rank};
                made.allReduce(sum, 1, MPI.INT, MPI.SUM);
                IO.println(made.Rank() + " of " + made.Size() + ": " + sum[0]);
              }
              MPI.COMM_WORLD.Barrier();
              Intracomm all = MPI.COMM_WORLD.dup();
              all.barrier();
              MPI.Finalize();
            }
            """);
    assertThat(run("-n", 3, "--label", file)).as(err()).isZero();
    assertThat(out().lines()).containsExactlyInAnyOrder("[0] 1 of 2: 2", "[2] 0 of 2: 2");
  }

  @Test
  void duplicationGoesOnByItself() throws Exception {
    Path file =
        source(
            "Later.java",
            """
            import mpi.*;

            void main(String[] args) {
              MPI.Init(args);
              Intracomm world = MPI.COMM_WORLD;
              int[] word = {7};
              Intracomm made;
              if (world.getRank() == 0) {
                made = world.iDup();
                world.send(word, 1, MPI.INT, 1, 0);
              } else {
                world.recv(word, 1, MPI.INT, 0, 0);
                made = world.iDup();
              }
              made.getRequest().waitFor();
              made.barrier();
              MPI.Finalize();
            }
            """);
    assertThat(run("-n", 2, "--watch-deadlock=8", file)).as(err()).isZero();
  }

  /** The kernel keeps eight bits of an exit code. */
  @Test
  void abortNeverLooksLikeSuccess() throws Exception {
    Path file =
        source(
            "Aborts.java",
            """
            void main(String[] args) {
              mpi.MPI.Init(args);
              mpi.MPI.COMM_WORLD.Abort(256);
            }
            """);
    assertThat(run("-n", 2, file)).isEqualTo(1);
    assertThat(err()).contains("called abort with code 256");
  }

  @Test
  void errorsAreFatalIfSoChosen() throws Exception {
    Path file =
        source(
            "Fatal.java",
            """
            import mpi.*;

            void main(String[] args) {
              MPI.Init(args);
              Intracomm parent = MPI.COMM_WORLD.dup();
              parent.setErrhandler(MPI.ERRORS_ARE_FATAL);
              Comm comm = parent.split(0, 0); // inherits
              if (comm.getRank() == 1) {
                try {
                  Request request = comm.Irecv(new int[1], 0, 1, MPI.INT, 1, 0);
                  comm.Send(new int[2], 0, 2, MPI.INT, 1, 0);
                  request.Wait();
                } catch (MPIException e) {
                  IO.println("was not fatal");
                }
              }
              comm.barrier();
            }
            """);
    assertThat(run("-n", 2, file)).isEqualTo(mpi.MPI.ERR_TRUNCATE);
    assertThat(err())
        .contains("MPI error, and errors are fatal: Comm.Irecv: ")
        .contains("busbar run: rank 1 on ");
    assertThat(out()).doesNotContain("was not fatal");
  }

  /** A rank that is killed is named, with its host and the signal, and takes all with it. */
  @Test
  void deathEndsAllWithinASecond() throws Exception {
    Path file =
        source(
            "Dies.java",
            """
            import mpi.*;

            void main(String[] args) throws Exception {
              MPI.Init(args);
              MPI.COMM_WORLD.barrier();
              if (MPI.COMM_WORLD.getRank() == 1) {
                IO.println("dies at " + System.currentTimeMillis());
                new ProcessBuilder("kill", "-9", "" + ProcessHandle.current().pid()).start();
              }
              try {
                MPI.COMM_WORLD.recv(new int[1], 1, MPI.INT, MPI.COMM_WORLD.getRank(), 5);
              } catch (MPIException e) {
                Thread.sleep(100_000); // does not take the hint
              }
            }
            """);
    assertThat(run("-n", 4, file)).isEqualTo(128 + 9);
    long endMs = System.currentTimeMillis();
    String last = out().lines().filter(line -> line.contains("dies at ")).findFirst().orElseThrow();
    long diedMs = Long.parseLong(last.substring(last.lastIndexOf(' ') + 1));
    assertThat(endMs - diedMs).isLessThan(1_000 + STARTS_MS);
    String host = Files.readString(Path.of("/proc/sys/kernel/hostname")).strip();
    assertThat(err())
        .contains(
            "busbar run: rank 1 on %s was killed by signal 9; the others were ended"
                .formatted(host));
  }

  @Test
  void objectsThatAreNotAcceptedAreRefusedByName() throws Exception {
    Path file =
        source(
            "Objects.java",
            """
            import java.io.Serializable;
            import mpi.*;

            public class Objects {
              record Good(String text) implements Serializable {}

              record Bad(String text) implements Serializable {}

              public static void main(String[] args) {
                MPI.Init(args);
                Object[] good = {new Good("good"), "text", 1};
                Object[] in = new Object[3];
                Intracomm world = MPI.COMM_WORLD;
                int other = 1 - world.Rank();
                world.Sendrecv(good, 0, 3, MPI.OBJECT, other, 1, in, 0, 3, MPI.OBJECT, other, 1);
                System.out.println(in[0] + " " + in[1] + " " + in[2]);
                Object[] bad = {new Bad("bad")};
                try {
                  world.Sendrecv(bad, 0, 1, MPI.OBJECT, other, 2, in, 0, 1, MPI.OBJECT, other, 2);
                } catch (MPIException e) {
                  System.out.println(
                      (e.getErrorClass() == MPI.ERR_TYPE) + " " + e.getMessage());
                }
                MPI.Finalize();
              }
            }
            """);
    Launch launch =
        new Launch(
            new SourceProgram(file, List.of()),
            _ -> List.of(),
            2,
            false,
            List.of("-XX:TieredStopAtLevel=1"),
            _ -> LocalSeat.HERE.with("BUSBAR_MPI_OBJECTS", "Objects$Good"));
    assertThat(launch.run(new PrintWriter(System.err, true, UTF_8))).as(err()).isZero();
    String refusal =
        "true Comm.Sendrecv: an object of Objects$Bad was refused, see BUSBAR_MPI_OBJECTS";
    assertThat(out().lines())
        .containsExactlyInAnyOrder(
            "Good[text=good] text 1", "Good[text=good] text 1", refusal, refusal);
  }

  /** Of all calls, not of messages alone. */
  @Timeout(120)
  @Test
  void everyErrorIsFatalIfTheyAre() throws Exception {
    Path file =
        source(
            "Fatal.java",
            """
            import mpi.*;

            public class Fatal {
              public static void main(String[] args) {
                MPI.Init(args);
                Intracomm all = MPI.COMM_WORLD;
                all.setErrhandler(MPI.ERRORS_ARE_FATAL);
                boolean[] no = {false};
                CartComm grid = all.createCart(new int[] {1}, no, false);
                int[] one = new int[1];
                Runnable[] wrong = {
                  () -> all.createCart(new int[] {0}, no, false),
                  () -> all.Create_cart(new int[] {2}, no, false),
                  () -> all.createGraph(new int[] {1}, new int[] {5}, false),
                  () -> all.splitType(77, 0, MPI.INFO_NULL),
                  () -> grid.shift(3, 1),
                  () -> grid.getCoords(9),
                  () -> all.neighborAllGather(one, 1, MPI.INT, one, 1, MPI.INT),
                  () -> all.setAttr(99_999, "value"),
                  () -> all.iBarrier().cancel(),
                  () -> all.createGroup(all.getGroup(), -10),
                  () -> all.free()
                };
                try {
                  wrong[Integer.parseInt(args[0])].run();
                } catch (MPIException e) {
                  System.out.println("not fatal: " + e.getMessage());
                }
                MPI.Finalize();
              }
            }
            """);
    int[] classes = {
      mpi.MPI.ERR_DIMS,
      mpi.MPI.ERR_DIMS,
      mpi.MPI.ERR_ARG,
      mpi.MPI.ERR_ARG,
      mpi.MPI.ERR_ARG,
      mpi.MPI.ERR_RANK,
      mpi.MPI.ERR_TOPOLOGY,
      mpi.MPI.ERR_KEYVAL,
      mpi.MPI.ERR_REQUEST,
      mpi.MPI.ERR_TAG,
      mpi.MPI.ERR_COMM
    };
    for (int i = 0; i < classes.length; i++) {
      assertThat(run("--label", file, i)).as("call %d: %s", i, out()).isEqualTo(classes[i]);
    }
    assertThat(err().lines().filter(line -> line.contains("errors are fatal: Comm.")))
        .hasSize(classes.length);
  }

  /** As {@code java} does: what is beside a source is compiled with it, if it is needed. */
  @Test
  void sourcesBesideTheProgramAreFound() throws Exception {
    Path root = Files.createDirectories(folder().resolve("sources"));
    Path inner = Files.createDirectories(root.resolve("app/tools"));
    Files.writeString(
        root.resolve("app/Words.java"),
        "package app; class Words { static String one() { return app.tools.More.TWO; } }");
    Files.writeString(
        inner.resolve("More.java"),
        "package app.tools; public class More { public static final String TWO = \"two\"; }");
    Files.writeString(root.resolve("app/Broken.java"), "package app; class Broken {");
    Path main = root.resolve("app/Main.java");
    Files.writeString(
        main,
        """
        // package not.this;
        package app;

        public class Main {
          public static void main(String[] args) {
            System.out.println(Words.one());
          }
        }
        """);
    assertThat(run("-n", 2, main)).as(err()).isZero();
    assertThat(out().lines()).containsExactly("two", "two");
    assertThat(err()).isEmpty();
    Path plain =
        source("Plain.java", "class Plain { public static void main(String[] a) { Side.go(); } }");
    Path _ = source("Side.java", "class Side { static void go() {} }");
    assertThat(run("-n", 1, plain)).as(err()).isZero();
  }

  /** Half a minute would pass without an end of it. */
  @Test
  void looksOfManyRanksDoNotStarveEachOther() throws Exception {
    Path file =
        source(
            "Looks.java",
            """
            import mpi.*;

            void main(String[] args) {
              MPI.Init(args);
              Intracomm world = MPI.COMM_WORLD;
              int rank = world.getRank();
              int size = world.getSize();
              int[] word = {0};
              for (int i = 0; i < 1000; i++) {
                Request came = world.Irecv(word, 0, 1, MPI.INT, (rank + size - 1) % size, 0);
                if (rank > 0) {
                  while (!came.test()) {}
                }
                world.Send(new int[] {word[0] + 1}, 0, 1, MPI.INT, (rank + 1) % size, 0);
                if (rank == 0) {
                  while (!came.test()) {}
                }
              }
              if (rank == 0) {
                IO.println("round " + word[0]);
              }
              MPI.Finalize();
            }
            """);
    long startNs = System.nanoTime();
    assertThat(run("-n", 6, file)).as(err()).isZero();
    assertThat(out().strip()).isEqualTo("round 6000");
    assertThat(System.nanoTime() - startNs).isLessThan(TimeUnit.SECONDS.toNanos(25));
  }
}
