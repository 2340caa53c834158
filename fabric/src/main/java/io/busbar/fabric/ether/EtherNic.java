package io.busbar.fabric.ether;

import io.busbar.fabric.FabricException;
import io.busbar.fabric.FrameReceiver;
import io.busbar.fabric.Nic;
import io.busbar.fabric.NicAddress;
import io.busbar.fabric.NicCapability;
import io.busbar.fabric.NicCount;
import io.busbar.fabric.NicCounters;
import io.busbar.fabric.NicEvents;
import io.busbar.fabric.Registrations;
import io.busbar.fabric.socket.Notices;
import io.busbar.linux.HardwareAddress;
import io.busbar.linux.NetworkDevice;
import io.busbar.linux.PollSet;
import io.busbar.linux.SystemCallException;
import io.busbar.memory.Role;
import io.busbar.wire.FrameBuilder;
import java.lang.foreign.MemorySegment;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An interface to every node on an Ethernet segment. Frames begin with Busbar's header: the node
 * that they are for, and the one that they are from, are read there by the kernel and by this.
 */
public final class EtherNic implements Nic {
  /** The carrier's name over packet sockets. */
  public static final String PACKET = "packet";

  /** The carrier's name over AF_XDP. */
  public static final String XDP = "xdp";

  /** After so many polls that only the fast way was asked for frames, the other one is. */
  private static final int TURNS = 16;

  /** Every so many polls that bring nothing, what was lost is counted. */
  private static final int IDLE_POLLS = 64;

  private final EtherAddress own;
  private final NicCounters counters = new NicCounters();
  private final Registrations registrations = new Registrations();
  private final Notices notices;
  private final EtherPeers peers;
  private final LinkWatch watch;
  private final PacketWay packets;
  private final @Nullable XdpWay xdp;
  private final Way.Arrivals arrivals = this::onArrival;

  /** The one that frames leave by. */
  private final Way main;

  private @Nullable EtherPeer reserved;
  private long reservedAt;
  private int reservedBytes;

  private @Nullable FrameReceiver receiver;
  private boolean delivering;
  private long deliveredName = UNCLAIMABLE;
  private long deliveredSource;
  private int deliveredFrom;
  private int handed;
  private int turn;
  private int idlePolls;

  private @Nullable PollSet set;
  private int place;
  private boolean waitsForRoom;
  private boolean closed;

  /**
   * Opens an interface.
   *
   * @throws FabricException when it cannot be had; it says why
   */
  public EtherNic(EtherConfig config, NicEvents events) {
    notices = new Notices(events);
    try {
      NetworkDevice device = NetworkDevice.of(config.device());
      if (device.hardwareAddress() == EtherAddress.UNKNOWN || device.isLoopback()) {
        throw new FabricException(
            "%s is no Ethernet interface: it has no hardware address".formatted(device.name()));
      }
      own = new EtherAddress(device.hardwareAddress(), config.node());
      packets = new PacketWay(config, device, counters, this::onRefusal);
      watch = new LinkWatch(device, packets);
      xdp = config.xdp() ? openXdp(config, device) : null;
    } catch (SystemCallException e) {
      throw new FabricException("cannot open %s: %s".formatted(config.device(), e.getMessage()), e);
    }
    main = xdp == null ? packets : xdp;
    peers = new EtherPeers(config.peersMax(), EtherPeer.everyone(own.hardware()));
    notices.report();
  }

  private XdpWay openXdp(EtherConfig config, NetworkDevice device) {
    try {
      return new XdpWay(config, device, counters, this::onRefusal);
    } catch (RuntimeException e) {
      packets.close();
      throw e;
    }
  }

  private void onRefusal(int errno) {
    notices.lost(errno, own);
  }

  @Override
  public String fabric() {
    return xdp == null ? PACKET : XDP;
  }

  @Override
  public EtherAddress address() {
    return own;
  }

  @Override
  public Set<NicCapability> capabilities() {
    Set<NicCapability> all = EnumSet.of(NicCapability.BROADCAST, NicCapability.SLEEP);
    if (xdp != null && xdp.canKeep()) {
      all.add(NicCapability.CLAIMS);
    }
    return all;
  }

  @Override
  public NicCounters counters() {
    return counters;
  }

  /** How it is connected, in words. */
  public String report() {
    return "%s at %s, MTU %d".formatted(xdp == null ? PACKET : xdp.report(), own, watch.mtu());
  }

  // Peers.

  @Override
  public int open(NicAddress peer) {
    checkFree();
    if (!(peer instanceof EtherAddress address)) {
      throw new IllegalArgumentException("%s is no Ethernet address".formatted(peer.text()));
    }
    if (address.hardware() == own.hardware()) {
      throw new FabricException(
          "%s is at this very interface, and an interface does not hear what it sends"
              .formatted(address));
    }
    EtherPeer known = peers.find(address.node());
    if (known == null) {
      return peers.add(address, own.hardware()).number;
    }
    if (!known.address.isKnown() && address.isKnown()) {
      known.learn(address.hardware());
    } else if (address.isKnown() && known.address.hardware() != address.hardware()) {
      throw new FabricException(
          "cannot open %s: node %d is open at %s; close it first"
              .formatted(address, address.node(), HardwareAddress.text(known.address.hardware())));
    }
    return known.number;
  }

  @Override
  public NicAddress address(int peer) {
    return opened(peer).address;
  }

  private EtherPeer opened(int number) {
    EtherPeer peer = peers.get(number);
    if (peer == null) {
      throw new IllegalArgumentException("peer %d is not open".formatted(number));
    }
    return peer;
  }

  @Override
  public void close(int peer) {
    checkFree();
    EtherPeer found = peers.get(peer);
    if (found != null && peer != EVERYONE) {
      peers.remove(found);
    }
  }

  @Override
  public int frameBytesMax(int peer) {
    EtherPeer _ = opened(peer);
    return Math.min(watch.mtu(), main.bytesMax() - EtherFrame.HEADER_BYTES);
  }

  // Sending.

  @Override
  public MemorySegment transmitMemory() {
    return main.transmitMemory();
  }

  @Override
  public long reserve(int peer, int length) {
    checkFree();
    EtherPeer to = peers.get(peer);
    long refusal = refusal(to, length);
    if (to == null || refusal != DONE) {
      return refusal;
    }
    long at = main.reserve(EtherFrame.HEADER_BYTES + length);
    if (at == FULL) {
      counters.add(NicCount.REFUSED_FULL);
      return FULL;
    }
    reserved = to;
    reservedAt = at;
    reservedBytes = length;
    return at + EtherFrame.HEADER_BYTES;
  }

  private long refusal(@Nullable EtherPeer to, int length) {
    if (length < 1) {
      throw new IllegalArgumentException("a frame has at least one byte, not " + length);
    }
    if (to == null) {
      counters.add(NicCount.REFUSED_GONE);
      return GONE;
    }
    if (length > watch.mtu() || length > main.bytesMax() - EtherFrame.HEADER_BYTES) {
      counters.add(NicCount.REFUSED_TOO_LONG);
      return TOO_LONG;
    }
    return DONE;
  }

  @Override
  public void commit(int length) {
    checkOpen();
    EtherPeer to = reserved;
    if (to == null) {
      throw new IllegalStateException("no frame is reserved");
    }
    if (length < 1 || length > reservedBytes) {
      throw new IllegalArgumentException(
          "a frame of %d bytes was reserved, and %d are sent".formatted(reservedBytes, length));
    }
    reserved = null;
    to.writeHead(main.transmitMemory(), reservedAt);
    main.commit(EtherFrame.HEADER_BYTES + length);
  }

  @Override
  public void abandon() {
    checkOpen();
    if (reserved == null) {
      throw new IllegalStateException("no frame is reserved");
    }
    reserved = null;
  }

  @Override
  public long transmit(int peer, MemorySegment from, long offset, int length) {
    Objects.checkFromIndexSize(offset, length, from.byteSize());
    long at = reserve(peer, length);
    if (at >= 0) {
      MemorySegment.copy(from, offset, main.transmitMemory(), at, length);
      commit(length);
      counters.add(NicCount.COPIED);
      return DONE;
    }
    return at;
  }

  @Override
  public long transmit(int peer, FrameBuilder frame) {
    int length = frame.frameBytes();
    long at = reserve(peer, length);
    if (at >= 0) {
      frame.copyTo(main.transmitMemory(), at);
      commit(length);
      counters.add(NicCount.COPIED);
      return DONE;
    }
    return at;
  }

  @Override
  public long transfer(int peer, long handle, Role from, int length) {
    throw new UnsupportedOperationException(
        fabric() + " has no buffers to give away: use transmit");
  }

  @Override
  public boolean isComplete(long ticket) {
    return true;
  }

  @Override
  public int flush() {
    checkFree();
    int remaining = main.flush();
    notices.report();
    return remaining;
  }

  @Override
  public void register(MemorySegment memory) {
    checkOpen();
    registrations.add(memory);
  }

  @Override
  public void deregister(MemorySegment memory) {
    registrations.remove(memory);
  }

  // Receiving.

  @Override
  public int poll(FrameReceiver to, int budget) {
    checkFree();
    checkIdle();
    watch.look(peers, notices);
    receiver = to;
    delivering = true;
    handed = 0;
    try {
      if (xdp != null && ++turn < TURNS) {
        int _ = xdp.poll(arrivals, budget);
      }
      if (handed == 0) {
        turn = 0;
        int _ = packets.poll(arrivals, budget);
      }
    } finally {
      delivering = false;
      receiver = null;
    }
    if (handed == 0 && ++idlePolls >= IDLE_POLLS) {
      countDrops();
    }
    notices.report();
    return handed;
  }

  private void countDrops() {
    idlePolls = 0;
    counters.add(NicCount.LOST_ARRIVING, packets.takeDrops());
    if (xdp != null) {
      counters.add(NicCount.LOST_ARRIVING, xdp.takeDrops());
    }
  }

  private void onArrival(MemorySegment memory, long at, int bytes, long name) {
    if (bytes < EtherFrame.BYTES_MIN) {
      counters.add(NicCount.DROPPED_FOREIGN);
      return;
    }
    deliveredSource = EtherFrame.source(memory, at);
    deliveredFrom = EtherFrame.from(memory, at);
    if (deliveredSource == own.hardware() && deliveredFrom == own.node()) {
      return; // a bridge gave back what this sent to everyone
    }
    deliveredName = name;
    int length = bytes - EtherFrame.HEADER_BYTES;
    handed++;
    counters.add(NicCount.FRAMES_RECEIVED);
    counters.add(NicCount.BYTES_RECEIVED, length);
    FrameReceiver to = receiver;
    if (to != null) {
      to.onFrame(sender(), memory, at + EtherFrame.HEADER_BYTES, length, name);
    }
    deliveredName = UNCLAIMABLE;
  }

  /** Who says the same id from another place is a stranger. */
  private int sender() {
    EtherPeer peer = peers.find(deliveredFrom);
    if (peer == null) {
      return STRANGER;
    }
    if (peer.address.hardware() != deliveredSource) {
      if (peer.address.isKnown()) {
        return STRANGER;
      }
      peer.learn(deliveredSource);
    }
    return peer.number;
  }

  @Override
  public NicAddress source() {
    if (!delivering) {
      throw new IllegalStateException("no frame is being delivered");
    }
    return new EtherAddress(deliveredSource, deliveredFrom);
  }

  @Override
  public boolean claim(long frame) {
    checkOpen();
    if (frame == UNCLAIMABLE) {
      return false;
    }
    boolean delivered = delivering && frame == deliveredName;
    if (!delivered && !main.isKept(frame)) {
      throw new IllegalStateException(
          "frame %x is neither being delivered nor kept: claim it before onFrame returns"
              .formatted(frame));
    }
    return main.claim(frame);
  }

  @Override
  public void release(long frame) {
    checkOpen();
    main.release(frame);
  }

  // Sleeping.

  @Override
  public void listen(PollSet sleeper) {
    checkOpen();
    place = main.listen(sleeper);
    if (xdp != null) {
      int _ = packets.listen(sleeper);
    }
    set = sleeper;
  }

  @Override
  public boolean arm() {
    checkFree();
    checkIdle();
    watch.lookBeforeSleep(peers, notices);
    countDrops();
    notices.report();
    boolean quiet = !packets.hasArrived() && (xdp == null || !xdp.hasArrived());
    if (quiet && set != null && main.waiting() > 0) {
      set.listen(place, PollSet.IN | PollSet.OUT);
      waitsForRoom = true;
    }
    return quiet;
  }

  @Override
  public void disarm() {
    checkOpen();
    if (set != null && waitsForRoom) {
      set.listen(place, PollSet.IN);
      waitsForRoom = false;
    }
  }

  private void checkOpen() {
    if (closed) {
      throw new IllegalStateException("%s was closed".formatted(own));
    }
  }

  private void checkFree() {
    checkOpen();
    if (reserved != null) {
      throw new IllegalStateException("a frame is reserved: commit or abandon it first");
    }
  }

  private void checkIdle() {
    if (delivering) {
      throw new IllegalStateException("not while a frame is being delivered");
    }
  }

  @Override
  public void close() {
    if (closed) {
      return;
    }
    checkIdle();
    closed = true;
    if (xdp != null) {
      xdp.close();
    }
    packets.close();
  }
}
