package io.busbar.fabric.ether;

import io.busbar.fabric.FabricException;
import io.busbar.fabric.FrameReceiver;
import io.busbar.fabric.Nic;
import io.busbar.fabric.NicAddress;
import io.busbar.fabric.NicCapability;
import io.busbar.fabric.NicCounters;
import io.busbar.fabric.NicEvents;
import io.busbar.fabric.Registrations;
import io.busbar.fabric.socket.Manners;
import io.busbar.fabric.socket.Notices;
import io.busbar.linux.HardwareAddress;
import io.busbar.linux.NetworkDevice;
import io.busbar.linux.PollSet;
import io.busbar.linux.SystemCallException;
import io.busbar.memory.Role;
import io.busbar.wire.FrameBuilder;
import java.lang.foreign.MemorySegment;
import java.util.EnumSet;
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

  private EtherAddress own;
  private final NicCounters counters = new NicCounters();
  private final Registrations registrations = new Registrations();
  private final Notices notices;
  private final EtherPeers peers;
  private final LinkWatch watch;
  private final PacketWay packets;
  private final @Nullable XdpWay xdp;
  private final Outbound outbound;
  private final Inbound inbound;
  private final Manners manners;

  /** The one that frames leave by. */
  private final Way main;

  private @Nullable PollSet set;
  private int place;
  private boolean waitsForRoom;

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
      xdp = config.program() == EtherConfig.Program.NONE ? null : openXdp(config, device);
    } catch (SystemCallException e) {
      throw new FabricException("cannot open %s: %s".formatted(config.device(), e.getMessage()), e);
    }
    main = xdp == null ? packets : xdp;
    peers = new EtherPeers(config.peersMax(), EtherPeer.everyone(own.hardware()));
    outbound = new Outbound(main, peers, watch, counters);
    inbound = new Inbound(own, peers, packets, xdp, counters);
    manners = new Manners(own.text(), outbound::isReserved);
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
  public void rename(int node, long incarnation) {
    manners.checkFree();
    packets.hear(node, incarnation);
    if (xdp != null) {
      xdp.hear(node, incarnation);
    }
    own = new EtherAddress(own.hardware(), node);
    inbound.rename(own);
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
    manners.checkFree();
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
    manners.checkFree();
    EtherPeer found = peers.get(peer);
    if (found != null && peer != EVERYONE) {
      peers.remove(found);
    }
  }

  @Override
  public int frameBytesMax(int peer) {
    EtherPeer _ = opened(peer);
    return outbound.frameBytesMax();
  }

  // Sending.

  @Override
  public MemorySegment transmitMemory() {
    return main.transmitMemory();
  }

  @Override
  public long reserve(int peer, int length) {
    manners.checkFree();
    return outbound.reserve(peer, length);
  }

  @Override
  public void commit(int length) {
    manners.checkOpen();
    outbound.commit(length);
  }

  @Override
  public void abandon() {
    manners.checkOpen();
    outbound.abandon();
  }

  @Override
  public long transmit(int peer, MemorySegment from, long offset, int length) {
    manners.checkFree();
    return outbound.transmit(peer, from, offset, length);
  }

  @Override
  public long transmit(int peer, FrameBuilder frame) {
    manners.checkFree();
    return outbound.transmit(peer, frame);
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
    manners.checkFree();
    int remaining = main.flush();
    notices.report();
    return remaining;
  }

  @Override
  public void register(MemorySegment memory) {
    manners.checkOpen();
    registrations.add(memory);
  }

  @Override
  public void deregister(MemorySegment memory) {
    registrations.remove(memory);
  }

  // Receiving.

  @Override
  public int poll(FrameReceiver receiver, int budget) {
    manners.checkIdle();
    watch.look(peers, notices);
    manners.delivering(true);
    int taken;
    try {
      taken = inbound.poll(receiver, budget);
    } finally {
      manners.delivering(false);
    }
    notices.report();
    return taken;
  }

  @Override
  public NicAddress source() {
    manners.checkDelivering();
    return inbound.source();
  }

  @Override
  public boolean claim(long frame) {
    boolean isLast = inbound.isDelivering(frame);
    return manners.mayClaim(frame, isLast, main.isKept(frame)) && main.claim(frame);
  }

  @Override
  public void release(long frame) {
    manners.checkOpen();
    main.release(frame);
  }

  // Sleeping.

  @Override
  public void listen(PollSet sleeper) {
    manners.checkOpen();
    place = main.listen(sleeper);
    if (xdp != null) {
      int _ = packets.listen(sleeper);
    }
    set = sleeper;
  }

  @Override
  public boolean arm() {
    manners.checkIdle();
    watch.lookBeforeSleep(peers, notices);
    inbound.countDrops();
    notices.report();
    boolean quiet = !inbound.hasArrived();
    if (quiet && set != null && main.waiting() > 0) {
      set.listen(place, PollSet.IN | PollSet.OUT);
      waitsForRoom = true;
    }
    return quiet;
  }

  @Override
  public void disarm() {
    manners.checkOpen();
    if (set != null && waitsForRoom) {
      set.listen(place, PollSet.IN);
      waitsForRoom = false;
    }
  }

  @Override
  public void close() {
    if (!manners.close()) {
      return;
    }
    if (xdp != null) {
      xdp.close();
    }
    packets.close();
  }
}
