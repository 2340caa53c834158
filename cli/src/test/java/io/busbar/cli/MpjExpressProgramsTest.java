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
    assertThat(run("-n", 3, file)).as(err()).isZero();
    assertThat(out().lines())
        .containsOnly("[0] 6 6 1 0 6", "[1] 6 0 3 6 6", "[2] 6 0 6 0 6")
        .hasSize(12);
  }
}
