package io.busbar.linux;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;

/**
 * An alarm clock: its descriptor becomes readable at a time, and who sleeps on it wakes. To set it
 * costs a tenth of what waking another thread costs, and allocates nothing.
 */
public final class TimerFd implements AutoCloseable {
  private static final long SECOND_NS = 1_000_000_000;

  // struct itimerspec: the interval, two words that stay 0, then the time.
  private static final long SECONDS = 16;
  private static final long NANOS = 24;
  private static final long BYTES = 32;

  private final FileDescriptor fd;
  private final MemorySegment setting = Arena.ofAuto().allocate(BYTES, JAVA_LONG.byteAlignment());

  /** A clock that is not set. */
  public TimerFd() {
    int flags = FileNumbers.TFD_CLOEXEC | FileNumbers.TFD_NONBLOCK;
    fd =
        FileDescriptor.of(
            FileCalls.timerfdCreate(FileNumbers.CLOCK_MONOTONIC, flags),
            "a timer",
            "timerfd_create");
  }

  /** To wait for {@link PollSet#IN}. */
  public FileDescriptor descriptor() {
    return fd;
  }

  /** Rings in so many nanoseconds, at least one, instead of when it was set to. Any thread may. */
  public void set(long ns) {
    if (ns <= 0) {
      throw new IllegalArgumentException("an alarm in %d ns: it is at least 1".formatted(ns));
    }
    apply(ns);
  }

  /** Does not ring any more, and has not rung. Any thread may. */
  public void unset() {
    apply(0);
  }

  private synchronized void apply(long ns) {
    setting.set(JAVA_LONG, SECONDS, ns / SECOND_NS);
    setting.set(JAVA_LONG, NANOS, ns % SECOND_NS);
    int result;
    try {
      result = HotCalls.timerfdSettime(fd.number(), setting.address());
    } finally {
      Reference.reachabilityFence(this);
    }
    if (result < 0) {
      throw new SystemCallException("set " + fd.name(), "timerfd_settime", -result);
    }
  }

  /** Closes the clock. */
  @Override
  public void close() {
    fd.close();
  }
}
