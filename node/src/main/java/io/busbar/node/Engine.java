package io.busbar.node;

import io.busbar.bus.CastConfig;
import io.busbar.bus.Member;
import io.busbar.bus.MemberState;
import io.busbar.fabric.Nic;
import io.busbar.fabric.NicAddress;
import io.busbar.fabric.NicEvents;
import io.busbar.transport.Criteria;
import io.busbar.transport.FrameSink;
import io.busbar.transport.Transport;
import io.busbar.transport.TransportConfig;
import io.busbar.wire.FrameBuilder;
import io.busbar.wire.Header;
import io.busbar.wire.MemberCard;
import io.busbar.wire.Seal;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentSkipListMap;
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

  /** Who has found another one is found by it so soon: then ways between them can be tried. */
  private static final long ACQUAINTED_NS = 100_000_000;

  /** Between a choice and why it is not a better one. */
  static final String BECAUSE = ", because ";

  /** Nothing is due. */
  public static final long NEVER = Long.MAX_VALUE;

  private final EngineConfig config;
  private final LongSupplier clockNs;
  private final LaneUser user;
  private final CarrierSet carriers = new CarrierSet();
  private final Transport transport;
  private final TransportUpcalls upcalls;
  private final FrameSink sink = this::transmit;
  private final Map<Integer, Lane> lanes = new ConcurrentSkipListMap<>();

  /** By node: why carriers that would have been preferred do not reach it. */
  private final Map<Integer, String> reasons = new ConcurrentSkipListMap<>();

  private final Ways ways;

  /** This node's part in the bus; null when all peers are given. */
  private @Nullable Presence presence;

  /** What is said to all, in this engine's life; null when nobody hears it. */
  private @Nullable Broadcasts casts;

  /** By which way a frame came that is handled now: an answer to it leaves by the same. */
  private @Nullable Carrier cameBy;

  private int cameFrom = Nic.STRANGER;
  private final FrameSink replies = this::reply;

  private final ArrayDeque<RingLane> retries = new ArrayDeque<>();

  /** Lanes whose user is to be told that there is room. */
  private final ArrayDeque<Lane> sendable = new ArrayDeque<>();

  /** Lanes of peers that are not believed any more, whose ways are to be closed. */
  private final ArrayDeque<RingLane> expelled = new ArrayDeque<>();

  /** Whether there is a lane in one of these. */
  private boolean lanesWait;

  private long probeAtNs = NEVER;

  /** When something is due. */
  private long nextNs = NEVER;

  /** When a lane is to be tried again that nobody says anything of. */
  private long retryAtNs = NEVER;

  private long transportNextNs = NEVER;
  private boolean transportDue;
  private boolean castsDue;
  private int round;
  private int idleRounds;

  /** Frames of this round that only say who is there: nobody waits for those. */
  private int chores;

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

  /** When something was sent that has not left; negative when nothing was. */
  private long sentNs = -1;

  private boolean happened;

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
    this.transport = new Transport(config.transport(), upcalls, carriers, Seal.NONE);
    SplittableRandom random = new SplittableRandom(config.transport().seed());
    this.ways = new Ways(this::ask, random::nextLong, this::use);
    int _ =
        transport.listen(
            new Criteria(
                PROTO_LANE, PORT_LANE, PORT_LANE + Lane.CHANNELS, Criteria.ANY, offer -> true));
  }

  /** Adds an interface: those that were added first are preferred. */
  public void add(Nic nic) {
    add(List.of(nic));
  }

  /**
   * Adds interfaces among which the better one is preferred, as measured to each peer; the last one
   * if none is better.
   */
  public void add(List<Nic> alternatives) {
    carriers.add(this, alternatives);
  }

  /** What an interface reports goes here. */
  public NicEvents events() {
    return new NicEvents() {
      @Override
      public void onFrameBytesMax(int number, int bytes) {
        for (int node = 0; node < ways.limit(); node++) {
          Way way = ways.to(node);
          if (way != null && way.number() == number) {
            transport.limitFrames(node, way.frameBytesMax());
          }
        }
      }

      @Override
      public void onNoWay(int number, String why) {
        for (Carrier carrier : carriers) {
          RingLane lane = carrier.reliable ? carrier.lane(number) : null;
          if (lane != null) {
            lane.onNoWay(why);
          }
        }
      }

      @Override
      public void onWarning(String what) {
        user.onWarning(what);
        happened = true;
      }

      @Override
      public void onProcessEnded(int number) {
        for (Carrier carrier : carriers) {
          RingLane lane = carrier.reliable ? carrier.lane(number) : null;
          if (lane != null && presence != null) {
            presence.onProcessEnded(clockNs.getAsLong(), lane.peer());
            setNext();
          }
        }
      }

      @Override
      public void onPeerGone(int number, String why) {
        for (Carrier carrier : carriers) {
          RingLane lane = carrier.reliable ? carrier.disconnect(number) : null;
          if (lane != null) {
            end(lane, why);
          }
        }
      }
    };
  }

  /**
   * Makes a node known, by every address that it has. The first interface that reaches one of them
   * carries the lane; if it has alternatives that do so, too, the best of them ({@link #choice}).
   *
   * @throws NodeException when none reaches it; it says why for each
   */
  public void addPeer(int node, List<NicAddress> addresses) {
    StringBuilder why = new StringBuilder();
    List<Way> found = new ArrayList<>();
    for (Carrier carrier : carriers) {
      if (!found.isEmpty() && !found.getLast().carrier().isAlternativeTo(carrier)) {
        break;
      }
      int number = carrier.open(node, addresses, why);
      if (number >= 0 && carrier.reliable) {
        connect(node, carrier, number);
        reasons.put(node, why.toString());
        return;
      } else if (number >= 0) {
        found.add(new Way(carrier, number, Integer.MAX_VALUE));
      }
    }
    if (found.isEmpty()) {
      throw new NodeException(
          "no way to node %d at %s: %s"
              .formatted(node, addresses.stream().map(NicAddress::text).toList(), why));
    }
    reasons.put(node, why.toString());
    String first = found.getLast().fabric();
    Lane lane = new QmpLane(this, node, first, config.ringWindowBytes());
    lanes.put(node, lane);
    ways.add(node, found);
    user.onLane(lane);
    nextNs = Math.min(nextNs, ways.dueNs());
  }

  /**
   * Makes a node known that the bus has found; why it cannot be reached, {@link #choice} says.
   *
   * @param addresses by which it says that it is reached
   */
  void addMember(int node, List<NicAddress> addresses) {
    try {
      ways.delayUntil(clockNs.getAsLong() + ACQUAINTED_NS);
      addPeer(node, addresses);
    } catch (NodeException | IllegalArgumentException e) {
      reasons.put(node, String.valueOf(e.getMessage()));
    }
  }

  /** Forgets a node: it has gone, or lives another life. */
  void drop(int node, String why) {
    Lane lane = lanes.remove(node);
    if (lane != null) {
      end(lane, why);
    }
    transport.peerGone(nowNs(), node);
    transportDue = true;
    ways.remove(node);
    reasons.remove(node);
    carriers.close(node);
  }

  /** Whether a node is where it was found, as far as is known: nobody else is there then. */
  boolean isThere(int node) {
    return presence == null || presence.isAlive(node);
  }

  /** The way to a node over a carrier that may lose frames; null when there is none. */
  @Nullable Way way(int node) {
    return ways.to(node);
  }

  CarrierSet carriers() {
    return carriers;
  }

  /** Broadcasts have something to do at the next flush. */
  void castsAreDue() {
    castsDue = true;
  }

  /**
   * Takes part in the bus: those whom it finds are peers.
   *
   * @param former what a life said to all that lost its id; null for a first life
   */
  void attach(Presence part, @Nullable Broadcasts former) {
    presence = part;
    casts = part.attach(this, former);
    part.settle(0);
    setNext();
  }

  /** Another life looks for an id; this engine only works for it until it has one. */
  void follow(Presence part) {
    presence = part;
    setNext();
  }

  /**
   * What is said to all reaches a peer that was given, and what it says to all is heard; it does
   * the same with this node. Until something is said, this costs nothing. There is no suspicion: a
   * peer is waited for until its lane ends.
   *
   * @param life which one of its lives it is in
   */
  public void castWith(int node, long life) {
    Broadcasts reached = casts;
    if (reached == null) {
      TransportConfig told = config.transport();
      int frameBytes = Math.min(told.frameBytesMax(), carriers.broadcastBytesMax());
      reached =
          new Broadcasts(
              this,
              new CastConfig(
                      told.node(),
                      told.incarnation(),
                      told.seed(),
                      frameBytes,
                      CastConfig.FOR_EVER_NS)
                  .ofJob(),
              new GroupNames(List.of()),
              peer -> true,
              true);
      casts = reached;
    }
    MemberCard card = new MemberCard("", "", List.of(), Map.of());
    reached.onMember(new Member(node, life, 0, MemberState.ALIVE, card));
  }

  /**
   * The lane to all others; null when there is none. The driver's role is needed.
   *
   * @param group whom of them it is for; empty for everyone, and those who were given are in no
   *     group
   */
  public @Nullable Lane broadcast(String group) {
    boolean isKnown = casts != null && (presence != null || group.isEmpty());
    return isKnown && casts != null ? casts.lane(group) : null;
  }

  /**
   * Whether what is said to all leaves once for each carrier, however many hear it; not where
   * somebody must be told by himself, or nobody hears it. The driver's role is needed.
   */
  public boolean castsAtOnce() {
    return casts != null && casts.isAtOnce();
  }

  /** What is said to all; null when nobody hears it. */
  @Nullable Broadcasts broadcasts() {
    return casts;
  }

  private void connect(int node, Carrier carrier, int number) {
    RingLane lane =
        new RingLane(
            this,
            node,
            carrier.nic,
            number,
            config.ringWindowBytes(),
            carrier.buffers,
            () -> carrier.dirty = true);
    carrier.connect(number, lane);
    lanes.put(node, lane);
    if (presence != null) { // it may not know this node yet, and must before the first record
      long _ = carrier.nic.transmit(number, presence.hello());
      carrier.dirty = true;
    }
    user.onLane(lane);
  }

  /**
   * The carrier of a lane, and why it is not another one: those that do not reach the node, and
   * what was measured on those that do.
   */
  public String choice(int node) {
    Lane lane = lanes.get(node);
    if (lane == null) {
      return "none" + (reasons.containsKey(node) ? BECAUSE + reasons.get(node) : "");
    }
    String why = reasons.getOrDefault(node, "");
    String figures = ways.figures(node);
    String joint = why.isEmpty() || figures == null ? "" : "; ";
    String because = why + joint + (figures == null ? "" : figures);
    String until = figures == null && ways.areMeasured(node) ? " until others are measured" : "";
    return lane.fabric() + until + (because.isEmpty() ? "" : BECAUSE + because);
  }

  /** Whether the best way to every node is known. From any thread. */
  public boolean hasChosen() {
    return ways.areSettled();
  }

  private void use(int node, Way way) {
    transport.limitFrames(node, way.frameBytesMax());
    QmpLane lane = qmpLane(node);
    if (lane != null) {
      lane.carriedBy(way.fabric());
    }
    if (casts != null) {
      casts.onWay();
    }
    happened = true;
  }

  private void ask(int node, Way way, long seq, int frameBytes) {
    way.carrier().expect();
    transport.echo(
        node, seq, frameBytes, (peer, frame) -> transmit(way.carrier(), way.number(), frame));
  }

  void onAnswer(long nowNs, int node, long seq) {
    ways.onAnswer(nowNs, node, seq);
    nextNs = Math.min(nextNs, ways.dueNs());
  }

  /** The lane to a node; null when it is not known. */
  public @Nullable Lane lane(int node) {
    return lanes.get(node);
  }

  /** Buffers that can change their owner; null when no interface has such. */
  public @Nullable Buffers buffers() {
    return carriers.buffers();
  }

  /** How many lanes there are. From any thread. */
  int laneCount() {
    return lanes.size();
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

  /** The time, for something that is sent: it is still that time when it leaves. */
  long sendTimeNs() {
    sentNs = nowNs();
    return sentNs;
  }

  // Work.

  /** Receives, runs what is due, sends; whether anything happened. */
  public boolean work() {
    clockStands = false;
    sentNs = -1;
    chores = 0;
    castsDue |= casts != null && casts.hurry();
    round++;
    int frames = carriers.look(round, config.pollFrames());
    clockStands &= paused;
    paused = frames == 0;
    if (lanesWait) {
      retry();
    }
    if (nextNs != NEVER && mayBeDue(frames) && nowNs() >= nextNs) {
      doWhatIsDue();
    }
    flush();
    clockStands = false;
    return takeHappened() || frames > chores;
  }

  /** The next round looks at quiet carriers, too, and at the clock. */
  void lookEverywhere() {
    round = -1;
    idleRounds = -1;
  }

  /** To read the clock takes as long as to look at a ring: who looks in vain reads it seldom. */
  private boolean mayBeDue(int frames) {
    idleRounds = frames == 0 ? idleRounds + 1 : 0;
    return idleRounds % config.idleRoundsPerTime() == 0;
  }

  private void doWhatIsDue() {
    if (probeAtNs != NEVER && nowNs() >= probeAtNs) {
      probe();
    }
    if (nowNs() >= ways.dueNs()) {
      ways.poll(clockNs.getAsLong()); // not the time of a frame that was handled before
    }
    if (presence != null && nowNs() >= presence.dueNs()) {
      presence.poll(clockNs.getAsLong());
    }
    castsDue = casts != null;
    pollTransport();
  }

  private void setNext() {
    nextNs = Math.min(Math.min(transportNextNs, probeAtNs), ways.dueNs());
    if (presence != null) {
      nextNs = Math.min(nextNs, presence.dueNs());
    }
    if (casts != null) {
      nextNs = Math.min(nextNs, casts.dueNs());
    }
  }

  /** A frame of a reliable carrier that is no record of a lane. */
  void onStrangeRecord(Carrier by, int number, MemorySegment memory, long at, int length) {
    if (!onBusFrame(by, number, memory, at, length)) {
      strangeFrames++;
    }
  }

  private boolean onBusFrame(Carrier by, int number, MemorySegment memory, long at, int length) {
    if (casts == null || !Presence.isBusFrame(memory, at, length)) {
      return false;
    }
    if (presence == null) {
      return Presence.isCast(memory, at)
          && by.isAt(number, Header.from(memory, at))
          && casts.onFrame(clockNs.getAsLong(), memory, at, length);
    }
    boolean heard = presence.onFrame(clockNs.getAsLong(), by.nic, number, memory, at, length);
    if (heard && !Presence.isCast(memory, at)) {
      chores++;
      setNext();
    }
    return heard;
  }

  void onTransportFrame(
      Carrier by, int number, MemorySegment memory, long at, int length, long name) {
    if (onBusFrame(by, number, memory, at, length)) {
      return;
    }
    if (length >= Header.ROUTE_BYTES && !by.isAt(number, Header.from(memory, at))) {
      strangeFrames++; // whoever it says it is: that node is not there
      return;
    }
    transportDue = true;
    frameNs = clockNs.getAsLong();
    clockStands = true;
    cameBy = by;
    cameFrom = number;
    transport.onFrame(frameNs, memory, at, length, name, replies);
  }

  /** An answer to a frame: by the way that it came. */
  private boolean reply(int peer, FrameBuilder frame) {
    Carrier carrier = cameBy;
    if (carrier == null || cameFrom == Nic.STRANGER) {
      return true; // there is nobody to answer to
    }
    return transmit(carrier, cameFrom, frame);
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

  /** This life is over: all lanes end, the others hear of it, and all ways are closed. */
  void dropAll(String why) {
    endAll(why);
    flush();
    for (Lane lane : List.copyOf(lanes.values())) {
      drop(lane.peer(), why);
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
    setNext();
  }

  /** The others hear that we leave, as far as a few frames get through. */
  public void leave() {
    if (presence != null) {
      presence.leave();
    }
    for (Lane lane : List.copyOf(lanes.values())) {
      if (!lane.isEnded() && lane instanceof QmpLane datagrams) {
        lane.end("this node has left");
        datagrams.abort();
      }
    }
    flush();
  }

  private void pollTransport() {
    transportDue = false;
    transportNextNs = transport.poll(sentNs < 0 ? nowNs() : sentNs, sink);
    sentNs = -1;
    setNext();
  }

  private void retry() {
    lanesWait = false;
    retryAtNs = NEVER;
    for (int i = retries.size(); i > 0; i--) {
      RingLane lane = retries.remove();
      lane.retrying = false;
      lane.retry();
    }
    while (!expelled.isEmpty()) {
      carriers.close(expelled.remove());
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
      if (castsDue && casts != null) {
        pollCasts(casts);
      }
      if (transportDue) {
        pollTransport();
      }
      more = carriers.flush() && transport.hasFramesWaiting();
      transportDue |= more;
    }
  }

  private void pollCasts(Broadcasts broadcasts) {
    castsDue = false;
    broadcasts.poll(nowNs());
    setNext();
  }

  /** Nanoseconds until something is due, at most; {@link #NEVER} when nothing is. */
  public long dueInNs() {
    if (transportDue || castsDue || !sendable.isEmpty() || !expelled.isEmpty()) {
      return 0;
    }
    long dueNs = Math.min(nextNs, retryAtNs);
    return dueNs == NEVER ? NEVER : Math.max(0, dueNs - nowNs());
  }

  private boolean transmit(int peer, FrameBuilder frame) {
    Way way = ways.to(peer);
    if (way == null) {
      strangeFrames++;
      return true; // an answer to somebody whom we do not know
    }
    return transmit(way.carrier(), way.number(), frame);
  }

  private static boolean transmit(Carrier carrier, int number, FrameBuilder frame) {
    long ticket = carrier.nic.transmit(number, frame);
    carrier.dirty = true;
    return ticket != Nic.FULL;
  }

  /** Frames of nobody who is known here, or that nobody here knows what to do with. */
  public long strangeFrames() {
    return strangeFrames;
  }

  /** The transport below the lanes over datagrams. */
  public Transport transport() {
    return transport;
  }

  // What lanes ask for.

  void retrySoon(RingLane lane) {
    retrySoon(lane, NEVER);
  }

  /** A lane is tried again at the next work, and in so long at the latest. */
  void retrySoon(RingLane lane, long withinNs) {
    if (withinNs != NEVER) {
      retryAtNs = Math.min(retryAtNs, nowNs() + withinNs);
    }
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
      setNext();
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

  /** A peer breaks the rules: its lane ends now, and its way soon, not while a frame is read. */
  void expel(RingLane lane, String why) {
    end(lane, why);
    expelled.add(lane);
    lanesWait = true;
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
    ways.forget(lane.peer());
    lane.end(why);
    user.onEnded(lane, why);
    if (casts != null && lanes.get(lane.peer()) == lane) {
      casts.onLaneEnded(lane.peer());
    }
    return true;
  }
}
