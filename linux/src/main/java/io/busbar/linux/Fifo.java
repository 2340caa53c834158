package io.busbar.linux;

import static io.busbar.linux.FileNumbers.O_CLOEXEC;
import static io.busbar.linux.FileNumbers.O_NONBLOCK;
import static io.busbar.linux.FileNumbers.O_RDONLY;
import static io.busbar.linux.FileNumbers.O_RDWR;
import static io.busbar.linux.FileNumbers.O_WRONLY;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;

/**
 * A doorbell between processes, found by path. The owner sleeps on {@link PollSet#IN} and takes the
 * rings; the others ring. Nothing blocks, and ringing and taking allocate nothing.
 *
 * <p>A death is seen at the bell: when the owner ends, however it ends, every ringer's end reports
 * {@link PollSet#ERROR} and ringing returns {@code -EPIPE}. When the last ringer ends, a {@link
 * #reader} reports {@link PollSet#HANG_UP} until another one comes; an {@link #create owner} does
 * not, because it holds a ringer's end itself.
 */
public final class Fifo implements AutoCloseable {
  private static final int OWNER_ONLY = 0600;

  /** A page: the kernel's least. More rings than it has bytes say nothing more. */
  private static final int CAPACITY_BYTES = 4096;

  private final FileDescriptor fd;
  private final MemorySegment bytes = Arena.ofAuto().allocate(CAPACITY_BYTES);

  private Fifo(FileDescriptor fd) {
    this.fd = fd;
  }

  /** Makes the FIFO for this user and opens it as its owner. */
  public static Fifo create(String path) {
    make(path);
    Fifo owner = open(path, O_RDWR, "listen at " + path);
    int result = FileCalls.fcntlInt(owner.fd.number(), FileNumbers.F_SETPIPE_SZ, CAPACITY_BYTES);
    if (result < 0) {
      owner.close();
      throw new SystemCallException("size " + path, "fcntl", -result);
    }
    return owner;
  }

  /** Makes the FIFO for this user and opens nothing. */
  public static void make(String path) {
    try (Arena arena = Arena.ofConfined()) {
      int result = FileCalls.mkfifo(arena.allocateFrom(path), OWNER_ONLY);
      if (result < 0) {
        throw new SystemCallException("make the FIFO " + path, "mkfifo", -result);
      }
    }
  }

  /** Opens a FIFO for taking rings, without holding a ringer's end. */
  public static Fifo reader(String path) {
    return open(path, O_RDONLY, "listen at " + path);
  }

  /** Opens a FIFO for ringing; {@link Errno#ENXIO} when nobody listens there. */
  public static Fifo ringer(String path) {
    return open(path, O_WRONLY, "ring at " + path);
  }

  /** A doorbell without a path: the end that listens, and the end that rings. */
  public record Pair(Fifo reader, Fifo ringer) {}

  /** Makes a doorbell without a path (a pipe). */
  public static Pair pair() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment ends = arena.allocate(JAVA_INT, 2);
      int result = FileCalls.pipe2(ends, O_CLOEXEC | O_NONBLOCK);
      if (result < 0) {
        throw new SystemCallException("make a pipe", "pipe2", -result);
      }
      return new Pair(
          new Fifo(new FileDescriptor(ends.getAtIndex(JAVA_INT, 0), "a pipe's reading end")),
          new Fifo(new FileDescriptor(ends.getAtIndex(JAVA_INT, 1), "a pipe's writing end")));
    }
  }

  private static Fifo open(String path, int flags, String purpose) {
    try (Arena arena = Arena.ofConfined()) {
      int all = flags | O_CLOEXEC | O_NONBLOCK;
      int result = FileCalls.open(arena.allocateFrom(path), all, 0);
      return new Fifo(FileDescriptor.of(result, path, purpose, "open"));
    }
  }

  /** To wait for {@link PollSet#IN}, or on a ringer's end for {@link PollSet#ERROR}. */
  public FileDescriptor descriptor() {
    return fd;
  }

  /**
   * Rings: 1, or 0 when the bell rings so much already that there is no room for more, or a negated
   * errno, {@code -EPIPE} when nobody listens any more. Any thread may.
   */
  public int ring() {
    try {
      int result = HotCalls.write(fd.number(), bytes.address(), 1);
      return result == -Errno.EAGAIN ? 0 : result;
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  /**
   * Takes the rings since the last time, at most 4,096: how many; 0 when there was none, or when
   * every ringer has gone. One thread at a time.
   */
  public int take() {
    int result;
    try {
      result = HotCalls.read(fd.number(), bytes.address(), CAPACITY_BYTES);
    } finally {
      Reference.reachabilityFence(this);
    }
    if (result < 0 && result != -Errno.EAGAIN) {
      throw new SystemCallException("take rings at " + fd.name(), "read", -result);
    }
    return Math.max(0, result);
  }

  /** Closes this end; the path stays until it is removed with {@link MemoryFile#unlink}. */
  @Override
  public void close() {
    fd.close();
  }
}
