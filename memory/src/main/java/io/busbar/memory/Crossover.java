package io.busbar.memory;

import io.busbar.linux.MemoryFile;
import io.busbar.linux.SystemCallException;
import io.busbar.linux.ThisProcess;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * From which size on page exchange pays, beside copying (C10), for an application that fills what
 * it sends and reads what it receives.
 *
 * @param pageBytes of the pages that were measured
 * @param sendBytes exchange sends at least this; {@link #NEVER} when it did not pay
 * @param receiveBytes exchange receives at least this; {@link #NEVER} when it did not pay
 * @param points what was measured; empty when it was given
 */
public record Crossover(long pageBytes, long sendBytes, long receiveBytes, List<Point> points) {
  /** Longer than any message. */
  public static final long NEVER = Long.MAX_VALUE;

  /** Bytes of a large page. */
  public static final long LARGE = 2L << 20;

  /**
   * One size, in nanoseconds.
   *
   * @param bytes of the message
   * @param copySendNs to fill it and copy it
   * @param exchangeSendNs to have the pages back, fill them and lend them
   * @param copyReceiveNs to copy it and read it
   * @param exchangeReceiveNs to map it and read it
   */
  public record Point(
      long bytes,
      double copySendNs,
      double exchangeSendNs,
      double copyReceiveNs,
      double exchangeReceiveNs) {}

  /** A crossover that is not measured, the same for both directions. */
  public static Crossover at(long bytes) {
    return new Crossover(ThisProcess.pageBytes(), bytes, bytes, List.of());
  }

  /** Measures with small pages, up to 16 MB: some hundred milliseconds. */
  public static Crossover measure() {
    try (MemoryFile file = MemoryFile.anonymous("crossover")) {
      return new CrossoverTrial(file, ThisProcess.pageBytes()).run();
    }
  }

  /**
   * Measures with pages of 2 MB.
   *
   * @throws SystemCallException when this process cannot have such pages; it says why
   */
  public static Crossover measureLarge() {
    try (MemoryFile file = MemoryFile.anonymousLarge("crossover")) {
      return new CrossoverTrial(file, LARGE).run();
    }
  }

  /** From the points: the least size from which on exchange is never slower. */
  static Crossover of(long pageBytes, List<Point> points) {
    long send = NEVER;
    long receive = NEVER;
    for (Point point : points.reversed()) {
      if (point.exchangeSendNs > point.copySendNs) {
        break;
      }
      send = point.bytes;
    }
    for (Point point : points.reversed()) {
      if (point.exchangeReceiveNs > point.copyReceiveNs) {
        break;
      }
      receive = point.bytes;
    }
    return new Crossover(pageBytes, send, receive, List.copyOf(points));
  }

  @Override
  public String toString() {
    String head =
        "pages of %d KB: exchange sends from %s on, receives from %s on"
            .formatted(pageBytes >> 10, text(sendBytes), text(receiveBytes));
    return points.stream()
        .map(
            p ->
                String.format(
                    Locale.ROOT,
                    "%n  %6d KB  send: copy %.1f us, exchange %.1f; receive: copy %.1f, exchange"
                        + " %.1f",
                    p.bytes >> 10,
                    p.copySendNs / 1e3,
                    p.exchangeSendNs / 1e3,
                    p.copyReceiveNs / 1e3,
                    p.exchangeReceiveNs / 1e3))
        .collect(Collectors.joining("", head, ""));
  }

  private static String text(long bytes) {
    return bytes == NEVER ? "no size" : (bytes >> 10) + " KB";
  }
}
