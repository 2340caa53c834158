package io.busbar.bus;

/** What the bus counts. */
public enum BusCount {
  /** Frames that were understood. */
  FRAMES_IN,
  /** Frames that left, once for each call of the sink. */
  FRAMES_OUT,
  /** Cards said to everyone. */
  HELLOS_OUT,
  /** Questions for what differs. */
  SYNCS_OUT,
  /** Frames of cards in answer. */
  VIEWS_OUT,
  /** Frames of news to everyone. */
  NEWS_OUT,
  /** Questions for a sign of life. */
  PROBES_OUT,
  /** Signs of life. */
  ANSWERS_OUT,
  /** Frames that break a rule of the wire. */
  DROP_MALFORMED,
  /** Frames in another version of the wire. */
  DROP_VERSION,
  /** Frames of another cluster. */
  DROP_CLUSTER,
  /** Frames that are no frames of the bus. */
  DROP_FORMAT,
  /** Nodes beyond as many as are kept. */
  DROP_FULL;

  /** Its place among the counts. */
  final int slot = Slots.next();

  private static final class Slots {
    private static int taken;

    static int next() {
      return taken++;
    }
  }
}
