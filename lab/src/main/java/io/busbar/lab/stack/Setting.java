package io.busbar.lab.stack;

/**
 * What the parts of a run know of it.
 *
 * @param frameBytes the longest frame
 * @param healNs when the plan's faults end
 * @param cutNs when some nodes are cut off for longer than anybody waits; never: no such thing
 * @param calmNs when everything is well again
 */
record Setting(int frameBytes, long healNs, long cutNs, long calmNs) {
  static final long NEVER = Long.MAX_VALUE;

  boolean isCut() {
    return cutNs != NEVER;
  }
}
