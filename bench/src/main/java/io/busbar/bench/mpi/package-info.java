/** MPI between ranks, beside what it stands on and beside other MPIs. */
@NullMarked
package io.busbar.bench.mpi;

import org.jspecify.annotations.NullMarked;
