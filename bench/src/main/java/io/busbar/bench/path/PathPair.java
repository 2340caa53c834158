package io.busbar.bench.path;

import io.busbar.lab.bed.HostProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** The two processes of a system, joined. */
final class PathPair implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Duration END_PATIENCE = Duration.ofSeconds(8);

  private final HostProcess asker;
  private final HostProcess answerer;
  private final Path askerFile;
  private final Path answererFile;
  private final int askerThread;
  private final int answererThread;

  /**
   * Joins two processes that were started.
   *
   * @param folder where they leave their stamps
   */
  PathPair(HostProcess asker, HostProcess answerer, Path folder) {
    this.asker = asker;
    this.answerer = answerer;
    askerFile = folder.resolve("asked-" + asker.pid());
    answererFile = folder.resolve("answered-" + answerer.pid());
    String asking = await(asker, "opened ");
    String answering = await(answerer, "opened ");
    asker.sendLine("connect " + answering);
    answerer.sendLine("connect " + asking);
    askerThread = Integer.parseInt(await(asker, "connected "));
    answererThread = Integer.parseInt(await(answerer, "connected "));
  }

  private static String await(HostProcess end, String prefix) {
    return end.awaitLine(line -> line.startsWith(prefix), PATIENCE).substring(prefix.length());
  }

  int askerThread() {
    return askerThread;
  }

  int answererThread() {
    return answererThread;
  }

  /** So many round trips; the median in nanoseconds. */
  long run(int count, boolean stamped, long pauseNs) {
    answerer.sendLine("answer %d %s 0 %s".formatted(count, stamped, answererFile));
    asker.sendLine("ask %d %s %d %s".formatted(count, stamped, pauseNs, askerFile));
    long medianNs = Long.parseLong(await(asker, "ran "));
    String _ = await(answerer, "ran ");
    return medianNs;
  }

  /** What the end that asks has stamped in the last run. */
  Stamps asked() throws IOException {
    return Stamps.read(askerFile);
  }

  /** What the other one has. */
  Stamps answered() throws IOException {
    return Stamps.read(answererFile);
  }

  @Override
  public void close() {
    HostProcess.dismiss(List.of(asker, answerer), "end", END_PATIENCE);
  }
}
