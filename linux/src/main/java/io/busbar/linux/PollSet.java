package io.busbar.linux;

import static io.busbar.linux.SystemLayouts.POLLFD;
import static io.busbar.linux.SystemLayouts.TIMESPEC;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.util.Objects;

/**
 * What a thread sleeps on: descriptors and a timeout, in one {@code ppoll}. Waiting allocates
 * nothing. A virtual thread may look but not sleep, because it would keep its carrier from all
 * others; {@link Thread#interrupt} does not wake a sleeper, a doorbell in the set does.
 */
public final class PollSet {
  /** There is something to read. */
  public static final int IN = FileNumbers.POLLIN;

  /** Something can be written. */
  public static final int OUT = FileNumbers.POLLOUT;

  /** An error waits; for the writer of a FIFO: nobody reads any more. Always reported. */
  public static final int ERROR = FileNumbers.POLLERR;

  /** For the reader of a FIFO: the last writer has gone. Always reported. */
  public static final int HANG_UP = FileNumbers.POLLHUP;

  /** The descriptor was closed before the call: a bug of the caller. Always reported. */
  public static final int INVALID = FileNumbers.POLLNVAL;

  private static final long FD = Offsets.of(POLLFD, "fd");
  private static final long EVENTS = Offsets.of(POLLFD, "events");
  private static final long READY = Offsets.of(POLLFD, "revents");
  private static final long ENTRY_BYTES = POLLFD.byteSize();
  private static final long SECONDS = Offsets.of(TIMESPEC, "tv_sec");
  private static final long NANOS = Offsets.of(TIMESPEC, "tv_nsec");
  private static final long SECOND_NS = 1_000_000_000;

  private final int capacity;
  private final MemorySegment entries;
  private final MemorySegment timeout = Arena.ofAuto().allocate(TIMESPEC);
  private int count;

  /** A set of at most so many descriptors. */
  public PollSet(int capacity) {
    this.capacity = capacity;
    this.entries = Arena.ofAuto().allocate(POLLFD, capacity);
  }

  /** Forgets all descriptors. */
  public void clear() {
    count = 0;
  }

  /** Adds a descriptor and what to wait for; its place, for {@link #ready}. */
  public int add(FileDescriptor fd, int events) {
    if (count == capacity) {
      throw new IllegalStateException("this set has room for %d descriptors".formatted(capacity));
    }
    long at = count * ENTRY_BYTES;
    entries.set(JAVA_INT, at + FD, fd.number());
    entries.set(JAVA_SHORT, at + READY, (short) 0);
    listen(count, events);
    return count++;
  }

  /** Waits for other events at a place; 0 for errors and hang-ups only. */
  public void listen(int place, int events) {
    Objects.checkIndex(place, capacity);
    entries.set(JAVA_SHORT, place * ENTRY_BYTES + EVENTS, (short) events);
  }

  /** Leaves a place out of further waits, as if its descriptor never had an event. */
  public void mute(int place) {
    entries.set(JAVA_INT, Objects.checkIndex(place, count) * ENTRY_BYTES + FD, -1);
  }

  /** Descriptors in the set. */
  public int count() {
    return count;
  }

  /**
   * Sleeps until an event or the timeout: 0 looks only, a negative one never ends. Returns how many
   * descriptors have an event; 0 after the timeout and after a signal, so the caller looks at its
   * deadline again.
   */
  public int await(long timeoutNs) {
    if (timeoutNs != 0 && Thread.currentThread().isVirtual()) {
      throw new IllegalStateException("a virtual thread must not sleep in the kernel");
    }
    long limit = 0; // a null pointer: no limit
    if (timeoutNs >= 0) {
      timeout.set(JAVA_LONG, SECONDS, timeoutNs / SECOND_NS);
      timeout.set(JAVA_LONG, NANOS, timeoutNs % SECOND_NS);
      limit = timeout.address();
    }
    int result;
    try {
      result = HotCalls.ppoll(entries.address(), count, limit);
    } finally {
      Reference.reachabilityFence(this);
    }
    if (result < 0 && result != -Errno.EINTR) {
      throw new SystemCallException("wait for " + count + " descriptors", "ppoll", -result);
    }
    if (result <= 0) {
      forgetEvents();
      return 0;
    }
    return result;
  }

  private void forgetEvents() {
    for (int i = 0; i < count; i++) {
      entries.set(JAVA_SHORT, i * ENTRY_BYTES + READY, (short) 0);
    }
  }

  /** The events at a place, as the last {@link #await} saw them. */
  public int ready(int place) {
    return entries.get(JAVA_SHORT, Objects.checkIndex(place, count) * ENTRY_BYTES + READY);
  }
}
