package mpi;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.IntBuffer;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What functions of programs are given. */
@Timeout(60)
class FunctionsTest extends Worlds {
  /** Two numbers of one kind, and a subclass that adds them field by field. */
  private static final class Pair extends Struct {
    private final int a = addDouble();
    private final int b = addDouble();

    @Override
    protected Data newData() {
      return new Data();
    }

    private final class Data extends Struct.Data {
      double a() {
        return getDouble(a);
      }

      double b() {
        return getDouble(b);
      }

      void set(double first, double second) {
        putDouble(a, first);
        putDouble(b, second);
      }
    }
  }

  /** A function that is given arrays, as one for Open MPI has it. */
  private static final class Added extends UserFunction {
    private final Pair pair;

    Added(Pair pair) {
      this.pair = pair;
    }

    @Override
    public void call(Object in, Object inOut, int count, Datatype type) {
      for (int i = 0; i < count; i++) {
        Pair.Data from = pair.getData((byte[]) in, i);
        Pair.Data to = pair.getData((byte[]) inOut, i);
        to.set(from.a() + to.a(), from.b() * to.b());
      }
    }
  }

  /** Open MPI counts structs in bytes, whatever is in them, and gives bytes to functions. */
  @Test
  void structsOfOneKindAreGivenAsBytes() throws Exception {
    play(
        3,
        world -> {
          Pair pair = new Pair();
          Op op = new Op(new Added(pair), true);
          ByteBuffer mine = MPI.newByteBuffer(2 * pair.getExtent());
          ByteBuffer all = MPI.newByteBuffer(2 * pair.getExtent());
          for (int i = 0; i < 2; i++) {
            Pair.Data one = pair.getData(mine, i);
            one.set(world.getRank() + i, 2 + i);
          }
          world.allReduce(mine, all, 2, pair.getType(), op);
          check(pair, all);
          Datatype both = Datatype.createContiguous(2, pair.getType());
          ByteBuffer again = MPI.newByteBuffer(2 * pair.getExtent());
          AtomicReference<Object> given = new AtomicReference<>();
          Op look = new Op(looking(given), true);
          world.reduce(mine, again, 1, both, look, 0);
          if (world.getRank() == 0) {
            assertThat(given.get()).isInstanceOf(byte[].class);
          }
        });
  }

  private static void check(Pair pair, ByteBuffer all) {
    Pair.Data first = pair.getData(all, 0);
    Pair.Data second = pair.getData(all, 1);
    assertThat(first.a()).isEqualTo(0 + 1 + 2);
    assertThat(first.b()).isEqualTo(8);
    assertThat(second.a()).isEqualTo(1 + 2 + 3);
    assertThat(second.b()).isEqualTo(27);
  }

  private static UserFunction looking(AtomicReference<Object> given) {
    return new UserFunction() {
      @Override
      public void call(Object in, Object inOut, int count, Datatype type) {
        given.set(in);
      }
    };
  }

  private static Object given(Object in, Object inOut, Datatype type) {
    AtomicReference<Object> given = new AtomicReference<>();
    Comm.reduceLocal(in, inOut, 1, type, new Op(looking(given), true));
    return given.get();
  }

  /** Only where places were given in bytes; those of mpiJava have a base type. */
  @Test
  void typesThatAreCountedInElementsAreGivenInArraysOfThose() {
    int[] one = {1};
    int[] zero = {0};
    assertThat(given(new int[2], new int[2], Datatype.createContiguous(2, MPI.INT)))
        .isInstanceOf(int[].class);
    assertThat(given(new int[1], new int[1], Datatype.Struct(one, zero, new Datatype[] {MPI.INT})))
        .isInstanceOf(int[].class);
    Datatype ints = Datatype.createStruct(one, zero, new Datatype[] {MPI.INT});
    assertThat(given(new int[1], new int[1], ints)).isInstanceOf(byte[].class);
    assertThat(given(new int[1], new int[1], ints.dup())).isInstanceOf(byte[].class);
    Datatype flags = Datatype.createStruct(new int[] {3}, zero, new Datatype[] {MPI.BOOLEAN});
    boolean[] in = {true, false, true};
    assertThat(given(in, new boolean[3], flags)).isEqualTo(new byte[] {1, 0, 1});
    assertThat(given(in, new boolean[3], Datatype.createContiguous(3, MPI.BOOLEAN))).isEqualTo(in);
    Datatype texts = Datatype.createStruct(one, zero, new Datatype[] {MPI.OBJECT});
    assertThat(given(new String[] {"a"}, new String[1], texts)).isInstanceOf(Object[].class);
  }

  /** What comes out of such bytes goes to the program's array, whatever that is one of. */
  @Test
  void bytesOfTruthValuesComeBack() {
    Datatype flags =
        Datatype.createStruct(new int[] {2}, new int[] {0}, new Datatype[] {MPI.BOOLEAN});
    Op or =
        new Op(
            new UserFunction() {
              @Override
              public void call(Object in, Object inOut, int count, Datatype type) {
                for (int i = 0; i < 2 * count; i++) {
                  ((byte[]) inOut)[i] |= ((byte[]) in)[i];
                }
              }
            },
            true);
    boolean[] out = {false, false};
    Comm.reduceLocal(new boolean[] {true, false}, out, 1, flags, or);
    assertThat(out).containsExactly(true, false);
  }

  /** A function that asks the type for its size, though the program has freed it meanwhile. */
  @Test
  void typesMayBeFreedBeforeFunctionsAreCalled() throws Exception {
    for (boolean upper : new boolean[] {false, true}) {
      CountDownLatch freed = new CountDownLatch(1);
      play(
          2,
          world -> {
            if (world.getRank() == 1) {
              freed.await();
            }
            IntBuffer in = MPI.newIntBuffer(2).put(0, 3).put(1, 4);
            IntBuffer out = MPI.newIntBuffer(2);
            Datatype pair = Datatype.createContiguous(2, MPI.INT);
            Op op = upper ? new Op(new Upper(), true) : new Op(new Lower(), true);
            Request request = world.iAllReduce(in, out, 1, pair, op);
            pair.free();
            freed.countDown();
            request.waitFor();
            assertThat(out.get(0)).isEqualTo(6);
            assertThat(out.get(1)).isEqualTo(8);
          });
    }
  }

  private static final class Lower extends UserFunction {
    @Override
    public void call(Object in, Object inOut, int count, Datatype type) {
      for (int i = 0; i < count * type.getSize(); i++) {
        ((int[]) inOut)[i] += ((int[]) in)[i];
      }
    }
  }

  private static final class Upper extends User_function {
    @Override
    public void Call(Object in, int inAt, Object inOut, int at, int count, Datatype type) {
      for (int i = 0; i < count * type.Size(); i++) {
        ((int[]) inOut)[at + i] += ((int[]) in)[inAt + i];
      }
    }
  }

  /** Programs compare it with what they have. */
  @Test
  void theTypeIsTheProgramsOwn() {
    Datatype own = Datatype.createContiguous(2, MPI.INT);
    AtomicReference<Datatype> given = new AtomicReference<>();
    Op op =
        new Op(
            new UserFunction() {
              @Override
              public void call(ByteBuffer in, ByteBuffer inOut, int count, Datatype type) {
                given.set(type);
                assertThat(in.order()).isEqualTo(ByteOrder.nativeOrder());
              }
            },
            true);
    Comm.reduceLocal(new int[2], new int[2], 1, own, op);
    assertThat(given.get()).isSameAs(own);
  }
}
