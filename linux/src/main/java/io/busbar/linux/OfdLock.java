package io.busbar.linux;

import static io.busbar.linux.FileNumbers.F_OFD_GETLK;
import static io.busbar.linux.FileNumbers.F_OFD_SETLK;
import static io.busbar.linux.FileNumbers.F_RDLCK;
import static io.busbar.linux.FileNumbers.F_UNLCK;
import static io.busbar.linux.FileNumbers.F_WRLCK;
import static io.busbar.linux.FileNumbers.SEEK_SET;
import static io.busbar.linux.SystemLayouts.FLOCK;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * A proof of life: a lock on bytes of a file that belongs to one opening of it, and that the kernel
 * drops when that is closed, at the latest when its process ends, however it ends. It excludes
 * every other opening, in this process too. Locked bytes need not exist.
 */
public final class OfdLock implements AutoCloseable {
  private static final long TYPE = Offsets.of(FLOCK, "l_type");
  private static final long WHENCE = Offsets.of(FLOCK, "l_whence");
  private static final long START = Offsets.of(FLOCK, "l_start");
  private static final long LENGTH = Offsets.of(FLOCK, "l_len");

  private final MemoryFile file;
  private final long offset;
  private final long length;

  private OfdLock(MemoryFile file, long offset, long length) {
    this.file = file;
    this.offset = offset;
    this.length = length;
  }

  /** Locks bytes for this opening alone; fails with {@link Errno#EAGAIN} when they are locked. */
  public static OfdLock exclusive(MemoryFile file, long offset, long length) {
    return lock(file, F_WRLCK, offset, length);
  }

  /** Locks bytes for this opening alone; empty when another living one has some of them. */
  public static Optional<OfdLock> tryExclusive(MemoryFile file, long offset, long length) {
    int result = call(file, F_OFD_SETLK, F_WRLCK, offset, length);
    return result == -Errno.EAGAIN
        ? Optional.empty()
        : Optional.of(locked(result, file, offset, length));
  }

  /** Locks bytes together with others that share; fails when one has them for itself. */
  public static OfdLock shared(MemoryFile file, long offset, long length) {
    return lock(file, F_RDLCK, offset, length);
  }

  private static OfdLock lock(MemoryFile file, int type, long offset, long length) {
    return locked(call(file, F_OFD_SETLK, type, offset, length), file, offset, length);
  }

  private static OfdLock locked(int result, MemoryFile file, long offset, long length) {
    if (result < 0) {
      throw new SystemCallException(
          "lock " + place(file, offset, length),
          "fcntl",
          -result,
          result == -Errno.EAGAIN
              ? "another living process has it: wait for it to end, or take another place"
              : Advice.on("fcntl", -result));
    }
    return new OfdLock(file, offset, length);
  }

  /** Whether another opening of the file, of a living process, has any of the bytes locked. */
  public static boolean isHeld(MemoryFile file, long offset, long length) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment lock = fill(arena, F_WRLCK, offset, length);
      int fd = file.descriptor().number();
      int result = FileCalls.fcntlPointer(fd, F_OFD_GETLK, lock);
      if (result < 0) {
        throw new SystemCallException(
            "look at the lock on " + place(file, offset, length), "fcntl", -result);
      }
      return lock.get(JAVA_SHORT, TYPE) != F_UNLCK;
    }
  }

  private static int call(MemoryFile file, int command, int type, long offset, long length) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment lock = fill(arena, type, offset, length);
      return FileCalls.fcntlPointer(file.descriptor().number(), command, lock);
    }
  }

  /** The process is 0, as the kernel demands of these locks. */
  private static MemorySegment fill(Arena arena, int type, long offset, long length) {
    MemorySegment lock = arena.allocate(FLOCK);
    lock.set(JAVA_SHORT, TYPE, (short) type);
    lock.set(JAVA_SHORT, WHENCE, (short) SEEK_SET);
    lock.set(JAVA_LONG, START, offset);
    lock.set(JAVA_LONG, LENGTH, length);
    return lock;
  }

  private static String place(MemoryFile file, long offset, long length) {
    return "bytes %d to %d of %s".formatted(offset, offset + length - 1, file.descriptor().name());
  }

  /** Unlocks the bytes; the file stays open. Nothing to do when it is closed already. */
  @Override
  public void close() {
    if (file.descriptor().isOpen()) {
      int result = call(file, F_OFD_SETLK, F_UNLCK, offset, length);
      if (result < 0) {
        throw new SystemCallException("unlock " + place(file, offset, length), "fcntl", -result);
      }
    }
  }
}
