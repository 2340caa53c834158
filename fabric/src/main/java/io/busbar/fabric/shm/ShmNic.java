package io.busbar.fabric.shm;

import io.busbar.fabric.FrameReceiver;
import io.busbar.fabric.Nic;
import io.busbar.fabric.NicAddress;
import io.busbar.fabric.NicCapability;
import io.busbar.fabric.NicCounters;
import io.busbar.fabric.NicEvents;
import io.busbar.linux.PollSet;
import io.busbar.linux.SystemCallException;
import io.busbar.memory.Pool;
import io.busbar.memory.Role;
import io.busbar.wire.FrameBuilder;
import io.busbar.wire.SharedSegment;
import java.lang.foreign.MemorySegment;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** An interface to the processes of this host that share its memory. */
public final class ShmNic implements Nic {
  /** The carrier's name. */
  public static final String FABRIC = "shm";

  private static final Set<NicCapability> CAPABILITIES =
      Set.of(
          NicCapability.RELIABLE,
          NicCapability.BROADCAST,
          NicCapability.OWNERSHIP,
          NicCapability.CLAIMS,
          NicCapability.IN_PLACE,
          NicCapability.SLEEP,
          NicCapability.DEATH_NOTICE);

  /** Who spins looks for deaths, too: a system call in so many polls costs about 1 %. */
  private static final int POLLS_PER_CHECK = 1024;

  private final OwnSegment own;
  private final Pool pool;
  private final NicCounters counters = new NicCounters();
  private final PeerTable peers;
  private final Mailbox mailbox;
  private final SleepWord sleepWord;
  private final Outbound outbound;
  private final Inbound inbound;
  private final boolean pinned;
  private int polls;
  private int turn;
  private @Nullable Peer delivering;
  private boolean busy;
  private boolean closed;

  /** Makes the segment of this process; what dead ones left in the folder is removed. */
  public ShmNic(ShmConfig config, NicEvents events) {
    own = OwnSegment.create(config, HostIdentity.current());
    pool = new Pool(config.pool(), own.layout.pool(own.memory), SharedSegment.OWNER);
    peers = new PeerTable(own, pool, counters, events);
    mailbox = new Mailbox(own.memory);
    sleepWord = new SleepWord(own.memory);
    outbound = new Outbound(own, config, pool, peers, counters);
    inbound = new Inbound(own, pool, peers, counters, config.claimsMax());
    pinned = config.pinned() && pin(events);
  }

  private boolean pin(NicEvents events) {
    try {
      own.pin();
      return true;
    } catch (SystemCallException e) {
      events.onWarning("the segment is not pinned: " + e.getMessage());
      return false;
    }
  }

  @Override
  public String fabric() {
    return FABRIC;
  }

  @Override
  public ShmAddress address() {
    return own.address;
  }

  @Override
  public Set<NicCapability> capabilities() {
    return CAPABILITIES;
  }

  @Override
  public NicCounters counters() {
    return counters;
  }

  /** Whether the segment is locked in memory. */
  public boolean isPinned() {
    return pinned;
  }

  // Peers.

  @Override
  public int open(NicAddress peer) {
    checkOpen();
    if (!(peer instanceof ShmAddress address)) {
      throw new IllegalArgumentException(
          "%s is no address in shared memory".formatted(peer.text()));
    }
    return peers.open(address).number;
  }

  @Override
  public NicAddress address(int peer) {
    return opened(peer).segment.address;
  }

  private Peer opened(int number) {
    Peer peer = peers.get(number);
    if (peer == null) {
      throw new IllegalArgumentException("peer %d is gone".formatted(number));
    }
    return peer;
  }

  @Override
  public void close(int peer) {
    checkIdle();
    peers.close(opened(peer));
  }

  @Override
  public int frameBytesMax(int peer) {
    return outbound.frameBytesMax();
  }

  // Sending.

  @Override
  public MemorySegment transmitMemory() {
    return own.memory;
  }

  @Override
  public long reserve(int peer, int length) {
    checkOpen();
    return outbound.reserve(peer, length);
  }

  @Override
  public void commit(int length) {
    checkOpen();
    outbound.commit(length);
  }

  @Override
  public void abandon() {
    checkOpen();
    outbound.abandon();
  }

  @Override
  public long transmit(int peer, MemorySegment from, long offset, int length) {
    checkOpen();
    return outbound.transmit(peer, from, offset, length);
  }

  @Override
  public long transmit(int peer, FrameBuilder frame) {
    checkOpen();
    long at = outbound.reserve(peer, frame.frameBytes());
    if (at >= 0) {
      frame.copyTo(own.memory, at);
      outbound.commit(frame.frameBytes());
      return DONE;
    }
    return at;
  }

  @Override
  public long transfer(int peer, long handle, Role from, int length) {
    checkOpen();
    return outbound.transfer(peer, handle, from, length);
  }

  @Override
  public Pool pool() {
    return pool;
  }

  @Override
  public boolean isComplete(long ticket) {
    return outbound.isComplete(ticket);
  }

  @Override
  public int flush() {
    checkOpen();
    outbound.flush();
    return 0;
  }

  @Override
  public void register(MemorySegment memory) {
    outbound.registrations.add(memory);
  }

  @Override
  public void deregister(MemorySegment memory) {
    outbound.registrations.remove(memory);
  }

  // Receiving.

  @Override
  public int poll(FrameReceiver receiver, int budget) {
    checkIdle();
    if (mailbox.hasMail()) {
      mailbox.read(peers);
    }
    if (++polls >= POLLS_PER_CHECK) {
      checkPeers();
    }
    Peer[] active = peers.active;
    int taken = 0;
    busy = true;
    try {
      for (int i = 0; i < active.length && taken < budget; i++) {
        int place = turn + i;
        Peer peer = active[place < active.length ? place : place - active.length];
        delivering = peer;
        taken += inbound.drain(peer, receiver, budget - taken);
      }
    } finally {
      busy = false;
      delivering = null;
    }
    turn = turn + 1 < active.length ? turn + 1 : 0;
    if (peers.someGo()) {
      peers.bury();
    }
    return taken;
  }

  private void checkPeers() {
    polls = 0;
    peers.check();
    outbound.collect();
  }

  @Override
  public NicAddress source() {
    Peer peer = delivering;
    if (peer == null) {
      throw new IllegalStateException("no frame is being delivered");
    }
    return peer.segment.address;
  }

  @Override
  public boolean claim(long frame) {
    return inbound.claim(frame);
  }

  @Override
  public void release(long frame) {
    inbound.release(frame);
  }

  // Sleeping.

  @Override
  public void listen(PollSet set) {
    checkOpen();
    set.add(own.bell.descriptor(), PollSet.IN);
    peers.listen(set);
  }

  @Override
  public boolean arm() {
    checkIdle();
    sleepWord.asleep();
    if (isQuiet()) {
      return true;
    }
    sleepWord.awake();
    return false;
  }

  private boolean isQuiet() {
    boolean quiet = !mailbox.hasMail() && !peers.someGo();
    for (Peer peer : peers.active) {
      quiet &= peer.isDrained();
    }
    return quiet;
  }

  @Override
  public void disarm() {
    checkOpen();
    sleepWord.awake();
    int _ = own.bell.take();
    checkPeers();
  }

  private void checkOpen() {
    if (closed) {
      throw new IllegalStateException("this interface was closed");
    }
  }

  private void checkIdle() {
    checkOpen();
    if (busy) {
      throw new IllegalStateException("not while a frame is being delivered");
    }
  }

  @Override
  public void close() {
    if (!closed) {
      checkIdle();
      closed = true;
      peers.closeAll();
      own.close();
    }
  }
}
