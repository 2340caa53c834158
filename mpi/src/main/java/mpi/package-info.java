/**
 * MPI for Java as programs know it: the methods with a capital letter are those of mpiJava 1.2, as
 * MPJ Express has them, the others those of Open MPI's Java bindings. All of it is a view of {@code
 * io.busbar.mpi}, and does nothing of its own but joining and leaving the job, the clock of {@code
 * wtime}, topologies, attributes and hints.
 *
 * <p><b>Names</b>: programs have classes of their own in this package, and name others by wildcard
 * imports, before which what is in the package comes. So what is not of the two interfaces has a
 * name that begins with Busbar.
 *
 * <p><b>Threads</b>: any thread may call anything, after plain {@code Init} too. One of its own
 * leaves the job when the process ends, and one tells the others of an abort.
 *
 * <p><b>Read first</b>: {@code docs/mpi.md}; then {@link mpi.MPI} and {@link mpi.Comm}.
 */
package mpi;
