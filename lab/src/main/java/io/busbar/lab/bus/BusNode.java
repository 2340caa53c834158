package io.busbar.lab.bus;

import io.busbar.bus.BusConfig;
import io.busbar.bus.BusSink;
import io.busbar.bus.Member;
import io.busbar.bus.MemberEvent;
import io.busbar.bus.MemberEvents;
import io.busbar.bus.Membership;
import io.busbar.fabric.Nic;
import io.busbar.fabric.NicAddress;
import io.busbar.lab.SimAddress;
import io.busbar.lab.SimNic;
import io.busbar.lab.Violation;
import io.busbar.wire.Format;
import io.busbar.wire.FrameBuilder;
import io.busbar.wire.FrameView;
import io.busbar.wire.MemberCard;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A node of the simulated segment: an interface, its part in the bus, and what it has heard. */
public final class BusNode implements BusSink {
  private static final int BUDGET = 64;

  private final BusCluster cluster;
  private final int port;
  private @Nullable SimNic nic;
  private @Nullable Membership bus;
  private @Nullable CastEnd casts;
  private final FrameView view = new FrameView();
  private List<String> events = new ArrayList<>();

  /** How far its clock has jumped ahead of the schedule's. */
  private long aheadNs;

  /** The number of the view of which it heard last. */
  private long lastView;

  /** Nothing is done before then. */
  private long pausedUntilNs;

  private long wakeNs = Long.MAX_VALUE;

  /** Counts lives, so that what was planned in a former one is void. */
  private int starts;

  /** Whether it claims another id when it has lost its own. */
  private boolean claims;

  BusNode(BusCluster cluster, int port) {
    this.cluster = cluster;
    this.port = port;
  }

  static MemberCard card(int port) {
    return new MemberCard(
        "node-" + port, "host-" + port, List.of("sim:" + port), Map.of("port", "" + port));
  }

  /** Whether it has started, and was not killed. */
  public boolean isRunning() {
    return bus != null;
  }

  /** Its part in the bus. */
  public Membership bus() {
    if (bus == null) {
      throw new IllegalStateException("node at port %d does not run".formatted(port));
    }
    return bus;
  }

  /** Its broadcasts; null before it has an id. */
  public @Nullable CastEnd casts() {
    return casts;
  }

  BusCluster cluster() {
    return cluster;
  }

  /** What time it is by its own clock. */
  long nowNs() {
    return cluster.nowNs() + aheadNs;
  }

  /** Its clock jumps ahead, and it goes on. */
  public void jumpAhead(long ns) {
    aheadNs += ns;
    runNow();
  }

  /** A frame to everyone; false when there was no room. */
  boolean broadcast(FrameBuilder frame) {
    return nic != null && nic.transmit(Nic.EVERYONE, frame) != Nic.FULL;
  }

  /** A frame to a member, if it is known. */
  void unicast(int id, FrameBuilder frame) {
    Member member = BusCluster.known(this, id);
    if (member != null) {
      to(member, frame);
    }
  }

  /** What was told to its user, in words. */
  public List<String> events() {
    return events;
  }

  /**
   * Starts it.
   *
   * @param claiming whether it claims another id when it has lost its own
   */
  void start(BusConfig config, boolean claiming) {
    if (bus != null) {
      throw new IllegalStateException("node at port %d runs already".formatted(port));
    }
    starts++;
    claims = claiming;
    lastView = 0;
    events = new ArrayList<>();
    pausedUntilNs = 0;
    wakeNs = Long.MAX_VALUE;
    int life = starts;
    nic = new SimNic(cluster.network, port, 0, () -> later(0, life));
    casts = null;
    long incarnation = config.incarnation();
    bus =
        new Membership(
            config,
            this,
            new Told(
                events,
                id -> begin(id, incarnation),
                this::casts,
                () -> onLost(life),
                this::checkView));
    bus.start(nowNs());
    plan();
  }

  private void begin(int id, long incarnation) {
    cluster.retire(casts);
    casts = cluster.broadcasts ? new CastEnd(this, id, incarnation) : null;
  }

  /** Each event has a view of its own, later than the one before. */
  private void checkView(MemberEvent event) {
    if (event.view() <= lastView || event.view() != bus().viewNumber()) {
      throw new Violation("views are numbered", "%s follows view %d".formatted(event, lastView));
    }
    lastView = event.view();
  }

  /** It has lost its id, and said that it leaves: as a real one does, it begins another life. */
  private void onLost(int life) {
    if (claims) {
      cluster.schedule.at(cluster.nowNs(), () -> joinAgain(life));
    }
  }

  private void joinAgain(int life) {
    if (life == starts && bus != null) {
      List<String> before = events;
      kill();
      cluster.start(port);
      events.addAll(0, before);
    }
  }

  /** It ends without a word. */
  public void kill() {
    if (nic != null) {
      nic.close();
    }
    cluster.retire(casts);
    nic = null;
    bus = null;
    casts = null;
  }

  /** It leaves, and ends. */
  public void leave() {
    bus().leave();
    kill();
  }

  /** It does nothing for so long; what arrives waits. */
  public void pause(long ns) {
    pausedUntilNs = cluster.nowNs() + ns;
    later(ns, starts);
  }

  private void later(long ns, int life) {
    cluster.schedule.at(cluster.nowNs() + ns, () -> run(life));
  }

  private void run(int life) {
    Membership part = bus;
    SimNic by = nic;
    if (life != starts || part == null || by == null || cluster.nowNs() < pausedUntilNs) {
      return;
    }
    long nowNs = nowNs();
    while (by.poll(this::onFrame, BUDGET) > 0) {}
    if (part.dueNs() <= nowNs) {
      long _ = part.poll(nowNs);
    }
    CastEnd end = casts;
    if (end != null && end.dueNs() <= nowNs) {
      end.poll(nowNs);
    }
    plan();
  }

  /** Something has to be done at once. */
  void runNow() {
    later(0, starts);
  }

  private void plan() {
    long due = Math.min(bus().dueNs(), casts == null ? Long.MAX_VALUE : casts.dueNs());
    long nowNs = nowNs();
    if (wakeNs <= nowNs) {
      wakeNs = Long.MAX_VALUE;
    }
    if (due < wakeNs) {
      wakeNs = due;
      later(Math.max(0, due - nowNs), starts);
    }
  }

  private void onFrame(int from, MemorySegment memory, long at, int length, long frame) {
    SimNic by = nic;
    CastEnd end = casts;
    if (by != null && (memory.get(ValueLayout.JAVA_BYTE, at) & 0xF) >= Format.CAST) {
      if (end != null
          && end.onFrame(nowNs(), memory, at, length)
          && view.wrap(memory, at, length).ok()) {
        bus().onSign(nowNs(), view);
      }
    } else if (by != null) {
      NicAddress source = by.source();
      boolean _ =
          bus().onFrame(nowNs(), memory, at, length, answer -> transmit(by.open(source), answer));
    }
  }

  @Override
  public void toAll(FrameBuilder frame) {
    transmit(Nic.EVERYONE, frame);
  }

  @Override
  public void to(Member member, FrameBuilder frame) {
    if (nic != null) {
      transmit(nic.open(SimAddress.parse(member.card().addresses().getFirst())), frame);
    }
  }

  private void transmit(int to, FrameBuilder frame) {
    if (nic != null) {
      long _ = nic.transmit(to, frame);
    }
  }

  /** Events as words. */
  private record Told(
      List<String> words,
      IntConsumer onId,
      Supplier<@Nullable CastEnd> casts,
      Runnable onLost,
      Consumer<MemberEvent> onView)
      implements MemberEvents {
    @Override
    public void onIdTaken(int id) {
      words.add("id " + id);
      onId.accept(id);
    }

    @Override
    public void onMember(MemberEvent event) {
      String what = event.what().name().toLowerCase(Locale.ROOT).replace('_', ' ');
      words.add("%s %d".formatted(what, event.member().id()));
      onView.accept(event);
      CastEnd end = casts.get();
      if (end != null) {
        end.onMember(event);
      }
      if (event.what() == MemberEvent.What.ID_LOST) {
        onLost.run();
      }
    }

    @Override
    public void onPaused(long ns) {
      words.add("paused");
    }
  }
}
