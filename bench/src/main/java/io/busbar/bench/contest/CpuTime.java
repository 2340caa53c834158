package io.busbar.bench.contest;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * What the threads of this process have run, in nanoseconds: the kernel's count for a process has
 * steps of 10 ms, which is a third of a percent of three seconds. A thread that ends meanwhile is
 * not counted.
 */
final class CpuTime {
  private static final Path TASKS = Path.of("/proc/self/task");

  private final Map<String, Long> startNs = threadsNs();

  /** What all threads that run now have run since this was made. */
  long passedNs() {
    long sum = 0;
    for (Map.Entry<String, Long> thread : threadsNs().entrySet()) {
      sum += thread.getValue() - startNs.getOrDefault(thread.getKey(), 0L);
    }
    return sum;
  }

  private static Map<String, Long> threadsNs() {
    Map<String, Long> all = new HashMap<>();
    try (DirectoryStream<Path> tasks = Files.newDirectoryStream(TASKS)) {
      for (Path task : tasks) {
        try {
          String[] words = Files.readString(task.resolve("schedstat")).split(" ", -1);
          all.put(task.toString(), Long.parseLong(words[0]));
        } catch (NoSuchFileException e) {
          // It ended between the two looks.
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + TASKS, e);
    }
    return all;
  }
}
