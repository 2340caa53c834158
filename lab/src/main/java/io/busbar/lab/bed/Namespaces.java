package io.busbar.lab.bed;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Named network namespaces, as {@code ip netns} keeps them. */
final class Namespaces {
  /** Where they are bound, each under its name. */
  static final Path BOUND = Path.of("/run/netns");

  /** Files in a folder of a namespace's name replace those of {@code /etc} for what runs in it. */
  static final Path FILES = Path.of("/etc/netns");

  private static final long KILL_LIMIT_NS = 10_000_000_000L;
  private static final long KILL_LOOK_NS = 2_000_000L;

  private Namespaces() {}

  /** Removes what beds of processes that have ended left behind. */
  static void sweep() {
    Set<String> leftovers = new TreeSet<>();
    for (Path folder : List.of(BOUND, FILES)) {
      for (Path entry : entries(folder)) {
        String namespace = entry.getFileName().toString();
        BedName bed = BedName.of(namespace);
        if (bed != null && !bed.ownerLives()) {
          leftovers.add(namespace);
        }
      }
    }
    remove(leftovers);
  }

  /** Ends what runs in them, and removes them; another process may do the same at once. */
  static void remove(Collection<String> namespaces) {
    if (namespaces.isEmpty()) {
      return;
    }
    killAllIn(namespaces);
    Shell.run(
        "remove namespaces",
        namespaces.stream()
            .map(
                namespace ->
                    """
                    if [ -e %2$s/%1$s ]; then ip netns delete %1$s || [ ! -e %2$s/%1$s ]; fi
                    rm -rf %3$s/%1$s
                    """
                        .formatted(namespace, BOUND, FILES))
            .collect(Collectors.joining()));
  }

  /** Lets programs in a namespace find names in a table of its own. */
  static void writeHosts(String namespace, String table) {
    try {
      Path folder = Files.createDirectories(FILES.resolve(namespace));
      Files.writeString(folder.resolve("hosts"), table);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write the host table of " + namespace, e);
    }
  }

  private static void killAllIn(Collection<String> namespaces) {
    Set<Path> links = new HashSet<>();
    for (String namespace : namespaces) {
      try {
        links.add(
            Path.of(
                "net:[%s]".formatted(Files.getAttribute(BOUND.resolve(namespace), "unix:ino"))));
      } catch (IOException e) {
        // It is gone, or was never bound: nothing runs in it.
      }
    }
    long deadlineNs = System.nanoTime() + KILL_LIMIT_NS;
    for (List<Path> inside = in(links); !inside.isEmpty(); inside = in(links)) {
      for (Path process : inside) {
        ProcessHandle.of(Long.parseLong(process.getFileName().toString()))
            .ifPresent(ProcessHandle::destroyForcibly);
      }
      if (System.nanoTime() - deadlineNs > 0) {
        throw new TestBedException("these processes outlive SIGKILL: " + inside);
      }
      LockSupport.parkNanos(KILL_LOOK_NS);
    }
  }

  /** The processes, as folders of {@code /proc}, whose first thread is in one of the namespaces. */
  private static List<Path> in(Set<Path> links) {
    return entries(Path.of("/proc")).stream()
        .filter(process -> process.getFileName().toString().matches("\\d+"))
        .filter(
            process -> {
              try {
                return links.contains(Files.readSymbolicLink(process.resolve("ns/net")));
              } catch (IOException e) {
                return false; // it has ended
              }
            })
        .toList();
  }

  private static List<Path> entries(Path folder) {
    try (Stream<Path> entries = Files.list(folder)) {
      return entries.toList();
    } catch (IOException e) {
      return List.of(); // no namespace was ever made on this machine
    }
  }
}
