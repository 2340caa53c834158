package io.busbar.bench.path;

import io.busbar.bench.Rounds;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Messages with the times at which each of them crossed the borders. A border that most messages
 * have no time for is left out; a message that lacks one of the others is not counted.
 */
final class Timeline {
  private static final Border[] BORDERS = Border.values();

  /** A border that fewer of the messages crossed is none of this system's. */
  private static final double MOST = 0.8;

  private final List<long[]> messages = new ArrayList<>();
  private final boolean ring;

  /**
   * Without a message yet.
   *
   * @param ring whether a frame is in the other end's memory as soon as it is given: then nobody
   *     waits for the bell, and there is no kernel
   */
  Timeline(boolean ring) {
    this.ring = ring;
  }

  /**
   * Adds the messages of one direction.
   *
   * @param events of the kernel's, in the order of time; none when it tells nothing
   */
  void add(
      Stamps sender,
      Stamps receiver,
      int sendingThread,
      int receivingThread,
      List<KernelEvent> events) {
    int first = 0;
    int count = Math.min(sender.messages(), receiver.messages());
    for (int i = 0; i < count; i++) {
      long[] atNs = new long[BORDERS.length];
      for (Border border : BORDERS) {
        boolean sends = border.compareTo(Border.ENTERED) < 0;
        atNs[border.slot] = (sends ? sender : receiver).at(i, border);
      }
      long fromNs = atNs[Border.CALLED.slot];
      long toNs = atNs[Border.HANDLED.slot];
      if (fromNs != 0 && toNs > fromNs) {
        while (first < events.size() && events.get(first).atNs() < fromNs) {
          first++;
        }
        new KernelWay(atNs, sendingThread, receivingThread).follow(events, first, toNs);
        messages.add(atNs);
      }
    }
  }

  /** The borders that count here. */
  List<Border> borders() {
    List<Border> borders = new ArrayList<>();
    for (Border border : BORDERS) {
      long crossed = messages.stream().filter(atNs -> atNs[border.slot] != 0).count();
      boolean isOne = !ring || border != Border.RUNG;
      if (isOne && crossed > MOST * messages.size()) {
        borders.add(border);
      }
    }
    return borders;
  }

  private List<long[]> whole(List<Border> borders) {
    return messages.stream()
        .filter(atNs -> borders.stream().allMatch(border -> atNs[border.slot] != 0))
        .toList();
  }

  /** Messages that crossed every border that counts. */
  int size() {
    return whole(borders()).size();
  }

  /** What a message does between two borders, in order: the median in microseconds. */
  Map<String, Double> stages() {
    Map<String, Double> stages = new LinkedHashMap<>();
    List<Border> borders = borders();
    List<long[]> whole = whole(borders);
    for (int i = 1; i < borders.size() && !whole.isEmpty(); i++) {
      int from = borders.get(i - 1).slot;
      int to = borders.get(i).slot;
      List<Double> us = whole.stream().map(atNs -> (atNs[to] - atNs[from]) / 1e3).toList();
      stages.put(name(from, to), Rounds.median(us));
    }
    return stages;
  }

  /** A stage without the borders within it has all their names, unless it is a place. */
  private String name(int from, int to) {
    if (from < Border.ENTERED.slot && to > Border.LEFT.slot) {
      return ring ? "ring" : to == Border.CAME.slot ? "interfaces and kernel" : "kernel";
    }
    if (from == Border.CALLED.slot && to == Border.ENTERED.slot) {
      return "library, system call";
    }
    if (from == Border.LEFT.slot && to == Border.HANDLED.slot) {
      return "library";
    }
    StringBuilder name = new StringBuilder();
    for (int i = from + 1; i <= to; i++) {
      if (BORDERS[i] != Border.AWAKE || i == to) {
        name.append(name.isEmpty() ? "" : "; ").append(BORDERS[i].stage());
      }
    }
    return name.toString();
  }

  /** From the call to the last border: the median in microseconds. */
  double oneWayUs() {
    List<Border> borders = borders();
    List<long[]> whole = whole(borders);
    if (whole.isEmpty()) {
      return Double.NaN;
    }
    int from = Border.CALLED.slot;
    int to = borders.getLast().slot;
    return Rounds.median(whole.stream().map(atNs -> (atNs[to] - atNs[from]) / 1e3).toList());
  }
}
