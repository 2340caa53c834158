package mpi;

/** A count that may be larger than an int. */
public final class Count implements Comparable<Object> {
  private long count;

  /** So many. */
  public Count(long count) {
    this.count = count;
  }

  /** How many. */
  public long getCount() {
    return count;
  }

  /** Says how many. */
  public void setCount(long count) {
    this.count = count;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Count that && that.count == count;
  }

  @Override
  public int hashCode() {
    return Long.hashCode(count);
  }

  @Override
  public int compareTo(Object other) {
    if (other instanceof Count that) {
      return Long.compare(count, that.count);
    }
    throw new ClassCastException("a Count is compared with a Count");
  }
}
