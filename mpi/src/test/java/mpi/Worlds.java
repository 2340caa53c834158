package mpi;

import io.busbar.mpi.Ranks;

/** Ranks in threads of this process that speak through package mpi; none of them calls Init. */
abstract class Worlds extends Ranks {
  /** What a rank does. */
  @FunctionalInterface
  interface Play {
    void run(Intracomm world) throws Exception;
  }

  final void play(int ranks, Play play) throws Exception {
    run(ranks, core -> play.run(new Intracomm(core)));
  }
}
