package io.busbar.mpi;

import io.busbar.messages.InMessage;
import io.busbar.mpi.MpiError.Kind;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Where the data of an element lie in memory: runs of bytes, in the order in which they are sent,
 * and the distance from one element to the next. For {@link Base#OBJECT} the unit is one object.
 */
public final class Datatype {
  /** A type with more runs than that is refused: it would take longer to build than to send. */
  private static final int RUNS_MAX = 1 << 24;

  /** One byte. */
  public static final Datatype BYTE = basic(Base.BYTE);

  /** One character of 16 bits. */
  public static final Datatype CHAR = basic(Base.CHAR);

  /** One integer of 16 bits. */
  public static final Datatype SHORT = basic(Base.SHORT);

  /** One truth value. */
  public static final Datatype BOOLEAN = basic(Base.BOOLEAN);

  /** One integer of 32 bits. */
  public static final Datatype INT = basic(Base.INT);

  /** One integer of 64 bits. */
  public static final Datatype LONG = basic(Base.LONG);

  /** One number of 32 bits. */
  public static final Datatype FLOAT = basic(Base.FLOAT);

  /** One number of 64 bits. */
  public static final Datatype DOUBLE = basic(Base.DOUBLE);

  /** One byte of what was packed. */
  public static final Datatype PACKED = basic(Base.PACKED);

  /** One object. */
  public static final Datatype OBJECT = basic(Base.OBJECT);

  /** Nothing, but where a type begins. */
  public static final Datatype LB = new Datatype(Base.MIXED, new Runs(0), 0, 0, true, false, 1);

  /** Nothing, but where a type ends. */
  public static final Datatype UB = new Datatype(Base.MIXED, new Runs(0), 0, 0, false, true, 1);

  /** What its elements mean to operations. */
  public enum Role {
    /** Numbers. */
    PLAIN,
    /** A value and an index. */
    PAIR,
    /** A real and an imaginary part. */
    COMPLEX
  }

  private final Base base;
  private final Role role;
  private final Base value;
  private final long[] starts;
  private final long[] lengths;
  private final long size;
  private final long lb;
  private final long ub;
  private final boolean lbGiven;
  private final boolean ubGiven;
  private final boolean dense;

  /** Where a struct puts it: at a multiple of so many bytes. */
  private final int alignment;

  /** The sizes of its basic elements, in order; only of types that hold several kinds. */
  private final byte[] parts;

  private Datatype(
      Base base, Runs runs, long lb, long ub, boolean lbGiven, boolean ubGiven, int alignment) {
    this(base, runs, lb, ub, lbGiven, ubGiven, alignment, Role.PLAIN, base);
  }

  private Datatype(
      Base base,
      Runs runs,
      long lb,
      long ub,
      boolean lbGiven,
      boolean ubGiven,
      int alignment,
      Role role,
      Base value) {
    this.base = base;
    this.role = role;
    this.value = value;
    this.starts = Arrays.copyOf(runs.starts, runs.count);
    this.lengths = Arrays.copyOf(runs.lengths, runs.count);
    this.size = Arrays.stream(lengths).sum();
    this.lb = lb;
    this.ub = ub;
    this.lbGiven = lbGiven;
    this.ubGiven = ubGiven;
    this.alignment = alignment;
    this.parts = base == Base.MIXED ? Arrays.copyOf(runs.parts, runs.partCount) : new byte[0];
    this.dense = runs.count == 1 && starts[0] == 0 && lb == 0 && ub == size;
  }

  private static Datatype basic(Base base) {
    Runs runs = new Runs(1);
    runs.add(0, base.bytes());
    return new Datatype(base, runs, 0, base.bytes(), false, false, base.bytes());
  }

  /** Runs that grow; one that follows another at once becomes a part of it. */
  private static final class Runs {
    long[] starts;
    long[] lengths;
    int count;
    byte[] parts = {};
    int partCount;

    Runs(int expected) {
      starts = new long[expected];
      lengths = new long[expected];
    }

    void add(long start, long length) {
      if (count > 0 && starts[count - 1] + lengths[count - 1] == start) {
        lengths[count - 1] += length;
        return;
      }
      if (count == starts.length) {
        if (count >= RUNS_MAX) {
          throw new MpiError(
              Kind.TYPE, "a datatype of more than %d separate parts".formatted(RUNS_MAX));
        }
        starts = Arrays.copyOf(starts, Math.max(8, 2 * count));
        lengths = Arrays.copyOf(lengths, starts.length);
      }
      starts[count] = start;
      lengths[count++] = length;
    }

    void addParts(Datatype of) {
      boolean isMixed = of.base == Base.MIXED;
      int more = isMixed ? of.parts.length : (int) (of.size / of.base.bytes());
      if (partCount + more > parts.length) {
        parts = Arrays.copyOf(parts, 2 * (partCount + more));
      }
      for (int i = 0; i < more; i++) {
        parts[partCount++] = isMixed ? of.parts[i] : (byte) of.base.bytes();
      }
    }
  }

  // Making types.

  /** Elements one behind the other. */
  public static Datatype contiguous(int count, Datatype of) {
    return blocks(new int[] {count}, new long[] {0}, new Datatype[] {of});
  }

  /** Blocks of elements at equal distances, in bytes. */
  public static Datatype vector(int count, int block, long stride, Datatype of) {
    checkCount(count);
    int[] blocks = new int[count];
    long[] places = new long[count];
    Datatype[] types = new Datatype[count];
    Arrays.fill(blocks, block);
    Arrays.fill(types, of);
    Arrays.setAll(places, i -> i * stride);
    return count == 0 ? contiguous(0, of) : blocks(blocks, places, types);
  }

  private static void checkCount(int count) {
    if (count < 0) {
      throw new MpiError(Kind.COUNT, "a count is %d; allowed: 0 or more".formatted(count));
    }
  }

  /** Blocks of elements, each at its place, in bytes, and of its type. */
  public static Datatype blocks(int[] counts, long[] places, Datatype[] types) {
    if (counts.length != places.length || counts.length != types.length) {
      throw new MpiError(
          Kind.ARG,
          "%d lengths, %d displacements and %d types; as many of each are needed"
              .formatted(counts.length, places.length, types.length));
    }
    Runs runs = new Runs(8);
    Bounds bounds = new Bounds();
    Base made = base(types);
    int alignment = 1;
    for (int i = 0; i < counts.length; i++) {
      checkCount(counts[i]);
      Datatype type = types[i];
      alignment = counts[i] == 0 ? alignment : Math.max(alignment, type.alignment);
      for (int n = 0; n < counts[i]; n++) {
        long at = places[i] + n * type.extent();
        type.addTo(runs, at);
        bounds.add(type, at);
        if (made == Base.MIXED) {
          runs.addParts(type);
        }
      }
    }
    return new Datatype(
        made, runs, bounds.lb(), bounds.ub(alignment), bounds.lbGiven, bounds.ubGiven, alignment);
  }

  /** What the elements of all of them are. */
  private static Base base(Datatype[] types) {
    Base base = null;
    for (Datatype type : types) {
      boolean isMarker = type.size == 0 && (type.lbGiven || type.ubGiven);
      if (isMarker || base == type.base) {
        continue;
      }
      if (base == Base.OBJECT || (base != null && type.base == Base.OBJECT)) {
        throw new MpiError(Kind.TYPE, "a datatype cannot hold objects and numbers");
      }
      base = base == null ? type.base : Base.MIXED;
    }
    return base == null ? Base.BYTE : base;
  }

  private void addTo(Runs runs, long at) {
    for (int i = 0; i < starts.length; i++) {
      runs.add(at + starts[i], lengths[i]);
    }
  }

  /** The bounds of a type that is being made: those that were given, if there are any. */
  private static final class Bounds {
    private long low = Long.MAX_VALUE;
    private long high = Long.MIN_VALUE;
    private long givenLow = Long.MAX_VALUE;
    private long givenHigh = Long.MIN_VALUE;
    boolean lbGiven;
    boolean ubGiven;

    void add(Datatype type, long at) {
      if (type.lbGiven) {
        lbGiven = true;
        givenLow = Math.min(givenLow, at + type.lb);
      }
      if (type.ubGiven) {
        ubGiven = true;
        givenHigh = Math.max(givenHigh, at + type.ub);
      }
      if (type.size > 0 || !(type.lbGiven || type.ubGiven)) {
        low = Math.min(low, at + type.lb);
        high = Math.max(high, at + type.ub);
      }
    }

    long lb() {
      return lbGiven ? givenLow : low == Long.MAX_VALUE ? 0 : low;
    }

    /** It ends where one behind it would be aligned. */
    long ub(int align) {
      if (ubGiven) {
        return givenHigh;
      }
      long end = high == Long.MIN_VALUE ? lb() : high;
      return lb() + (end - lb() + align - 1) / align * align;
    }
  }

  /** A value and an index, of one kind. */
  public static Datatype pair(Datatype of) {
    return contiguous(2, of).as(Role.PAIR, of.base);
  }

  /** A value and, where an int after it is aligned, an index. */
  public static Datatype pairWithInt(Datatype of) {
    long place = Math.max(of.base.bytes(), INT.base.bytes());
    Datatype both = blocks(new int[] {1, 1}, new long[] {0, place}, new Datatype[] {of, INT});
    return both.as(Role.PAIR, of.base);
  }

  /** A real and an imaginary part. */
  public static Datatype complex(Datatype of) {
    return contiguous(2, of).as(Role.COMPLEX, of.base);
  }

  private Datatype as(Role other, Base ofValue) {
    Runs runs = new Runs(starts.length);
    addTo(runs, 0);
    runs.parts = parts;
    runs.partCount = parts.length;
    return new Datatype(base, runs, lb, ub, lbGiven, ubGiven, alignment, other, ofValue);
  }

  /** The same data, with other bounds, in bytes. */
  public static Datatype resized(Datatype of, long lb, long extent) {
    Runs runs = new Runs(of.starts.length);
    of.addTo(runs, 0);
    runs.parts = of.parts;
    runs.partCount = of.parts.length;
    return new Datatype(of.base, runs, lb, lb + extent, true, true, of.alignment);
  }

  // What it is.

  /** What its elements are. */
  public Base base() {
    return base;
  }

  /** What its elements mean. */
  public Role role() {
    return role;
  }

  /** What the values of pairs are. */
  public Base value() {
    return value;
  }

  /** Bytes of data in it. */
  public long size() {
    return size;
  }

  /** Where it begins. */
  public long lb() {
    return lb;
  }

  /** Where it ends. */
  public long ub() {
    return ub;
  }

  /** From one element to the next. */
  public long extent() {
    return ub - lb;
  }

  /** Where its first byte of data is. */
  public long trueLb() {
    return Arrays.stream(starts).min().orElse(0);
  }

  /** From its first byte of data to its last. */
  public long trueExtent() {
    long end = 0;
    for (int i = 0; i < starts.length; i++) {
      end = i == 0 ? starts[i] + lengths[i] : Math.max(end, starts[i] + lengths[i]);
    }
    return end - trueLb();
  }

  /** Whether elements one behind the other are one run. */
  boolean isDense() {
    return dense;
  }

  /** How many basic elements lie in so many bytes of data; negative if one lies there in part. */
  public long elements(long bytes) {
    if (base != Base.MIXED) {
      return bytes % base.bytes() == 0 ? bytes / base.bytes() : -1;
    }
    long left = size == 0 ? 0 : bytes % size;
    long count = size == 0 ? 0 : bytes / size * parts.length;
    for (int i = 0; left > 0; i++) {
      left -= parts[i];
      count++;
    }
    return left == 0 ? count : -1;
  }

  // Using it.

  /** Where the element of an array with an index is: in bytes, or, for objects, the index. */
  public long place(Object memory, int index) {
    return base == Base.OBJECT ? index : (long) index * UserMemory.elementBytes(memory);
  }

  /** Puts elements into a buffer; how many bytes they have there. */
  public int pack(@Nullable Object memory, long at, int count, MemorySegment to, int toAt) {
    if (memory == null || count == 0) {
      return 0;
    }
    check(memory, at, count);
    if (base == Base.OBJECT) {
      return ObjectStream.pack((Object[]) memory, at, count, this, to, toAt);
    }
    int bytes = Math.toIntExact(count * size);
    if (toAt < 0 || toAt + (long) bytes > to.byteSize()) {
      throw new MpiError(
          Kind.TRUNCATE,
          "%d bytes from position %d do not fit into %d".formatted(bytes, toAt, to.byteSize()));
    }
    packAll(memory, at, count, to, toAt);
    return bytes;
  }

  /** Takes elements out of a buffer; how many bytes they had there. */
  public int unpack(MemorySegment from, int fromAt, @Nullable Object memory, long at, int count) {
    if (memory == null || count == 0) {
      return 0;
    }
    check(memory, at, count);
    if (base == Base.OBJECT) {
      return ObjectStream.unpack(from, fromAt, (Object[]) memory, at, count, this);
    }
    int bytes = Math.toIntExact(count * size);
    if (fromAt < 0 || fromAt + (long) bytes > from.byteSize()) {
      throw new MpiError(
          Kind.TRUNCATE,
          "%d bytes from position %d are more than %d".formatted(bytes, fromAt, from.byteSize()));
    }
    unpackAll(from, fromAt, bytes, memory, at);
    return bytes;
  }

  /** Refuses memory that is too small for so many elements. */
  void check(Object memory, long at, int count) {
    if (count == 0 || size == 0) {
      return;
    }
    long have =
        base == Base.OBJECT
            ? memory instanceof Object[] objects ? objects.length : notObjects(memory)
            : UserMemory.bytes(memory);
    long first = at + Math.min(0, (count - 1) * extent()) + (dense ? 0 : trueLb());
    long last = at + Math.max(0, (count - 1) * extent()) + (dense ? size : trueLb() + trueExtent());
    boolean isBefore = first < 0 && (at < 0 || first + UserMemory.bytesBefore(memory) < 0);
    if (isBefore || last > have) {
      throw new MpiError(
          Kind.BUFFER,
          "%d elements of %d bytes from byte %d do not fit into a buffer of %d bytes"
              .formatted(count, extent(), at, have));
    }
  }

  /**
   * How many of so many elements there is room for: a receive may ask for more than ever come. All
   * of them where the memory is wrong in another way, or they do not lie one after the other.
   */
  public int room(@Nullable Object memory, long at, int count) {
    boolean isForward = count > 0 && size > 0 && extent() > 0;
    boolean isRight = memory instanceof Object[] == (base == Base.OBJECT);
    if (memory == null || !isForward || !isRight) {
      return count;
    }
    long have = memory instanceof Object[] objects ? objects.length : UserMemory.bytes(memory);
    long end = at + (dense ? size : trueLb() + trueExtent()); // of the first one
    return at < 0 || at > have
        ? count
        : Math.clamp(Math.floorDiv(have - end, extent()) + 1, 0, count);
  }

  private static long notObjects(Object memory) {
    throw new MpiError(
        Kind.BUFFER,
        "%s is no array of objects, which MPI.OBJECT needs"
            .formatted(memory.getClass().getTypeName()));
  }

  /** Copies the data of elements to one place. */
  void packAll(Object memory, long at, int count, MemorySegment to, long toAt) {
    if (dense) {
      UserMemory.read(memory, at, to, toAt, count * size);
      return;
    }
    long next = toAt;
    for (int n = 0; n < count; n++) {
      for (int i = 0; i < starts.length; i++) {
        UserMemory.read(memory, at + n * extent() + starts[i], to, next, lengths[i]);
        next += lengths[i];
      }
    }
  }

  /** Copies data to where the elements lie; as many bytes as there are. */
  void unpackAll(MemorySegment from, long fromAt, long bytes, Object memory, long at) {
    if (dense) {
      UserMemory.write(from, fromAt, memory, at, bytes);
      return;
    }
    long left = bytes;
    long next = fromAt;
    for (long n = 0; left > 0; n++) {
      for (int i = 0; i < starts.length && left > 0; i++) {
        long piece = Math.min(left, lengths[i]);
        UserMemory.write(from, next, memory, at + n * extent() + starts[i], piece);
        next += piece;
        left -= piece;
      }
    }
  }

  /** Brings the next bytes of a message to where the elements lie. */
  void receive(InMessage in, int bytes, Object memory, long at) {
    if (dense) {
      UserMemory.receive(in, memory, at, bytes);
      return;
    }
    int left = bytes;
    for (long n = 0; left > 0; n++) {
      for (int i = 0; i < starts.length && left > 0; i++) {
        int piece = (int) Math.min(left, lengths[i]);
        UserMemory.receive(in, memory, at + n * extent() + starts[i], piece);
        left -= piece;
      }
    }
  }

  /** Does something with the index of each object. */
  void forEachObject(long at, int count, IntConsumer action) {
    for (int n = 0; n < count; n++) {
      for (int i = 0; i < starts.length; i++) {
        for (long k = 0; k < lengths[i]; k++) {
          action.accept((int) (at + n * extent() + starts[i] + k));
        }
      }
    }
  }
}
