package io.busbar.transport;

/**
 * What is left of an association that is over: END is said until it is answered, then it lingers.
 */
final class Farewell {
  private static final int BACKOFF_MAX = 12;

  private final long sinceNs;
  private boolean answered;
  private int tries;

  /** When END is said again, or the slot is freed. */
  long atNs;

  Farewell(long nowNs) {
    sinceNs = nowNs;
    atNs = nowNs;
  }

  /** Nothing is to be said (any more); only the key lingers. */
  void onAnswered(long nowNs, long lingerNs) {
    if (!answered) {
      answered = true;
      atNs = nowNs + lingerNs;
    }
  }

  /** Whether END is still to be said; plans the next time. */
  boolean saysEnd(long nowNs, long timeoutNs, TransportConfig config) {
    if (answered) {
      return false;
    }
    tries++;
    if (nowNs - sinceNs > config.silenceNs()) {
      onAnswered(nowNs, config.lingerNs());
      return false;
    }
    long plain = Math.max(config.rtoMinNs(), timeoutNs);
    long backedOff = Math.min(plain << Math.min(tries - 1, BACKOFF_MAX), config.rtoMaxNs());
    atNs = nowNs + Math.max(plain, backedOff);
    return true;
  }

  boolean isAnswered() {
    return answered;
  }
}
