package io.busbar.fabric.shm;

import io.busbar.fabric.NicCount;
import io.busbar.fabric.NicCounters;
import java.lang.invoke.VarHandle;

/** Who was sent something, and has to be woken if it sleeps. */
final class Doorbells {
  private final PeerTable peers;
  private final NicCounters counters;
  private boolean someDirty;

  Doorbells(PeerTable peers, NicCounters counters) {
    this.peers = peers;
    this.counters = counters;
  }

  /** A frame was published. */
  void sent(Peer peer, int length) {
    peer.dirty = true;
    someDirty = true;
    counters.add(NicCount.FRAMES_SENT);
    counters.add(NicCount.BYTES_SENT, length);
  }

  /** Publishing was done already; the fence orders it before the look at who sleeps. */
  void ring() {
    if (!someDirty) {
      return;
    }
    someDirty = false;
    VarHandle.fullFence();
    for (Peer peer : peers.active) {
      if (peer.dirty) {
        peer.dirty = false;
        peers.wake(peer);
      }
    }
  }
}
