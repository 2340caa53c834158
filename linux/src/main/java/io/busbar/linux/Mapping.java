package io.busbar.linux;

import static io.busbar.linux.MemoryNumbers.MAP_ANONYMOUS;
import static io.busbar.linux.MemoryNumbers.MAP_FIXED;
import static io.busbar.linux.MemoryNumbers.MAP_PRIVATE;
import static io.busbar.linux.MemoryNumbers.MAP_SHARED;
import static io.busbar.linux.MemoryNumbers.PROT_READ;
import static io.busbar.linux.MemoryNumbers.PROT_WRITE;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * Mapped memory, unmapped once. Its {@link #segment} may be used by any thread, and refuses access
 * with an exception after {@link #close}; closing costs a handshake with all threads, and belongs
 * to the cold path. Who hands the segment's address to the kernel keeps the mapping open until the
 * kernel is done.
 */
public final class Mapping implements AutoCloseable {
  private final String name;
  private final Arena arena = Arena.ofShared();
  private final MemorySegment segment;

  private Mapping(String name, long bytes, Set<MapOption> options, int flags, int fd, long offset) {
    this.name = name;
    long address = map(0, bytes, options, flags, fd, offset);
    if (address < 0) {
      arena.close();
      throw failure(bytes, options, (int) -address);
    }
    MemorySegment mapped =
        MemorySegment.ofAddress(address)
            .reinterpret(bytes, arena, unmapped -> MemoryCalls.munmap(address, bytes));
    this.segment = options.contains(MapOption.READ_ONLY) ? mapped.asReadOnly() : mapped;
  }

  /**
   * Zeroed memory of this process, private even without {@link MapOption#PRIVATE}. What is to be
   * populated is refused with {@link Errno#ENOMEM} when the machine has less: the kernel would fill
   * the machine first, and then kill.
   */
  public static Mapping anonymous(long bytes, MapOption... options) {
    Set<MapOption> set = set(options);
    set.add(MapOption.PRIVATE);
    boolean taken = set.contains(MapOption.POPULATE) && !set.contains(MapOption.HUGE_2MB);
    long free = taken ? FileSpace.availableMemoryBytes() : Long.MAX_VALUE;
    if (bytes > free) {
      throw new SystemCallException(
          "take %s of memory, where %s are free".formatted(ByteText.of(bytes), ByteText.of(free)),
          "mmap",
          Errno.ENOMEM);
    }
    return new Mapping("anonymous memory", bytes, set, MAP_ANONYMOUS, -1, 0);
  }

  /**
   * A part of a file. The part has to lie inside the file, because a touch beyond its end is a
   * SIGBUS, which nobody can catch.
   */
  public static Mapping of(MemoryFile file, long offset, long bytes, MapOption... options) {
    Objects.checkFromIndexSize(offset, bytes, file.size());
    FileDescriptor fd = file.descriptor();
    return new Mapping(fd.name(), bytes, set(options), 0, fd.number(), offset);
  }

  /** What the kernel shares through a descriptor that is no file: the ring of a socket. */
  static Mapping ofDescriptor(FileDescriptor fd, long offset, long bytes) {
    return new Mapping(
        "a ring of " + fd.name(), bytes, set(MapOption.POPULATE), 0, fd.number(), offset);
  }

  private static Set<MapOption> set(MapOption... options) {
    Set<MapOption> set = EnumSet.noneOf(MapOption.class);
    set.addAll(List.of(options));
    return set;
  }

  private static long map(
      long address, long bytes, Set<MapOption> options, int flags, int fd, long offset) {
    int protection = options.contains(MapOption.READ_ONLY) ? PROT_READ : PROT_READ | PROT_WRITE;
    int all = flags | (options.contains(MapOption.PRIVATE) ? MAP_PRIVATE : MAP_SHARED);
    for (MapOption option : options) {
      all |= option.flags;
    }
    return MemoryCalls.mmap(address, bytes, protection, all, fd, offset);
  }

  private SystemCallException failure(long bytes, Set<MapOption> options, int errno) {
    if (options.contains(MapOption.HUGE_2MB)) {
      return new SystemCallException(
          "map %s of %s in pages of 2 MB".formatted(ByteText.of(bytes), name),
          "mmap",
          errno,
          Advice.ON_HUGE_PAGES);
    }
    return new SystemCallException(
        "map %s of %s".formatted(ByteText.of(bytes), name), "mmap", errno);
  }

  /** The memory; every access after {@link #close} is an {@link IllegalStateException}. */
  public MemorySegment segment() {
    return segment;
  }

  /** Where it is in this process. */
  public long address() {
    return segment.address();
  }

  /** Its length. */
  public long bytes() {
    return segment.byteSize();
  }

  /** Whether it is still mapped. */
  public boolean isOpen() {
    return arena.scope().isAlive();
  }

  /** Keeps the pages in memory. */
  public void lock() {
    lock(0, bytes());
  }

  /** Keeps the pages of a part in memory. */
  public void lock(long offset, long length) {
    checkPart(offset, length);
    int result = MemoryCalls.mlock(address() + offset, length);
    if (result < 0) {
      throw new SystemCallException(
          "lock %s in memory".formatted(ByteText.of(length)), "mlock", -result);
    }
  }

  /** Lets the kernel page it out again. */
  public void unlock() {
    checkPart(0, bytes());
    int result = MemoryCalls.munlock(address(), bytes());
    if (result < 0) {
      throw new SystemCallException("unlock memory of " + name, "munlock", -result);
    }
  }

  /** Tells the kernel how a part will be used; offset and length in whole pages. */
  public void advise(MemoryAdvice advice, long offset, long length) {
    checkPart(offset, length);
    int result = MemoryCalls.madvise(address() + offset, length, advice.number);
    if (result < 0) {
      String purpose = "advise %s for %s of %s".formatted(advice, ByteText.of(length), name);
      throw new SystemCallException(purpose, "madvise", -result);
    }
  }

  /**
   * Puts a part of a file in the place of a part of this mapping (MAP_FIXED), in one step for all
   * threads; what was there is unmapped. All in whole pages.
   */
  public void replace(
      long offset, long length, MemoryFile file, long fileOffset, MapOption... options) {
    checkPart(offset, length);
    Objects.checkFromIndexSize(fileOffset, length, file.size());
    Set<MapOption> set = set(options);
    int fd = file.descriptor().number();
    long result = map(address() + offset, length, set, MAP_FIXED, fd, fileOffset);
    if (result < 0) {
      String purpose = "put %s of %s in the place of %s".formatted(ByteText.of(length), file, name);
      throw new SystemCallException(purpose, "mmap", (int) -result);
    }
  }

  private void checkPart(long offset, long length) {
    Objects.checkFromIndexSize(offset, length, bytes());
    if (!isOpen()) {
      throw new IllegalStateException(name + " was unmapped already");
    }
  }

  /** Unmaps it; a second time does nothing. */
  @Override
  public synchronized void close() {
    if (isOpen()) {
      arena.close();
    }
  }

  @Override
  public String toString() {
    return "%s of %s".formatted(ByteText.of(bytes()), name);
  }
}
