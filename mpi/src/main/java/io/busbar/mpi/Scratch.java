package io.busbar.mpi;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * An array of a datatype's base, for so many elements as they lie in the program's memory: what
 * operations work on.
 */
final class Scratch {
  final Object array;

  /** The index of the first element. */
  final int at;

  private final Datatype type;
  private final int count;

  /** For what has no array of the program's. */
  Scratch(Datatype type, int count) {
    this(type, count, null);
  }

  /**
   * An array of one's own.
   *
   * @param like the program's: user functions expect objects in an array of that class
   */
  Scratch(Datatype type, int count, @Nullable Object like) {
    this.type = type;
    this.count = count;
    int unit = type.base().bytes();
    long before = count == 0 ? 0 : Math.max(0, -low());
    long after = count == 0 ? 0 : high();
    this.at = Math.toIntExact(before / unit);
    this.array = type.base().arrayLike(like, Math.toIntExact((before + after) / unit));
  }

  /** Another one for as many elements, in an array of the same class. */
  Scratch another() {
    return new Scratch(type, count, array);
  }

  /** Over the program's own elements. */
  private Scratch(Object array, int at, Datatype type, int count) {
    this.array = array;
    this.at = at;
    this.type = type;
    this.count = count;
  }

  /**
   * Where a result is to be made: in the program's memory, if operations can work on that, or else
   * in memory of its own.
   */
  static Scratch forResult(@Nullable Object memory, long at, Datatype type, int count) {
    Base base = type.base();
    boolean isPlain = type.isDense() && base != Base.OBJECT && at % base.bytes() == 0;
    return isPlain && memory != null && base.isArray(memory)
        ? new Scratch(memory, (int) (at / base.bytes()), type, count)
        : new Scratch(type, count, memory);
  }

  private long low() {
    return Math.min(0, (count - 1) * type.extent()) + type.trueLb();
  }

  private long high() {
    return Math.max(0, (count - 1) * type.extent()) + type.trueLb() + type.trueExtent();
  }

  /** Bytes before the first element. */
  long atBytes() {
    return (long) at * type.base().bytes();
  }

  /** Takes the elements of the program, or of another one. */
  Scratch fill(@Nullable Object memory, long from) {
    if (memory != null && count > 0 && !isHere(memory, from)) {
      move(memory, from, array, atBytes());
    }
    return this;
  }

  /** Puts the elements into the program's memory. */
  void drain(@Nullable Object memory, long to) {
    if (memory == null || count == 0 || isHere(memory, to)) {
      return;
    }
    if (type.base() == Base.OBJECT) {
      giveObjects((Object[]) memory, to);
    } else {
      move(array, atBytes(), memory, to);
    }
  }

  private boolean isHere(Object memory, long place) {
    return array.equals(memory) && place == atBytes(); // the same array
  }

  private void move(Object from, long fromAt, Object to, long toAt) {
    copy(from, fromAt, count, type, to, toAt, count, type);
  }

  /** Copies elements within this process, as a message would: of objects, there are new ones. */
  static void copy(
      Object from,
      long fromAt,
      int fromCount,
      Datatype fromType,
      Object to,
      long toAt,
      int toCount,
      Datatype toType) {
    if (fromType.base() == Base.OBJECT) {
      copyObjects(
          (Object[]) from, fromAt, fromCount, fromType, (Object[]) to, toAt, toCount, toType);
      return;
    }
    long bytes = Math.min(fromCount * fromType.size(), toCount * toType.size());
    boolean areAlike = from.getClass().equals(to.getClass()) && from.getClass().isArray();
    if (fromType.isDense() && toType.isDense() && areAlike) {
      int unit = UserMemory.elementBytes(from);
      if (((fromAt | toAt | bytes) & (unit - 1)) == 0) {
        System.arraycopy(
            from, (int) (fromAt / unit), to, (int) (toAt / unit), (int) (bytes / unit));
        return;
      }
    }
    MemorySegment packed =
        MemorySegment.ofArray(new byte[Math.toIntExact(fromCount * fromType.size())]);
    fromType.packAll(from, fromAt, fromCount, packed, 0);
    toType.unpackAll(packed, 0, bytes, to, toAt);
  }

  private static void copyObjects(
      Object[] from,
      long fromAt,
      int fromCount,
      Datatype fromType,
      Object[] to,
      long toAt,
      int toCount,
      Datatype toType) {
    byte[] stream = ObjectStream.write(from, fromAt, fromCount, fromType);
    ObjectStream.read(
        stream, Math.toIntExact(fromCount * fromType.size()), to, toAt, toCount, toType);
  }

  /** Puts objects that are this one's alone where a type has them. */
  private void giveObjects(Object[] to, long toAt) {
    Object[] own = (Object[]) array;
    int[] places = new int[Math.toIntExact(count * type.size())];
    int[] next = new int[1];
    type.forEachObject(toAt, count, i -> places[next[0]++] = i);
    next[0] = 0;
    type.forEachObject(atBytes(), count, i -> to[places[next[0]++]] = own[i]);
  }
}
