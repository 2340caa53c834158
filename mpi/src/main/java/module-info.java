/** MPI: {@code mpi} is what programs import, {@code io.busbar.mpi} what it stands on. */
module io.busbar.mpi {
  requires transitive io.busbar.messages;
  requires static transitive org.jspecify;

  exports io.busbar.mpi;
  exports mpi;
  exports mpjbuf;
  exports mpjdev;
  exports xdev;
}
