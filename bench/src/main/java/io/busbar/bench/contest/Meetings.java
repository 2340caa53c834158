package io.busbar.bench.contest;

import io.busbar.node.NodeConfig;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** How the two ends of a contender become two nodes: the one that asks makes the meeting. */
public final class Meetings {
  private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(30);

  private Meetings() {}

  /**
   * One node of two.
   *
   * @param fabric what carries the lane, {@code shm} or {@code udp}
   * @param directory for the segments and the meeting
   */
  public static NodeConfig config(String fabric, String host, boolean asks, String directory) {
    int rank = asks ? 0 : 1;
    Path meeting = Path.of(directory, "meeting-" + ProcessHandle.current().pid());
    if (asks) {
      try {
        Files.createDirectories(meeting);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    List<String> fabrics = List.of(fabric);
    return new NodeConfig(
        "bench", "bench-" + rank, rank, 2, meeting, host, fabrics, directory, PATIENCE_NS);
  }

  /** The same node at the meeting of the one that asks. */
  public static NodeConfig at(NodeConfig config, String other) {
    return config.rank() == 0 ? config : config.as(1, 2, Path.of(other));
  }
}
