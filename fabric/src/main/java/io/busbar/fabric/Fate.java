package io.busbar.fabric;

/** What becomes of a frame that arrives at a {@link FaultyNic}. */
enum Fate {
  LOST,
  DOUBLED,
  OVERTAKEN,
  FLIPPED,
  CUT,
  DELAYED,
  UNHARMED
}
