package io.busbar.mpi;

import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Finds out which processes of a communicator are on one host: all tell each other, once. The first
 * thread that wants to know asks; others wait as they would for a message.
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
      int[] leader = {0};
      while (!mail.isNear(group.node(leader[0]))) {
        leader[0]++;
      }
      int[] all = new int[group.size()];
      communicator.inner(CALL).allGatherInTurn(leader, 0, 1, Datatype.INT, all, 0, 1, Datatype.INT);
      topology = new Topology(all, communicator.rank());
    } catch (MpiError e) {
      failed = e;
    } finally {
      mail.wake();
    }
  }
}
