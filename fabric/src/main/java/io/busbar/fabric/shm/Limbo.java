package io.busbar.fabric.shm;

import io.busbar.fabric.NicCount;
import io.busbar.fabric.NicCounters;
import io.busbar.memory.Pool;
import org.jspecify.annotations.Nullable;

/**
 * Peers that we have closed. Until they have closed their side, or are dead, a buffer of ours may
 * be theirs, and they may write into our ring: their numbers rest. And until our user has given
 * back the frames that it keeps of them, they may not think that we are done.
 */
final class Limbo {
  private final Pool pool;
  private final Lent lent;
  private final NicCounters counters;
  private final @Nullable Peer[] byNumber;
  private int count;

  Limbo(Pool pool, Lent lent, NicCounters counters, @Nullable Peer[] byNumber) {
    this.pool = pool;
    this.lent = lent;
    this.counters = counters;
    this.byNumber = byNumber;
  }

  /** We send nothing more to a peer. */
  void enter(Peer peer) {
    RingOut out = peer.out;
    if (out != null) {
      out.close();
    }
    lent.onClosed(peer);
    peer.inLimbo = true;
    peer.mute = true;
    count++;
    closeIn(peer);
  }

  private static void closeIn(Peer peer) {
    RingIn in = peer.in;
    if (in != null && peer.claims == 0) {
      boolean _ = peer.freeWaiting(); // before our number may be another's
      in.close();
      peer.in = null;
    }
  }

  /** Lets go of those that are done. */
  void release() {
    for (int i = 0; i < byNumber.length && count > 0; i++) {
      Peer peer = byNumber[i];
      if (peer != null && peer.inLimbo && peer.claims == 0) {
        closeIn(peer);
        if (peer.out == null || peer.hasClosedItsEnd() || peer.segment.isDead()) {
          counters.add(NicCount.RECLAIMED, pool.reclaim(peer.participant()));
          lent.onGone(peer);
          byNumber[i] = null;
          count--;
          peer.segment.close();
        }
      }
    }
  }

  /** Whether the announcement of a former way to the owner of a token was not read yet. */
  boolean hasUnreadMail(long token) {
    for (int i = 0; i < byNumber.length && count > 0; i++) {
      Peer peer = byNumber[i];
      if (peer != null && peer.inLimbo && peer.segment.address.token() == token) {
        RingOut out = peer.out;
        if (out != null && out.isUnread()) {
          return true;
        }
      }
    }
    return false;
  }
}
