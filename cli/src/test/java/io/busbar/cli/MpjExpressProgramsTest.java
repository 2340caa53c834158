package io.busbar.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What programs for MPJ Express do, and other libraries refuse. */
@Timeout(60)
class MpjExpressProgramsTest extends RunCase {
  /** The function of a program casts what it is given to the class of the program's arrays. */
  @Test
  void userFunctionsGetArraysOfTheProgramsClass() throws Exception {
    Path file =
        source(
            "Cells.java",
            """
            import java.io.Serializable;
            import java.util.function.Supplier;
            import mpi.*;

            public class Cells {
              static class Cell implements Serializable {
                int sum;
                Cell(int sum) { this.sum = sum; }
              }
              static Cell[] cell(int sum) { return new Cell[] {null, new Cell(sum)}; }

              public static void main(String[] args) {
                MPI.Init(args);
                Intracomm world = MPI.COMM_WORLD;
                int own = world.Rank() + 1;
                for (boolean commutes : new boolean[] {true, false}) {
                  Op upper =
                      new Op(
                          new User_function() {
                            public void Call(
                                Object in, int at, Object to, int toAt, int n, Datatype type) {
                              Cell[] from = (Cell[]) in;
                              Cell[] into = (Cell[]) to;
                              for (int i = 0; i < n; i++) {
                                into[toAt + i] = new Cell(from[at + i].sum + into[toAt + i].sum);
                              }
                            }
                          },
                          commutes);
                  Op lower =
                      new Op(
                          new UserFunction() {
                            public void call(Object in, Object to, int n, Datatype type) {
                              ((Cell[]) to)[0].sum += ((Cell[]) in)[0].sum;
                            }
                          },
                          commutes);
                  for (Op op : new Op[] {upper, lower}) {
                    StringBuilder sums = new StringBuilder();
                    Cell[] all = cell(0);
                    world.Allreduce(cell(own), 1, all, 1, 1, MPI.OBJECT, op);
                    sums.append(all[1].sum);
                    all = world.Rank() == 0 ? cell(0) : null;
                    world.Reduce(cell(own), 1, all, 1, 1, MPI.OBJECT, op, 0);
                    sums.append(' ').append(all == null ? 0 : all[1].sum);
                    all = cell(0);
                    world.Scan(cell(own), 1, all, 1, 1, MPI.OBJECT, op);
                    sums.append(' ').append(all[1].sum);
                    all = cell(0);
                    int[] counts = new int[world.Size()];
                    counts[1] = 1;
                    world.Reduce_scatter(cell(own), 1, all, 1, counts, MPI.OBJECT, op);
                    sums.append(' ').append(all[1].sum);
                    Cell[] place = {new Cell(own)};
                    world.allReduce(place, 1, MPI.OBJECT, op);
                    sums.append(' ').append(place[0].sum);
                    System.out.println(sums);
                  }
                }
                MPI.Finalize();
              }
            }
            """);
    assertThat(run("-n", 3, "--label", file)).as(err()).isZero();
    assertThat(out().lines())
        .containsOnly("[0] 6 6 1 0 6", "[1] 6 0 3 6 6", "[2] 6 0 6 0 6")
        .hasSize(12);
  }

  /** MPJ Express has them beside what mpiJava has. */
  @Test
  void collectivesAreBegunInUpperCase() throws Exception {
    Path file =
        source(
            "Begun.java",
            """
            import java.util.Arrays;
            import mpi.*;

            public class Begun {
              static int rank = 0;
              static int[] in;

              static int[] in() {
                in = new int[9];
                return in;
              }

              static void show(String what, Request begun) {
                begun.Wait();
                System.out.println(what + " " + rank + " " + Arrays.toString(in));
              }

              public static void main(String[] args) {
                MPI.Init(args);
                Intracomm c = MPI.COMM_WORLD;
                rank = c.Rank();
                boolean first = rank == 0;
                Datatype t = MPI.INT;
                Datatype none = first ? t : null;
                int[] out = new int[9];
                for (int i = 0; i < 9; i++) {
                  out[i] = 10 * rank + i;
                }
                int[] counts = {1, 2, 1};
                int[] places = {0, 1, 3};
                c.Ibarrier().Wait();
                System.arraycopy(out, 0, in(), 0, 9);
                show("bcast", c.Ibcast(in, 1, 2, t, 2));
                show("gather", c.Igather(out, 1, 2, t, in(), 1, 2, none, 0));
                show("gatherv", c.Igatherv(out, 1, counts[rank], t, in(), 1, counts, places, none, 0));
                show("scatter", c.Iscatter(out, 1, 2, none, in(), 1, 2, t, 0));
                show("scatterv", c.Iscatterv(out, 1, counts, places, none, in(), 1, counts[rank], t, 0));
                show("allgather", c.Iallgather(out, 1, 2, t, in(), 1, 2, t));
                show("allgatherv", c.Iallgatherv(out, 1, counts[rank], t, in(), 1, counts, places, t));
                show("alltoall", c.Ialltoall(out, 1, 2, t, in(), 1, 2, t));
                int[] mine = {counts[rank], counts[rank], counts[rank]};
                show("alltoallv", c.Ialltoallv(out, 1, counts, places, t, in(), 1, mine, new int[] {0, 2, 4}, t));
                show("reduce", c.Ireduce(out, 1, in(), 2, 2, t, MPI.SUM, 1));
                show("allreduce", c.Iallreduce(out, 1, in(), 2, 2, t, MPI.SUM));
                MPI.Finalize();
              }
            }
            """);
    assertThat(run("-n", 3, file)).as(err()).isZero();
    assertThat(out().lines())
        .containsExactlyInAnyOrder(
            "bcast 0 [0, 21, 22, 3, 4, 5, 6, 7, 8]",
            "bcast 1 [10, 21, 22, 13, 14, 15, 16, 17, 18]",
            "bcast 2 [20, 21, 22, 23, 24, 25, 26, 27, 28]",
            "gather 0 [0, 1, 2, 11, 12, 21, 22, 0, 0]",
            "gather 1 [0, 0, 0, 0, 0, 0, 0, 0, 0]",
            "gather 2 [0, 0, 0, 0, 0, 0, 0, 0, 0]",
            "gatherv 0 [0, 1, 11, 12, 21, 0, 0, 0, 0]",
            "gatherv 1 [0, 0, 0, 0, 0, 0, 0, 0, 0]",
            "gatherv 2 [0, 0, 0, 0, 0, 0, 0, 0, 0]",
            "scatter 0 [0, 1, 2, 0, 0, 0, 0, 0, 0]",
            "scatter 1 [0, 3, 4, 0, 0, 0, 0, 0, 0]",
            "scatter 2 [0, 5, 6, 0, 0, 0, 0, 0, 0]",
            "scatterv 0 [0, 1, 0, 0, 0, 0, 0, 0, 0]",
            "scatterv 1 [0, 2, 3, 0, 0, 0, 0, 0, 0]",
            "scatterv 2 [0, 4, 0, 0, 0, 0, 0, 0, 0]",
            "allgather 0 [0, 1, 2, 11, 12, 21, 22, 0, 0]",
            "allgather 1 [0, 1, 2, 11, 12, 21, 22, 0, 0]",
            "allgather 2 [0, 1, 2, 11, 12, 21, 22, 0, 0]",
            "allgatherv 0 [0, 1, 11, 12, 21, 0, 0, 0, 0]",
            "allgatherv 1 [0, 1, 11, 12, 21, 0, 0, 0, 0]",
            "allgatherv 2 [0, 1, 11, 12, 21, 0, 0, 0, 0]",
            "alltoall 0 [0, 1, 2, 11, 12, 21, 22, 0, 0]",
            "alltoall 1 [0, 3, 4, 13, 14, 23, 24, 0, 0]",
            "alltoall 2 [0, 5, 6, 15, 16, 25, 26, 0, 0]",
            "alltoallv 0 [0, 1, 0, 11, 0, 21, 0, 0, 0]",
            "alltoallv 1 [0, 2, 3, 12, 13, 22, 23, 0, 0]",
            "alltoallv 2 [0, 4, 0, 14, 0, 24, 0, 0, 0]",
            "reduce 0 [0, 0, 0, 0, 0, 0, 0, 0, 0]",
            "reduce 1 [0, 0, 33, 36, 0, 0, 0, 0, 0]",
            "reduce 2 [0, 0, 0, 0, 0, 0, 0, 0, 0]",
            "allreduce 0 [0, 0, 33, 36, 0, 0, 0, 0, 0]",
            "allreduce 1 [0, 0, 33, 36, 0, 0, 0, 0, 0]",
            "allreduce 2 [0, 0, 33, 36, 0, 0, 0, 0, 0]");
  }

  /** What a development environment has put there. */
  @Test
  void importsThatAreNotUsedCompile() throws Exception {
    Path file =
        source(
            "Imports.java",
            """
            import mpi.*;
            import mpjbuf.*;
            import mpjbuf.BufferException;
            import mpjdev.*;
            import mpjdev.MPJDev;
            import mpjdev.MPJDevException;
            import xdev.*;

            public class Imports {
              public static void main(String[] args) throws BufferException {
                MPI.Init(args);
                Comm all = MPI.COMM_WORLD;
                try {
                  Group group = all.Group();
                  Status status = all.Sendrecv(new int[1], 0, 1, MPI.INT, 0, 0,
                      new int[1], 0, 1, MPI.INT, 0, 0);
                  System.out.println(group.Size() + " " + status.source);
                } catch (MPJDevException | BufferException e) {
                  throw new XDevException(e);
                }
                MPI.Finalize();
              }
            }
            """);
    assertThat(run("--label", file)).as(err()).isZero();
    assertThat(out()).isEqualTo("[0] 1 0\n");
  }

  /** A program whose threads listen for work ends when its ranks have ended MPI. */
  @Test
  void threadsThatListenEndWithTheLastRank() throws Exception {
    Path file =
        source(
            "Listens.java",
            """
            import mpi.*;

            void main(String[] args) throws Exception {
              MPI.Init(args);
              Thread listener = new Thread(() -> {
                try {
                  MPI.COMM_WORLD.Recv(new int[1], 0, 1, MPI.INT, MPI.ANY_SOURCE, 5);
                } catch (MPIException e) {
                  IO.println(e.getMessage().contains("finalised"));
                }
              });
              listener.start();
              Thread.sleep(100);
              MPI.Finalize();
              listener.join(20_000);
              System.exit(listener.isAlive() ? 1 : 0);
            }
            """);
    assertThat(run("-n", 2, file)).as(err()).isZero();
    assertThat(out().lines()).containsExactly("true", "true");
  }

  private static final String READS =
      """
      import mpi.*;
      import java.io.*;
      import java.sql.*;

      public class Reads {
        static String first(File file) throws IOException {
          try (BufferedReader in = new BufferedReader(new FileReader(file))) {
            return in.readLine();
          }
        }

        public static void main(String[] args) throws Exception {
          MPI.Init(args);
          File file = new File(args[0]);
          Struct none = null;
          System.out.println(MPI.COMM_WORLD.Size() + " " + first(file) + " " + none);
          MPI.Finalize();
        }
      }
      """;

  /** There is no mpi.File, and no mpi.Struct, in MPJ Express. */
  @Test
  void namesThatMpjExpressDoesNotHaveMeanOtherClasses() throws Exception {
    Path text = source("text", "a line\n");
    assertThat(run("-n", 2, source("Reads.java", READS), text)).as(err()).isZero();
    assertThat(out()).isEqualTo("2 a line null\n".repeat(2));
    assertThat(err()).isEmpty();
  }

  /** Of what is wrong besides, javac tells as it always does; of what it found first, no more. */
  @Test
  void otherErrorsAreToldAsEver() throws Exception {
    Path file = source("Reads.java", READS.replace("Struct none = null;", "int none = first;"));
    assertThat(run(file)).isEqualTo(1);
    assertThat(err())
        .contains(file + ":15: error: cannot find symbol")
        .contains("    int none = first;")
        .endsWith("1 error\n")
        .doesNotContain("ambiguous");
    Path lists =
        source(
            "Lists.java",
            """
            import java.awt.*;
            import java.util.*;
            import mpi.*;

            void main() {
              mpi.File none = null;
              List list = null;
            }
            """);
    assertThat(run(lists)).isEqualTo(1);
    assertThat(err().substring(err().indexOf("Lists.java")))
        .contains("reference to List is ambiguous")
        .endsWith("1 error\n");
  }

  /** In package mpi its own File would come before that of an import. */
  @Test
  void programsInPackageMpiMeanThemToo() throws Exception {
    Path text = source("text", "a line\n");
    Path file = source("Reads.java", "package mpi;\n" + READS.replace("import mpi.*;", ""));
    assertThat(run("-n", 2, file, text)).as(err()).isZero();
    assertThat(out()).isEqualTo("2 a line null\n".repeat(2));
    assertThat(err()).isEmpty();
  }

  /** Libraries of programs call native code, in one of the two ways that Java has. */
  @Test
  void programsMayCallNativeCode() throws Exception {
    Path file =
        source(
            "Native.java",
            """
            import java.lang.foreign.*;
            import java.lang.invoke.MethodHandle;
            import mpi.*;

            public class Native {
              public static void main(String[] args) throws Throwable {
                MPI.Init(args);
                System.loadLibrary("prefs");
                Linker linker = Linker.nativeLinker();
                MethodHandle getpid =
                    linker.downcallHandle(
                        linker.defaultLookup().find("getpid").orElseThrow(),
                        FunctionDescriptor.of(ValueLayout.JAVA_INT));
                System.out.println((int) getpid.invokeExact() == ProcessHandle.current().pid());
                MPI.Finalize();
              }
            }
            """);
    assertThat(run("-n", 2, file)).as(err()).isZero();
    assertThat(out()).isEqualTo("true\n".repeat(2));
    assertThat(err()).isEmpty();
  }
}
