package io.busbar.linux;

import static io.busbar.linux.SystemLayouts.RLIMIT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * A limit of this process: the soft one counts, and may be raised to the hard one.
 *
 * @param soft what counts now
 * @param hard what it may be raised to
 */
public record Limit(long soft, long hard) {
  /** RLIM_INFINITY of {@code asm-generic/resource.h}, as the kernel writes it. */
  public static final long UNLIMITED = -1;

  /** What is limited, with the numbers of {@code asm-generic/resource.h}. */
  public enum Resource {
    /** Bytes that a file may have. */
    RLIMIT_FSIZE(1),
    /** Open descriptors. */
    RLIMIT_NOFILE(7),
    /** Bytes of locked memory. */
    RLIMIT_MEMLOCK(8);

    final int number;

    Resource(int number) {
      this.number = number;
    }
  }

  private static final long SOFT = Offsets.of(RLIMIT, "rlim_cur");
  private static final long HARD = Offsets.of(RLIMIT, "rlim_max");

  /** The limit as it is. */
  public static Limit of(Resource resource) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment limit = arena.allocate(RLIMIT);
      int result = ProcessCalls.getrlimit(resource.number, limit);
      if (result < 0) {
        throw new SystemCallException("read " + resource, "getrlimit", -result);
      }
      return new Limit(limit.get(JAVA_LONG, SOFT), limit.get(JAVA_LONG, HARD));
    }
  }

  /** Makes this the limit. */
  public void apply(Resource resource) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment limit = arena.allocate(RLIMIT);
      limit.set(JAVA_LONG, SOFT, soft);
      limit.set(JAVA_LONG, HARD, hard);
      int result = ProcessCalls.setrlimit(resource.number, limit);
      if (result < 0) {
        throw new SystemCallException(
            "set %s to %s, at most %s".formatted(resource, text(soft), text(hard)),
            "setrlimit",
            -result);
      }
    }
  }

  /** The same with the soft limit at the hard one. */
  public Limit raised() {
    return new Limit(hard, hard);
  }

  /** Whether so much is allowed. */
  public boolean allows(long amount) {
    return Long.compareUnsigned(amount, soft) <= 0;
  }

  private static String text(long limit) {
    return limit == UNLIMITED ? "unlimited" : Long.toString(limit);
  }
}
