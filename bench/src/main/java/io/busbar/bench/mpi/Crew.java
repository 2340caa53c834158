package io.busbar.bench.mpi;

/** The ranks of one system, which rest until they are told to do something. */
interface Crew extends AutoCloseable {
  /** The first ranks do a task; what they say of it, the time being that of rank 0. */
  Did run(Task task);

  /** Gives the compilers of all ranks the processors until they rest. */
  void settle();

  /** What the host of rank 0 has put on its cable so far; 0 without one. */
  long sentBytes();

  @Override
  void close();
}
