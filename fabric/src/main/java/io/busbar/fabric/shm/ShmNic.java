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
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
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

  /** Longer than a wake-up takes on a busy machine. */
  private static final long MAIL_PATIENCE_NS = 100_000_000;

  private final OwnSegment own;
  private final Pool pool;
  private final NicCounters counters = new NicCounters();
  private final PeerTable peers;
  private final Mailbox mailbox;
  private final SleepWord sleepWord;
  private final Doorbells doorbells;
  private final Broadcasts broadcasts;
  private final Outbound outbound;
  private final Inbound inbound;
  private final Faults faults;
  private final boolean pinned;

  /** Whether the sleep word says that we wait for room, since before the last refusals. */
  private boolean wantsRoom;

  private int polls;
  private int turn;
  private @Nullable Peer delivering;
  private boolean busy;
  private boolean closed;

  /** Makes the segment of this process; what dead ones left in the folder is removed. */
  public ShmNic(ShmConfig config, NicEvents events) {
    own = OwnSegment.create(config, HostIdentity.current());
    pool = new Pool(config.pool(), own.layout.pool(own.memory), SharedSegment.OWNER);
    Warnings warnings = new Warnings(events);
    OwnPool ownPool = new OwnPool(pool, counters, warnings);
    Lent lent = new Lent(ownPool);
    peers = new PeerTable(own, pool, lent, counters, events, warnings);
    mailbox = new Mailbox(own.memory);
    sleepWord = new SleepWord(own.memory);
    doorbells = new Doorbells(peers, counters);
    broadcasts = new Broadcasts(own.memory, ownPool, lent, peers, counters, doorbells);
    outbound = new Outbound(own, config, ownPool, broadcasts, peers, counters, doorbells);
    inbound = new Inbound(own, ownPool, peers, counters, config.claimsMax());
    faults = new Faults(own, peers);
    pinned = config.pinned() && pin(warnings);
  }

  private boolean pin(Warnings warnings) {
    try {
      own.pin();
      return true;
    } catch (SystemCallException e) {
      warnings.tell(Warnings.Kind.NOT_PINNED, "the segment is not pinned: " + e.getMessage());
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
    return known(peer).segment.address;
  }

  private Peer known(int number) {
    Peer peer = peers.known(number);
    if (peer == null) {
      throw new IllegalArgumentException("peer %d is gone".formatted(number));
    }
    return peer;
  }

  /** {@inheritDoc} One that is going, or gone, needs no more than to be forgotten. */
  @Override
  public void close(int peer) {
    checkOpen();
    Peer known = peers.known(peer);
    if (known == null || known.inLimbo) {
      return;
    }
    if (known == delivering) {
      peers.closeInDelivery(known);
    } else {
      peers.close(known);
    }
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
    try {
      return outbound.reserve(peer, length);
    } catch (InternalError fault) {
      return faults.mend(fault);
    }
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
    try {
      return outbound.transmit(peer, from, offset, length);
    } catch (InternalError fault) {
      return faults.mend(fault);
    }
  }

  @Override
  public long transmit(int peer, FrameBuilder frame) {
    checkOpen();
    try {
      return outbound.transmit(peer, frame);
    } catch (InternalError fault) {
      return faults.mend(fault);
    }
  }

  @Override
  public long transfer(int peer, long handle, Role from, int length) {
    checkOpen();
    try {
      return outbound.transfer(peer, handle, from, length);
    } catch (InternalError fault) {
      return faults.mend(fault);
    }
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
    try {
      doorbells.ring();
    } catch (InternalError fault) {
      faults.mend(fault);
    }
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
    busy = true;
    try {
      if (mailbox.hasMail()) {
        mailbox.read(peers);
      }
      if (++polls >= POLLS_PER_CHECK) {
        checkPeers();
      }
      int taken = deliver(receiver, budget);
      if (peers.someGo()) {
        buryUnlessMailCame();
      }
      return taken;
    } catch (InternalError fault) {
      faults.mend(fault);
      return 0;
    } finally {
      busy = false;
    }
  }

  /**
   * Who has left may have announced its ring just before: mail that is read after it was seen to
   * have left is its last. What is in that ring comes with the next poll.
   */
  private void buryUnlessMailCame() {
    if (mailbox.hasMail()) {
      mailbox.read(peers);
    } else {
      peers.bury();
    }
  }

  private int deliver(FrameReceiver receiver, int budget) {
    Peer[] active = peers.active;
    int taken = 0;
    turn = turn + 1 < active.length ? turn + 1 : 0; // peers may have left since the last time
    try {
      for (int i = 0; i < active.length && taken < budget; i++) {
        int place = turn + i;
        Peer peer = active[place < active.length ? place : place - active.length];
        delivering = peer;
        taken += inbound.drain(peer, receiver, budget - taken);
      }
    } finally {
      delivering = null;
    }
    return taken;
  }

  private void checkPeers() {
    polls = 0;
    peers.check();
    broadcasts.collect();
  }

  private void checkPeersSafely() {
    try {
      checkPeers();
    } catch (InternalError fault) {
      faults.mend(fault);
    }
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

  /** {@inheritDoc} After the interface was closed there is nothing left to give back. */
  @Override
  public void release(long frame) {
    if (closed) {
      return;
    }
    try {
      inbound.release(frame);
    } catch (InternalError fault) {
      faults.mend(fault);
    }
  }

  // Sleeping.

  @Override
  public void listen(PollSet set) {
    checkOpen();
    checkPeersSafely(); // who has died is not listened to
    set.add(own.bell.descriptor(), PollSet.IN);
    peers.listen(set);
  }

  @Override
  public boolean arm() {
    checkIdle();
    boolean said = wantsRoom;
    if (!said) {
      int _ = own.bell.take(); // what rang before we say that we sleep is seen below
    }
    if (outbound.takeRefused()) {
      wantsRoom = true;
      sleepWord.wantsRoom();
      if (!said) {
        return false; // only what is refused from now on was refused after we had said it
      }
    } else {
      wantsRoom = false;
      sleepWord.asleep();
    }
    try {
      if (isQuiet()) {
        return true;
      }
    } catch (InternalError fault) {
      faults.mend(fault);
    }
    wantsRoom = false;
    sleepWord.awake();
    return false;
  }

  private boolean isQuiet() {
    boolean quiet = !mailbox.hasMail();
    for (Peer peer : peers.active) {
      peers.lookAt(peer);
      quiet &= peer.isDrained();
    }
    return quiet && !peers.someGo();
  }

  @Override
  public void disarm() {
    checkOpen();
    wantsRoom = false;
    outbound.lookAgain();
    sleepWord.awake();
  }

  private void checkOpen() {
    if (closed) {
      throw new IllegalStateException("this interface was closed");
    }
    faults.check();
  }

  private void checkIdle() {
    checkOpen();
    if (busy) {
      throw notIdle();
    }
  }

  private static IllegalStateException notIdle() {
    return new IllegalStateException("not from inside a delivery or an event");
  }

  @Override
  public void close() {
    if (closed) {
      return;
    }
    if (busy) {
      throw notIdle();
    }
    closed = true;
    boolean unread = false;
    try {
      own.leave();
      List<RingOut> rings = peers.unread();
      peers.closeAll();
      unread = !areFound(rings);
    } catch (InternalError fault) {
      if (!own.isTorn()) {
        throw fault;
      }
    } finally {
      own.close(unread);
    }
  }

  /** Gives those who have not read their mail a moment; who wakes now reads it. */
  private static boolean areFound(List<RingOut> rings) {
    long startNs = System.nanoTime();
    while (rings.stream().anyMatch(RingOut::isUnread)) {
      if (System.nanoTime() - startNs > MAIL_PATIENCE_NS) {
        return false;
      }
      LockSupport.parkNanos(MAIL_PATIENCE_NS / 1000);
    }
    return true;
  }
}
