package io.busbar.lab.stack;

import io.busbar.lab.FaultTarget;
import io.busbar.lab.Faults;
import io.busbar.lab.LinkSpec;
import io.busbar.lab.Network;
import io.busbar.lab.Schedule;
import io.busbar.lab.Shape;
import io.busbar.node.EngineConfig;
import io.busbar.node.LaneUser;
import io.busbar.transport.TransportConfig;
import io.busbar.wire.Incarnation;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.function.ToLongFunction;

/** Processes on a switch, in virtual time: each a program over a place of its own. */
public final class Stack implements FaultTarget {
  /** What a lane holds for its user beyond the transport's window; see {@code QmpLane}. */
  static final long PARKED_BYTES = 128 << 10;

  private static final int CLOCK_START_NS = 1_000_000_000;

  private final Schedule schedule = new Schedule();
  private final Baton baton = new Baton();
  private final SplittableRandom random;
  private final Shape shape;
  private final Habits habits;
  private final Faults faults;
  private final Network network;
  private final Consumer<SimProcess> program;
  private final SimProcess[] current;
  private final List<SimProcess> all = new ArrayList<>();
  private boolean onBus;

  /**
   * A cluster; nobody runs yet.
   *
   * @param program what each process runs
   */
  public Stack(
      SplittableRandom random,
      int size,
      LinkSpec link,
      Shape shape,
      Habits habits,
      Consumer<SimProcess> program) {
    this.random = random;
    this.shape = shape;
    this.habits = habits;
    this.program = program;
    faults = new Faults(random.split(), size);
    network = new Network(schedule, link, faults, !shape.crc(), size, shape.frameBytesMax());
    current = new SimProcess[size];
    for (int node = 0; node < size; node++) {
      current[node] = process(node, 0, CLOCK_START_NS + random.nextLong(1000L * CLOCK_START_NS));
    }
  }

  private SimProcess process(int node, int life, long clockAheadNs) {
    SimProcess made = new SimProcess(schedule, baton, node, life, clockAheadNs, random.split());
    all.add(made);
    return made;
  }

  /** Plans the start of all programs, each within so many nanoseconds. */
  public void start(long withinNs) {
    for (SimProcess process : current) {
      schedule.at(random.nextLong(withinNs), () -> start(process));
    }
  }

  private void start(SimProcess process) {
    if (!process.isCrashed()) {
      process.start(program);
    }
  }

  /** Opens a process's place. */
  public SimPlace open(SimProcess process, LaneUser user, Runnable afterWork) {
    long drawn = process.random().nextLong();
    long life = onBus ? firstLife(process.node()) : lifeOf(process, drawn);
    TransportConfig transport =
        shape
            .apply(TransportConfig.builder(process.node(), life))
            .seed(process.random().nextLong())
            .ackDelayUs(habits.ackDelayUs())
            .build();
    EngineConfig config =
        new EngineConfig(transport, PARKED_BYTES, habits.pollFrames(), 1, habits.probeNs());
    return new SimPlace(
        process, network, size(), config, habits, onBus ? Stack::firstLife : null, user, afterWork);
  }

  private static long lifeOf(SimProcess process, long drawn) {
    return Incarnation.of(1_000_000L + process.life(), drawn);
  }

  /** What others know of a node without having been told. */
  private static long firstLife(int node) {
    return Incarnation.of(1_000_000L, node);
  }

  /** Whether all can broadcast. */
  public boolean isOnBus() {
    return onBus;
  }

  /** All can broadcast; not for programs whose nodes come back after their death. */
  public void onBus() {
    onBus = true;
  }

  /** The switch and its links. */
  public Network network() {
    return network;
  }

  /** Every process that there is or was. */
  public List<SimProcess> processes() {
    return all;
  }

  /** The sum over every place that there is or was. */
  public long sum(ToLongFunction<SimPlace> number) {
    long sum = 0;
    for (SimProcess process : all) {
      SimPlace place = process.place();
      sum += place == null ? 0 : number.applyAsLong(place);
    }
    return sum;
  }

  /** The last life of a node. */
  public SimProcess process(int node) {
    return current[node];
  }

  @Override
  public Schedule schedule() {
    return schedule;
  }

  @Override
  public Faults faults() {
    return faults;
  }

  @Override
  public int size() {
    return current.length;
  }

  @Override
  public boolean isUp(int node) {
    return !current[node].isCrashed();
  }

  @Override
  public void crash(int node) {
    current[node].crash();
  }

  @Override
  public void restart(int node) {
    SimProcess former = current[node];
    current[node] = process(node, former.life() + 1, former.clockAheadNs());
    start(current[node]);
  }

  @Override
  public void pause(int node, boolean isPaused) {
    current[node].pause(isPaused);
  }

  @Override
  public void slow(int node, long everyNs) {
    current[node].slow(everyNs);
  }

  @Override
  public void jump(int node, long aheadNs) {
    current[node].jump(aheadNs);
  }
}
