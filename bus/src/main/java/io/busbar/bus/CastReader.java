package io.busbar.bus;

/** What a sender knows of one who reads its stream. */
final class CastReader {
  final int id;
  final long life;

  /** Where it begins: the frame, and the message. */
  final long start;

  final long message;

  /** The first frame that it has not said to have. */
  long has;

  /** Frames from here on it does not take yet. */
  long limit;

  /** When it last got further. */
  long progressNs;

  /** Whether what it says shows that it knows where it begins; a former reader may not. */
  boolean confirmed;

  /** How often it has asked to be taken in since it last said that it had begun. */
  int asks;

  CastReader(int id, long life, long start, long message, long nowNs) {
    this.id = id;
    this.life = life;
    this.start = start;
    this.message = message;
    this.has = start;
    this.limit = start + CastConfig.WINDOW_MAX;
    this.progressNs = nowNs;
  }
}
