package io.busbar.fabric.shm;

import io.busbar.wire.SharedSegment;
import java.lang.foreign.MemorySegment;
import java.util.function.IntSupplier;

/**
 * Whether the owner of a segment sleeps: a state, and above it how often the owner went to sleep.
 *
 * <p>A ringer rings first and says so afterwards, so that one who is killed or stopped in between
 * has kept nobody else from ringing. The count keeps what it says to the sleep that it rang into.
 */
final class SleepWord {
  private final MemorySegment memory;
  private long sleeps;

  /** Of this process's own segment. */
  SleepWord(MemorySegment memory) {
    this.memory = memory;
  }

  /** About to sleep: what others publish before they see it, is seen by the looks that follow. */
  void asleep() {
    sleep(SharedSegment.ASLEEP);
  }

  /** The same, and room that others make is seen, too. */
  void wantsRoom() {
    sleep(SharedSegment.WANTS_ROOM);
  }

  private void sleep(long state) {
    sleeps += SharedSegment.SLEEP;
    Shared.fenced(memory, SharedSegment.SLEEP_WORD, sleeps | state);
  }

  void awake() {
    Shared.release(memory, SharedSegment.SLEEP_WORD, sleeps | SharedSegment.AWAKE);
  }

  /**
   * Rings if the owner of a segment sleeps and was not rung yet; whether it was rung. What was
   * published is behind a full fence.
   *
   * @param bell rings; negative when nobody listens
   */
  static boolean ring(MemorySegment owner, IntSupplier bell) {
    long word = Shared.acquire(owner, SharedSegment.SLEEP_WORD);
    long state = word & SharedSegment.SLEEP_STATE;
    boolean sleeps = state == SharedSegment.ASLEEP || state == SharedSegment.WANTS_ROOM;
    return sleeps && ring(owner, word, bell);
  }

  /** The same, if the owner waits for room. That there is some was said behind a full fence. */
  static boolean ringForRoom(MemorySegment owner, IntSupplier bell) {
    long word = Shared.acquire(owner, SharedSegment.SLEEP_WORD);
    return (word & SharedSegment.SLEEP_STATE) == SharedSegment.WANTS_ROOM
        && ring(owner, word, bell);
  }

  private static boolean ring(MemorySegment owner, long word, IntSupplier bell) {
    if (bell.getAsInt() < 0) {
      return false;
    }
    long rung = (word & ~SharedSegment.SLEEP_STATE) | SharedSegment.RUNG;
    boolean _ = Shared.replace(owner, SharedSegment.SLEEP_WORD, word, rung);
    return true;
  }
}
