package io.busbar.lab;

import io.busbar.transport.Count;
import io.busbar.transport.Transport;
import io.busbar.transport.TransportConfig;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * One run, all of it drawn from a seed: a cluster, what its nodes say to each other, and what goes
 * wrong. After the faults everything must come to an end and to rest.
 */
public final class Scenario {
  /** Every run moves at least this many frames. */
  public static final int FRAMES_MIN = 1000;

  private static final long SECOND_NS = 1_000_000_000L;
  private static final long REST_NS = 600 * SECOND_NS;

  /** Longer than a transport bears silence: then it notices a death that nobody tells. */
  private static final long LATE_NOTICE_NS = 12 * SECOND_NS;

  private static final int CHATS = 40;

  /** How often it is looked whether frames storm, in frames. */
  private static final long STORM_CHECK_EVERY = 4096;

  private final long seed;
  private final SplittableRandom random;
  private final TransportConfig sample;
  private final Cluster cluster;
  private final FaultPlan plan;
  private final Ledger ledger = new Ledger();
  private final List<Program> programs = new ArrayList<>();
  private final long noticeNs;
  private long settledNs = Long.MAX_VALUE;
  private final TraceHash trace = new TraceHash();

  /** Draws a run from a seed; nothing has happened yet. */
  public Scenario(long seed) {
    this.seed = seed;
    random = new SplittableRandom(seed);
    int nodes = 2 + random.nextInt(5);
    long healNs = 5_000_000 + random.nextLong(random.nextInt(3) == 0 ? 2 * SECOND_NS : 60_000_000);
    plan = FaultPlan.draw(random.split(), nodes, healNs);
    Shape shape = Shape.draw(random.split(), plan.hasAny(FaultPlan.Kind.CORRUPTION));
    sample = shape.apply(TransportConfig.builder(0, 1)).build();
    cluster =
        new Cluster(
            random.nextLong(),
            nodes,
            Shape.link(random.split()),
            shape::apply,
            shape.claimsMax(),
            (node, config) -> start(node));
    noticeNs = random.nextInt(4) == 0 ? LATE_NOTICE_NS : SECOND_NS;
  }

  Cluster cluster() {
    return cluster;
  }

  FaultPlan plan() {
    return plan;
  }

  Ledger ledger() {
    return ledger;
  }

  int frameBytes() {
    return sample.frameBytesMax();
  }

  private Program start(SimNode node) {
    Program program = new Program(this, node);
    programs.add(program);
    return program;
  }

  /** Runs to the end; {@code watcher} sees every frame. */
  public Outcome run(Network.@Nullable Watcher watcher) {
    Violation violation = null;
    try {
      cluster
          .network()
          .watch(
              (now, what, bytes, length) -> {
                trace.onFrame(now, what, bytes, length);
                if (cluster.network().frames() % STORM_CHECK_EVERY == 0) {
                  new RestCheck(this).checkStorm();
                }
                if (watcher != null) {
                  watcher.onFrame(now, what, bytes, length);
                }
              });
      cluster.afterWork(this::checkBounds);
      cluster.onStarted(node -> programOf(node).listen());
      live();
    } catch (Violation v) {
      violation = v;
    } catch (RuntimeException e) {
      violation = new Violation("no exception", e.toString());
      violation.initCause(e);
    }
    return new Outcome(
        seed,
        cluster.size(),
        cluster.network().frames(),
        ledger.bytesRead(),
        cluster.schedule().nowNs(),
        trace.value(),
        plan.kinds(),
        counts(),
        ledger.endings(),
        violation);
  }

  private void live() {
    Schedule schedule = cluster.schedule();
    programs.forEach(Program::listen);
    plan.apply(cluster);
    int payload = sample.frameBytesMax();
    int count = 2 + random.nextInt(10);
    for (int id = 0; id < count; id++) {
      plan(Conversation.draw(random, id, cluster.size(), plan.healNs(), 200L * payload, payload));
    }
    if (random.nextInt(3) == 0) {
      chat(count + 3000);
    }
    schedule.runUntil(plan.healNs());
    schedule.runUntil(plan.healNs() + noticeNs);
    announceDeaths();
    greetAll(count);
    schedule.runUntil(schedule.nowNs() + SECOND_NS);
    settledNs = schedule.nowNs();
    greetAll(count + 1000);
    fill(count + 2000);
    schedule.runUntil(schedule.nowNs() + REST_NS);
    new RestCheck(this).check();
  }

  /** Many short conversations, one close behind the other: slots and keys are used again. */
  private void chat(int firstId) {
    int a = random.nextInt(cluster.size());
    int b = (a + 1 + random.nextInt(cluster.size() - 1)) % cluster.size();
    long at = random.nextLong(plan.healNs());
    for (int i = 0; i < CHATS; i++) {
      at += random.nextLong(500_000);
      boolean forth = random.nextBoolean();
      plan(Conversation.plain(firstId + i, forth ? a : b, forth ? b : a, at, 1 + i, 100));
    }
  }

  private void plan(Conversation conversation) {
    Ledger.Entry entry = ledger.add(conversation);
    cluster
        .schedule()
        .at(
            conversation.startNs(),
            () -> {
              SimNode node = cluster.node(conversation.opener());
              if (node.isUp()) {
                Program program = programOf(node);
                program.later(0, () -> program.open(entry));
              }
            });
  }

  Program programOf(SimNode node) {
    for (Program program : programs) {
      if (program.isOf(node)) {
        return program;
      }
    }
    throw new IllegalStateException("node %d has no program".formatted(node.id()));
  }

  List<Program> programs() {
    return programs;
  }

  /** What the bus will do: tell everybody who is gone. */
  private void announceDeaths() {
    for (int dead = 0; dead < cluster.size(); dead++) {
      for (int i = 0; i < cluster.size() && !cluster.node(dead).isUp(); i++) {
        SimNode node = cluster.node(i);
        if (node.isUp()) {
          node.transport().peerDead(node.nowNs(), dead);
          node.wake();
        }
      }
    }
  }

  /** Everybody who lives talks to everybody who lives: new lives are recognised by it. */
  private void greetAll(int firstId) {
    int id = firstId;
    long now = cluster.schedule().nowNs();
    for (int a = 0; a < cluster.size(); a++) {
      for (int b = 0; b < cluster.size(); b++) {
        if (a != b && cluster.node(a).isUp() && cluster.node(b).isUp()) {
          plan(Conversation.plain(id++, a, b, now, 100, sample.frameBytesMax()));
        }
      }
    }
  }

  /** Makes up for what crashes cut short, so that every run has its frames. */
  private void fill(int firstId) {
    long missing = FRAMES_MIN - cluster.network().frames();
    int a = 0;
    while (!cluster.node(a).isUp()) {
      a++;
    }
    int b = a + 1;
    while (!cluster.node(b).isUp()) {
      b++;
    }
    if (missing > 0) {
      int payload = sample.frameBytesMax();
      long now = cluster.schedule().nowNs();
      plan(Conversation.plain(firstId, a, b, now, missing * payload, payload));
    }
  }

  /**
   * Whether a conversation may end otherwise than it was meant to: one of its nodes crashes, and
   * not everybody who lives has met everybody since.
   */
  boolean isTroubled(Conversation conversation) {
    return conversation.startNs() < settledNs
        && (plan.crashes(conversation.opener()) || plan.crashes(conversation.target()));
  }

  private void checkBounds(SimNode node) {
    Transport transport = node.transport();
    long taken = transport.creditTakenBytes();
    Program program = programOf(node);
    Violation.check(
        taken <= sample.creditBudgetBytes() && transport.heldBytes() <= sample.creditBudgetBytes(),
        "memory within its bound",
        "node %d promised %d and keeps %d of %d bytes",
        node.id(),
        taken,
        transport.heldBytes(),
        sample.creditBudgetBytes());
    Violation.check(
        program.heldBytes() <= taken,
        "memory within its bound",
        "the program of node %d was handed %d bytes, %d were promised",
        node.id(),
        program.heldBytes(),
        taken);
    boolean timeBends =
        plan.hasAny(
            FaultPlan.Kind.CLOCK_JUMP,
            FaultPlan.Kind.PAUSE,
            FaultPlan.Kind.SLOW_RECEIVER,
            FaultPlan.Kind.PARTITION,
            FaultPlan.Kind.ONE_WAY_PARTITION);
    Violation.check(
        timeBends || transport.counters().get(Count.DROP_OVER_CREDIT) == 0,
        "nobody passes the edge",
        "node %d got bytes past the edge it had granted",
        node.id());
  }

  private Map<Count, Long> counts() {
    Map<Count, Long> sums = new EnumMap<>(Count.class);
    for (Count count : Count.values()) {
      long sum = 0;
      for (Program program : programs) {
        sum += program.counted(count);
      }
      sums.put(count, sum);
    }
    return sums;
  }
}
