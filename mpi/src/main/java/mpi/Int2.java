package mpi;

/** A value and an index, as {@code MPI.MINLOC} and {@code MPI.MAXLOC} have it. */
public final class Int2 extends Struct {
  private final int value;
  private final int index;

  Int2() {
    value = addInt();
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
    public int getValue() {
      return getInt(value);
    }

    /** The index. */
    public int getIndex() {
      return getInt(index);
    }

    /** Sets the value. */
    public void putValue(int v) {
      putInt(value, v);
    }

    /** Sets the index. */
    public void putIndex(int i) {
      putInt(index, i);
    }
  }
}
