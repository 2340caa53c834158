package io.busbar.node;

import io.busbar.fabric.Nic;
import io.busbar.linux.EventFd;
import io.busbar.linux.PollSet;
import io.busbar.linux.ThisProcess;
import io.busbar.linux.TimerFd;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An engine with a kernel to sleep in. */
final class NodeMachine implements Machine, AutoCloseable {
  private static final int DESCRIPTORS_MAX = 1024;
  private static final int ROUNDS_PER_LOOK = 1024;

  /** An offer that nobody takes is over sooner: a system call, and no switch of threads. */
  private static final long OFFER_TAKEN_NS = 2_000;

  /** Where a set has the bell. */
  private static final int BELL = 0;

  /** Who looks at the counters believes that a node lives for a while longer than that. */
  private static final long SIGN_OF_LIFE_NS = 2_000_000_000L;

  private Engine engine;
  private List<Nic> nics;
  private final EventFd bell = new EventFd();
  private final PollSet set = new PollSet(DESCRIPTORS_MAX);

  // Of who sleeps without the role.
  private final EventFd watchBell = new EventFd();
  private final TimerFd watchAlarm = new TimerFd();
  private final PollSet watchSet = new PollSet(DESCRIPTORS_MAX);
  private final PollSet restSet = new PollSet(2);

  private final Interruption interruption = new Interruption(bell::ring);
  private final Runnable sleeper = this::sleepNow;
  private @Nullable NodeStats stats;
  private long sleepNs;
  private int armed;
  private int rounds;

  NodeMachine(Engine engine, List<Nic> nics, @Nullable NodeStats stats) {
    this.engine = engine;
    this.nics = nics;
    this.stats = stats;
    int _ = restSet.add(watchBell.descriptor(), PollSet.IN);
    int _ = restSet.add(watchAlarm.descriptor(), PollSet.IN);
  }

  /** Another life of the node begins, with its own engine. */
  void enter(Engine next, List<Nic> with, @Nullable NodeStats shown) {
    engine = next;
    nics = with;
    closeStats();
    stats = shown;
  }

  private void closeStats() {
    NodeStats shown = stats;
    if (shown != null) {
      shown.close();
    }
  }

  private void refreshStats() {
    NodeStats shown = stats;
    if (shown != null) {
      shown.refresh();
    }
  }

  @Override
  public boolean work() {
    if (++rounds >= ROUNDS_PER_LOOK) {
      rounds = 0;
      refreshStats();
    }
    return engine.work();
  }

  @Override
  public boolean arm() {
    set.clear();
    int _ = set.add(bell.descriptor(), PollSet.IN);
    return arm(set);
  }

  private boolean arm(PollSet listening) {
    for (Nic nic : nics) {
      nic.listen(listening); // before it is armed: it may listen for more then
    }
    for (armed = 0; armed < nics.size(); armed++) {
      if (!nics.get(armed).arm()) {
        disarm();
        return false;
      }
    }
    return true;
  }

  @Override
  public void disarm() {
    for (int i = 0; i < armed; i++) {
      nics.get(i).disarm();
    }
    armed = 0;
    engine.lookEverywhere();
  }

  @Override
  public long dueInNs() {
    return engine.dueInNs();
  }

  @Override
  public void sleep(long ns) {
    refreshStats();
    sleepNs = Math.min(ns, SIGN_OF_LIFE_NS);
    interruption.during(sleeper);
  }

  private void sleepNow() {
    if (set.await(sleepNs) > 0 && set.ready(BELL) != 0) {
      long _ = bell.take();
    }
  }

  @Override
  public boolean offerProcessor() {
    long beforeNs = System.nanoTime();
    ThisProcess.offerProcessor();
    return System.nanoTime() - beforeNs > OFFER_TAKEN_NS;
  }

  @Override
  public void ring() {
    bell.ring();
  }

  @Override
  public boolean armWatch() {
    refreshStats();
    beginRest();
    watchSet.clear();
    int _ = watchSet.add(watchBell.descriptor(), PollSet.IN);
    int _ = watchSet.add(watchAlarm.descriptor(), PollSet.IN);
    return arm(watchSet);
  }

  @Override
  public void watch(long ns) {
    int _ = watchSet.await(Math.min(ns, SIGN_OF_LIFE_NS));
  }

  @Override
  public void beginRest() {
    long _ = watchBell.take();
    watchAlarm.unset();
  }

  @Override
  public void rest() {
    int _ = restSet.await(NEVER);
  }

  @Override
  public void callOffWatch() {
    watchBell.ring();
  }

  @Override
  public void callOffWatchIn(long ns) {
    watchAlarm.set(Math.max(1, ns));
  }

  @Override
  public void close() {
    closeStats();
    bell.close();
    watchBell.close();
    watchAlarm.close();
  }
}
