package io.busbar.bus;

/** What is counted of broadcasts. */
public enum CastCount {
  /** Messages that were taken to be sent. */
  MESSAGES_OUT(0),
  /** Frames of streams that were sent for the first time. */
  DATA_OUT(1),
  /** Frames that were sent again. */
  REPAIRS_OUT(2),
  /** Questions to those who have not said that they have all. */
  POLLS_OUT(3),
  /** Frames that took readers in. */
  WELCOMES_OUT(4),
  /** Readers that were not waited for any longer. */
  EVICTIONS(5),
  /** What readers said that they have. */
  STATUS_IN(6),
  /** What readers asked for. */
  NAKS_IN(7),
  /** Frames of streams that came, each of them once. */
  DATA_IN(8),
  /** Frames that had come before. */
  DUPLICATES_IN(9),
  /** Frames that came too early to be held. */
  DROP_EARLY(10),
  /** Frames of streams that this node does not read, or of lives that it does not know. */
  DROP_STRANGE(11),
  /** Frames that broke a rule. */
  DROP_MALFORMED(12),
  /** Answers to the question what has come. */
  STATUS_OUT(13),
  /** Questions for what is missing. */
  NAKS_OUT(14),
  /** Questions that another reader asked first. */
  NAKS_SPARED(15),
  /** How often messages were missed for good. */
  GAPS(16),
  /** How often a stream had bytes that its reader could make nothing of. */
  DROP_UNSOUND(17);

  final int slot;

  CastCount(int slot) {
    this.slot = slot;
  }
}
