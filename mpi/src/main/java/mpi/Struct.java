package mpi;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/** A struct, whose fields a subclass adds one by one; each has a place in bytes. */
public abstract class Struct {
  private record Field(Datatype type, int offset, int length) {}

  /** A list's, as it is at run time: it takes any object. */
  private static final MethodHandle ADD;

  static {
    try {
      MethodType any = MethodType.methodType(boolean.class, Object.class);
      ADD = MethodHandles.publicLookup().findVirtual(List.class, "add", any);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final List<Field> fields = new ArrayList<>();
  private int extent;
  private Datatype type;

  /** Without fields yet. */
  public Struct() {}

  /** An object that reads and writes one. */
  protected abstract Data newData();

  private Datatype committed() {
    if (type == null) {
      int[] lengths = fields.stream().mapToInt(Field::length).toArray();
      int[] offsets = fields.stream().mapToInt(Field::offset).toArray();
      Datatype[] types = fields.stream().map(Field::type).toArray(Datatype[]::new);
      type = Datatype.createStruct(lengths, offsets, types);
      extent = type.getExtent();
    }
    return type;
  }

  /** From one struct to the next, in bytes. */
  public final int getExtent() throws MPIException {
    Datatype _ = committed();
    return extent;
  }

  /** Its datatype. */
  public final Datatype getType() throws MPIException {
    return committed();
  }

  /** The struct at the beginning of a buffer. */
  public final <T extends Data> T getData(ByteBuffer buffer) throws MPIException {
    return getData(buffer, 0);
  }

  /** One of the structs in a buffer. */
  public final <T extends Data> T getData(ByteBuffer buffer, int index) throws MPIException {
    Data made = newData();
    made.buffer = buffer;
    made.offset = index * getExtent();
    return own(made);
  }

  /** The interface has the caller say of which class its data are: its own cast checks that. */
  private static <T extends Data> T own(Data made) {
    List<T> holder = new ArrayList<>(1);
    try {
      boolean _ = (boolean) ADD.invoke(holder, made);
    } catch (Throwable e) {
      throw new IllegalStateException("a list takes everything", e);
    }
    return holder.getFirst();
  }

  /** The struct at the beginning of an array. */
  public final <T extends Data> T getData(byte[] array) throws MPIException {
    return getData(array, 0);
  }

  /** One of the structs in an array. */
  public final <T extends Data> T getData(byte[] array, int index) throws MPIException {
    return getData(ByteBuffer.wrap(array).order(ByteOrder.nativeOrder()), index);
  }

  private void checkOpen() {
    if (type != null) {
      throw new IllegalStateException("the struct was used before: it cannot have more fields");
    }
  }

  private int add(Datatype of, int bytes, int length) {
    checkOpen();
    int offset = extent;
    extent += bytes * length;
    fields.add(new Field(of, offset, length));
    return offset;
  }

  /** Where the next field is, not before the end of the last one. */
  public final Struct setOffset(int offset) {
    checkOpen();
    if (offset < extent) {
      throw new IllegalArgumentException(
          "offset %d; the fields so far end at %d".formatted(offset, extent));
    }
    extent = offset;
    return this;
  }

  /** Adds a struct; its place. */
  public final int addStruct(Struct struct) throws MPIException {
    return addStruct(struct, 1);
  }

  /** Adds several structs; their place. */
  public final int addStruct(Struct struct, int length) throws MPIException {
    return add(struct.getType(), struct.getExtent(), length);
  }

  /** Adds an element; its place. */
  public final int addData(Datatype of) throws MPIException {
    return addData(of, 1);
  }

  /** Adds several elements; their place. */
  public final int addData(Datatype of, int length) throws MPIException {
    return add(of, extent("Struct.addData", of), length);
  }

  private static int extent(String call, Datatype of) {
    return BusbarErrors.get(call, () -> (int) Comm.core(of).extent());
  }

  /** Adds a byte; its place. */
  public final int addByte() {
    return addByte(1);
  }

  /** Adds several of byte; their place. */
  public final int addByte(int length) {
    return add(MPI.BYTE, 1, length);
  }

  /** Adds a char; its place. */
  public final int addChar() {
    return addChar(1);
  }

  /** Adds several of char; their place. */
  public final int addChar(int length) {
    return add(MPI.CHAR, 2, length);
  }

  /** Adds a short; its place. */
  public final int addShort() {
    return addShort(1);
  }

  /** Adds several of short; their place. */
  public final int addShort(int length) {
    return add(MPI.SHORT, 2, length);
  }

  /** Adds a int; its place. */
  public final int addInt() {
    return addInt(1);
  }

  /** Adds several of int; their place. */
  public final int addInt(int length) {
    return add(MPI.INT, 4, length);
  }

  /** Adds a long; its place. */
  public final int addLong() {
    return addLong(1);
  }

  /** Adds several of long; their place. */
  public final int addLong(int length) {
    return add(MPI.LONG, 8, length);
  }

  /** Adds a float; its place. */
  public final int addFloat() {
    return addFloat(1);
  }

  /** Adds several of float; their place. */
  public final int addFloat(int length) {
    return add(MPI.FLOAT, 4, length);
  }

  /** Adds a double; its place. */
  public final int addDouble() {
    return addDouble(1);
  }

  /** Adds several of double; their place. */
  public final int addDouble(int length) {
    return add(MPI.DOUBLE, 8, length);
  }

  /** A struct in a buffer. */
  public abstract class Data {
    private ByteBuffer buffer;
    private int offset;

    /** Of no buffer yet. */
    public Data() {}

    /** Where it is, for sends and receives. */
    public final ByteBuffer getBuffer() {
      return offset == 0 ? buffer : MPI.slice(buffer, offset);
    }

    /** A struct that is a field. */
    protected final <D extends Data> D getData(Struct struct, int field) {
      return getData(struct, field, 0);
    }

    /** One of several structs that are a field. */
    protected final <D extends Data> D getData(Struct struct, int field, int index) {
      Data made = struct.newData();
      made.buffer = buffer;
      made.offset = offset + field + index * struct.getExtent();
      return own(made);
    }

    /** The buffer of a field. */
    protected final ByteBuffer getBuffer(Datatype of, int field) {
      return getBuffer(of, field, 0);
    }

    /** The buffer of one of several elements of a field. */
    protected final ByteBuffer getBuffer(Datatype of, int field, int index) {
      int extent = extent("Struct.Data.getBuffer", of);
      return MPI.slice(buffer, offset + field + index * extent);
    }

    /** The value of a field. */
    protected final byte getByte(int field) {
      return buffer.get(offset + field);
    }

    /** One of the values of a field. */
    protected final byte getByte(int field, int index) {
      return buffer.get(offset + field + index);
    }

    /** Sets a field. */
    protected final void putByte(int field, byte value) {
      ByteBuffer _ = buffer.put(offset + field, value);
    }

    /** Sets one of the values of a field. */
    protected final void putByte(int field, int index, byte value) {
      ByteBuffer _ = buffer.put(offset + field + index, value);
    }

    /** The value of a field. */
    protected final char getChar(int field) {
      return buffer.getChar(offset + field);
    }

    /** One of the values of a field. */
    protected final char getChar(int field, int index) {
      return buffer.getChar(offset + field + 2 * index);
    }

    /** Sets a field. */
    protected final void putChar(int field, char value) {
      ByteBuffer _ = buffer.putChar(offset + field, value);
    }

    /** Sets one of the values of a field. */
    protected final void putChar(int field, int index, char value) {
      ByteBuffer _ = buffer.putChar(offset + field + 2 * index, value);
    }

    /** The value of a field. */
    protected final short getShort(int field) {
      return buffer.getShort(offset + field);
    }

    /** One of the values of a field. */
    protected final short getShort(int field, int index) {
      return buffer.getShort(offset + field + 2 * index);
    }

    /** Sets a field. */
    protected final void putShort(int field, short value) {
      ByteBuffer _ = buffer.putShort(offset + field, value);
    }

    /** Sets one of the values of a field. */
    protected final void putShort(int field, int index, short value) {
      ByteBuffer _ = buffer.putShort(offset + field + 2 * index, value);
    }

    /** The value of a field. */
    protected final int getInt(int field) {
      return buffer.getInt(offset + field);
    }

    /** One of the values of a field. */
    protected final int getInt(int field, int index) {
      return buffer.getInt(offset + field + 4 * index);
    }

    /** Sets a field. */
    protected final void putInt(int field, int value) {
      ByteBuffer _ = buffer.putInt(offset + field, value);
    }

    /** Sets one of the values of a field. */
    protected final void putInt(int field, int index, int value) {
      ByteBuffer _ = buffer.putInt(offset + field + 4 * index, value);
    }

    /** The value of a field. */
    protected final long getLong(int field) {
      return buffer.getLong(offset + field);
    }

    /** One of the values of a field. */
    protected final long getLong(int field, int index) {
      return buffer.getLong(offset + field + 8 * index);
    }

    /** Sets a field. */
    protected final void putLong(int field, long value) {
      ByteBuffer _ = buffer.putLong(offset + field, value);
    }

    /** Sets one of the values of a field. */
    protected final void putLong(int field, int index, long value) {
      ByteBuffer _ = buffer.putLong(offset + field + 8 * index, value);
    }

    /** The value of a field. */
    protected final float getFloat(int field) {
      return buffer.getFloat(offset + field);
    }

    /** One of the values of a field. */
    protected final float getFloat(int field, int index) {
      return buffer.getFloat(offset + field + 4 * index);
    }

    /** Sets a field. */
    protected final void putFloat(int field, float value) {
      ByteBuffer _ = buffer.putFloat(offset + field, value);
    }

    /** Sets one of the values of a field. */
    protected final void putFloat(int field, int index, float value) {
      ByteBuffer _ = buffer.putFloat(offset + field + 4 * index, value);
    }

    /** The value of a field. */
    protected final double getDouble(int field) {
      return buffer.getDouble(offset + field);
    }

    /** One of the values of a field. */
    protected final double getDouble(int field, int index) {
      return buffer.getDouble(offset + field + 8 * index);
    }

    /** Sets a field. */
    protected final void putDouble(int field, double value) {
      ByteBuffer _ = buffer.putDouble(offset + field, value);
    }

    /** Sets one of the values of a field. */
    protected final void putDouble(int field, int index, double value) {
      ByteBuffer _ = buffer.putDouble(offset + field + 8 * index, value);
    }
  }
}
