package io.busbar.lab;

import io.busbar.fabric.FrameReceiver;
import io.busbar.fabric.Nic;
import io.busbar.fabric.NicAddress;
import io.busbar.fabric.NicCapability;
import io.busbar.fabric.NicCount;
import io.busbar.fabric.NicCounters;
import io.busbar.linux.PollSet;
import io.busbar.memory.Role;
import io.busbar.wire.FrameBuilder;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An interface at a port of the lab's switch, in virtual time. A peer's number is its port. Frames
 * leave when they are placed; what arrives waits in a ring, and what finds it full is lost and
 * counted.
 */
public final class SimNic implements Nic {
  private static final int RING_FRAMES = 256;

  private final Network network;
  private final SimAddress address;
  private final Runnable bell;
  private final NicCounters counters = new NicCounters();
  private final BitSet opened = new BitSet();
  private final BitSet closed = new BitSet();
  private final ArrayDeque<SimFrame> ring = new ArrayDeque<>();
  private final ClaimTable claims;
  private final MemorySegment staging;
  private @Nullable SimFrame current;
  private boolean polling;
  private boolean shut;
  private int reservedFor;
  private int reservedBytes;

  /**
   * Attaches an interface to a port; one that was there before must have been closed.
   *
   * @param claimsMax frames of its ring that may be kept
   * @param bell rings when a frame has arrived; the frame is polled for later
   */
  public SimNic(Network network, int port, int claimsMax, Runnable bell) {
    this.network = network;
    this.bell = bell;
    address = new SimAddress(port);
    claims = new ClaimTable(network, claimsMax);
    staging = MemorySegment.ofArray(new byte[network.frameBytesMax()]);
    network.attach(port, this::onArrival);
  }

  @Override
  public String fabric() {
    return "sim";
  }

  @Override
  public NicAddress address() {
    return address;
  }

  @Override
  public Set<NicCapability> capabilities() {
    return Set.of(NicCapability.BROADCAST, NicCapability.CLAIMS);
  }

  @Override
  public NicCounters counters() {
    return counters;
  }

  /** Frames that are claimed. */
  public int claims() {
    return claims.size();
  }

  /** When there is room for a frame again, if it was refused for want of room. */
  public long roomAtNs() {
    return network.roomAtNs(address.port());
  }

  // Peers.

  /** Opens a way to a port; whether there is anybody shows in the answers. */
  @Override
  public int open(NicAddress peer) {
    checkUsable();
    if (!(peer instanceof SimAddress(int port))) {
      throw new IllegalArgumentException(
          "%s is no port of the lab's switch; those are sim:0, sim:1, ...".formatted(peer.text()));
    }
    opened.set(port);
    closed.clear(port);
    return port;
  }

  boolean isOpen(int peer) {
    return opened.get(peer);
  }

  @Override
  public NicAddress address(int peer) {
    checkPeer(peer);
    return new SimAddress(peer);
  }

  @Override
  public void close(int peer) {
    checkPeer(peer);
    opened.clear(peer);
    closed.set(peer);
  }

  private void checkPeer(int peer) {
    if (peer < 0 || !(opened.get(peer) || closed.get(peer))) {
      throw new IllegalArgumentException("peer %d was not opened".formatted(peer));
    }
  }

  @Override
  public int frameBytesMax(int peer) {
    return network.frameBytesMax();
  }

  // Sending.

  @Override
  public MemorySegment transmitMemory() {
    return staging;
  }

  @Override
  public long reserve(int peer, int length) {
    long refusal = refusal(peer, length);
    if (refusal != DONE) {
      return refusal;
    }
    if (!network.hasRoom(address.port())) {
      return refuse(NicCount.REFUSED_FULL, FULL);
    }
    reservedFor = peer;
    reservedBytes = length;
    return 0;
  }

  @Override
  public void commit(int length) {
    if (length < 1 || length > reservedBytes) {
      throw new IllegalArgumentException(
          "%d bytes of %d that were reserved".formatted(length, reservedBytes));
    }
    reservedBytes = 0;
    transmit(reservedFor, staging, 0, length);
  }

  @Override
  public void abandon() {
    reservedBytes = 0;
  }

  @Override
  public long transmit(int peer, MemorySegment from, long offset, int length) {
    long refusal = refusal(peer, length);
    if (refusal != DONE) {
      return refusal;
    }
    return sent(network.send(address.port(), peer, from, offset, length), length);
  }

  @Override
  public long transmit(int peer, FrameBuilder frame) {
    int length = frame.frameBytes();
    long refusal = refusal(peer, length);
    if (refusal != DONE) {
      return refusal;
    }
    return sent(network.send(address.port(), peer, frame), length);
  }

  private long sent(boolean taken, int length) {
    if (!taken) {
      return refuse(NicCount.REFUSED_FULL, FULL);
    }
    counters.add(NicCount.FRAMES_SENT);
    counters.add(NicCount.BYTES_SENT, length);
    counters.add(NicCount.COPIED);
    return DONE;
  }

  /** Why a frame cannot be sent, whatever the room; {@link #DONE} when it can. */
  private long refusal(int peer, int length) {
    checkUsable();
    if (length < 1) {
      throw new IllegalArgumentException("a frame of %d bytes".formatted(length));
    }
    if (peer != EVERYONE) {
      checkPeer(peer);
      if (closed.get(peer)) {
        return refuse(NicCount.REFUSED_GONE, GONE);
      }
    }
    return length > network.frameBytesMax() ? refuse(NicCount.REFUSED_TOO_LONG, TOO_LONG) : DONE;
  }

  private long refuse(NicCount count, long refusal) {
    counters.add(count);
    return refusal;
  }

  @Override
  public long transfer(int peer, long handle, Role from, int length) {
    throw new UnsupportedOperationException("a simulated interface has no pool; transmit instead");
  }

  /** Everything is copied at once. */
  @Override
  public boolean isComplete(long ticket) {
    return true;
  }

  /** Everything leaves by itself; while there is no room, what fills it has not left yet. */
  @Override
  public int flush() {
    checkUsable();
    return network.hasRoom(address.port()) ? 0 : 1;
  }

  @Override
  public void register(MemorySegment memory) {}

  @Override
  public void deregister(MemorySegment memory) {}

  // Receiving.

  private void onArrival(SimFrame frame) {
    if (ring.size() >= RING_FRAMES) {
      counters.add(NicCount.LOST_ARRIVING);
      return;
    }
    frame.references++;
    ring.add(frame);
    bell.run();
  }

  /** Whether something waits in the ring. */
  public boolean hasArrivals() {
    return !ring.isEmpty();
  }

  @Override
  public int poll(FrameReceiver receiver, int budget) {
    checkUsable();
    if (polling) {
      throw new IllegalStateException("poll was called by a receiver; return first");
    }
    polling = true;
    int count = 0;
    try {
      while (count < budget && !ring.isEmpty()) {
        count++;
        deliver(receiver, ring.remove());
      }
    } finally {
      polling = false;
    }
    return count;
  }

  private void deliver(FrameReceiver receiver, SimFrame frame) {
    counters.add(NicCount.FRAMES_RECEIVED);
    counters.add(NicCount.BYTES_RECEIVED, frame.length);
    int peer = opened.get(frame.from) ? frame.from : STRANGER;
    long name = claims.offer(frame);
    current = frame;
    try {
      receiver.onFrame(peer, frame.bytes, 0, frame.length, name);
    } finally {
      current = null;
      claims.settle(frame);
    }
  }

  @Override
  public NicAddress source() {
    if (current == null) {
      throw new IllegalStateException("no frame is being delivered");
    }
    return new SimAddress(current.from);
  }

  @Override
  public boolean claim(long frame) {
    boolean kept = claims.claim(frame);
    counters.add(kept ? NicCount.CLAIMED : NicCount.CLAIMS_REFUSED);
    return kept;
  }

  @Override
  public void release(long frame) {
    claims.release(frame);
  }

  // Sleeping.

  /** There is no descriptor in virtual time; the bell given to the constructor rings instead. */
  @Override
  public void listen(PollSet set) {
    throw new UnsupportedOperationException("nobody sleeps in virtual time");
  }

  @Override
  public boolean arm() {
    checkUsable();
    return ring.isEmpty();
  }

  @Override
  public void disarm() {}

  /** What waits and what is claimed is gone; what arrives from now on, too. */
  @Override
  public void close() {
    if (!shut) {
      shut = true;
      network.detach(address.port());
      while (!ring.isEmpty()) {
        network.release(ring.remove());
      }
      claims.forget();
    }
  }

  private void checkUsable() {
    if (shut) {
      throw new IllegalStateException(address.text() + " is closed");
    }
    if (reservedBytes > 0) {
      throw new IllegalStateException("a frame was reserved; commit or abandon it first");
    }
  }
}
