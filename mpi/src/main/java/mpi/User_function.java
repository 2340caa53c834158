package mpi;

/** An operation of a program of the upper-case interface. */
public abstract class User_function {
  /** For subclasses. */
  public User_function() {}

  /** Combines: {@code inout[inoutoffset + i] = in[inoffset + i] op inout[inoutoffset + i]}. */
  public abstract void Call(
      Object invec, int inoffset, Object inoutvec, int inoutoffset, int count, Datatype datatype)
      throws MPIException;
}
