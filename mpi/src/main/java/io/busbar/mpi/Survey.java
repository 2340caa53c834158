package io.busbar.mpi;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Finds out which processes of a communicator are on one host, and whether the bus reaches just
 * them: all tell each other, once. The first thread that wants to know asks; others wait as they
 * would for a message.
 */
final class Survey {
  /** The number of its call; those of collectives are lower. */
  private static final int CALL = Integer.MAX_VALUE;

  private final Communicator communicator;
  private final Mail mail;
  private final AtomicBoolean isBegun = new AtomicBoolean();
  private volatile @Nullable Topology topology;
  private volatile @Nullable MpiError failed;

  Survey(Communicator communicator, Mail mail) {
    this.communicator = communicator;
    this.mail = mail;
  }

  Topology topology() {
    Topology known = topology;
    if (known == null) {
      if (isBegun.compareAndSet(false, true)) {
        ask();
      } else {
        mail.awaitThat(this::isOver);
      }
      known = topology;
    }
    MpiError why = failed;
    if (known == null) {
      throw why == null ? new IllegalStateException("no topology") : why.again();
    }
    return known;
  }

  private boolean isOver() {
    return topology != null || failed != null;
  }

  private void ask() {
    try {
      Group group = communicator.group();
      int size = group.size();
      int leader = 0;
      while (!mail.isNear(group.node(leader))) {
        leader++;
      }
      boolean isOnBus = size == mail.size() && mail.casts().areCheap();
      int[] mine = {leader, isOnBus ? 1 : 0};
      int[] all = new int[2 * size];
      communicator.inner(CALL).allGatherInTurn(mine, 0, 2, Datatype.INT, all, 0, 2, Datatype.INT);
      int[] leaders = IntStream.range(0, size).map(i -> all[2 * i]).toArray();
      boolean areOnBus = IntStream.range(0, size).allMatch(i -> all[2 * i + 1] != 0);
      topology = new Topology(leaders, communicator.rank(), areOnBus);
    } catch (MpiError e) {
      failed = e;
    } finally {
      mail.wake();
    }
  }
}
