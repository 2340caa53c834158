package io.busbar.node;

import io.busbar.fabric.Nic;
import io.busbar.linux.EventFd;
import io.busbar.linux.PollSet;
import java.util.List;

/** An engine with a kernel to sleep in. */
final class NodeMachine implements Machine, AutoCloseable {
  private static final int DESCRIPTORS_MAX = 1024;

  private final Engine engine;
  private final List<Nic> nics;
  private final EventFd bell = new EventFd();
  private final PollSet set = new PollSet(DESCRIPTORS_MAX);
  private final Interruption interruption = new Interruption(bell::ring);
  private final Runnable sleeper = this::sleepNow;
  private long sleepNs;
  private int armed;

  NodeMachine(Engine engine, List<Nic> nics) {
    this.engine = engine;
    this.nics = nics;
  }

  @Override
  public boolean work() {
    return engine.work();
  }

  @Override
  public boolean arm() {
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
    long _ = bell.take();
  }

  @Override
  public long dueInNs() {
    return engine.dueInNs();
  }

  @Override
  public void sleep(long ns) {
    sleepNs = ns == NEVER ? -1 : ns;
    interruption.during(sleeper);
  }

  private void sleepNow() {
    set.clear();
    set.add(bell.descriptor(), PollSet.IN);
    for (Nic nic : nics) {
      nic.listen(set);
    }
    int _ = set.await(sleepNs);
  }

  @Override
  public void ring() {
    bell.ring();
  }

  @Override
  public void close() {
    bell.close();
  }
}
