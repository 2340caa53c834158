package mpi;

/** A value and an index, as {@code MPI.MINLOC} and {@code MPI.MAXLOC} have it. */
public final class LongInt extends Struct {
  private final int value;
  private final int index;

  LongInt() {
    value = addLong();
    index = addInt();
  }

  @Override
  protected Data newData() {
    return new Data();
  }

  /** One of them. */
  public final class Data extends Struct.Data {
    Data() {}

    /** The value. */
    public long getValue() {
      return getLong(value);
    }

    /** The index. */
    public int getIndex() {
      return getInt(index);
    }

    /** Sets the value. */
    public void putValue(long v) {
      putLong(value, v);
    }

    /** Sets the index. */
    public void putIndex(int i) {
      putInt(index, i);
    }
  }
}
