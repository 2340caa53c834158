package mpi;

import io.busbar.mpi.Base;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Objects;

/** An operation of a program of the lower-case interface; one of the two is overridden. */
public abstract class UserFunction {
  /** For subclasses. */
  public UserFunction() {}

  /** Combines arrays: {@code inOutVec[i] = inVec[i] op inOutVec[i]}. */
  public void call(Object inVec, Object inOutVec, int count, Datatype datatype)
      throws MPIException {
    throw new UnsupportedOperationException(
        getClass().getName() + " overrides none of the two methods named call");
  }

  /** Combines buffers; as long as it is not overridden, by way of arrays. */
  public void call(ByteBuffer in, ByteBuffer inOut, int count, Datatype datatype)
      throws MPIException {
    Base base = datatype.element();
    Object from = arrayOf(in, base);
    Object to = arrayOf(inOut, base);
    call(from, to, count, datatype);
    MemorySegment.ofBuffer(inOut.clear()).copyFrom(segment(to));
  }

  private static Object arrayOf(ByteBuffer bytes, Base base) {
    MemorySegment all = MemorySegment.ofBuffer(bytes.clear());
    Object array = base.array((int) (all.byteSize() / base.bytes()));
    segment(array).copyFrom(all);
    return array;
  }

  private static MemorySegment segment(Object array) {
    return Objects.requireNonNull(BusbarArrays.segment(array));
  }
}
