package mpi;

import io.busbar.mpi.Base;
import io.busbar.mpi.MpiError;
import io.busbar.mpi.Operation;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** An operation of reductions: a predefined one, or one of the program's. */
public class Op implements Freeable {
  private static final io.busbar.mpi.Datatype BYTE = io.busbar.mpi.Datatype.BYTE;

  private Operation core;
  private final User_function upper;
  private final UserFunction lower;

  Op(Operation core) {
    this.core = core;
    this.upper = null;
    this.lower = null;
  }

  /** An operation of the program's. */
  public Op(User_function function, boolean commute) {
    this.upper = function;
    this.lower = null;
    this.core = new Operation(function.getClass().getName(), commute, (a, b, c, d, e, f) -> {});
  }

  /** The same; the number means nothing here. */
  public Op(User_function function, boolean commute, int number) {
    this(function, commute);
  }

  /** An operation of the program's. */
  public Op(UserFunction function, boolean commute) {
    this.upper = null;
    this.lower = function;
    this.core = new Operation(function.getClass().getName(), commute, (a, b, c, d, e, f) -> {});
  }

  /** What it does with elements of a type. */
  Operation core(Datatype type) {
    if (core == null) {
      throw new MpiError(MpiError.Kind.OP, "the operation was freed");
    }
    Datatype lasting = upper == null && lower == null ? type : type.lasting();
    if (upper != null) {
      return new Operation(
          core.name(),
          core.commutes(),
          (in, inAt, inout, inoutAt, count, _) ->
              upper.Call(in, inAt, inout, inoutAt, count, type.isNull() ? lasting : type));
    }
    if (lower != null) {
      return new Operation(
          core.name(),
          core.commutes(),
          (in, inAt, inout, inoutAt, count, of) ->
              call(in, inAt, inout, inoutAt, count, of, type.isNull() ? lasting : type));
    }
    return core;
  }

  private void call(
      Object in,
      int inAt,
      Object inout,
      int inoutAt,
      int count,
      io.busbar.mpi.Datatype of,
      Datatype type) {
    Base base = of.base();
    if (type.element() == base && (base == Base.BOOLEAN || base == Base.OBJECT)) {
      int length = (int) (count * of.extent());
      Object from = base.arrayLike(in, length);
      Object to = base.arrayLike(inout, length);
      System.arraycopy(in, inAt, from, 0, length);
      System.arraycopy(inout, inoutAt, to, 0, length);
      lower.call(from, to, count, type);
      System.arraycopy(to, 0, inout, inoutAt, length);
      return;
    }
    long bytes = java.lang.reflect.Array.getLength(inout) * (long) base.bytes();
    long inByte = (long) inAt * base.bytes();
    long inoutByte = (long) inoutAt * base.bytes();
    int length = (int) Math.min(count * of.extent(), bytes - inoutByte);
    ByteBuffer from = bytes(in, inByte, length);
    ByteBuffer to = bytes(inout, inoutByte, length);
    lower.call(from, to, count, type);
    int _ = BYTE.unpack(MemorySegment.ofBuffer(to.clear()), 0, inout, inoutByte, length);
  }

  /** A copy of a part of an array, as functions are given it. */
  private static ByteBuffer bytes(Object array, long at, int length) {
    ByteBuffer made = ByteBuffer.allocateDirect(length).order(ByteOrder.nativeOrder());
    int _ = BYTE.pack(array, at, length, MemorySegment.ofBuffer(made), 0);
    return made;
  }

  /** Whether the order of values does not matter. */
  public boolean isCommutative() {
    return core != null && core.commutes();
  }

  /** Gives it back; a predefined one stays, and says so. */
  @Override
  public void free() throws MPIException {
    if (upper == null && lower == null) {
      throw new MPIException(MPI.ERR_OP, "Op.free: a predefined operation cannot be freed");
    }
    core = null;
  }

  /** Whether it was freed. */
  public boolean isNull() {
    return core == null;
  }
}
