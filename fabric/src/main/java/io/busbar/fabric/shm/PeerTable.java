package io.busbar.fabric.shm;

import io.busbar.fabric.FabricException;
import io.busbar.fabric.NicCount;
import io.busbar.fabric.NicCounters;
import io.busbar.fabric.NicEvents;
import io.busbar.linux.PollSet;
import io.busbar.linux.SystemCallException;
import io.busbar.memory.Pool;
import io.busbar.wire.SharedSegment;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The peers of an interface: opened by us, or announced by themselves. A death is noticed at the
 * peer's doorbell, which reports an error when nobody listens there any more, and proved by the
 * lock that the kernel dropped. A peer that goes is heard to the end first.
 */
final class PeerTable implements Mailbox.Reader {
  private final OwnSegment own;
  private final Pool pool;
  private final NicCounters counters;
  private final NicEvents events;
  private final @Nullable Peer[] byNumber = new @Nullable Peer[SharedSegment.PEERS_MAX];
  private final PollSet watch = new PollSet(SharedSegment.PEERS_MAX);

  /** Those that are not in limbo, without holes; read by whoever polls or broadcasts. */
  Peer[] active = {};

  private int opened;
  private int going;
  private int inLimbo;

  PeerTable(OwnSegment own, Pool pool, NicCounters counters, NicEvents events) {
    this.own = own;
    this.pool = pool;
    this.counters = counters;
    this.events = events;
  }

  /** The peer with a number; null when there is none, or it is going. */
  @Nullable Peer get(int number) {
    if (number < 0 || number >= byNumber.length) {
      throw new IllegalArgumentException("there is no peer %d: open it first".formatted(number));
    }
    Peer peer = byNumber[number];
    return peer == null || !peer.isOpen() ? null : peer;
  }

  Peer open(ShmAddress address) {
    if (own.isOwn(address.token())) {
      throw new FabricException("%s is this interface itself".formatted(address));
    }
    for (Peer peer : active) {
      if (peer.isOpen() && peer.segment.address.token() == address.token()) {
        return peer;
      }
    }
    int number = freeNumber();
    PeerSegment segment = PeerSegment.open(address, own.address.host(), own.files());
    Peer peer = new Peer(number, opened++, segment);
    byNumber[number] = peer;
    active = Arrays.copyOf(active, active.length + 1);
    active[active.length - 1] = peer;
    rewatch();
    return peer;
  }

  private int freeNumber() {
    for (int i = 0; i < byNumber.length; i++) {
      if (byNumber[i] == null) {
        return i;
      }
    }
    throw new FabricException(
        "this interface has %d peers already, as many as it can".formatted(byNumber.length));
  }

  // Announcements.

  @Override
  public void onAnnouncement(long token, long participant) {
    Peer peer;
    try {
      peer = open(new ShmAddress(own.address.host(), token));
      if (peer.in != null) { // it has closed the way and made another, before we noticed
        depart(peer, "it has closed the way");
        peer = open(new ShmAddress(own.address.host(), token));
      }
    } catch (FabricException e) {
      counters.add(NicCount.DROPPED_FOREIGN);
      events.onWarning("a ring was announced that cannot be used: " + e.getMessage());
      return;
    }
    if (!Segment.isPeer(participant)) {
      counters.add(NicCount.DROPPED_CORRUPT);
      depart(peer, "it announced a ring with the impossible number " + participant);
      return;
    }
    PeerSegment segment = peer.segment;
    int us = (int) participant;
    peer.theirs = new Pool(segment.layout.pool, segment.layout.pool(segment.memory), us);
    RingIn in = new RingIn(segment.memory, segment.layout.ringAt(us), segment.layout.ringBytes, 0);
    in.open(segment.canReadAcross());
    peer.in = in;
    if (peer.out == null) {
      events.onPeer(peer.number);
    }
  }

  @Override
  public boolean isAlive(long token) {
    try (PeerSegment segment =
        PeerSegment.open(
            new ShmAddress(own.address.host(), token), own.address.host(), own.files())) {
      return segment.isAlive();
    } catch (FabricException e) {
      return false;
    }
  }

  // Rings to peers.

  /** The ring to a peer, made now if need be; null when its mailbox is full. */
  @Nullable RingOut ringTo(Peer peer) {
    RingOut ring = peer.out;
    return ring != null ? ring : makeRing(peer);
  }

  private @Nullable RingOut makeRing(Peer peer) {
    int participant = peer.participant();
    try {
      own.makeRing(participant);
    } catch (SystemCallException e) {
      events.onWarning("no ring to %s: %s".formatted(peer.segment.address, e.getMessage()));
      return null;
    }
    RingOut ring = new RingOut(own.memory, own.layout.ringAt(participant), own.layout.ringBytes, 0);
    if (!Mailbox.announce(peer.segment.memory, own.address.token(), participant)) {
      return null;
    }
    peer.out = ring;
    peer.dirty = true;
    return ring;
  }

  // Going.

  /** A peer goes: nothing is sent to it any more, and what it had sent is heard to the end. */
  void depart(Peer peer, String why) {
    if (peer.isOpen()) {
      peer.farewell = why;
      going++;
    }
  }

  /** A peer broke the rules: nothing of it is believed any more. */
  void expel(Peer peer, String why) {
    counters.add(NicCount.DROPPED_CORRUPT);
    depart(peer, why);
    RingIn in = peer.in;
    if (in != null) {
      in.close();
      peer.in = null;
    }
  }

  /** Looks for peers that have died, left, or closed the way. */
  void check() {
    if (active.length > 0 && watch.await(0) > 0) {
      for (int i = 0; i < active.length; i++) {
        Peer peer = active[i];
        if (watch.ready(i) != 0 && !peer.segment.isAlive()) {
          depart(peer, peer.segment.farewell());
        }
      }
    }
    for (Peer peer : active) {
      RingIn in = peer.in;
      RingOut out = peer.out;
      if ((in != null && in.isClosed())
          || (out != null && out.receiver() == SharedSegment.RING_CLOSED)) {
        depart(peer, "it has closed the way");
      }
    }
    if (inLimbo > 0) {
      releaseLimbo();
    }
  }

  boolean someGo() {
    return going > 0;
  }

  /** Lets go of those whose last frame was delivered. */
  void bury() {
    for (Peer peer : active.clone()) {
      if (!peer.isOpen() && peer.isDrained()) {
        going--;
        String why = String.valueOf(peer.farewell);
        leave(peer);
        counters.add(NicCount.PEERS_GONE);
        events.onPeerGone(peer.number, why);
      }
    }
  }

  /** Closes the way to a peer from our side. */
  void close(Peer peer) {
    depart(peer, "closed here");
    going--;
    leave(peer);
  }

  private void leave(Peer peer) {
    active = Arrays.stream(active).filter(other -> other != peer).toArray(Peer[]::new);
    rewatch();
    RingOut out = peer.out;
    if (out != null) {
      out.close();
    }
    peer.inLimbo = true;
    inLimbo++;
    if (peer.segment.wake()) {
      counters.add(NicCount.BELLS);
    }
    releaseLimbo();
  }

  /**
   * Frees the numbers of peers that are dead, or have closed their side. Until then a buffer of
   * ours may be theirs; and a frame that our user keeps may be in their memory.
   */
  void releaseLimbo() {
    for (int i = 0; i < byNumber.length; i++) {
      Peer peer = byNumber[i];
      if (peer != null && peer.inLimbo && peer.claims == 0) {
        RingIn in = peer.in;
        RingOut out = peer.out;
        if (in != null) {
          in.close();
          peer.in = null;
        }
        boolean closed = out == null || out.receiver() == SharedSegment.RING_CLOSED;
        if (closed || !peer.segment.isAlive()) {
          counters.add(NicCount.RECLAIMED, pool.reclaim(peer.participant()));
          byNumber[i] = null;
          inLimbo--;
          peer.segment.close();
        }
      }
    }
  }

  private void rewatch() {
    watch.clear();
    for (Peer peer : active) {
      watch.add(peer.segment.bell.descriptor(), 0);
    }
  }

  void listen(PollSet set) {
    for (Peer peer : active) {
      set.add(peer.segment.bell.descriptor(), 0);
    }
  }

  /** Tells all that we leave. */
  void closeAll() {
    for (Peer peer : active.clone()) {
      close(peer);
    }
    for (Peer peer : byNumber) {
      if (peer != null) {
        peer.segment.close();
      }
    }
  }
}
