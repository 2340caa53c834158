package io.busbar.fabric.shm;

import io.busbar.fabric.FabricException;
import io.busbar.fabric.Nic;
import io.busbar.fabric.NicCount;
import io.busbar.fabric.NicCounters;
import io.busbar.fabric.NicEvents;
import io.busbar.linux.PollSet;
import io.busbar.linux.SystemCallException;
import io.busbar.memory.Pool;
import io.busbar.wire.SharedSegment;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The peers of an interface: opened by us, or announced by themselves. A death is noticed at the
 * peer's doorbell, which reports an error when nobody listens there any more, and proved by the
 * lock that the kernel dropped. A peer that goes is heard to the end first.
 */
final class PeerTable implements Mailbox.Reader {
  private final OwnSegment own;
  private final NicCounters counters;
  private final NicEvents events;
  private final Warnings warnings;
  private final @Nullable Peer[] byNumber = new @Nullable Peer[SharedSegment.PEERS_MAX];
  private final PollSet watch = new PollSet(SharedSegment.PEERS_MAX);

  /** Those that are not in limbo, without holes; read by whoever polls or broadcasts. */
  Peer[] active = {};

  private int opened;
  private int going;
  private final Limbo limbo;

  PeerTable(
      OwnSegment own,
      Pool pool,
      Lent lent,
      NicCounters counters,
      NicEvents events,
      Warnings warnings) {
    this.own = own;
    this.counters = counters;
    this.events = events;
    this.warnings = warnings;
    this.limbo = new Limbo(pool, lent, counters, byNumber);
  }

  /** The peer with a number; null when there is none, or it is going. */
  @Nullable Peer get(int number) {
    Peer peer = known(number);
    return peer == null || !peer.isOpen() ? null : peer;
  }

  /** The peer with a number, which may be going or in limbo; null when there is none. */
  @Nullable Peer known(int number) {
    if (number < 0 || number >= byNumber.length) {
      throw new IllegalArgumentException("there is no peer %d: open it first".formatted(number));
    }
    return byNumber[number];
  }

  Peer open(ShmAddress address) {
    if (own.isOwn(address.token())) {
      throw new FabricException("%s is this interface itself".formatted(address));
    }
    Peer known = openTo(address.token());
    if (known != null) {
      return known;
    }
    PeerSegment segment = PeerSegment.open(address, own.address.host(), own.files());
    try {
      return add(segment);
    } catch (FabricException e) {
      segment.close();
      throw e;
    }
  }

  /** The open peer with a token; not one whose former life had it, where tokens are given. */
  private @Nullable Peer openTo(long token) {
    for (Peer peer : active) {
      if (peer.isOpen() && peer.segment.address.token() == token) {
        if (!peer.segment.isGone()) {
          return peer;
        }
        depart(peer, peer.segment.farewell());
      }
    }
    return null;
  }

  private Peer add(PeerSegment segment) {
    int number = 0;
    while (number < byNumber.length && byNumber[number] != null) {
      number++;
    }
    if (number == byNumber.length) {
      throw new FabricException(
          "this interface has %d peers already, as many as it can".formatted(number));
    }
    Peer peer = new Peer(number, opened++, segment);
    byNumber[number] = peer;
    active = Arrays.copyOf(active, active.length + 1);
    active[active.length - 1] = peer;
    rewatch();
    return peer;
  }

  // Announcements.

  @Override
  public void onAnnouncement(long token, long participant) {
    Peer known = awaiting(token);
    if (known == null) {
      known = openTo(token);
      if (known != null) { // it closed the way and made another meanwhile
        depart(known, "it has closed the way");
        known = null;
      }
    }
    Peer peer;
    try {
      peer = welcome(known, token, participant);
    } catch (FabricException e) {
      if (known != null) {
        expel(known, String.valueOf(e.getMessage()));
      }
      counters.add(NicCount.DROPPED_FOREIGN);
      warnings.tell(
          Warnings.Kind.ANNOUNCEMENT,
          "a ring was announced that cannot be used: " + e.getMessage());
      return;
    }
    wakeForRoom(peer); // it may have another ring to announce
    if (peer.segment.isGone()) {
      depart(peer, peer.segment.farewell());
    }
    if (known == null) {
      events.onPeer(peer.number);
    }
  }

  /**
   * The peer with a token from which nothing was announced yet. One that has left since is heard to
   * the end all the same; a later life under the same token is another peer.
   */
  private @Nullable Peer awaiting(long token) {
    for (Peer peer : active) {
      boolean awaits = peer.in == null && !peer.expelled;
      if (awaits
          && peer.segment.address.token() == token
          && !peer.segment.isReplaced(own.files())) {
        return peer;
      }
    }
    return null;
  }

  private Peer welcome(@Nullable Peer known, long token, long participant) {
    PeerSegment segment = known != null ? known.segment : segmentOf(token);
    try {
      RingIn in = segment.ringTo(participant);
      Peer peer = known != null ? known : add(segment);
      peer.theirs = segment.poolFor(participant);
      peer.in = in;
      in.open(segment.canReadAcross());
      return peer;
    } catch (FabricException e) {
      if (known == null) {
        segment.close();
      }
      throw e;
    }
  }

  /** One that died since, too: what it had sent is heard, and then it is found dead. */
  private PeerSegment segmentOf(long token) {
    if (own.isOwn(token)) {
      throw new FabricException("this interface announced itself");
    }
    ShmAddress address = new ShmAddress(own.address.host(), token);
    return PeerSegment.openEvenDead(address, own.address.host(), own.files());
  }

  @Override
  public boolean isAlive(long token) {
    return !own.isOwn(token) && own.files().isAlive(token);
  }

  // Rings to peers.

  /** The ring to a peer, made now if need be; null when there is no room for one, or its mail. */
  @Nullable RingOut ringTo(Peer peer) {
    RingOut ring = peer.out;
    return ring != null ? ring : makeRing(peer);
  }

  private @Nullable RingOut makeRing(Peer peer) {
    int participant = peer.participant();
    RingOut ring = peer.made;
    if (ring == null) {
      try {
        own.makeRing(participant);
      } catch (SystemCallException e) {
        String why = "no ring to %s: %s".formatted(peer.segment.address, e.getMessage());
        warnings.tell(Warnings.Kind.NO_RING, why);
        events.onNoWay(peer.number, why);
        return null;
      }
      ring = new RingOut(own.memory, own.layout.ringAt(participant), own.layout.ringBytes, 0);
      peer.made = ring;
    }
    // Mail has no order: a former way to the same peer has to be found before this one.
    if (limbo.hasUnreadMail(peer.segment.address.token())
        || !Mailbox.announce(peer.segment.memory, own.address.token(), participant)) {
      wake(peer);
      return null;
    }
    peer.out = ring;
    peer.dirty = true;
    return ring;
  }

  /** Wakes a peer if it sleeps; what was published is behind a full fence. */
  void wake(Peer peer) {
    if (peer.segment.wake()) {
      counters.add(NicCount.BELLS);
    }
  }

  /** Wakes a peer that waits for room, which we have made. */
  void wakeForRoom(Peer peer) {
    VarHandle.fullFence();
    if (peer.segment.wakeForRoom()) {
      counters.add(NicCount.BELLS);
    }
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
    if (!peer.expelled) {
      peer.expelled = true;
      peer.mute = true;
      counters.add(NicCount.DROPPED_CORRUPT);
      depart(peer, why);
    }
  }

  /** Looks for peers that have died, left, or closed the way. */
  void check() {
    if (active.length > 0 && watch.await(0) > 0) {
      for (int i = 0; i < active.length; i++) {
        Peer peer = active[i];
        if (peer.isOpen() && watch.ready(i) != 0 && peer.segment.isGone()) {
          depart(peer, peer.segment.farewell());
        }
      }
    }
    for (Peer peer : active) {
      lookAt(peer);
    }
    limbo.release();
  }

  /** Looks, without asking the kernel, whether a peer has closed the way or broken the rules. */
  void lookAt(Peer peer) {
    RingOut out = peer.out;
    if (out != null && out.isBroken()) {
      expel(peer, "its head is where it cannot be");
    } else if (!peer.freeWaiting()) {
      expel(peer, "it took back buffers that were ours");
    } else if (peer.isOpen() && peer.hasClosedTheWay()) {
      depart(peer, peer.segment.farewell());
    }
  }

  /** Lets go of those in limbo that are done. */
  void releaseLimbo() {
    limbo.release();
  }

  /** What to say when the ring to a peer is full: of one that takes no more, that it is gone. */
  long noRoom(Peer peer) {
    if (peer.out != null) {
      lookAt(peer);
    }
    return peer.isOpen() ? Nic.FULL : Nic.GONE;
  }

  boolean someGo() {
    return going > 0;
  }

  /** Lets go of those whose last frame was delivered; who is told of one may close others. */
  void bury() {
    for (Peer peer : active.clone()) {
      if (!peer.isOpen() && !peer.inLimbo && peer.isDrained()) {
        String why = String.valueOf(peer.farewell);
        boolean hasDied = peer.segment.hasDiedSilently();
        leave(peer);
        counters.add(NicCount.PEERS_GONE);
        try {
          if (hasDied) {
            events.onProcessEnded(peer.number);
          }
          events.onPeerGone(peer.number, why);
        } finally {
          limbo.release();
        }
      }
    }
  }

  /**
   * Closes the way to a peer whose frames are being delivered: for as long as they are, it is as if
   * our user kept one of them. {@link #delivered} follows.
   */
  void closeInDelivery(Peer peer) {
    peer.kept(1, 0);
    close(peer);
  }

  /** No frame of a peer is being delivered any more, which was closed meanwhile. */
  void delivered(Peer peer) {
    peer.kept(-1, 0);
    limbo.release();
  }

  /** Closes the way to a peer from our side. */
  void close(Peer peer) {
    depart(peer, "closed here");
    try {
      leave(peer);
      limbo.release();
    } catch (InternalError fault) {
      if (!expelTorn()) {
        throw fault;
      }
    }
  }

  /** After a fault: expels those whose files were cut; whether there are any. */
  boolean expelTorn() {
    boolean found = false;
    for (Peer peer : byNumber) {
      if (peer != null && peer.segment.isTorn()) {
        expel(peer, "its segment was cut short");
        found = true;
      }
    }
    return found;
  }

  private void leave(Peer peer) {
    going--;
    active = Arrays.stream(active).filter(other -> other != peer).toArray(Peer[]::new);
    rewatch();
    limbo.enter(peer);
    wake(peer);
  }

  private void rewatch() {
    watch.clear();
    for (Peer peer : active) {
      watch.add(peer.segment.bell.descriptor(), 0);
    }
  }

  /** Deaths in limbo, too: they give buffers back. One whose frames our user keeps gives none. */
  void listen(PollSet set) {
    for (Peer peer : byNumber) {
      if (peer != null && (!peer.inLimbo || peer.claims == 0)) {
        set.add(peer.segment.bell.descriptor(), 0);
      }
    }
  }

  /** Rings that were announced, whose readers live and have not found them yet. */
  List<RingOut> unread() {
    List<RingOut> rings = new ArrayList<>();
    for (Peer peer : byNumber) {
      RingOut out = peer == null ? null : peer.out;
      if (peer != null && out != null && out.isUnread() && !peer.segment.isGone()) {
        rings.add(out);
      }
    }
    return rings;
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
