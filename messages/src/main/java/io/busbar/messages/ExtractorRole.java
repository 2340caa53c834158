package io.busbar.messages;

import java.util.concurrent.locks.ReentrantLock;

/**
 * The extractor's role, which one thread has at a time. Who waits for other things, too, asks
 * whether it is free, and is told when it may be.
 *
 * <p>Who finds it taken says that it is wanted, and looks once more; who leaves it looks after that
 * whether it is wanted. Both words are volatile, so one of the two sees the other, and to leave
 * costs a load more than to unlock.
 */
final class ExtractorRole {
  private final ReentrantLock lock = new ReentrantLock();
  private volatile boolean wanted;

  /** Takes it if no other thread has it. */
  boolean tryTake() {
    return lock.tryLock();
  }

  /** Waits for it, behind those who wait already. */
  void take() throws InterruptedException {
    lock.lockInterruptibly();
  }

  /** Gives it back; whether those who wait are to look again. */
  boolean leave() {
    lock.unlock();
    if (!wanted) {
      return false;
    }
    wanted = false; // before they are told: who finds it taken again wants it again
    return true;
  }

  /** Whether no other thread has it; if one has, those who wait are told when it leaves. */
  boolean isFree() {
    if (!isTaken()) {
      return true;
    }
    wanted = true;
    return !isTaken();
  }

  private boolean isTaken() {
    return lock.isLocked() && !lock.isHeldByCurrentThread();
  }
}
