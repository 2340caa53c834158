package io.busbar.node;

import io.busbar.bus.CastConfig;
import io.busbar.bus.CastCount;
import io.busbar.bus.CastIn;
import io.busbar.bus.CastOut;
import io.busbar.bus.CastSink;
import io.busbar.bus.CastUser;
import io.busbar.bus.Casting;
import io.busbar.bus.Member;
import io.busbar.fabric.Nic;
import io.busbar.fabric.NicCapability;
import io.busbar.node.BroadcastEvent.What;
import io.busbar.wire.FrameBuilder;
import io.busbar.wire.Header;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * What this node says to all, and hears of all: lanes over the bus's streams, and by which carriers
 * their frames leave. Each carrier that reaches somebody gets a frame once; who can be reached only
 * by itself gets it by itself. The driver's role is needed.
 */
final class Broadcasts implements CastSink, CastUser {
  private static final long FULL_NS = 20_000_000;

  /**
   * The longest frame while all who read share memory: each costs its sender a descriptor for each
   * of them, however long it is.
   */
  private static final int SHARED_FRAME_BYTES = 16 << 10;

  /** Numbers of groups begin behind those of nodes. */
  private static final int GROUPS = Header.EVERYONE + 1;

  private final Engine engine;
  private final Casting casting;

  /** Those that this node is in. */
  private final GroupNames groups;

  /** Whom datagrams to everyone may not reach. */
  private final IntPredicate apart;

  /** Readers are waited for until their lanes end, whatever is thought of them. */
  private final boolean patient;

  private final Map<String, CastLane> lanes = new LinkedHashMap<>();

  /** By the tags of their streams; null where a sender has gone. */
  private final List<@Nullable HeardLane> heard = new ArrayList<>();

  /** Interfaces whose broadcasts are heard by somebody, and whom none of them reaches. */
  private final List<Carrier> loud = new ArrayList<>();

  private final List<Integer> alone = new ArrayList<>();
  private @Nullable Carrier shared;
  private boolean isMapStale = true;
  private long fullNs = Long.MAX_VALUE;
  private long dueNs = Engine.NEVER;

  /** Why nothing is said or heard any more; null while it is. */
  private @Nullable String over;

  /**
   * No broadcasts yet.
   *
   * @param groups those that this node is in
   * @param apart whom datagrams to everyone may not reach
   * @param patient whether readers are waited for until their lanes end, whatever is suspected
   */
  Broadcasts(
      Engine engine, CastConfig config, GroupNames groups, IntPredicate apart, boolean patient) {
    this.engine = engine;
    this.casting = new Casting(config, this, this);
    this.groups = groups;
    this.apart = apart;
    this.patient = patient;
  }

  long count(CastCount what) {
    return casting.count(what);
  }

  /** The lane to a group, or to everyone if its name is empty. */
  CastLane lane(String group) {
    CastLane known = lanes.get(group);
    if (known != null) {
      return known;
    }
    int index = lanes.size();
    if (index >= Casting.STREAMS_PER_SENDER) {
      throw new NodeException(
          "group %s would be this node's stream number %d; allowed: %d, that to everyone included"
              .formatted(group, index + 1, Casting.STREAMS_PER_SENDER));
    }
    long number = GroupNames.number(group);
    CastOut out = casting.open(engine.nowNs(), index, number, member -> belongs(member, group));
    int destination = group.equals(GroupNames.EVERYONE) ? Header.EVERYONE : GROUPS + index;
    CastLane made = new CastLane(engine, destination, this, out);
    lanes.put(group, made);
    engine.user().onLane(made);
    engine.castsAreDue();
    if (over != null) {
      engine.end(made, over);
    }
    return made;
  }

  private static boolean belongs(Member member, String group) {
    return group.equals(GroupNames.EVERYONE) || Discovery.groupsOf(member).contains(group);
  }

  /** The names of the groups that there are lanes to, in the order of their numbers. */
  List<String> groups() {
    return List.copyOf(lanes.keySet());
  }

  /** Nothing is said or heard any more; those who waited for it hear why. */
  void end(String why) {
    over = why;
    lanes.values().forEach(lane -> engine.end(lane, why));
    for (HeardLane lane : heard) {
      if (lane != null) {
        engine.end(lane, why);
        tell(What.SENDER_GONE, lane);
      }
    }
    heard.clear();
  }

  // Who is there.

  void onMember(Member member) {
    isMapStale = true;
    casting.onMember(engine.nowNs(), member);
    engine.castsAreDue();
  }

  /** A node did not answer for long. Who waits for ever does so until its lane ends. */
  void onDead(int id) {
    if (patient) {
      return;
    }
    isMapStale = true;
    casting.onDead(engine.nowNs(), id);
    engine.castsAreDue();
  }

  /** A member's lane over shared memory has ended, and another carrier leads to it. */
  void onShorter(int id) {
    isMapStale = true;
    casting.onShorter(engine.nowNs(), id);
    engine.castsAreDue();
  }

  void onGone(int id) {
    isMapStale = true;
    casting.onGone(engine.nowNs(), id);
    engine.castsAreDue();
  }

  /** Nothing is sent to a node any more by itself: nor is it waited for. */
  void onLaneEnded(int id) {
    isMapStale = true;
    if (patient && over == null) {
      onGone(id);
    }
  }

  /** Another carrier leads to a node now, or a carrier's broadcasts do, or no longer. */
  void onWay() {
    isMapStale = true;
  }

  private void tell(What what, int node, String group, long from, long to) {
    engine.user().onBroadcast(new BroadcastEvent(what, node, group, from, to));
    engine.happened();
  }

  /** Before the message that comes next. */
  private void tell(What what, HeardLane lane) {
    tell(what, lane.peer(), lane.group(), lane.number(), lane.number());
  }

  // Work.

  /** When something is due, as of the last {@link #poll}. */
  long dueNs() {
    return dueNs;
  }

  void poll(long nowNs) {
    dueNs = over == null ? casting.poll(nowNs) : Engine.NEVER;
  }

  /** Whoever sends waits for something else. Whether something leaves with the next poll. */
  boolean hurry() {
    return over == null && casting.hurry();
  }

  boolean onFrame(long nowNs, MemorySegment memory, long at, int length) {
    if (over != null) {
      return false;
    }
    boolean used = casting.onFrame(nowNs, memory, at, length);
    engine.castsAreDue();
    return used;
  }

  boolean trySend(CastOut out, long header, MemorySegment from, long at, boolean isMessage) {
    boolean taken = casting.trySend(out, header, from, at, isMessage);
    engine.castsAreDue();
    return taken;
  }

  void done(CastIn in, long bytes) {
    casting.done(engine.nowNs(), in, bytes);
    engine.castsAreDue();
  }

  // Carriers.

  private void map() {
    isMapStale = false;
    loud.clear();
    alone.clear();
    shared = null;
    for (Lane lane : engine.lanes()) {
      if (lane instanceof RingLane) {
        shared = engine.carriers().reliable();
      } else {
        Way way = engine.way(lane.peer());
        if (way != null && isAmongAll(way.carrier(), lane.peer())) {
          if (!loud.contains(way.carrier())) {
            loud.add(way.carrier());
          }
        } else if (way != null) {
          alone.add(lane.peer());
        }
      }
    }
  }

  /** Whether all who have a lane are reached by carriers that have broadcast. */
  boolean isAtOnce() {
    if (isMapStale) {
      map();
    }
    return over == null && alone.isEmpty();
  }

  @Override
  public int frameBytesMax() {
    if (isMapStale) {
      map();
    }
    Carrier sole = loud.isEmpty() && alone.isEmpty() ? shared : null;
    return sole == null ? 0 : Math.min(SHARED_FRAME_BYTES, sole.nic.frameBytesMax(Nic.EVERYONE));
  }

  private boolean isAmongAll(Carrier carrier, int peer) {
    Set<NicCapability> can = carrier.nic.capabilities();
    boolean hasAll = can.contains(NicCapability.BROADCAST);
    return hasAll && !(carrier.isDatagrams() && apart.test(peer));
  }

  @Override
  public boolean toAll(FrameBuilder frame) {
    if (isMapStale) {
      map();
    }
    if (shared != null && !inMemory(shared, frame)) {
      return false;
    }
    for (int i = 0; i < loud.size(); i++) {
      if (!transmit(loud.get(i), Nic.EVERYONE, frame)) {
        return false;
      }
    }
    for (int i = 0; i < alone.size(); i++) {
      Way way = engine.way(alone.get(i));
      if (way != null) {
        boolean _ = transmit(way.carrier(), way.number(), frame);
      }
    }
    return true;
  }

  /**
   * One whose ring is full is waited for a moment; longer he must not keep it from the others, and
   * what he misses is repaired.
   */
  private boolean inMemory(Carrier carrier, FrameBuilder frame) {
    if (transmit(carrier, Nic.EVERYONE, frame)) {
      fullNs = Long.MAX_VALUE;
      return true;
    }
    long now = engine.nowNs();
    fullNs = Math.min(fullNs, now);
    if (now - fullNs < FULL_NS) {
      return false;
    }
    toEachInMemory(carrier, frame);
    return true;
  }

  private void toEachInMemory(Carrier carrier, FrameBuilder frame) {
    for (Lane lane : engine.lanes()) {
      if (lane instanceof RingLane ring && !lane.isEnded()) {
        boolean _ = transmit(carrier, ring.number(), frame);
      }
    }
  }

  private static boolean transmit(Carrier carrier, int number, FrameBuilder frame) {
    long result = carrier.nic.transmit(number, frame);
    if (result == Nic.FULL) {
      int _ = carrier.nic.flush();
      result = carrier.nic.transmit(number, frame);
    }
    carrier.dirty = true;
    return result != Nic.FULL;
  }

  @Override
  public void to(int id, FrameBuilder frame) {
    Way way = engine.way(id);
    if (way != null) {
      boolean _ = transmit(way.carrier(), way.number(), frame);
    } else if (engine.lane(id) instanceof RingLane ring && !ring.isEnded()) {
      Carrier carrier = engine.carriers().reliable();
      if (carrier != null) {
        boolean _ = transmit(carrier, ring.number(), frame);
      }
    }
  }

  // What comes.

  @Override
  public void onBegin(CastIn in, long message) {
    HeardLane lane = new HeardLane(engine, this, in, groups.of(in.group()), message);
    int free = heard.indexOf(null);
    in.tag(free < 0 ? heard.size() : free);
    if (free < 0) {
      heard.add(lane);
    } else {
      heard.set(free, lane);
    }
    engine.user().onLane(lane);
    tell(What.BEGUN, lane);
  }

  @Override
  public void onBytes(CastIn in, MemorySegment memory, long at, int length) {
    HeardLane lane = heard.get(in.tag());
    if (lane == null) {
      casting.done(engine.nowNs(), in, length);
    } else if (!lane.onBytes(memory, at, length)) { // nobody who sends so is one of us
      casting.done(engine.nowNs(), in, length);
      casting.tear(engine.nowNs(), in);
    }
  }

  @Override
  public void onGap(CastIn in, long message) {
    HeardLane lane = heard.get(in.tag());
    if (lane != null) {
      long from = lane.number();
      lane.onGap(message);
      if (message > from) {
        tell(What.GAP, in.sender(), lane.group(), from, message);
      }
    }
  }

  @Override
  public void onEvicted(CastIn in) {
    HeardLane lane = heard.get(in.tag());
    if (lane != null) {
      tell(What.EVICTED, lane);
    }
  }

  /** Who waits for the rest of a long message waits no longer; short ones may go on. */
  @Override
  public void onDead(CastIn in) {
    HeardLane lane = heard.get(in.tag());
    if (lane != null) {
      lane.breakBodies();
      tell(What.SENDER_GONE, lane);
    }
  }

  @Override
  public void onEnd(CastIn in) {
    HeardLane lane = in.hasBegun() ? heard.set(in.tag(), null) : null;
    if (lane != null) {
      engine.end(lane, "node %d has gone".formatted(in.sender()));
      if (!in.isDead()) { // that was told when it died
        tell(What.SENDER_GONE, lane);
      }
    }
  }

  @Override
  public void onEvicted(CastOut out, int reader) {
    lanes.forEach(
        (group, lane) -> {
          if (lane.speaksTo(out)) {
            tell(What.READER_EVICTED, reader, group, out.messages(), out.messages());
          }
        });
  }

  @Override
  public void onRoom(CastOut out) {
    for (CastLane lane : lanes.values()) {
      engine.sendableSoon(lane);
    }
  }
}
