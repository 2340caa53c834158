package io.busbar.bus;

/**
 * For how many of a node's own frames one counts of those that came last. A frame that is not full
 * says nothing; as many short ones in a row as a window has say that all are.
 */
final class CastWeight {
  private int value = 1;

  /** So many that were lighter came since. */
  private int lighter;

  int value() {
    return value;
  }

  /** One came. */
  void add(int weight) {
    lighter = weight < value ? lighter + 1 : 0;
    if (weight > value || lighter >= CastConfig.WINDOW_MAX) {
      value = weight;
      lighter = 0;
    }
  }
}
