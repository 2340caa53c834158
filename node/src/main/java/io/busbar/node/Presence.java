package io.busbar.node;

import io.busbar.bus.BusConfig;
import io.busbar.bus.BusCount;
import io.busbar.bus.BusSink;
import io.busbar.bus.CastConfig;
import io.busbar.bus.Member;
import io.busbar.bus.MemberEvent;
import io.busbar.bus.MemberEvent.What;
import io.busbar.bus.MemberEvents;
import io.busbar.bus.MemberState;
import io.busbar.bus.Membership;
import io.busbar.fabric.FabricException;
import io.busbar.fabric.Nic;
import io.busbar.fabric.NicAddress;
import io.busbar.fabric.NicCapability;
import io.busbar.wire.Format;
import io.busbar.wire.FrameBuilder;
import io.busbar.wire.FrameView;
import io.busbar.wire.Header;
import io.busbar.wire.Incarnation;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * This node's part in the bus, over the interface that takes datagrams: who is there gets a lane,
 * who began another life another one. The driver's role is needed, but for {@link #members}.
 */
final class Presence implements BusSink, MemberEvents {
  /** Where broadcast may not reach all, so many members hear by themselves what is for all. */
  private static final int TOLD_ONE_BY_ONE = 16;

  /** In a view of so many, who cannot count on the group says hello to each whom it meets. */
  private static final int INTRODUCED_MAX = 64;

  /** Ways to those who are no members that are open at a time. */
  private static final int STRANGERS_MAX = 32;

  /** A lane to a living member that has ended is opened anew after so long. */
  private static final long RENEW_NS = 1_000_000_000;

  /** So often it is noted that a node lives that speaks all the time. */
  private static final long SIGN_NS = 20_000_000;

  private final Nic nic;
  private final Reach reach;
  private final FrameView view = new FrameView();
  private final Membership bus;
  private final List<NicAddress> seeds;
  private final Function<String, NicAddress> parser;
  private final SplittableRandom random;
  private final Consumer<FrameBuilder> reply = this::answer;

  /** By id: under which number a member was opened, and in which life. */
  private final Map<Integer, Opened> opened = new HashMap<>();

  /** By id: the life that its lane leads to. */
  private final Map<Integer, Long> reached = new HashMap<>();

  /** Numbers of those who were answered and are no members, the oldest first. */
  private final ArrayDeque<Integer> strangers = new ArrayDeque<>();

  /** What happened, until the engine has heard of it. */
  private final ArrayDeque<MemberEvent> happened = new ArrayDeque<>();

  private volatile List<Member> members = List.of();
  private long shownView = -1;
  private @Nullable Engine engine;
  private @Nullable Broadcasts broadcasts;
  private final Afterlife afterlife;
  private final BusConfig config;
  private final long paceNs;
  private final boolean patient;
  private int signFrom = Header.EVERYONE;
  private long signNs;
  private Nic source;
  private int sourceNumber = Nic.STRANGER;
  private long renewAtNs;
  private boolean lost;

  /** This node has left, or lost its id: nobody gets a lane any more. */
  private boolean isOver;

  /** What comes after the loss of an id that was claimed; with the driver's role. */
  interface Afterlife {
    /** Another life begins, and an engine works for it. */
    void onLost(Engine engine);

    /** A later life has its id, and needs an engine. */
    void onTaken(Presence life);
  }

  /** Where a member said that it is, and the number of the way there. */
  private record Opened(long incarnation, List<String> addresses, int number) {}

  /**
   * A part in the bus.
   *
   * @param paceNs how long slow readers of broadcasts are waited for
   * @param patient whether they are waited for until their lanes end, whatever is suspected
   * @param seeds who is asked besides everyone
   * @param parser reads an address of a card
   * @param afterlife who goes on when the id is lost, and is told when this life has one and there
   *     is no engine
   */
  Presence(
      Nic nic,
      BusConfig config,
      long paceNs,
      boolean patient,
      List<NicAddress> seeds,
      Function<String, NicAddress> parser,
      Afterlife afterlife) {
    this.nic = nic;
    this.config = config;
    this.paceNs = paceNs;
    this.patient = patient;
    this.source = nic;
    this.seeds = List.copyOf(seeds);
    this.reach = new Reach(nic, !seeds.isEmpty());
    this.parser = parser;
    this.afterlife = afterlife;
    this.random = new SplittableRandom(config.seed());
    this.bus = new Membership(config, this, this);
  }

  void start(long nowNs) {
    bus.start(nowNs);
  }

  boolean isMember() {
    return bus.isMember();
  }

  int id() {
    return bus.id();
  }

  /** All that is known, as of the last time that somebody drove. From any thread. */
  List<Member> members() {
    return members;
  }

  long count(BusCount what) {
    return bus.count(what);
  }

  /**
   * Whoever is there already, and whoever comes, gets a lane from the next {@link #settle} on.
   *
   * @param former what a life said to all that lost its id: the numbers of its groups stay the same
   */
  Broadcasts attach(Engine to, @Nullable Broadcasts former) {
    engine = to;
    int frameBytes = Math.min(config.frameBytesMax(), to.carriers().broadcastBytesMax());
    CastConfig casts =
        new CastConfig(id(), config.incarnation(), config.seed(), frameBytes, paceNs);
    GroupNames groups = new GroupNames(self().map(Discovery::groupsOf).orElse(List.of()));
    Broadcasts made =
        new Broadcasts(to, patient ? casts.ofJob() : casts, groups, reach::isApart, patient);
    broadcasts = made;
    if (former != null) {
      former.groups().forEach(made::lane);
      self().ifPresent(self -> tellRejoined(to, self));
    }
    return made;
  }

  private Optional<Member> self() {
    return bus.members().stream().filter(one -> one.id() == bus.id()).findFirst();
  }

  private void tellRejoined(Engine to, Member self) {
    to.user().onMember(new MemberEvent(bus.viewNumber(), What.REJOINED, self));
    to.happened();
  }

  /** What is said to all, and heard of all; once there is an engine. */
  Broadcasts broadcasts() {
    if (broadcasts == null) {
      throw new IllegalStateException("there is no engine yet");
    }
    return broadcasts;
  }

  long dueNs() {
    return bus.dueNs();
  }

  void poll(long nowNs) {
    long _ = bus.poll(nowNs);
    while (strangers.size() > STRANGERS_MAX) {
      closeUnused(strangers.remove());
    }
    settle(nowNs);
  }

  /** The kernel says that the process at the other end of a member's lane has ended. */
  void onProcessEnded(long nowNs, int id) {
    bus.onProcessEnded(nowNs, id, reached.getOrDefault(id, Incarnation.UNKNOWN));
    settle(nowNs);
  }

  /** Says that this node leaves. */
  void leave() {
    isOver = true;
    bus.leave();
  }

  /** The first frame to a node over a carrier on which it may not know this one. */
  FrameBuilder hello() {
    return bus.hello();
  }

  // Frames.

  /** Whether a frame is one of the bus's. */
  static boolean isBusFrame(MemorySegment memory, long at, int length) {
    return length >= Header.BYTES
        && (memory.get(ValueLayout.JAVA_BYTE, at) & 0xF) >= Format.BUS; // of any version: counted
  }

  /** Whether a frame of the bus's belongs to a broadcast. */
  static boolean isCast(MemorySegment memory, long at) {
    return (memory.get(ValueLayout.JAVA_BYTE, at) & 0xF) >= Format.CAST;
  }

  /** A frame of the bus's has come, by any interface; false when it was not believed. */
  boolean onFrame(long nowNs, Nic by, int number, MemorySegment memory, long at, int length) {
    source = by;
    sourceNumber = number;
    if (isCast(memory, at)) {
      boolean used = broadcasts != null && broadcasts.onFrame(nowNs, memory, at, length);
      if (used) {
        noteSign(nowNs, memory, at, length);
      }
      return used;
    }
    boolean heard = bus.onFrame(nowNs, memory, at, length, reply);
    settle(nowNs);
    if (heard && by.equals(nic) && view.wrap(memory, at, length).ok()) {
      noteReach();
    }
    return heard;
  }

  /** Who speaks lives; of one that speaks all the time that is noted now and then. */
  private void noteSign(long nowNs, MemorySegment memory, long at, int length) {
    int from = Header.from(memory, at);
    if ((from != signFrom || nowNs - signNs >= SIGN_NS) && view.wrap(memory, at, length).ok()) {
      signFrom = from;
      signNs = nowNs;
      bus.onSign(nowNs, view);
    }
  }

  /** How a frame came shows whether what is for all reaches its sender. */
  private void noteReach() {
    boolean byAll = nic.cameToEveryone();
    boolean isForAll = byAll || view.to() == Header.EVERYONE;
    if (isForAll && reach.hear(view.from(), view.seq(), byAll) && broadcasts != null) {
      broadcasts.onWay();
    }
  }

  /** An answer to who sent the frame that is being heard. */
  private void answer(FrameBuilder frame) {
    if (!source.equals(nic)) {
      return; // over a carrier that keeps its frames: it will be heard otherwise, too
    }
    int number = sourceNumber;
    if (number == Nic.STRANGER) {
      try {
        number = nic.open(nic.source());
      } catch (FabricException e) {
        return; // as if the answer were lost
      }
      sourceNumber = number;
      strangers.add(number);
    }
    transmit(number, frame);
  }

  /** The way under which a node was opened in a former life, or before it had gone. */
  private void closeFormer(int id) {
    Opened former = opened.remove(id);
    if (former != null) {
      closeUnused(former.number);
    }
  }

  /** Somebody else may stand at the same address now. */
  private void closeUnused(int number) {
    boolean isUsed = opened.values().stream().anyMatch(one -> one.number == number);
    if (!isUsed && (engine == null || !engine.carriers().of(nic).isOpen(number))) {
      nic.close(number);
    }
  }

  @Override
  public void toAll(FrameBuilder frame) {
    if (nic.capabilities().contains(NicCapability.BROADCAST)) {
      transmit(Nic.EVERYONE, frame);
    }
    seeds.forEach(seed -> toSeed(seed, frame));
    List<Member> some = new ArrayList<>(members);
    boolean _ = some.removeIf(one -> !isToldByItself(one));
    for (int i = 0; i < TOLD_ONE_BY_ONE && !some.isEmpty(); i++) {
      to(some.remove(random.nextInt(some.size())), frame);
    }
  }

  private boolean isToldByItself(Member member) {
    return member.id() != bus.id() && member.state().isMember() && reach.isApart(member.id());
  }

  private void toSeed(NicAddress seed, FrameBuilder frame) {
    if (!seed.text().equals(nic.address().text())) {
      try {
        transmit(nic.open(seed), frame);
      } catch (FabricException e) {
        // There is no route to it now: the next time there may be.
      }
    }
  }

  @Override
  public void to(Member member, FrameBuilder frame) {
    Opened known = opened.get(member.id());
    if (known == null || !isWhere(known, member)) {
      closeFormer(member.id());
      known = open(member);
    }
    if (known != null) {
      transmit(known.number, frame);
    }
  }

  private static boolean isWhere(Opened known, Member member) {
    return known.incarnation == member.incarnation()
        && known.addresses.equals(member.card().addresses());
  }

  private @Nullable Opened open(Member member) {
    try {
      for (NicAddress address : addresses(member)) {
        if (Carrier.kind(address).equals(Carrier.kind(nic.address()))) {
          Opened found =
              new Opened(member.incarnation(), member.card().addresses(), nic.open(address));
          opened.put(member.id(), found);
          return found;
        }
      }
    } catch (FabricException e) {
      // Nothing leads there now.
    }
    return null;
  }

  /** The addresses of a card that can be read: another version may have more kinds. */
  private List<NicAddress> addresses(Member member) {
    List<NicAddress> found = new ArrayList<>();
    for (String text : member.card().addresses()) {
      try {
        found.add(parser.apply(text));
      } catch (IllegalArgumentException e) {
        // Somebody on the segment can write whatever he likes.
      }
    }
    return found;
  }

  @Override
  public void forget(Member member) {
    Long _ = reached.remove(member.id());
    reach.forget(member.id());
    if (engine != null) {
      broadcasts().onGone(member.id());
      engine.drop(member.id(), "node %d has been gone for long".formatted(member.id()));
    }
    closeFormer(member.id());
  }

  private void transmit(int number, FrameBuilder frame) {
    long _ = nic.transmit(number, frame); // what finds no room is lost, and mended later
    if (engine != null) {
      engine.carriers().of(nic).dirty = true;
    }
  }

  // Events.

  /** After the bus has done something: nothing of this calls it back from inside. */
  void settle(long nowNs) {
    if (bus.viewNumber() != shownView) {
      shownView = bus.viewNumber();
      members = bus.members();
    }
    Engine to = engine;
    if (to == null) {
      if (bus.isMember()) {
        afterlife.onTaken(this);
      }
      return;
    }
    for (MemberEvent event = happened.poll(); event != null; event = happened.poll()) {
      onHappened(to, event);
    }
    if (lost && !isOver) {
      lose(to);
    }
    if (nowNs >= renewAtNs && !isOver) {
      renewAtNs = nowNs + RENEW_NS;
      renew(to);
    }
  }

  /** What was on its way ends, and the program hears of it; then another life begins. */
  private void lose(Engine to) {
    isOver = true;
    boolean given = config.id() != BusConfig.CLAIM;
    String why =
        "this node has lost its id %d to a node that had it before, %s"
            .formatted(
                bus.id(),
                given
                    ? "and the id was given to it: start it with another one"
                    : "and joins again under another one");
    broadcasts().end(why);
    to.dropAll(why);
    strangers.forEach(this::closeUnused);
    strangers.clear();
    List.copyOf(opened.keySet()).forEach(this::closeFormer);
    if (!given) {
      afterlife.onLost(to);
    }
  }

  private void onHappened(Engine to, MemberEvent event) {
    Member member = event.member();
    switch (event.what()) {
      case JOINED -> connect(to, member);
      case RESTARTED -> {
        renewAtNs = 0; // somebody else may stand where it was
        to.drop(member.id(), "node %d began another life".formatted(member.id()));
        closeFormer(member.id());
        connect(to, member);
      }
      case LEFT -> {
        renewAtNs = 0;
        broadcasts().onGone(member.id());
        to.drop(member.id(), "node %d has left".formatted(member.id()));
        closeFormer(member.id());
      }
      case DIED -> {
        renewAtNs = 0;
        broadcasts().onDead(member.id());
      }
      default -> {}
    }
    switch (event.what()) {
      case JOINED, RESTARTED, CAME_BACK -> broadcasts().onMember(member);
      default -> {}
    }
    to.user().onMember(event);
    to.happened();
  }

  private void connect(Engine to, Member member) {
    if (member.id() != bus.id() && member.state().isMember()) {
      reached.put(member.id(), member.incarnation());
      List<NicAddress> addresses = addresses(member);
      reach.meet(member.id(), member.incarnation(), addresses);
      to.addMember(member.id(), addresses);
      if (reach.isApart(member.id()) && members.size() <= INTRODUCED_MAX) {
        to(member, bus.hello()); // it may count on the group, which does not reach it
      }
    }
  }

  /** Whether nothing is held against a member. */
  boolean isAlive(int id) {
    return members.stream().anyMatch(one -> one.id() == id && one.state() == MemberState.ALIVE);
  }

  /** Lanes that ended though the member lives: it came back, or was only thought to be silent. */
  private void renew(Engine to) {
    for (Member member : members) {
      Lane lane = to.lane(member.id());
      boolean isOther = member.id() != bus.id() && member.state() == MemberState.ALIVE;
      if (isOther && (lane == null || lane.isEnded())) {
        to.drop(member.id(), "a new lane follows");
        closeFormer(member.id());
        connect(to, member);
        if (!(lane instanceof QmpLane) && !(to.lane(member.id()) instanceof RingLane)) {
          broadcasts().onShorter(member.id());
        }
        broadcasts().onMember(member);
      }
    }
  }

  @Override
  public void onMember(MemberEvent event) {
    lost |= event.what() == What.ID_LOST;
    happened.add(event);
  }
}
