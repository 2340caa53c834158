package io.busbar.bench.messages;

import java.util.Map;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/** The size of message at which half of a peak bandwidth is reached. */
final class HalfPower {
  private HalfPower() {}

  /** The highest of some bandwidths; 0 when there is none. */
  static double peak(SortedMap<Integer, Double> bandwidths) {
    return bandwidths.values().stream().mapToDouble(Double::doubleValue).max().orElse(0);
  }

  /**
   * The size, between two measured ones on a logarithmic scale; the smallest one when that reaches
   * it already, and null when none does.
   *
   * @param bandwidths by size
   * @param peak whose half is to be reached
   */
  static @Nullable Double bytes(SortedMap<Integer, Double> bandwidths, double peak) {
    double half = peak / 2;
    double sizeBefore = 0;
    double before = 0;
    for (Map.Entry<Integer, Double> each : bandwidths.entrySet()) {
      double size = each.getKey();
      double bandwidth = each.getValue();
      if (bandwidth >= half) {
        if (sizeBefore == 0) {
          return size;
        }
        double share = (half - before) / (bandwidth - before);
        return sizeBefore * Math.pow(size / sizeBefore, share);
      }
      sizeBefore = size;
      before = bandwidth;
    }
    return null;
  }
}
