package io.busbar.node;

import io.busbar.fabric.FabricException;
import io.busbar.fabric.FrameReceiver;
import io.busbar.fabric.Nic;
import io.busbar.fabric.NicAddress;
import io.busbar.fabric.NicCapability;
import io.busbar.fabric.NicEvents;
import io.busbar.transport.Criteria;
import io.busbar.transport.FrameClaims;
import io.busbar.transport.FrameSink;
import io.busbar.transport.Transport;
import io.busbar.wire.FrameBuilder;
import io.busbar.wire.Seal;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One node without a thread: carriers, the transport over those that lose frames, and a lane to
 * each peer. It is given the time and does what is due, so that it runs in the lab as it runs in a
 * process. One caller at a time: the driver.
 */
public final class Engine {
  /** The transport's protocol number of lanes. */
  static final int PROTO_LANE = 1;

  static final int PORT_LANE = 1;

  /** Between a choice and why it is not a better one. */
  static final String BECAUSE = ", because ";

  /** Nothing is due. */
  public static final long NEVER = Long.MAX_VALUE;

  private final EngineConfig config;
  private final LongSupplier clockNs;
  private final LaneUser user;
  private Carrier[] carriers = {};
  private final Transport transport;
  private final TransportUpcalls upcalls;
  private final FrameSink sink = this::transmit;
  private final Map<Integer, Lane> lanes = new TreeMap<>();

  /** By node: where the transport's frames leave. */
  private @Nullable Route[] routes = new @Nullable Route[16];

  private final ArrayDeque<RingLane> retries = new ArrayDeque<>();

  /** Lanes whose user is to be told that there is room. */
  private final ArrayDeque<Lane> sendable = new ArrayDeque<>();

  /** Whether there is a lane in one of these. */
  private boolean lanesWait;

  /** The interface whose frames can be kept by the transport: the first that loses frames. */
  private @Nullable Carrier claimed;

  private long probeAtNs = NEVER;

  /** When something is due. */
  private long nextNs = NEVER;

  private long transportNextNs = NEVER;
  private boolean transportDue;
  private int round;

  /** Whether the last round brought nothing. */
  private boolean paused;

  /** When the last frame came. */
  private long frameNs;

  /**
   * Whether it is still that time: while the frame is handled, and until the end of a round that
   * brings the first ones after a pause. That may take longer, with cold caches, than answers wait
   * for data to ride on, and who waited for the frames will send some.
   */
  private boolean clockStands;

  private boolean happened;

  /** An interface, and the lanes of those of its peers whose records go straight through it. */
  private final class Carrier {
    final Nic nic;
    final boolean reliable;
    final @Nullable RingLane[] ringLanes = new @Nullable RingLane[MAX_PEERS];
    final FrameReceiver receiver;
    final @Nullable Buffers buffers;
    boolean dirty;
    private int idleLooks;

    Carrier(Nic nic) {
      this.nic = nic;
      this.reliable = nic.capabilities().contains(NicCapability.RELIABLE);
      this.receiver = reliable ? this::onRecordFrame : this::onTransportFrame;
      boolean passes = nic.capabilities().contains(NicCapability.OWNERSHIP);
      this.buffers = reliable && passes ? new Buffers(nic.pool()) : null;
    }

    /**
     * Takes what has come; frames. A carrier on which nothing has come for a while is looked at
     * only now and then while there are others: a look at a socket costs as much as ten at a ring.
     */
    int look(int inRound) {
      if (idleLooks >= IDLE_LOOKS && carriers.length > 1 && inRound % IDLE_ROUNDS != 0) {
        return 0;
      }
      int frames = nic.poll(receiver, config.pollFrames());
      idleLooks = frames > 0 ? 0 : idleLooks + 1;
      return frames;
    }

    private void onRecordFrame(int number, MemorySegment memory, long at, int length, long frame) {
      RingLane lane = number < 0 || number >= MAX_PEERS ? null : ringLanes[number];
      if (lane == null || !lane.onFrame(memory, at, length, frame)) {
        strangeFrames++;
      }
    }

    private void onTransportFrame(
        int number, MemorySegment memory, long at, int length, long frame) {
      transportDue = true;
      long name = claimed == this ? frame : Nic.UNCLAIMABLE;
      frameNs = clockNs.getAsLong();
      clockStands = true;
      transport.onFrame(frameNs, memory, at, length, name, sink);
    }
  }

  /** What the transport keeps. */
  private final class Claims implements FrameClaims {
    @Override
    public boolean claim(long frame) {
      return claimed != null && claimed.nic.claim(frame);
    }

    @Override
    public void release(long frame) {
      releaseFrame(frame);
    }
  }

  void releaseFrame(long frame) {
    if (claimed != null) {
      claimed.nic.release(frame);
    }
  }

  private static final int MAX_PEERS = 256;
  private static final int IDLE_LOOKS = 32;
  private static final int IDLE_ROUNDS = 32;

  /** Where the transport's frames to a peer leave. */
  private record Route(Carrier carrier, int number) {}

  private long strangeFrames;

  /**
   * An engine.
   *
   * @param clockNs the time, from any start, never negative; asked only when it is needed
   */
  public Engine(EngineConfig config, LongSupplier clockNs, LaneUser user) {
    this.config = config;
    this.clockNs = clockNs;
    this.user = user;
    this.upcalls = new TransportUpcalls(this);
    this.transport = new Transport(config.transport(), upcalls, new Claims(), Seal.NONE);
    int _ =
        transport.listen(
            new Criteria(
                PROTO_LANE, PORT_LANE, PORT_LANE + Lane.CHANNELS, Criteria.ANY, offer -> true));
  }

  /** Adds an interface: those that were added first are preferred. */
  public void add(Nic nic) {
    Carrier carrier = new Carrier(nic);
    carriers = Arrays.copyOf(carriers, carriers.length + 1);
    carriers[carriers.length - 1] = carrier;
    boolean keeps = nic.capabilities().contains(NicCapability.CLAIMS);
    if (claimed == null && !carrier.reliable && keeps) {
      claimed = carrier;
    }
  }

  /** What an interface reports goes here. */
  public NicEvents events() {
    return new NicEvents() {
      @Override
      public void onFrameBytesMax(int number, int bytes) {
        for (int node = 0; node < routes.length; node++) {
          Route route = routes[node];
          if (route != null && route.number == number && !route.carrier.reliable) {
            transport.limitFrames(node, route.carrier.nic.frameBytesMax(number));
          }
        }
      }

      @Override
      public void onPeerGone(int number, String why) {
        for (Carrier carrier : carriers) {
          RingLane lane = carrier.reliable ? carrier.ringLanes[number] : null;
          if (lane != null) {
            carrier.ringLanes[number] = null;
            end(lane, why);
          }
        }
      }
    };
  }

  /**
   * Makes a node known, by every address that it has. The first interface that reaches one of them
   * carries the lane.
   *
   * @return the carrier, and why not an earlier one
   * @throws NodeException when none reaches it; it says why for each
   */
  public String addPeer(int node, List<NicAddress> addresses) {
    StringBuilder why = new StringBuilder();
    for (Carrier carrier : carriers) {
      String kind = kind(carrier.nic.address());
      if (addresses.stream().noneMatch(address -> address.text().startsWith(kind))) {
        why.append(why.isEmpty() ? "" : "; ");
        why.append("node %d has no %s".formatted(node, carrier.nic.fabric()));
      }
      for (NicAddress address : addresses) {
        if (address.text().startsWith(kind)) {
          try {
            connect(node, carrier, carrier.nic.open(address));
            return carrier.nic.fabric() + (why.isEmpty() ? "" : BECAUSE + why);
          } catch (FabricException e) {
            why.append(why.isEmpty() ? "" : "; ").append(e.getMessage());
          }
        }
      }
    }
    throw new NodeException(
        "no way to node %d at %s: %s"
            .formatted(node, addresses.stream().map(NicAddress::text).toList(), why));
  }

  /** What the text of an address begins with: carriers with one kind reach each other. */
  private static String kind(NicAddress address) {
    return address.text().substring(0, address.text().indexOf(':') + 1);
  }

  private void connect(int node, Carrier carrier, int number) {
    if (carrier.reliable) {
      RingLane lane =
          new RingLane(
              this,
              node,
              carrier.nic,
              number,
              config.ringWindowBytes(),
              carrier.buffers,
              () -> carrier.dirty = true);
      carrier.ringLanes[number] = lane;
      lanes.put(node, lane);
    } else {
      transport.limitFrames(node, carrier.nic.frameBytesMax(number));
      if (node >= routes.length) {
        routes = Arrays.copyOf(routes, Math.max(node + 1, 2 * routes.length));
      }
      routes[node] = new Route(carrier, number);
      lanes.put(node, new QmpLane(this, node, carrier.nic.fabric(), config.ringWindowBytes()));
    }
  }

  /** The lane to a node; null when it is not known. */
  public @Nullable Lane lane(int node) {
    return lanes.get(node);
  }

  /** Buffers that can change their owner; null when no interface has such. */
  public @Nullable Buffers buffers() {
    for (Carrier carrier : carriers) {
      if (carrier.buffers != null) {
        return carrier.buffers;
      }
    }
    return null;
  }

  /** All lanes. */
  public Iterable<Lane> lanes() {
    return lanes.values();
  }

  EngineConfig config() {
    return config;
  }

  LaneUser user() {
    return user;
  }

  long nowNs() {
    return clockStands ? frameNs : clockNs.getAsLong();
  }

  // Work.

  /** Receives, runs what is due, sends; whether anything happened. */
  public boolean work() {
    clockStands = false;
    int frames = 0;
    round++;
    for (Carrier carrier : carriers) {
      frames += carrier.look(round);
    }
    clockStands &= paused;
    paused = frames == 0;
    if (lanesWait) {
      retry();
    }
    if (nextNs != NEVER && nowNs() >= nextNs) {
      doWhatIsDue();
    }
    flush();
    clockStands = false;
    return takeHappened() || frames > 0;
  }

  private void doWhatIsDue() {
    if (probeAtNs != NEVER && nowNs() >= probeAtNs) {
      probe();
    }
    pollTransport();
  }

  /** Something happened that somebody may wait for. */
  void happened() {
    happened = true;
  }

  /** Whether something happened since the last time. */
  boolean takeHappened() {
    boolean was = happened;
    happened = false;
    return was;
  }

  /** Nothing can be sent or received any more: all lanes end. */
  void endAll(String why) {
    for (Lane lane : List.copyOf(lanes.values())) {
      end(lane, why);
    }
  }

  /** Who is silent for long is asked for a sign of life: a death is noticed without traffic. */
  private void probe() {
    boolean open = false;
    for (Lane lane : lanes.values()) {
      if (lane instanceof QmpLane datagrams) {
        datagrams.probe();
        open |= datagrams.isOpen();
      }
    }
    probeAtNs = open ? nowNs() + config.probeNs() : NEVER;
    nextNs = Math.min(transportNextNs, probeAtNs);
  }

  /** The others hear that we leave, as far as a few frames get through. */
  public void leave() {
    for (Lane lane : List.copyOf(lanes.values())) {
      if (!lane.isEnded() && lane instanceof QmpLane datagrams) {
        lane.end();
        datagrams.abort();
      }
    }
    flush();
  }

  private void pollTransport() {
    transportDue = false;
    transportNextNs = transport.poll(nowNs(), sink);
    nextNs = Math.min(transportNextNs, probeAtNs);
  }

  private void retry() {
    lanesWait = false;
    for (int i = retries.size(); i > 0; i--) {
      RingLane lane = retries.remove();
      lane.retrying = false;
      lane.retry();
    }
    while (!sendable.isEmpty()) {
      Lane lane = sendable.remove();
      if (!lane.isEnded()) {
        lane.onSendable();
      }
    }
  }

  /** What was placed leaves. */
  public void flush() {
    boolean more = true;
    while (more) {
      if (transportDue) {
        pollTransport();
      }
      more = flushCarriers() && transport.hasFramesWaiting();
      transportDue |= more;
    }
  }

  /** Whether all that was placed has left. */
  private boolean flushCarriers() {
    boolean left = true;
    for (Carrier carrier : carriers) {
      if (carrier.dirty) {
        carrier.dirty = carrier.nic.flush() > 0;
        left &= !carrier.dirty;
      }
    }
    return left;
  }

  /** Nanoseconds until something is due, at most; {@link #NEVER} when nothing is. */
  public long dueInNs() {
    if (transportDue || !sendable.isEmpty()) {
      return 0;
    }
    return nextNs == NEVER ? NEVER : Math.max(0, nextNs - nowNs());
  }

  private boolean transmit(int peer, FrameBuilder frame) {
    Route route = peer < routes.length ? routes[peer] : null;
    if (route == null) {
      strangeFrames++;
      return true; // an answer to somebody whom we do not know
    }
    long ticket = route.carrier.nic.transmit(route.number, frame);
    route.carrier.dirty = true;
    return ticket != Nic.FULL;
  }

  /** Frames that nobody here knows what to do with. */
  public long strangeFrames() {
    return strangeFrames;
  }

  /** The transport below the lanes over datagrams. */
  public Transport transport() {
    return transport;
  }

  // What lanes ask for.

  void retrySoon(RingLane lane) {
    if (!lane.retrying) {
      lane.retrying = true;
      retries.add(lane);
      lanesWait = true;
    }
  }

  /** There is room in a lane; its user is told at the next work, not inside its own call. */
  void sendableSoon(Lane lane) {
    if (!sendable.contains(lane)) {
      sendable.add(lane);
      lanesWait = true;
    }
  }

  void transportIsDue() {
    transportDue = true;
  }

  /** A stream has opened an association. */
  void own(long association, QmpStream stream) {
    upcalls.own(association, stream);
    onStreams();
  }

  /** There is somebody who may have to be asked for a sign of life. */
  void onStreams() {
    if (probeAtNs == NEVER) {
      probeAtNs = nowNs() + config.probeNs();
      nextNs = Math.min(transportNextNs, probeAtNs);
    }
  }

  @Nullable QmpLane qmpLane(int node) {
    return lanes.get(node) instanceof QmpLane lane ? lane : null;
  }

  void end(Lane lane, String why) {
    if (markEnded(lane, why) && lane instanceof QmpLane datagrams) {
      datagrams.abort();
    }
  }

  /** The node of a lane does not answer: nothing is said to it any more. */
  void endSilent(QmpLane lane, String why) {
    if (markEnded(lane, why)) {
      transport.peerDead(nowNs(), lane.peer());
      transportDue = true;
    }
  }

  private boolean markEnded(Lane lane, String why) {
    if (lane.isEnded()) {
      return false;
    }
    happened = true;
    lane.end();
    user.onEnded(lane, why);
    return true;
  }
}
