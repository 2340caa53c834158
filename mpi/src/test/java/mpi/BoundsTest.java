package mpi;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Where types begin and end: markers, and what lies before its own beginning. */
@Timeout(60)
class BoundsTest extends Worlds {
  private static final int[] ONES = {1, 1, 1};

  private static int[] line(int length) {
    int[] made = new int[length];
    java.util.Arrays.setAll(made, i -> i);
    return made;
  }

  /** Sends elements of a type from a place, and has what came as plain numbers. */
  private int[] sent(Datatype type, int at, int count) throws Exception {
    int[] in = new int[count * type.Size()];
    play(
        1,
        world -> {
          world.Isend(line(40), at, count, type, 0, 5).Free();
          Status status = world.Recv(in, 0, in.length, MPI.INT, 0, 5);
          assertThat(status.Get_count(type)).isEqualTo(count);
        });
    return in;
  }

  /** The same in the other direction: where numbers lie that were received as a type. */
  private int[] received(Datatype type, int at, int count, int length) throws Exception {
    int[] in = new int[length];
    java.util.Arrays.fill(in, -1);
    play(
        1,
        world -> {
          int n = count * type.Size();
          world.Isend(line(n), 0, n, MPI.INT, 0, 5).Free();
          Status _ = world.Recv(in, at, count, type, 0, 5);
        });
    return in;
  }

  private static void has(Datatype type, int lb, int ub, int size) {
    assertThat(type.Lb()).as("Lb").isEqualTo(lb);
    assertThat(type.Ub()).as("Ub").isEqualTo(ub);
    assertThat(type.Extent()).as("Extent").isEqualTo(ub - lb);
    assertThat(type.Size()).as("Size").isEqualTo(size);
    assertThat(type.getLb()).as("getLb").isEqualTo(lb);
    assertThat(type.getExtent()).as("getExtent").isEqualTo(ub - lb);
  }

  @Test
  void markersSayWhereATypeBeginsAndEnds() throws Exception {
    Datatype both =
        Datatype.Struct(ONES, new int[] {-2, 0, 3}, new Datatype[] {MPI.LB, MPI.INT, MPI.UB});
    has(both, -2, 3, 1);
    assertThat(both.getTrueLb()).isZero();
    assertThat(both.getTrueExtent()).isOne();
    assertThat(sent(both, 4, 3)).containsExactly(4, 9, 14);
    assertThat(received(both, 1, 2, 7)).containsExactly(-1, 0, -1, -1, -1, -1, 1);
    Datatype low =
        Datatype.Struct(new int[] {1, 2}, new int[] {-3, 0}, new Datatype[] {MPI.LB, MPI.INT});
    has(low, -3, 2, 2);
    assertThat(sent(low, 0, 2)).containsExactly(0, 1, 5, 6);
  }

  /** A marker of a part is one of the whole, and a lower one counts. */
  @Test
  void markersAreInherited() throws Exception {
    Datatype part =
        Datatype.Struct(ONES, new int[] {-1, 0, 2}, new Datatype[] {MPI.LB, MPI.INT, MPI.UB});
    has(part, -1, 2, 1);
    Datatype pair = Datatype.Contiguous(2, part);
    has(pair, -1, 5, 2);
    assertThat(sent(pair, 1, 2)).containsExactly(1, 4, 7, 10);
    Datatype lower =
        Datatype.Struct(new int[] {1, 1}, new int[] {-4, 0}, new Datatype[] {MPI.LB, part});
    has(lower, -4, 2, 1);
    Datatype higher =
        Datatype.Struct(new int[] {1, 1}, new int[] {1, 0}, new Datatype[] {MPI.LB, part});
    has(higher, -1, 2, 1);
  }

  @Test
  void whatLiesBeforeItsBeginningHasANegativeLowerBound() throws Exception {
    Datatype back = Datatype.Vector(3, 1, -2, MPI.INT);
    has(back, -4, 1, 3);
    assertThat(back.getTrueLb()).isEqualTo(-4);
    assertThat(sent(back, 4, 2)).containsExactly(4, 2, 0, 9, 7, 5);
    assertThat(received(back, 4, 1, 6)).containsExactly(2, -1, 1, -1, 0, -1);
    Datatype some = Datatype.Indexed(new int[] {1, 2}, new int[] {-3, 1}, MPI.INT);
    has(some, -3, 3, 3);
    assertThat(sent(some, 3, 2)).containsExactly(0, 4, 5, 6, 10, 11);
    assertThat(received(some, 3, 1, 7)).containsExactly(0, -1, -1, -1, 1, 2, -1);
    Datatype hind = Datatype.Hindexed(new int[] {1}, new int[] {-2}, MPI.INT);
    has(hind, -2, -1, 1);
    assertThat(sent(hind, 2, 3)).containsExactly(0, 1, 2);
  }

  @Test
  void boundsMayBeGiven() throws Exception {
    Datatype wide = Datatype.createResized(MPI.INT, -4, 12);
    has(wide, -1, 2, 1);
    assertThat(sent(wide, 1, 3)).containsExactly(1, 4, 7);
    Datatype narrow = Datatype.createResized(Datatype.createContiguous(2, MPI.INT), 0, 4);
    assertThat(sent(narrow, 0, 3)).containsExactly(0, 1, 1, 2, 2, 3);
  }
}
