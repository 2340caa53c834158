package io.busbar.lab;

import java.util.Arrays;

/** Virtual time: what happens when. Things planned for the same time happen in planning order. */
public final class Schedule {
  private long[] times = new long[256];
  private long[] orders = new long[256];
  private Runnable[] actions = new Runnable[256];
  private int size;
  private long nextOrder;
  private long nowNs;

  /** An empty schedule at time 0. */
  public Schedule() {}

  /** What time it is. */
  public long nowNs() {
    return nowNs;
  }

  /** When the next thing happens; {@link Long#MAX_VALUE} when nothing does. */
  public long nextNs() {
    return size == 0 ? Long.MAX_VALUE : times[0];
  }

  /** Plans something; a time that has passed means now. */
  public void at(long timeNs, Runnable action) {
    if (size == times.length) {
      times = Arrays.copyOf(times, size << 1);
      orders = Arrays.copyOf(orders, size << 1);
      actions = Arrays.copyOf(actions, size << 1);
    }
    int i = size++;
    long time = Math.max(timeNs, nowNs);
    long order = nextOrder++;
    while (i > 0) {
      int parent = (i - 1) >>> 1;
      if (times[parent] < time || (times[parent] == time && orders[parent] < order)) {
        break;
      }
      move(parent, i);
      i = parent;
    }
    put(i, time, order, action);
  }

  /** Lets the next thing happen; false when nothing is planned at or before {@code untilNs}. */
  public boolean step(long untilNs) {
    if (size == 0 || times[0] > untilNs) {
      return false;
    }
    nowNs = times[0];
    Runnable action = actions[0];
    size--;
    if (size > 0) {
      sink(times[size], orders[size], actions[size]);
    }
    actions[size] = Schedule::nothing;
    action.run();
    return true;
  }

  /** Lets everything happen that is planned until then, and moves time there. */
  public void runUntil(long untilNs) {
    while (step(untilNs)) {}
    nowNs = Math.max(nowNs, untilNs);
  }

  private void sink(long time, long order, Runnable action) {
    int i = 0;
    while (true) {
      int child = (i << 1) + 1;
      if (child >= size) {
        break;
      }
      if (child + 1 < size && isBefore(child + 1, child)) {
        child++;
      }
      if (time < times[child] || (time == times[child] && order < orders[child])) {
        break;
      }
      move(child, i);
      i = child;
    }
    put(i, time, order, action);
  }

  /** Stands where an action has been taken away, so that nothing is kept alive. */
  private static void nothing() {}

  private boolean isBefore(int a, int b) {
    return times[a] < times[b] || (times[a] == times[b] && orders[a] < orders[b]);
  }

  private void move(int from, int to) {
    put(to, times[from], orders[from], actions[from]);
  }

  private void put(int i, long time, long order, Runnable action) {
    times[i] = time;
    orders[i] = order;
    actions[i] = action;
  }
}
