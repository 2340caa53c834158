package io.busbar.bus;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Records that have changed, each of which is told a few times. */
final class News {
  /** Records in one frame. */
  static final int RECORDS = 24;

  private final Map<Entry, Integer> times = new LinkedHashMap<>();

  /** A record has changed: it is told so often, from now on. */
  void add(Entry entry, int often) {
    times.remove(entry);
    times.put(entry, often);
  }

  void remove(Entry entry) {
    times.remove(entry);
  }

  boolean isEmpty() {
    return times.isEmpty();
  }

  /** Adds to a list what is to be told, as long as it is short enough. */
  void take(List<Entry> into) {
    List<Entry> told = new ArrayList<>();
    for (Iterator<Map.Entry<Entry, Integer>> i = times.entrySet().iterator();
        i.hasNext() && into.size() < RECORDS; ) {
      Map.Entry<Entry, Integer> next = i.next();
      if (!into.contains(next.getKey())) {
        into.add(next.getKey());
        told.add(next.getKey());
      }
    }
    for (Entry entry : told) { // behind those that were not told now
      int left = times.getOrDefault(entry, 0) - 1;
      times.remove(entry);
      if (left > 0) {
        times.put(entry, left);
      }
    }
  }
}
