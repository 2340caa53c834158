package io.busbar.node;

import io.busbar.fabric.FabricException;
import io.busbar.fabric.Nic;
import io.busbar.fabric.NicAddress;
import io.busbar.node.stat.StatFile;
import io.busbar.node.stat.StatOwner;
import io.busbar.transport.TransportConfig;
import io.busbar.wire.Incarnation;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;
import java.util.zip.CRC32C;
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
  private final Engine engine;
  private final NodeMachine machine;
  private final Driving driving;
  private final List<Nic> nics;
  private final Map<String, String> missing;
  private final Caretaker caretaker;
  private final AtomicBoolean closed = new AtomicBoolean();

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
    List<Nic> nics = new ArrayList<>();
    long startNs = System.nanoTime();
    Carriers carriers = new Carriers(config);
    EngineConfig told = engineConfig(config, carriers.frameBytesMax());
    Engine engine = new Engine(told, () -> System.nanoTime() - startNs, user);
    try {
      Map<String, String> missing = new LinkedHashMap<>();
      for (String choice : config.fabrics()) {
        int before = nics.size();
        for (String fabric : NodeConfig.alternatives(choice)) {
          try {
            Carriers.checkAlone(fabric, nics);
            long life = told.transport().incarnation();
            Nic opened = over.apply(carriers.open(fabric, life, engine.events()));
            nics.add(Captures.over(config, opened));
          } catch (FabricException e) {
            missing.put(fabric, e.getMessage());
          }
        }
        engine.add(nics.subList(before, nics.size()));
      }
      if (nics.isEmpty()) {
        throw new NodeException("no carrier can be used: " + String.join("; ", missing.values()));
      }
      return new Node(config, engine, nics, missing);
    } catch (RuntimeException | InterruptedException e) {
      nics.forEach(Nic::close);
      throw e;
    }
  }

  static EngineConfig engineConfig(NodeConfig config, int frameBytesMax) {
    CRC32C hash = new CRC32C();
    hash.update(config.cluster().getBytes(StandardCharsets.UTF_8));
    long incarnation =
        Incarnation.of(System.currentTimeMillis(), ThreadLocalRandom.current().nextLong());
    TransportConfig.Builder transport =
        TransportConfig.builder(config.rank(), incarnation)
            .cluster(hash.getValue())
            .frameBytesMax(frameBytesMax)
            .seed(ThreadLocalRandom.current().nextLong())
            .ackDelayUs(Caretaker.LOOK_NS_MAX / 1000)
            .queueTargetNs(QUEUE_TARGET_NS);
    if (config.size() <= FEW) {
      transport.creditLifeNs(CREDIT_LIFE_NS);
    }
    long window = RING_BUDGET_BYTES / config.size();
    return new EngineConfig(
        transport.build(),
        Math.clamp(window, RING_WINDOW_BYTES_MIN, RING_WINDOW_BYTES_MAX),
        POLL_FRAMES,
        IDLE_ROUNDS_PER_TIME,
        PROBE_NS);
  }

  private Node(NodeConfig config, Engine engine, List<Nic> nics, Map<String, String> missing)
      throws InterruptedException {
    this.config = config;
    this.engine = engine;
    this.nics = nics;
    this.missing = missing;
    meet();
    List<Lane> lanes = new ArrayList<>();
    engine.lanes().forEach(lanes::add);
    EngineConfig told = engine.config();
    StatOwner owner =
        new StatOwner(
            config.rank(),
            config.name(),
            told.transport().incarnation(),
            told.transport().cluster());
    this.machine =
        new NodeMachine(engine, nics, new NodeStats(StatFile.create(owner), engine, nics, lanes));
    this.driving = new Driving(machine, Driving.LOOKS, Driving.LOOKS_RESTED);
    this.caretaker =
        new Caretaker(driving, "busbar caretaker of " + config.name(), this::onFailure);
    caretaker.start();
    try {
      boolean _ = await(engine::hasChosen, CHOICE_NS);
    } catch (InterruptedException | RuntimeException | Error e) {
      close();
      throw e;
    }
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
    meeting.publish(config.rank(), nics.stream().map(nic -> nic.address().text()).toList());
    List<List<String>> all = meeting.await(config.patienceNs());
    for (int i = 1; i < all.size(); i++) { // each begins with another one, so do their trials
      int rank = (config.rank() + i) % all.size();
      List<NicAddress> addresses = all.get(rank).stream().map(Carriers::parse).toList();
      engine.addPeer(rank, addresses);
    }
    // Nobody sends before all know each other, so that both ends of a lane choose alike.
    meeting.ready(config.rank());
    meeting.awaitReady(config.patienceNs());
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
    return config.rank();
  }

  @Override
  public int size() {
    return config.size();
  }

  @Override
  public Map<Integer, String> choices() {
    Map<Integer, String> choices = new TreeMap<>();
    engine.lanes().forEach(lane -> choices.put(lane.peer(), choice(engine.choice(lane.peer()))));
    return choices;
  }

  @Override
  public @Nullable Lane lane(int node) {
    return engine.lane(node);
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
  public long nowNs() {
    return System.nanoTime();
  }

  @Override
  public boolean await(BooleanSupplier condition, long patienceNs) throws InterruptedException {
    long now = System.nanoTime();
    long deadline = now + Math.min(patienceNs, Long.MAX_VALUE / 2);
    return driving.await(condition, deadline);
  }

  @Override
  public void close() {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    caretaker.end();
    driving.take();
    try {
      engine.leave();
      machine.close();
      nics.forEach(Nic::close);
    } finally {
      driving.release();
      driving.tell();
    }
  }
}
