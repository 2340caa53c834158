package io.busbar.fabric.survey;

import io.busbar.fabric.ProcFile;
import io.busbar.fabric.shm.ShmConfig;
import io.busbar.linux.Capabilities;
import io.busbar.linux.Capability;
import io.busbar.linux.FileSpace;
import io.busbar.linux.Limit;
import io.busbar.linux.SystemCallException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The limits that bear on the carriers. */
final class Limits {
  /** A segment of the defaults, with a ring or two. */
  private static final long SEGMENT_BYTES = ShmConfig.defaults().pool().bytes() + (1 << 20);

  private final Capabilities rights = Capabilities.effective();

  List<LimitFound> all(String directory, int socketBytesWanted) {
    List<LimitFound> found = new ArrayList<>();
    found.add(memlock());
    found.add(space(directory));
    found.add(socketBuffer("rmem_max", "receive", socketBytesWanted));
    found.add(socketBuffer("wmem_max", "send", socketBytesWanted));
    found.add(openFiles());
    return found;
  }

  private LimitFound memlock() {
    Limit limit = Limit.of(Limit.Resource.RLIMIT_MEMLOCK);
    boolean passes = rights.has(Capability.CAP_IPC_LOCK);
    boolean enough = passes || limit.allows(SEGMENT_BYTES);
    String value = text(limit.soft()) + (passes ? ", which CAP_IPC_LOCK passes" : "");
    return new LimitFound(
        "locked memory (RLIMIT_MEMLOCK)",
        value,
        limit.soft(),
        enough,
        enough
            ? ""
            : "segments of %s stay unpinned and may be paged out; raise it with ulimit -l, or in the service's LimitMEMLOCK"
                .formatted(text(SEGMENT_BYTES)));
  }

  private static LimitFound space(String directory) {
    String name = "space in " + directory;
    try {
      FileSpace space = FileSpace.of(directory);
      long free = space.allocatableBytes();
      boolean enough = free >= SEGMENT_BYTES;
      String kind = space.inMemory() ? "" : ", which is not in memory";
      return new LimitFound(
          name,
          "%s free of %s%s".formatted(text(free), text(space.totalBytes()), kind),
          free,
          enough && space.inMemory(),
          enough
              ? space.inMemory()
                  ? ""
                  : "choose a folder on a tmpfs, or every frame may go to a disk"
              : "a segment takes %s: enlarge it (docker: --shm-size), or make the pool smaller"
                  .formatted(text(SEGMENT_BYTES)));
    } catch (SystemCallException e) {
      return new LimitFound(
          name, String.valueOf(e.getMessage()), -1, false, "make the folder, or name another");
    }
  }

  private LimitFound socketBuffer(String sysctl, String direction, int wanted) {
    String name = "%s buffer of a socket (net.core.%s)".formatted(direction, sysctl);
    Path path = Path.of("/proc/sys/net/core", sysctl);
    boolean passes = rights.has(Capability.CAP_NET_ADMIN);
    String passing = passes ? ", which CAP_NET_ADMIN passes" : "";
    try {
      long max = Long.parseLong(ProcFile.read(path));
      boolean enough = passes || max >= wanted;
      return new LimitFound(
          name,
          text(max) + passing,
          max,
          enough,
          enough
              ? ""
              : "udp loses frames sooner: sysctl -w net.core.%s=%d".formatted(sysctl, wanted));
    } catch (IOException e) { // other network namespaces than the first do not show it
      return new LimitFound(
          name,
          "not shown in this network namespace" + passing,
          -1,
          passes,
          passes ? "" : "look at what udp got");
    }
  }

  private static LimitFound openFiles() {
    Limit limit = Limit.of(Limit.Resource.RLIMIT_NOFILE);
    boolean enough = limit.allows(1024);
    return new LimitFound(
        "open files (RLIMIT_NOFILE)",
        limit.soft() == Limit.UNLIMITED ? "unlimited" : Long.toString(limit.soft()),
        limit.soft(),
        enough,
        enough ? "" : "two are needed for each peer in shared memory: raise it with ulimit -n");
  }

  static String text(long bytes) {
    if (bytes == Limit.UNLIMITED || bytes == Long.MAX_VALUE) {
      return "unlimited";
    }
    long mb = 1 << 20;
    return bytes >= 10 * mb
        ? "%d MB".formatted(bytes / mb)
        : bytes >= 10 << 10 ? "%d KB".formatted(bytes >> 10) : "%d B".formatted(bytes);
  }
}
