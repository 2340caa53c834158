package io.busbar.cli;

import io.busbar.linux.Affinity;
import io.busbar.linux.SystemCallException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * Which processors the processes of a job run on: each has its own share of those that the launcher
 * may use, and no other has any of it. With more processes than processors nobody is pinned, nor is
 * a process that is alone. A process is pinned as a whole, with the threads of its JVM.
 *
 * @param shares those of each rank; none: they run where the system puts them
 */
record Pinning(List<BitSet> shares) {
  /** The system puts them where it likes. */
  static final Pinning NONE = new Pinning(List.of());

  /** On this host, which nobody else uses as far as can be known. */
  static Pinning here(int ranks) {
    try {
      return of(Affinity.get(), Runtime.getRuntime().availableProcessors(), ranks);
    } catch (SystemCallException e) {
      return NONE; // more processors than can be named, or a system that does not tell
    }
  }

  /**
   * Shares of some processors, as equal as they can be.
   *
   * @param usable how many of them can be used at the same time: a container may have less time
   */
  static Pinning of(BitSet processors, int usable, int ranks) {
    int[] all = processors.stream().toArray();
    if (ranks < 2 || ranks > Math.min(usable, all.length)) {
      return NONE;
    }
    List<BitSet> shares = new ArrayList<>();
    for (int rank = 0; rank < ranks; rank++) {
      BitSet share = new BitSet();
      for (int i = rank * all.length / ranks; i < (rank + 1) * all.length / ranks; i++) {
        share.set(all[i]);
      }
      shares.add(share);
    }
    return new Pinning(shares);
  }

  /** Starts a process on its share: it has the processors of the thread that starts it. */
  Process start(int rank, ProcessBuilder builder) throws IOException {
    if (shares.isEmpty()) {
      return builder.start();
    }
    BitSet own = Affinity.get();
    Affinity.set(shares.get(rank));
    try {
      return builder.start();
    } finally {
      Affinity.set(own);
    }
  }
}
