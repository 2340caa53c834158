package io.busbar.lab.bed;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What all namespaces of a bed are named after: {@code busbar-PID-START-SERIAL-h0} and so on, in
 * base 36. The start tells the owner from a later process with its number. Containers that share
 * {@code /run/netns} have to share their process ids, too.
 *
 * @param pid the owner's process id
 * @param startTicks when the owner was started, in the kernel's ticks since the machine's start
 * @param serial counts the owner's beds
 */
record BedName(long pid, long startTicks, long serial) {
  private static final String PREFIX = "busbar";
  private static final String SWITCH = "switch";
  private static final int RADIX = 36;
  private static final Pattern NAMESPACE =
      Pattern.compile(
          PREFIX + "-([0-9a-z]{1,12})-([0-9a-z]{1,12})-([0-9a-z]{1,12})-(?:h\\d+|" + SWITCH + ")");

  /** Fields of {@code /proc/PID/stat} behind the command, which may hold anything: man 5 proc. */
  private static final int STATE_FIELD = 0;

  private static final int START_FIELD = 19;

  private static final long NOT_ALIVE = -1;
  private static final AtomicLong SERIALS = new AtomicLong();

  /** A name that no other bed has. */
  static BedName next() {
    long pid = ProcessHandle.current().pid();
    return new BedName(pid, startTicks(pid), SERIALS.getAndIncrement());
  }

  /** The bed that a namespace belongs to; null when it is not a bed's. */
  static @Nullable BedName of(String namespace) {
    Matcher matcher = NAMESPACE.matcher(namespace);
    return matcher.matches()
        ? new BedName(number(matcher, 1), number(matcher, 2), number(matcher, 3))
        : null;
  }

  private static long number(Matcher matcher, int group) {
    return Long.parseLong(matcher.group(group), RADIX);
  }

  /** The namespace, and the host name, of a host. */
  String host(int index) {
    return this + "-h" + index;
  }

  /** The namespace of the switch. */
  String switchNamespace() {
    return this + "-" + SWITCH;
  }

  /** Whether the process that made it is still there. */
  boolean ownerLives() {
    return startTicks(pid) == startTicks;
  }

  /** When a process was started; negative when there is none, or only its exit code is left. */
  static long startTicks(long pid) {
    try {
      String stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
      String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
      boolean ended = "ZX".contains(fields[STATE_FIELD]);
      return ended ? NOT_ALIVE : Long.parseLong(fields[START_FIELD]);
    } catch (IOException e) {
      return NOT_ALIVE;
    }
  }

  @Override
  public String toString() {
    return "%s-%s-%s-%s"
        .formatted(
            PREFIX,
            Long.toString(pid, RADIX),
            Long.toString(startTicks, RADIX),
            Long.toString(serial, RADIX));
  }
}
