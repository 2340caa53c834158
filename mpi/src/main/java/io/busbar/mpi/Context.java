package io.busbar.mpi;

import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What waits in a context: receives in the order in which they were asked for, and messages in the
 * order in which they came. At any time no receive matches any message. Under the lock of {@link
 * Matching}.
 */
final class Context {
  final int number;

  /** Whether a communicator of this process uses it. */
  boolean isHeld;

  private @Nullable Receive firstReceive;
  private @Nullable Receive lastReceive;
  private @Nullable Arrived firstArrived;
  private @Nullable Arrived lastArrived;

  Context(int number) {
    this.number = number;
  }

  /** Whether it need not be kept. */
  boolean isIdle() {
    return !isHeld && isEmpty();
  }

  /** Whether nothing waits; without the lock, true unless that was known to the caller before. */
  boolean isEmpty() {
    return firstReceive == null && firstArrived == null;
  }

  void post(Receive receive) {
    receive.isPosted = true;
    receive.next = null;
    receive.previous = lastReceive;
    if (lastReceive == null) {
      firstReceive = receive;
    } else {
      lastReceive.next = receive;
    }
    lastReceive = receive;
  }

  void remove(Receive receive) {
    Receive before = receive.previous;
    Receive after = receive.next;
    if (before == null) {
      firstReceive = after;
    } else {
      before.next = after;
    }
    if (after == null) {
      lastReceive = before;
    } else {
      after.previous = before;
    }
    receive.next = null;
    receive.previous = null;
    receive.isPosted = false;
  }

  /** The first receive that a message is for, which does not wait any more; null if none is. */
  @Nullable Receive match(int source, int tag) {
    for (Receive one = firstReceive; one != null; one = one.next) {
      if (one.matches(source, tag)) {
        remove(one);
        return one;
      }
    }
    return null;
  }

  void add(Arrived arrived) {
    arrived.keeper = this;
    arrived.previous = lastArrived;
    if (lastArrived == null) {
      firstArrived = arrived;
    } else {
      lastArrived.next = arrived;
    }
    lastArrived = arrived;
  }

  void remove(Arrived arrived) {
    Arrived before = arrived.previous;
    Arrived after = arrived.next;
    if (before == null) {
      firstArrived = after;
    } else {
      before.next = after;
    }
    if (after == null) {
      lastArrived = before;
    } else {
      after.previous = before;
    }
    arrived.next = null;
    arrived.previous = null;
    arrived.keeper = null;
  }

  /** The first message from somebody with a tag, which stays; null if there is none. */
  @Nullable Arrived find(int source, int tag) {
    for (Arrived one = firstArrived; one != null; one = one.next) {
      boolean isFrom = source == Receive.ANY || source == one.source;
      if (isFrom && (tag == Receive.ANY ? one.tag >= 0 : tag == one.tag)) {
        return one;
      }
    }
    return null;
  }

  /** Takes out a message of a certain kind; null if there is none. */
  @Nullable Arrived take(Predicate<Arrived> which) {
    for (Arrived one = firstArrived; one != null; one = one.next) {
      if (which.test(one)) {
        remove(one);
        return one;
      }
    }
    return null;
  }

  void forEachArrived(Consumer<Arrived> action) {
    for (Arrived one = firstArrived; one != null; one = one.next) {
      action.accept(one);
    }
  }

  void forEachReceive(Consumer<Receive> action) {
    for (Receive one = firstReceive; one != null; one = one.next) {
      action.accept(one);
    }
  }

  /** Receives that will not match any more are taken out, and given to somebody. */
  void fail(Predicate<Receive> which, MpiError why) {
    Receive one = firstReceive;
    while (one != null) {
      Receive after = one.next;
      if (which.test(one)) {
        remove(one);
        one.fail(why.again());
      }
      one = after;
    }
  }
}
