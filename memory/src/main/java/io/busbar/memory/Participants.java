package io.busbar.memory;

import io.busbar.linux.MemoryFile;
import io.busbar.linux.OfdLock;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Who shares a pool. A participant's number is a locked byte of a file: the kernel drops the lock
 * when the process ends, however it ends, so nobody is declared dead by a pid or a clock. Who
 * reclaims a dead one's buffers holds its lock meanwhile, so that nobody takes the number before
 * the last buffer of its former holder is free.
 *
 * <p>One process makes one of these for an opening of the file of its own; any thread may use it.
 */
public final class Participants implements AutoCloseable {
  /** What {@link #bury} says of the living. */
  public static final int ALIVE = -1;

  private final MemoryFile file;
  private final long locksAt;
  private int number;
  private @Nullable OfdLock life;

  /**
   * Participants by the locks of a file.
   *
   * @param file which all of them open; it stays the caller's, and closing it ends the life
   * @param locksAt from where on its bytes are locked; they are not written, and need not exist
   */
  public Participants(MemoryFile file, long locksAt) {
    this.file = file;
    this.locksAt = locksAt;
  }

  /** Takes the lowest number that no living process has, and what its former holder left. */
  public synchronized Pool join(PoolLayout layout, MemorySegment memory) {
    for (int candidate = 1; candidate <= Pool.PARTICIPANTS_MAX; candidate++) {
      if (tryTake(candidate)) {
        return poolOf(layout, memory);
      }
    }
    throw new IllegalStateException(
        "%d living processes share this pool, and no more can: %s"
            .formatted(Pool.PARTICIPANTS_MAX, file));
  }

  /** Takes a number that was agreed on, and what its former holder left. */
  public synchronized Pool join(int participant, PoolLayout layout, MemorySegment memory) {
    if (!tryTake(Pool.checked(participant))) {
      throw new IllegalStateException(
          "participant %d of %s is another living process; wait for its end, or take another number"
              .formatted(participant, file));
    }
    return poolOf(layout, memory);
  }

  private boolean tryTake(int participant) {
    if (life != null) {
      throw new IllegalStateException("this process is participant %d already".formatted(number));
    }
    life = OfdLock.tryExclusive(file, locksAt + participant, 1).orElse(null);
    number = life == null ? 0 : participant;
    return life != null;
  }

  private Pool poolOf(PoolLayout layout, MemorySegment memory) {
    try {
      Pool pool = new Pool(layout, memory, number);
      pool.takeOver();
      return pool;
    } catch (RuntimeException e) {
      close();
      throw e;
    }
  }

  /** Whether a living process has the number. */
  public synchronized boolean isAlive(int participant) {
    return Pool.checked(participant) == number || OfdLock.isHeld(file, locksAt + participant, 1);
  }

  /**
   * Frees what a participant held, if it is dead.
   *
   * @return how many buffers; {@link #ALIVE} when a living process has the number, or buries it
   */
  public synchronized int bury(int participant, Pool pool) {
    if (Pool.checked(participant) == number) {
      return ALIVE;
    }
    Optional<OfdLock> death = OfdLock.tryExclusive(file, locksAt + participant, 1);
    if (death.isEmpty()) {
      return ALIVE;
    }
    try {
      return pool.reclaim(participant);
    } finally {
      death.get().close();
    }
  }

  /**
   * Gives the number back; whatever it still owns is reclaimed by others, or by its next holder.
   */
  @Override
  public synchronized void close() {
    if (life != null) {
      life.close();
      life = null;
      number = 0;
    }
  }
}
