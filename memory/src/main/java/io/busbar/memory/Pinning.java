package io.busbar.memory;

import io.busbar.linux.Limit;
import io.busbar.linux.Mapping;
import io.busbar.linux.SystemCallException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * Whether memory is to be kept from being paged out, and who hears that the kernel refused.
 *
 * @param wanted pinned memory never faults, and counts against RLIMIT_MEMLOCK for as long as it is
 *     mapped; without the right to, a pool works unpinned, and slower when the machine is short
 * @param warning told once in the life of the process, however much memory stays unpinned
 */
public record Pinning(boolean wanted, Consumer<String> warning) {
  private static final AtomicBoolean WARNED = new AtomicBoolean();

  /** Memory that may be paged out. */
  public static Pinning none() {
    return new Pinning(false, what -> {});
  }

  /** Pinned where the limit allows it, otherwise unpinned with one warning. */
  public static Pinning orWarn(Consumer<String> warning) {
    return new Pinning(true, warning);
  }

  /** Pins a mapping, if wanted and allowed; whether it is pinned now. */
  boolean pin(Mapping mapping) {
    if (!wanted) {
      return false;
    }
    try {
      mapping.lock();
      return true;
    } catch (SystemCallException e) {
      if (!WARNED.getAndSet(true)) {
        warning.accept(explain(mapping, e));
      }
      return false;
    }
  }

  private static String explain(Mapping mapping, SystemCallException refusal) {
    Limit limit = Limit.of(Limit.Resource.RLIMIT_MEMLOCK);
    long kilobytes = (mapping.bytes() + 1023) / 1024;
    return ("%s may be paged out, because it cannot be pinned: %s needs %d KB of locked memory, and"
            + " RLIMIT_MEMLOCK allows this process %s (at most %s); raise it (ulimit -l %d,"
            + " LimitMEMLOCK= of a service, --ulimit memlock= of a container), give the process"
            + " CAP_IPC_LOCK, or do not ask for pinned memory. This is said once.")
        .formatted(
            mapping, refusal.call(), kilobytes, text(limit.soft()), text(limit.hard()), kilobytes);
  }

  private static String text(long bytes) {
    return bytes == Limit.UNLIMITED ? "any amount" : bytes / 1024 + " KB";
  }
}
