package io.busbar.node;

import java.util.concurrent.locks.LockSupport;

/**
 * A thread that waits while another one drives. That something happened it finds noted when it
 * looks, though the permit of its thread was spent meanwhile: what it waits for is the program's,
 * and may park, too.
 */
final class Follower {
  private final Thread thread;
  private volatile boolean told;

  Follower(Thread thread) {
    this.thread = thread;
  }

  /** Something happened. From any thread. */
  void tell() {
    told = true; // before it is woken
    LockSupport.unpark(thread);
  }

  /** The role may be free: there is nothing to note, because that is seen at the role. */
  void wake() {
    LockSupport.unpark(thread);
  }

  /** Whether something happened since it follows. */
  boolean wasTold() {
    return told;
  }

  /** Whether it can sleep in the kernel, hence drive. */
  boolean canDrive() {
    return !thread.isVirtual();
  }
}
