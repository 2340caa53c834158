package io.busbar.fabric.survey;

import io.busbar.fabric.Nic;
import io.busbar.fabric.NicCount;
import java.lang.foreign.MemorySegment;

/** One frame from one interface to another, as the trial of any carrier wants it. */
final class Crossing {
  private static final int POLLS_MAX = 100_000;

  private Crossing() {}

  /** Whether a frame of this length went through. */
  static boolean of(Nic from, Nic to, int peer, MemorySegment memory, int length) {
    long before = to.counters().get(NicCount.FRAMES_RECEIVED);
    if (!Nic.isTicket(from.transmit(peer, memory, 0, length))) {
      return false;
    }
    from.flush();
    for (int i = 0; i < POLLS_MAX; i++) {
      to.poll((source, frame, offset, bytes, name) -> {}, 1);
      if (to.counters().get(NicCount.FRAMES_RECEIVED) > before) {
        return true;
      }
    }
    return false;
  }
}
