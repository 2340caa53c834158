package io.busbar.fabric.udp;

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
import io.busbar.linux.PollSet;
import io.busbar.linux.ReceiveBatch;
import io.busbar.linux.SystemCallException;
import io.busbar.memory.Role;
import io.busbar.wire.FrameBuilder;
import java.lang.foreign.MemorySegment;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** An interface to every host that UDP reaches. */
public final class UdpNic implements Nic {
  /** The carrier's name. */
  public static final String FABRIC = "udp";

  private final UdpConfig config;
  private final Home home;
  private final Notices notices;
  private final NicCounters counters = new NicCounters();
  private final Registrations registrations = new Registrations();
  private final OwnSocket own;
  private final @Nullable Everyone everyone;
  private final PathMtu paths;
  private final PeerTable peers;
  private final TransmitStage stage;
  private final Outbound outbound;
  private final Departures departures;
  private final ReceiveChunks chunks;
  private final Inbound inbound;
  private final Slumber slumber;
  private final PathWatch watch;
  private final Peering peering;
  private final Manners manners;

  /**
   * Opens the own.
   *
   * @throws FabricException when the address or the device cannot be had; it says why
   */
  public UdpNic(UdpConfig config, NicEvents events) {
    this(config, events, UnaryOperator.identity());
  }

  /** With something between the doorbell and the kernel, for tests. */
  UdpNic(UdpConfig config, NicEvents events, UnaryOperator<Outlet> over) {
    this.config = config;
    notices = new Notices(events);
    home = Home.find(config);
    own = OwnSocket.open(config, home, notices);
    peers = new PeerTable(config.peersMax());
    paths = findPaths();
    peering = new Peering(config, own, peers, paths, notices);
    everyone = config.hasEveryone() ? hearEveryone() : null;
    watch = new PathWatch(paths, peers, everyone, notices);
    stage =
        new TransmitStage(
            config.transmitBytes(),
            config.transmitFrames(),
            2 * config.transmitFrames() + FrameBuilder.PARTS_MAX);
    outbound = new Outbound(stage, peers, registrations, counters, config.inPlaceBytesMin());
    manners = new Manners(own.address.text(), outbound::isReserved);
    departures =
        new Departures(
            stage, own, over.apply(Outlet.of(own.socket)), paths, notices, counters, everyone);
    ReceiveBatch batch = new ReceiveBatch(config.chunks());
    chunks = new ReceiveChunks(config, batch, counters);
    inbound =
        new Inbound(
            own.socket,
            everyone == null ? null : everyone.socket,
            own.address,
            peers,
            batch,
            chunks,
            counters,
            notices);
    slumber = new Slumber(own.socket, everyone, stage);
    notices.report();
  }

  private PathMtu findPaths() {
    try {
      return new PathMtu(home);
    } catch (SystemCallException e) {
      own.close();
      throw new FabricException(
          "cannot open UDP on %s: %s".formatted(address(), e.getMessage()), e);
    }
  }

  private Everyone hearEveryone() {
    UdpAddress all = config.everyone();
    Everyone opened = null;
    try {
      all = all.on(home.deviceIndex());
      opened = Everyone.open(all, home, own.socket, paths, config, notices);
      peers.everyone(new Peer(EVERYONE, all, paths.frameBytesMax(all)));
      return opened;
    } catch (SystemCallException | FabricException e) {
      own.close();
      paths.close();
      if (opened != null) {
        opened.close();
      }
      throw new FabricException("cannot send to %s: %s".formatted(all, e.getMessage()), e);
    }
  }

  /**
   * The interface that an interface with this configuration would use; empty when none has the
   * address.
   */
  public static String deviceOf(UdpConfig config) {
    return Home.find(config).device();
  }

  @Override
  public String fabric() {
    return FABRIC;
  }

  @Override
  public UdpAddress address() {
    return own.address;
  }

  @Override
  public Set<NicCapability> capabilities() {
    Set<NicCapability> all =
        EnumSet.of(NicCapability.CLAIMS, NicCapability.IN_PLACE, NicCapability.SLEEP);
    if (everyone != null) {
      all.add(NicCapability.BROADCAST);
    }
    if (config.claimsMax() == 0) {
      all.remove(NicCapability.CLAIMS);
    }
    return all;
  }

  @Override
  public NicCounters counters() {
    return counters;
  }

  /** What the system gave this interface, beside what it wanted. */
  public UdpReport report() {
    return own.report(home.device(), paths.deviceMtu(), peering.shortcuts());
  }

  // Peers.

  /** A peer that is open already has its path looked at again. */
  @Override
  public int open(NicAddress peer) {
    manners.checkFree();
    if (!(peer instanceof UdpAddress address)) {
      throw new IllegalArgumentException("%s is no UDP address".formatted(peer.text()));
    }
    int number = peering.open(address).number;
    notices.report();
    return number;
  }

  @Override
  public NicAddress address(int peer) {
    return opened(peer).address;
  }

  /** A destination that is open. */
  Peer opened(int number) {
    return peering.opened(number);
  }

  /** Frames that were placed before still leave with the next flush. */
  @Override
  public void close(int peer) {
    manners.checkFree();
    peering.close(peer);
  }

  @Override
  public int frameBytesMax(int peer) {
    return opened(peer).frameBytesMax;
  }

  // Sending.

  @Override
  public MemorySegment transmitMemory() {
    return stage.memory();
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
    throw new UnsupportedOperationException("udp has no buffers to give away: use transmit");
  }

  @Override
  public boolean isComplete(long ticket) {
    return manners.isClosed() || stage.isComplete(ticket);
  }

  @Override
  public int flush() {
    manners.checkFree();
    int remaining = departures.flush();
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
    if (!manners.isClosed() && stage.uses(memory)) {
      throw new IllegalStateException("a frame in this memory has not left yet: flush first");
    }
    registrations.remove(memory);
  }

  // Receiving.

  @Override
  public int poll(FrameReceiver receiver, int budget) {
    manners.checkIdle();
    watch.look();
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
  public boolean cameToEveryone() {
    manners.checkDelivering();
    return inbound.cameToEveryone();
  }

  @Override
  public boolean claim(long frame) {
    boolean isLast = inbound.isDelivering(frame);
    return manners.mayClaim(frame, isLast, chunks.isKept(frame)) && chunks.claim(frame);
  }

  @Override
  public void release(long frame) {
    manners.checkOpen();
    chunks.release(frame);
  }

  // Sleeping.

  @Override
  public void listen(PollSet set) {
    manners.checkOpen();
    slumber.listen(set);
  }

  /** A set that was cleared listens again before this is called. */
  @Override
  public boolean arm() {
    manners.checkIdle();
    watch.lookBeforeSleep();
    notices.report();
    boolean quiet = !inbound.hasLeftovers() && slumber.isQuiet();
    if (quiet) {
      slumber.begin();
    }
    inbound.lookAtBoth();
    return quiet;
  }

  @Override
  public void disarm() {
    manners.checkOpen();
    slumber.end();
  }

  @Override
  public void close() {
    if (!manners.close()) {
      return;
    }
    peering.closeAll();
    own.close();
    paths.close();
    if (everyone != null) {
      everyone.close();
    }
    stage.close();
    chunks.close();
  }
}
