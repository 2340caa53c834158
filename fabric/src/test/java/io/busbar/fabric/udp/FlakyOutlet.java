package io.busbar.fabric.udp;

import io.busbar.linux.SendBatch;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/** Refuses the next calls as it was told, and lets the others through. */
final class FlakyOutlet implements Outlet {
  private final Outlet below;
  private final Queue<Integer> errnos = new ArrayDeque<>();
  int calls;
  int messages;

  FlakyOutlet(Outlet below) {
    this.below = below;
  }

  void refuse(int errno) {
    errnos.add(errno);
  }

  @Override
  public int send(MemorySegment from, long offset, int length, Peer to) {
    calls++;
    messages++;
    return errnos.isEmpty() ? below.send(from, offset, length, to) : -errnos.remove();
  }

  @Override
  public int send(SendBatch batch, @Nullable Shortcut sole) {
    calls++;
    messages += batch.count();
    return errnos.isEmpty() ? below.send(batch, sole) : -errnos.remove();
  }
}
