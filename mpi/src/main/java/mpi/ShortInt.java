package mpi;

/** A value and an index, as {@code MPI.MINLOC} and {@code MPI.MAXLOC} have it. */
public final class ShortInt extends Struct {
  private final int value;
  private final int index;

  ShortInt() {
    value = addShort();
    Struct _ = setOffset(4);
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
    public short getValue() {
      return getShort(value);
    }

    /** The index. */
    public int getIndex() {
      return getInt(index);
    }

    /** Sets the value. */
    public void putValue(short v) {
      putShort(value, v);
    }

    /** Sets the index. */
    public void putIndex(int i) {
      putInt(index, i);
    }
  }
}
