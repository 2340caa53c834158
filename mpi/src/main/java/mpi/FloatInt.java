package mpi;

/** A value and an index, as {@code MPI.MINLOC} and {@code MPI.MAXLOC} have it. */
public final class FloatInt extends Struct {
  private final int value;
  private final int index;

  FloatInt() {
    value = addFloat();
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
    public float getValue() {
      return getFloat(value);
    }

    /** The index. */
    public int getIndex() {
      return getInt(index);
    }

    /** Sets the value. */
    public void putValue(float v) {
      putFloat(value, v);
    }

    /** Sets the index. */
    public void putIndex(int i) {
      putInt(index, i);
    }
  }
}
