package mpi;

/** What is given back when it is not needed any more. */
public interface Freeable {
  /** Gives it back. */
  void free() throws MPIException;
}
