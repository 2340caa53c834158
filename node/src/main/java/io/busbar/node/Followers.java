package io.busbar.node;

import java.util.concurrent.ConcurrentLinkedQueue;

/** Those who wait while another thread drives, the first one first. From any thread. */
final class Followers {
  private final ConcurrentLinkedQueue<Follower> all = new ConcurrentLinkedQueue<>();

  void add(Follower one) {
    all.add(one);
  }

  void remove(Follower one) {
    all.remove(one);
  }

  boolean isEmpty() {
    return all.isEmpty();
  }

  int size() {
    return all.size();
  }

  /** Something happened: all look again. */
  void tell() {
    if (!all.isEmpty()) {
      for (Follower one : all) {
        one.tell();
      }
    }
  }

  /** The role may be free: all look at it. */
  void wake() {
    for (Follower one : all) {
      one.wake();
    }
  }

  /** The first one that can drive looks at the role; false when there is none. */
  boolean wakeDriver() {
    for (Follower one : all) {
      if (one.canDrive()) {
        one.wake();
        return true;
      }
    }
    return false;
  }
}
