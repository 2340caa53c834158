package io.busbar.node;

import io.busbar.bus.BusCount;
import io.busbar.bus.Member;
import io.busbar.fabric.Nic;
import io.busbar.linux.ThisProcess;
import io.busbar.node.stat.StatFile;
import io.busbar.node.stat.StatOwner;
import io.busbar.transport.TransportConfig;
import io.busbar.wire.ClusterName;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * One process's place in the cluster: an {@link Engine} with a clock, interfaces and somebody who
 * drives. Whoever waits, drives; when nobody does, a caretaker answers for the process.
 *
 * <pre>{@code
 * try (Node node = Node.join(NodeConfig.defaults(), user)) {
 *   node.await(() -> user.hasEnough(), patienceNs); // drives, if nobody else does
 * }
 * }</pre>
 */
public final class Node implements Place {
  /** What is held for all peers together over reliable carriers. */
  private static final long RING_BUDGET_BYTES = 32 << 20;

  private static final long RING_WINDOW_BYTES_MAX = 512 << 10;
  private static final long RING_WINDOW_BYTES_MIN = 16 << 10;
  private static final int POLL_FRAMES = 64;
  private static final int RADIX = 16;

  /**
   * How long a credit is believed where few nodes share what a receiver may hold: a message after a
   * silence takes the way that is warm.
   */
  private static final long CREDIT_LIFE_NS = 10_000_000_000L;

  /** So many windows are within what a receiver may hold. */
  private static final int FEW = 16;

  /** Less than a microsecond of looking in vain. */
  private static final int IDLE_ROUNDS_PER_TIME = 8;

  private static final long PROBE_NS = 5_000_000_000L;

  /** Whoever joins waits so long for trials of the ways to others; then they go on beside it. */
  private static final long CHOICE_NS = 1_000_000_000;

  /**
   * What a round trip may take longer than its shortest one before a path counts as full. Threads
   * that sleep and processors that are busy delay an answer by more than a queue in a switch does.
   */
  private static final long QUEUE_TARGET_NS = 5_000_000;

  private final NodeConfig config;
  private final Joining joining;
  private final NodeMachine machine;
  private final Driving driving;
  private final Map<String, String> missing;
  private final Caretaker caretaker;
  private final AtomicBoolean closed = new AtomicBoolean();

  /** Of this life: a node that loses its id begins another one. */
  private volatile Engine engine;

  private volatile String counters = "nowhere";

  /**
   * Joins: opens the carriers, meets the others of the job, and opens a lane to each.
   *
   * @param user who gets the records; called by whoever drives
   * @throws NodeException when the others do not come, or one cannot be reached
   */
  public static Node join(NodeConfig config, LaneUser user) throws InterruptedException {
    return join(config, user, UnaryOperator.identity());
  }

  /**
   * Joins with something over each interface: what traces, stamps or harms its frames.
   *
   * @param over is given each interface that was opened, and returns what is used instead
   */
  public static Node join(NodeConfig config, LaneUser user, UnaryOperator<Nic> over)
      throws InterruptedException {
    Joining joining = new Joining(config, over);
    try {
      joining.open();
      return new Node(config, engine(config, joining, user), joining);
    } catch (RuntimeException | InterruptedException e) {
      joining.close();
      throw e;
    }
  }

  private static Engine engine(NodeConfig config, Joining joining, LaneUser user) {
    EngineConfig told =
        engineConfig(config, joining.id(), joining.incarnation(), joining.frameBytesMax());
    Engine engine = new Engine(told, joining::nowNs, user);
    joining.reportTo(engine.events());
    joining.choices().forEach(engine::add);
    return engine;
  }

  static EngineConfig engineConfig(NodeConfig config, int id, long incarnation, int frameBytesMax) {
    Discovery discovery = config.discovery();
    int size = discovery == null ? config.size() : Math.max(FEW, discovery.expected());
    TransportConfig.Builder transport =
        TransportConfig.builder(id, incarnation)
            .cluster(ClusterName.hash(config.cluster()))
            .frameBytesMax(frameBytesMax)
            .seed(ThreadLocalRandom.current().nextLong())
            .ackDelayUs(Caretaker.LOOK_NS_MAX / 1000)
            .queueTargetNs(QUEUE_TARGET_NS);
    if (size <= FEW) {
      transport.creditLifeNs(CREDIT_LIFE_NS);
    }
    long window = RING_BUDGET_BYTES / size;
    return new EngineConfig(
        transport.build(),
        Math.clamp(window, RING_WINDOW_BYTES_MIN, RING_WINDOW_BYTES_MAX),
        POLL_FRAMES,
        IDLE_ROUNDS_PER_TIME,
        PROBE_NS);
  }

  private Node(NodeConfig config, Engine engine, Joining joining) throws InterruptedException {
    this.config = config;
    this.joining = joining;
    this.engine = engine;
    this.missing = joining.missing;
    Presence presence = joining.presence();
    if (presence != null) {
      engine.attach(presence, null);
    }
    meet();
    this.machine = new NodeMachine(engine, joining.nics(), stats(engine));
    this.driving = new Driving(machine, Driving.LOOKS, Driving.LOOKS_RESTED);
    joining.whenRejoined(this::goOn);
    this.caretaker =
        new Caretaker(driving, "busbar caretaker of " + config.name(), this::onFailure);
    caretaker.start();
    try {
      awaitExpected();
      boolean _ = await(engine::hasChosen, CHOICE_NS);
    } catch (InterruptedException | RuntimeException | Error e) {
      close();
      throw e;
    }
  }

  /** What other processes can look at; null when there is no room for it anywhere. */
  private @Nullable NodeStats stats(Engine of) {
    EngineConfig told = of.config();
    StatOwner owner =
        new StatOwner(
            joining.id(),
            config.name(),
            told.transport().incarnation(),
            told.transport().cluster());
    StatFile file;
    try {
      file = StatFile.create(owner);
    } catch (NodeException e) {
      counters = "nowhere, because " + e.getMessage();
      return null;
    }
    counters = file.path().toString();
    return new NodeStats(file, of, joining.nics(), joining.presence());
  }

  /** A later life has its id: it gets an engine, and the program goes on with that. */
  private void goOn(Presence life) {
    Engine former = engine;
    Engine next = engine(config, joining, former.user());
    engine = next;
    next.attach(life, former.broadcasts());
    machine.enter(next, joining.nics(), stats(next));
    former.happened(); // who waits looks again
  }

  /** Waits for as many members as were expected, each with a lane. */
  private void awaitExpected() throws InterruptedException {
    Discovery discovery = config.discovery();
    if (discovery == null || await(() -> hasExpected(discovery), config.patienceNs())) {
      return;
    }
    throw new NodeException(
        "of %d members of cluster %s, %d were found within %d s: look at their output, or wait longer"
            .formatted(
                discovery.expected(),
                config.cluster(),
                size(),
                TimeUnit.NANOSECONDS.toSeconds(config.patienceNs())));
  }

  private boolean hasExpected(Discovery discovery) {
    return size() >= discovery.expected() && engine.laneCount() >= discovery.expected() - 1;
  }

  private void onFailure(Throwable why) {
    driving.take();
    try {
      engine.endAll("this node cannot go on: " + why);
    } finally {
      driving.release();
      driving.tell();
    }
  }

  private void meet() throws InterruptedException {
    if (config.meeting() == null) {
      return;
    }
    Meeting meeting = new Meeting(config.meeting(), config.size());
    meeting.publish(config.rank(), card());
    List<List<String>> all = meeting.await(config.patienceNs());
    for (int i = 1; i < all.size(); i++) { // each begins with another one, so do their trials
      int rank = (config.rank() + i) % all.size();
      List<String> lines = all.get(rank);
      engine.addPeer(rank, lines.stream().skip(1).map(Carriers::parse).toList());
      engine.castWith(rank, Long.parseUnsignedLong(lines.getFirst(), RADIX));
    }
    // Nobody sends before all know each other, so that both ends of a lane choose alike.
    meeting.ready(config.rank());
    meeting.awaitReady(config.patienceNs());
  }

  /** What the others are told of this node: its life, and its addresses. */
  private List<String> card() {
    List<String> lines = new ArrayList<>();
    lines.add(Long.toUnsignedString(joining.incarnation(), RADIX));
    joining.nics().forEach(nic -> lines.add(nic.address().text()));
    return lines;
  }

  /** What was chosen, and why not what would have been preferred and is missing here. */
  private String choice(String chosen) {
    StringBuilder text = new StringBuilder(chosen);
    for (String choice : config.fabrics()) {
      boolean found = false;
      for (String fabric : NodeConfig.alternatives(choice)) {
        String why = missing.get(fabric);
        if (why != null) {
          text.append(text.indexOf(Engine.BECAUSE) < 0 ? Engine.BECAUSE : "; ").append(why);
        }
        found |= chosen.startsWith(fabric);
      }
      if (found) {
        break;
      }
    }
    return text.toString();
  }

  @Override
  public int id() {
    return joining.id();
  }

  @Override
  public int size() {
    return joining.presence() == null
        ? config.size()
        : (int) members().stream().filter(member -> member.state().isMember()).count();
  }

  @Override
  public List<Member> members() {
    Presence presence = joining.presence();
    return presence == null ? List.of() : presence.members();
  }

  @Override
  public long count(BusCount what) {
    Presence presence = joining.presence();
    return presence == null ? 0 : presence.count(what);
  }

  @Override
  public Map<Integer, String> choices() {
    Map<Integer, String> choices = new TreeMap<>();
    for (Lane lane : engine.lanes()) {
      choices.put(lane.peer(), choice(engine.choice(lane.peer())));
    }
    return choices;
  }

  @Override
  public String counters() {
    return counters;
  }

  @Override
  public @Nullable Lane lane(int node) {
    return engine.lane(node);
  }

  @Override
  public @Nullable Lane broadcast(String group) {
    return engine.broadcast(group);
  }

  @Override
  public boolean castsAtOnce() {
    return engine.castsAtOnce();
  }

  @Override
  public @Nullable Buffers buffers() {
    return engine.buffers();
  }

  // Driving.

  @Override
  public void take() {
    driving.take();
  }

  @Override
  public void release() {
    driving.release();
  }

  @Override
  public boolean work() {
    return driving.work();
  }

  @Override
  public boolean isWanted() {
    return driving.isWanted();
  }

  @Override
  public boolean isLooking() {
    return driving.isLooking();
  }

  @Override
  public boolean isFresh() {
    return driving.isFresh();
  }

  @Override
  public boolean isClosed() {
    return closed.get();
  }

  @Override
  public void flush() {
    engine.flush();
    if (engine.takeHappened()) {
      driving.tell();
    }
  }

  @Override
  public void tell() {
    driving.tell();
  }

  @Override
  public void offerProcessor() {
    ThisProcess.offerProcessor();
  }

  @Override
  public long nowNs() {
    return System.nanoTime();
  }

  @Override
  public boolean await(BooleanSupplier condition, long patienceNs) throws InterruptedException {
    return driving.await(condition, deadlineNs(patienceNs));
  }

  @Override
  public boolean awaitAtRest(BooleanSupplier condition, long patienceNs)
      throws InterruptedException {
    return driving.await(condition, deadlineNs(patienceNs), Driving.LOOKS_FEW);
  }

  private static long deadlineNs(long patienceNs) {
    return System.nanoTime() + Math.min(patienceNs, Long.MAX_VALUE / 2);
  }

  @Override
  public void close() {
    if (driving.isLooking()) {
      throw new IllegalStateException("a condition that is waited for closes the node");
    }
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    caretaker.end();
    driving.take();
    try {
      engine.leave();
      machine.close();
      joining.close();
    } finally {
      driving.release();
      driving.tell();
    }
  }
}
