package io.busbar.linux;

import static io.busbar.linux.FileNumbers.MFD_CLOEXEC;
import static io.busbar.linux.FileNumbers.MFD_HUGETLB;
import static io.busbar.linux.FileNumbers.MFD_HUGE_2MB;
import static io.busbar.linux.FileNumbers.O_CLOEXEC;
import static io.busbar.linux.FileNumbers.O_CREAT;
import static io.busbar.linux.FileNumbers.O_EXCL;
import static io.busbar.linux.FileNumbers.O_RDONLY;
import static io.busbar.linux.FileNumbers.O_RDWR;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;

/**
 * A file whose pages are mapped: by path, so that other processes find it, or anonymous (a memfd),
 * which others open under {@code /proc/PID/fd}. Its space is reserved before it is mapped, so that
 * a full file system is an error at creation and not a SIGBUS later.
 */
public final class MemoryFile implements AutoCloseable {
  private static final int OWNER_ONLY = 0600;

  private final FileDescriptor fd;
  private final boolean huge;

  private MemoryFile(FileDescriptor fd, boolean huge) {
    this.fd = fd;
    this.huge = huge;
  }

  /** Makes a new file for this user; fails with {@link Errno#EEXIST} when there is one. */
  public static MemoryFile create(String path) {
    return open(path, O_RDWR | O_CREAT | O_EXCL, "create " + path);
  }

  /** Opens the file, and makes it when there is none. */
  public static MemoryFile openOrCreate(String path) {
    return open(path, O_RDWR | O_CREAT, "open " + path);
  }

  /** Opens a file for reading and writing. */
  public static MemoryFile open(String path) {
    return open(path, O_RDWR, "open " + path);
  }

  /** Opens a file for reading only. */
  public static MemoryFile openReadOnly(String path) {
    return open(path, O_RDONLY, "open " + path);
  }

  /** Memory without a path; the name is seen in {@code /proc} only. */
  public static MemoryFile anonymous(String name) {
    return memfd(name, 0);
  }

  /** Memory without a path, in pages of 2 MB; its sizes and offsets are multiples of 2 MB. */
  public static MemoryFile anonymousHuge(String name) {
    return memfd(name, MFD_HUGETLB | MFD_HUGE_2MB);
  }

  /**
   * Memory without a path that the kernel gives in pages of 2 MB where it has them free, and in
   * small ones elsewhere: a file on a mount of this process's own, which is nowhere in the tree and
   * ends with its files. Needs {@link Capability#CAP_SYS_ADMIN}.
   */
  public static MemoryFile anonymousLarge(String name) {
    try (FileDescriptor mount = DetachedMount.ofLargePages();
        Arena arena = Arena.ofConfined()) {
      MemorySegment path = arena.allocateFrom("memory");
      int flags = O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC;
      int result = FileCalls.openat(mount.number(), path, flags, OWNER_ONLY);
      return new MemoryFile(FileDescriptor.of(result, "large pages of " + name, "openat"), false);
    }
  }

  /** Removes a path; who has the file open keeps it. */
  public static void unlink(String path) {
    try (Arena arena = Arena.ofConfined()) {
      int result = FileCalls.unlink(arena.allocateFrom(path));
      if (result < 0) {
        throw new SystemCallException("remove " + path, "unlink", -result);
      }
    }
  }

  private static MemoryFile open(String path, int flags, String purpose) {
    try (Arena arena = Arena.ofConfined()) {
      int result = FileCalls.open(arena.allocateFrom(path), flags | O_CLOEXEC, OWNER_ONLY);
      return new MemoryFile(FileDescriptor.of(result, path, purpose, "open"), false);
    }
  }

  private static MemoryFile memfd(String name, int flags) {
    try (Arena arena = Arena.ofConfined()) {
      int result = FileCalls.memfdCreate(arena.allocateFrom(name), flags | MFD_CLOEXEC);
      FileDescriptor fd = FileDescriptor.of(result, "memfd " + name, "memfd_create");
      return new MemoryFile(fd, (flags & MFD_HUGETLB) != 0);
    }
  }

  /** The descriptor, which this file owns. */
  public FileDescriptor descriptor() {
    return fd;
  }

  /** Bytes of the file. */
  public long size() {
    return FileStatus.of(fd).bytes();
  }

  /** Sets the size without reserving space: what is added is zero, and may not be there. */
  public void resize(long bytes) {
    int result = FileCalls.ftruncate(fd.number(), bytes);
    if (result < 0) {
      String purpose = "resize %s to %s".formatted(fd.name(), ByteText.of(bytes));
      throw new SystemCallException(purpose, "ftruncate", -result);
    }
  }

  /**
   * Reserves space for the first {@code bytes} bytes and enlarges the file to them; what was
   * written stays. Then no touch of a mapping of them can fail. Refused with {@link Errno#ENOSPC}
   * at once, and not after filling what is left, when the file system or, for files in memory, the
   * machine has less.
   */
  public void reserve(long bytes) {
    reserve(0, bytes, bytes - FileStatus.of(fd).reservedBytes());
  }

  /** As {@link #reserve(long)}, for a part of the file that has no space yet. */
  public void reserve(long offset, long bytes) {
    reserve(offset, bytes, bytes);
  }

  private void reserve(long offset, long bytes, long missing) {
    FileSpace space = FileSpace.of(fd);
    if (missing > space.allocatableBytes()) {
      throw noSpace(bytes, space);
    }
    int result;
    do {
      result = FileCalls.fallocate(fd.number(), 0, offset, bytes);
    } while (result == -Errno.EINTR);
    if (result == -Errno.ENOSPC && !huge) {
      throw noSpace(bytes, FileSpace.of(fd));
    }
    if (result < 0 && huge) {
      String purpose = "reserve %s in %s in pages of 2 MB".formatted(ByteText.of(bytes), fd.name());
      throw new SystemCallException(purpose, "fallocate", -result, Advice.ON_HUGE_PAGES);
    }
    if (result < 0) {
      String purpose = "reserve %s in %s".formatted(ByteText.of(bytes), fd.name());
      throw new SystemCallException(purpose, "fallocate", -result);
    }
  }

  private SystemCallException noSpace(long bytes, FileSpace space) {
    String purpose = "reserve %s in %s".formatted(ByteText.of(bytes), fd.name());
    long free = space.allocatableBytes();
    if (free != Long.MAX_VALUE) {
      purpose += ", where %s are free".formatted(ByteText.of(free));
    }
    return new SystemCallException(purpose, "fallocate", Errno.ENOSPC);
  }

  /** Reads at a place of the file, at most to its end; how many bytes, 0 at the end. */
  public long read(long at, MemorySegment into, long offset, long length) {
    long address = Native.address(into, offset, length);
    try {
      return bytes(HotCalls.pread(fd.number(), address, length, at), "read", "pread");
    } finally {
      Reference.reachabilityFence(into);
    }
  }

  /** Writes at a place of the file; how many bytes. */
  public long write(long at, MemorySegment from, long offset, long length) {
    long address = Native.address(from, offset, length);
    try {
      return bytes(HotCalls.pwrite(fd.number(), address, length, at), "write", "pwrite");
    } finally {
      Reference.reachabilityFence(from);
    }
  }

  private long bytes(long result, String verb, String call) {
    if (result < 0) {
      throw new SystemCallException(verb + " " + fd.name(), call, (int) -result);
    }
    return result;
  }

  /** Closes the file; mappings and, of an anonymous file, other descriptors keep its memory. */
  @Override
  public void close() {
    fd.close();
  }

  @Override
  public String toString() {
    return fd.toString();
  }
}
