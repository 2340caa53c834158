package io.busbar.lab.conformance;

import io.busbar.fabric.FrameReceiver;
import io.busbar.fabric.Nic;
import io.busbar.fabric.NicAddress;
import io.busbar.fabric.NicCapability;
import io.busbar.fabric.NicCount;
import io.busbar.fabric.NicCounters;
import io.busbar.fabric.NicEvents;
import io.busbar.fabric.Registrations;
import io.busbar.linux.PollSet;
import io.busbar.memory.Pool;
import io.busbar.memory.Role;
import io.busbar.wire.FrameBuilder;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.util.BitSet;
import java.util.EnumSet;
import java.util.Set;

/**
 * Stations of one process that hand each other buffers of their pools: the smallest interface that
 * can do everything, so that every check of the kit has one to pass and broken ones to catch. A
 * peer's number is its station.
 */
final class LoopNic implements Nic {
  /** A station's place. */
  record Place(int station) implements NicAddress {
    @Override
    public String text() {
      return "loop:" + station;
    }
  }

  private static final int CLAIMS_MAX = 32;
  private static final long NOT_DELIVERING = -2;

  private final LoopHub hub;
  private final int me;
  private final NicEvents events;
  private final NicCounters counters = new NicCounters();
  private final Pool[] pools = new Pool[LoopHub.STATIONS];
  private final BitSet opened = new BitSet();
  private final BitSet gone = new BitSet();
  private final BitSet placed = new BitSet();
  private final Registrations registered = new Registrations();
  private final LoopClaims claims = new LoopClaims(CLAIMS_MAX);

  /** Buffers that were reserved, by station. */
  private final long[] reserved = {Pool.NONE, Pool.NONE, Pool.NONE};

  private int reservedBytes;
  private long current = NOT_DELIVERING;
  private int currentPeer;
  private boolean closed;

  LoopNic(LoopHub hub, int me, NicEvents events) {
    this.hub = hub;
    this.me = me;
    this.events = events;
    for (int i = 0; i < pools.length; i++) {
      pools[i] = hub.pool(i, me);
    }
    hub.setAlive(me, true);
  }

  @Override
  public String fabric() {
    return "loop";
  }

  @Override
  public NicAddress address() {
    return new Place(me);
  }

  @Override
  public Set<NicCapability> capabilities() {
    return EnumSet.allOf(NicCapability.class);
  }

  @Override
  public NicCounters counters() {
    return counters;
  }

  // Peers.

  @Override
  public int open(NicAddress peer) {
    checkUsable();
    int station = ((Place) peer).station();
    opened.set(station);
    gone.clear(station);
    return station;
  }

  @Override
  public NicAddress address(int peer) {
    return new Place(peer);
  }

  @Override
  public void close(int peer) {
    opened.clear(peer);
    gone.set(peer);
  }

  @Override
  public int frameBytesMax(int peer) {
    return LoopHub.BLOCK_BYTES;
  }

  // Sending.

  @Override
  public MemorySegment transmitMemory() {
    return hub.memory(me);
  }

  /** Why a frame cannot be sent; {@link #DONE} when it can. */
  private long refusal(int peer, int length) {
    checkUsable();
    if (length < 1) {
      throw new IllegalArgumentException("a frame of %d bytes".formatted(length));
    }
    if (length > LoopHub.BLOCK_BYTES) {
      return refuse(NicCount.REFUSED_TOO_LONG, TOO_LONG);
    }
    if (peer != EVERYONE) {
      if (peer < 0 || !(opened.get(peer) || gone.get(peer))) {
        throw new IllegalArgumentException("peer %d was not opened".formatted(peer));
      }
      if (gone.get(peer) || !hub.isAlive(peer)) {
        return refuse(NicCount.REFUSED_GONE, GONE);
      }
    }
    for (int to = 0; to < LoopHub.STATIONS; to++) {
      if (isDestination(peer, to) && hub.ring(me, to).isFull()) {
        return refuse(NicCount.REFUSED_FULL, FULL);
      }
    }
    return DONE;
  }

  private boolean isDestination(int peer, int to) {
    return peer == EVERYONE ? to != me && hub.isAlive(to) : to == peer;
  }

  private long refuse(NicCount count, long refusal) {
    counters.add(count);
    return refusal;
  }

  @Override
  public long reserve(int peer, int length) {
    long refusal = refusal(peer, length);
    if (refusal != DONE) {
      return refusal;
    }
    long at = -1;
    for (int to = 0; to < LoopHub.STATIONS; to++) {
      if (isDestination(peer, to)) {
        reserved[to] = pools[me].allocate(length, Role.FABRIC);
        if (reserved[to] == Pool.NONE) {
          abandon();
          return refuse(NicCount.REFUSED_FULL, FULL);
        }
        at = at < 0 ? pools[me].offset(reserved[to], Role.FABRIC) : at;
      }
    }
    reservedBytes = length;
    return Math.max(0, at);
  }

  @Override
  public void commit(int length) {
    if (length < 1 || length > reservedBytes) {
      throw new IllegalArgumentException("%d of %d bytes".formatted(length, reservedBytes));
    }
    reservedBytes = 0;
    counters.add(NicCount.FRAMES_SENT);
    counters.add(NicCount.BYTES_SENT, length);
    counters.add(NicCount.COPIED);
    long first = -1;
    for (int to = 0; to < LoopHub.STATIONS; to++) {
      long handle = reserved[to];
      if (handle != Pool.NONE) {
        long at = pools[me].offset(handle, Role.FABRIC);
        first = first < 0 ? at : first;
        MemorySegment.copy(hub.memory(me), first, hub.memory(me), at, length);
        reserved[to] = Pool.NONE;
        give(to, handle, Role.FABRIC, length);
      }
    }
  }

  @Override
  public void abandon() {
    reservedBytes = 0;
    for (int to = 0; to < LoopHub.STATIONS; to++) {
      if (reserved[to] != Pool.NONE) {
        pools[me].free(reserved[to], Role.FABRIC);
        reserved[to] = Pool.NONE;
      }
    }
  }

  private void give(int to, long handle, Role from, int length) {
    long given = pools[me].give(handle, from, Role.FABRIC, to + 1);
    hub.ring(me, to).put(given, MemorySegment.NULL, 0, length);
    placed.set(to);
  }

  @Override
  public long transmit(int peer, MemorySegment from, long offset, int length) {
    if (peer != EVERYONE && length > 0 && registered.contains(from, offset, length)) {
      return reference(peer, from, offset, length);
    }
    long at = reserve(peer, length);
    if (at < 0) {
      return at;
    }
    MemorySegment.copy(from, offset, hub.memory(me), at, length);
    commit(length);
    return DONE;
  }

  /** The receiver reads the caller's memory; the ticket is the slot that says so. */
  private long reference(int peer, MemorySegment from, long offset, int length) {
    long refusal = refusal(peer, length);
    if (refusal != DONE) {
      return refusal;
    }
    LoopRing ring = hub.ring(me, peer);
    long ticket = (ring.tail() + 1) * LoopHub.STATIONS + peer;
    ring.put(LoopRing.REFERENCE, from, offset, length);
    placed.set(peer);
    counters.add(NicCount.FRAMES_SENT);
    counters.add(NicCount.BYTES_SENT, length);
    counters.add(NicCount.IN_PLACE);
    return ticket;
  }

  @Override
  public boolean isComplete(long ticket) {
    int peer = (int) (ticket % LoopHub.STATIONS);
    return ticket == DONE
        || !hub.isAlive(peer)
        || hub.ring(me, peer).head() >= ticket / LoopHub.STATIONS;
  }

  @Override
  public long transmit(int peer, FrameBuilder frame) {
    int length = frame.frameBytes();
    long at = reserve(peer, length);
    if (at < 0) {
      return at;
    }
    frame.copyTo(hub.memory(me), at);
    commit(length);
    return DONE;
  }

  @Override
  public long transfer(int peer, long handle, Role from, int length) {
    long refusal = refusal(peer, length);
    if (refusal != DONE) {
      return refusal;
    }
    give(peer, handle, from, length);
    counters.add(NicCount.FRAMES_SENT);
    counters.add(NicCount.BYTES_SENT, length);
    counters.add(NicCount.IN_PLACE);
    return DONE;
  }

  @Override
  public Pool pool() {
    return pools[me];
  }

  @Override
  public int flush() {
    checkUsable();
    if (!placed.isEmpty()) {
      VarHandle.fullFence();
      for (int to = 0; to < LoopHub.STATIONS; to++) {
        if (placed.get(to) && hub.isAlive(to) && hub.isAsleep(to)) {
          hub.bell(to).ring();
          counters.add(NicCount.BELLS);
        }
      }
      placed.clear();
    }
    return 0;
  }

  @Override
  public void register(MemorySegment memory) {
    registered.add(memory);
  }

  @Override
  public void deregister(MemorySegment memory) {
    registered.remove(memory);
  }

  // Receiving.

  @Override
  public int poll(FrameReceiver receiver, int budget) {
    checkUsable();
    if (current != NOT_DELIVERING) {
      throw new IllegalStateException("poll was called by a receiver; return first");
    }
    int count = 0;
    for (int from = 0; from < LoopHub.STATIONS; from++) {
      LoopRing ring = hub.ring(from, me);
      while (count < budget && !closed && !ring.isEmpty()) {
        count++;
        deliver(receiver, from, ring);
      }
      if (opened.get(from) && ring.isEmpty() && !hub.isAlive(from)) {
        bury(from);
      }
    }
    return count;
  }

  private void deliver(FrameReceiver receiver, int from, LoopRing ring) {
    if (!opened.get(from)) {
      opened.set(from);
      gone.clear(from);
      events.onPeer(from);
    }
    long handle = ring.handle();
    int length = ring.length();
    boolean isReference = handle == LoopRing.REFERENCE;
    counters.add(NicCount.FRAMES_RECEIVED);
    counters.add(NicCount.BYTES_RECEIVED, length);
    current = isReference ? UNCLAIMABLE : LoopClaims.name(from, handle);
    currentPeer = from;
    try {
      if (isReference) {
        receiver.onFrame(from, ring.reference(), ring.offset(), length, UNCLAIMABLE);
      } else {
        long at = pools[from].offset(handle, Role.FABRIC);
        receiver.onFrame(from, hub.memory(from), at, length, current);
      }
    } finally {
      long name = current;
      current = NOT_DELIVERING;
      ring.remove();
      if (!isReference && !claims.isKept(name)) {
        pools[from].free(handle, Role.FABRIC);
      }
    }
  }

  private void bury(int dead) {
    opened.clear(dead);
    gone.set(dead);
    counters.add(NicCount.PEERS_GONE);
    counters.add(NicCount.RECLAIMED, pools[me].reclaim(dead + 1));
    events.onPeerGone(dead, "it was closed");
  }

  @Override
  public NicAddress source() {
    return new Place(currentPeer);
  }

  @Override
  public boolean claim(long frame) {
    boolean known = frame != UNCLAIMABLE && (frame == current || claims.isKept(frame));
    boolean kept = known && claims.add(frame);
    counters.add(kept ? NicCount.CLAIMED : NicCount.CLAIMS_REFUSED);
    return kept;
  }

  @Override
  public void release(long frame) {
    if (claims.remove(frame) && frame != current) {
      pools[LoopClaims.station(frame)].free(LoopClaims.handle(frame), Role.FABRIC);
    }
  }

  // Sleeping.

  @Override
  public void listen(PollSet set) {
    checkUsable();
    set.add(hub.bell(me).descriptor(), PollSet.IN);
  }

  @Override
  public boolean arm() {
    checkUsable();
    hub.setAsleep(me, true);
    VarHandle.fullFence();
    for (int from = 0; from < LoopHub.STATIONS; from++) {
      if (!hub.ring(from, me).isEmpty() || (opened.get(from) && !hub.isAlive(from))) {
        return false;
      }
    }
    return true;
  }

  @Override
  public void disarm() {
    hub.setAsleep(me, false);
    hub.bell(me).take();
  }

  @Override
  public void close() {
    if (!closed) {
      abandon();
      closed = true;
      hub.setAlive(me, false);
      for (int to = 0; to < LoopHub.STATIONS; to++) {
        if (to != me && hub.isAlive(to)) {
          hub.bell(to).ring();
        }
      }
    }
  }

  private void checkUsable() {
    if (closed) {
      throw new IllegalStateException("loop:" + me + " is closed");
    }
    if (reservedBytes > 0) {
      throw new IllegalStateException("a frame was reserved; commit or abandon it first");
    }
  }
}
