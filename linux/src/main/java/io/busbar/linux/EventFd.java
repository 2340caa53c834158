package io.busbar.linux;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;

/**
 * A doorbell inside a process: rings are counted until the owner takes them. Ringing and taking
 * never block and allocate nothing.
 */
public final class EventFd implements AutoCloseable {
  private final FileDescriptor fd;
  private final MemorySegment one = Arena.ofAuto().allocateFrom(JAVA_LONG, 1);
  private final MemorySegment taken = Arena.ofAuto().allocate(JAVA_LONG);

  /** A bell that does not ring. */
  public EventFd() {
    int flags = FileNumbers.EFD_CLOEXEC | FileNumbers.EFD_NONBLOCK;
    fd = FileDescriptor.of(FileCalls.eventfd(0, flags), "an event descriptor", "eventfd");
  }

  /** To wait for {@link PollSet#IN}. */
  public FileDescriptor descriptor() {
    return fd;
  }

  /** Rings; any thread may. A bell that was rung 2^64 - 2 times rings already. */
  public void ring() {
    long result;
    try {
      result = HotCalls.write(fd.number(), one.address(), JAVA_LONG.byteSize());
    } finally {
      Reference.reachabilityFence(this);
    }
    if (result < 0 && result != -Errno.EAGAIN) {
      throw new SystemCallException("ring " + fd.name(), "write", (int) -result);
    }
  }

  /** Takes the rings since the last time; 0 when there was none. One thread at a time. */
  public long take() {
    long result;
    try {
      result = HotCalls.read(fd.number(), taken.address(), JAVA_LONG.byteSize());
    } finally {
      Reference.reachabilityFence(this);
    }
    if (result == -Errno.EAGAIN) {
      return 0;
    }
    if (result < 0) {
      throw new SystemCallException("take rings of " + fd.name(), "read", (int) -result);
    }
    return taken.get(JAVA_LONG, 0);
  }

  /** Closes the bell. */
  @Override
  public void close() {
    fd.close();
  }
}
