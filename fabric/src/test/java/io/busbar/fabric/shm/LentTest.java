package io.busbar.fabric.shm;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.fabric.NicCount;
import io.busbar.fabric.NicCounters;
import io.busbar.fabric.NicEvents;
import io.busbar.memory.Pool;
import io.busbar.memory.PoolLayout;
import io.busbar.wire.RingSlot;
import io.busbar.wire.SharedSegment;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Loans against a model: a buffer is free when, and only when, nobody can read it any more. */
class LentTest {
  private static final int RING_BYTES = 1 << 15;

  private final Folder folder = new Folder();
  private final Station other = new Station(folder);
  private final PeerSegment segment =
      PeerSegment.open(
          other.nic.address(), HostIdentity.current(), new SegmentFiles(folder.path.toString()));
  private final PoolLayout layout = new PoolLayout(16, 4096);
  private final Pool pool = new Pool(layout, Arena.ofAuto().allocate(layout.bytes(), 4096), 1);
  private final NicCounters counters = new NicCounters();
  private final OwnPool ownPool = new OwnPool(pool, counters, new Warnings(NicEvents.NONE));
  private final Lent lent = new Lent(ownPool);

  private final List<Peer> open = new ArrayList<>();
  private final List<Peer> closed = new ArrayList<>();
  private final Map<Peer, RingIn> ends = new HashMap<>();

  /** Who may still read a buffer. */
  private final Map<Long, Set<Peer>> readers = new HashMap<>();

  /** The buffers in the order in which a peer reads them. */
  private final Map<Peer, List<Long>> unread = new HashMap<>();

  @AfterEach
  void close() {
    segment.close();
    other.close();
    folder.close();
  }

  private void addPeer() {
    Peer peer = new Peer(open.size(), 0, segment);
    MemorySegment ring = Arena.ofAuto().allocate(SharedSegment.RING_SLOTS + RING_BYTES, 4096);
    peer.out = new RingOut(ring, 0, RING_BYTES, 0);
    ends.put(peer, new RingIn(ring, 0, RING_BYTES, 0));
    open.add(peer);
    unread.put(peer, new ArrayList<>());
  }

  private void broadcast() {
    collect();
    long handle = lent.hasRoom() ? ownPool.allocate(100) : Pool.NONE;
    if (handle == Pool.NONE) {
      return;
    }
    lent.begin(handle);
    readers.put(handle, new HashSet<>(open));
    for (Peer peer : open) {
      RingOut out = peer.out;
      if (out == null || !out.makeRoom(RingOut.REFERENCE_BYTES)) {
        throw new AssertionError("the ring is larger than the window");
      }
      out.publishReference(RingSlot.LENT, handle, 100);
      lent.reader(peer, out.tail());
      unread.getOrDefault(peer, List.of()).add(handle);
    }
  }

  private void read(Peer peer, int frames) {
    RingIn in = ends.get(peer);
    List<Long> mine = unread.getOrDefault(peer, List.of());
    for (int i = 0; i < frames && !mine.isEmpty() && in != null; i++) {
      in.take(in.next());
      readers.getOrDefault(mine.removeFirst(), Set.of()).remove(peer);
    }
    if (in != null) {
      in.tell();
    }
  }

  private void gone(Peer peer) {
    lent.onGone(peer);
    readers.values().forEach(set -> set.remove(peer));
    unread.remove(peer);
  }

  private void collect() {
    lent.collect(open.toArray(Peer[]::new));
  }

  /** Nothing is free that somebody reads; what nobody reads is, unless an older one holds it. */
  private void check() {
    long held = readers.values().stream().filter(set -> !set.isEmpty()).count();
    assertThat(layout.blocks() - pool.freeBlocks()).isGreaterThanOrEqualTo((int) held);
  }

  @Test
  void loansEndWithTheirLastReader() {
    SplittableRandom random = new SplittableRandom(4);
    for (int life = 0; life < 40; life++) {
      for (int i = 0; i < 3; i++) {
        addPeer();
      }
      for (int round = 0; round < 400; round++) {
        switch (random.nextInt(12)) {
          case 0, 1, 2, 3, 4 -> broadcast();
          case 5, 6, 7, 8, 9 -> {
            if (!open.isEmpty()) {
              read(open.get(random.nextInt(open.size())), 1 + random.nextInt(6));
            }
          }
          case 10 -> {
            if (open.size() > 1 && random.nextInt(20) == 0) {
              Peer leaver = open.remove(random.nextInt(open.size()));
              lent.onClosed(leaver);
              closed.add(leaver);
            }
          }
          default -> {
            if (!closed.isEmpty()) {
              Peer leaver = closed.get(random.nextInt(closed.size()));
              if (random.nextInt(30) == 0) {
                closed.remove(leaver);
                gone(leaver);
              } else {
                read(leaver, 1);
              }
            }
          }
        }
        check();
      }
      open.forEach(peer -> read(peer, Integer.MAX_VALUE));
      collect();
      assertThat(lent.isEmpty()).isTrue();
      open.forEach(lent::onClosed);
      open.forEach(this::gone);
      open.clear();
      closed.forEach(this::gone);
      closed.clear();
      assertThat(pool.freeBlocks()).as("life %d", life).isEqualTo(layout.blocks());
      readers.clear();
    }
    assertThat(counters.get(NicCount.DROPPED_CORRUPT)).isZero();
  }

  @Test
  void closedReadersDoNotFillTheWindow() {
    addPeer();
    addPeer();
    Peer slow = open.get(1);
    for (int i = 0; i < Lent.MAX; i++) {
      broadcast();
      read(open.getFirst(), 1);
    }
    collect();
    assertThat(lent.hasRoom()).isFalse();
    open.remove(slow);
    lent.onClosed(slow);
    collect();
    assertThat(lent.isEmpty()).isTrue();
    assertThat(pool.freeBlocks()).isEqualTo(layout.blocks() - Lent.MAX);
    gone(slow);
    assertThat(pool.freeBlocks()).isEqualTo(layout.blocks());
  }

  /** Somebody wrote over the word of a buffer that is lent: counted, told, and never thrown. */
  @Test
  void damagedBufferIsLostByName() {
    broadcast();
    long handle = readers.keySet().iterator().next();
    ownPool.free(handle);
    broadcast();
    assertThat(counters.get(NicCount.DROPPED_CORRUPT)).isEqualTo(1);
  }
}
