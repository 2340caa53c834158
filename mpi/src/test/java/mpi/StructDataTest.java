package mpi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

/** Fields of every kind, one or several, in one struct of many. */
class StructDataTest {
  private static final class Point extends Struct {
    private final int x = addShort();
    private final int y = addShort();

    @Override
    protected Point.Data newData() {
      return new Point.Data();
    }

    private final class Data extends Struct.Data {
      void set(int first, int second) {
        putShort(x, (short) first);
        putShort(y, (short) second);
      }

      boolean is(int first, int second) {
        return getShort(x) == first && getShort(y) == second;
      }
    }
  }

  /** Three of each kind, a gap, one of each kind, and structs and elements of a type. */
  private static final class All extends Struct {
    private final int b3 = addByte(3);
    private final int c3 = setOffset(4).addChar(3);
    private final int s3 = addShort(3);
    private final int i3 = addInt(3);
    private final int l3 = setOffset(32).addLong(3);
    private final int f3 = addFloat(3);
    private final int d3 = setOffset(72).addDouble(3);
    private final int b = setOffset(104).addByte();
    private final int c = setOffset(106).addChar();
    private final int s = addShort();
    private final int i = setOffset(112).addInt();
    private final int l = setOffset(120).addLong();
    private final int f = addFloat();
    private final int d = setOffset(136).addDouble();
    private final Point point = new Point();
    private final int points = addStruct(point, 3);
    private final int ints = addData(MPI.INT, 3);

    @Override
    protected All.Data newData() {
      return new All.Data();
    }

    private final class Data extends Struct.Data {
      void fill(int seed) {
        for (int n = 0; n < 3; n++) {
          int v = seed + n;
          putByte(b3, n, (byte) v);
          putChar(c3, n, (char) (v + 1));
          putShort(s3, n, (short) (v + 2));
          putInt(i3, n, v + 3);
          putLong(l3, n, v + 4L);
          putFloat(f3, n, v + 5.5f);
          putDouble(d3, n, v + 6.5);
          Point.Data one = getData(point, points, n);
          one.set(v + 7, v + 8);
          getBuffer(MPI.INT, ints, n).putInt(0, v + 9);
        }
        putByte(b, (byte) (seed + 20));
        putChar(c, (char) (seed + 21));
        putShort(s, (short) (seed + 22));
        putInt(i, seed + 23);
        putLong(l, seed + 24L);
        putFloat(f, seed + 25.5f);
        putDouble(d, seed + 26.5);
      }

      void check(int seed) {
        for (int n = 0; n < 3; n++) {
          int v = seed + n;
          assertThat(getByte(b3, n)).isEqualTo((byte) v);
          assertThat(getChar(c3, n)).isEqualTo((char) (v + 1));
          assertThat(getShort(s3, n)).isEqualTo((short) (v + 2));
          assertThat(getInt(i3, n)).isEqualTo(v + 3);
          assertThat(getLong(l3, n)).isEqualTo(v + 4L);
          assertThat(getFloat(f3, n)).isEqualTo(v + 5.5f);
          assertThat(getDouble(d3, n)).isEqualTo(v + 6.5);
          Point.Data one = getData(point, points, n);
          assertThat(one.is(v + 7, v + 8)).isTrue();
          assertThat(getBuffer(MPI.INT, ints, n).getInt(0)).isEqualTo(v + 9);
        }
        assertThat(getByte(b)).isEqualTo((byte) (seed + 20));
        assertThat(getChar(c)).isEqualTo((char) (seed + 21));
        assertThat(getShort(s)).isEqualTo((short) (seed + 22));
        assertThat(getInt(i)).isEqualTo(seed + 23);
        assertThat(getLong(l)).isEqualTo(seed + 24L);
        assertThat(getFloat(f)).isEqualTo(seed + 25.5f);
        assertThat(getDouble(d)).isEqualTo(seed + 26.5);
        Point.Data first = getData(point, points);
        assertThat(first.is(seed + 7, seed + 8)).isTrue();
        assertThat(getBuffer(MPI.INT, ints).getInt(4)).isEqualTo(seed + 10);
        assertThat(getByte(b3)).isEqualTo((byte) seed);
        assertThat(getDouble(d3)).isEqualTo(seed + 6.5);
      }

      void clear() {
        putByte(b, (byte) 0);
        putLong(l3, 2, 0);
      }
    }
  }

  private static final int EXTENT = 144 + 3 * 4 + 3 * 4; // 168, a multiple of 8

  private final All all = new All();

  @Test
  void offsetsAreThoseOfTheFields() {
    assertThat(all.c3).isEqualTo(4);
    assertThat(all.s3).isEqualTo(10);
    assertThat(all.i3).isEqualTo(16);
    assertThat(all.l3).isEqualTo(32);
    assertThat(all.f3).isEqualTo(56);
    assertThat(all.points).isEqualTo(144);
    assertThat(all.ints).isEqualTo(156);
    assertThat(all.getExtent()).isEqualTo(EXTENT);
    assertThat(all.getType().getExtent()).isEqualTo(EXTENT);
    assertThat(all.getType().getSize()).isEqualTo(4 * (1 + 2 + 2 + 4 + 8 + 4 + 8) + 3 * 4 + 3 * 4);
    assertThatThrownBy(all::addByte).hasMessageContaining("used before");
    assertThatThrownBy(() -> new Point().setOffset(3)).hasMessageContaining("end at 4");
  }

  private static void fillAndCheck(All.Data[] each) {
    for (int n = 0; n < each.length; n++) {
      each[n].fill(50 * n);
    }
    for (int n = 0; n < each.length; n++) {
      each[n].check(50 * n);
    }
    each[1].clear(); // touches no other
    each[0].check(0);
    each[2].check(100);
  }

  @Test
  void everyFieldOfEachStructInABuffer() {
    ByteBuffer buffer = MPI.newByteBuffer(3 * EXTENT);
    All.Data first = all.getData(buffer);
    All.Data second = all.getData(buffer, 1);
    All.Data third = all.getData(buffer, 2);
    fillAndCheck(new All.Data[] {first, second, third});
    assertThat(first.getBuffer()).isSameAs(buffer);
    ByteBuffer own = third.getBuffer();
    assertThat(own.capacity()).isEqualTo(EXTENT);
    assertThat(own.getDouble(all.d)).isEqualTo(126.5);
    All.Data again = all.getData(own);
    again.check(100);
  }

  @Test
  void everyFieldOfEachStructInAnArray() {
    byte[] array = new byte[3 * EXTENT];
    All.Data first = all.getData(array);
    All.Data second = all.getData(array, 1);
    All.Data third = all.getData(array, 2);
    fillAndCheck(new All.Data[] {first, second, third});
    assertThat(array[2 * EXTENT + all.b]).isEqualTo((byte) 120);
  }

  /** What lies between the fields stays where it is; what is in them arrives. */
  @Test
  void fieldsAreSentAndGapsAreNot() {
    byte[] out = new byte[2 * EXTENT];
    byte[] in = new byte[2 * EXTENT];
    java.util.Arrays.fill(in, (byte) 0x33);
    All.Data from = all.getData(out, 1);
    from.fill(7);
    out[3] = 1; // a gap
    byte[] packed = new byte[2 * EXTENT];
    io.busbar.mpi.Datatype core = all.getType().core();
    java.lang.foreign.MemorySegment to = java.lang.foreign.MemorySegment.ofArray(packed);
    int bytes = core.pack(out, 0, 2, to, 0);
    assertThat(bytes).isEqualTo(2 * all.getType().getSize());
    assertThat(core.unpack(to, 0, in, 0, 2)).isEqualTo(bytes);
    All.Data got = all.getData(in, 1);
    got.check(7);
    assertThat(in[3]).isEqualTo((byte) 0x33);
    assertThat(in[EXTENT + 30]).isEqualTo((byte) 0x33);
  }
}
