package io.busbar.transport;

/**
 * What is left of an association that is over: END is said until it is answered, then it lingers. A
 * peer that is silent anyway is told only a few times.
 */
final class Farewell {
  private static final int BACKOFF_MAX = 12;
  private static final int TRIES_TO_SILENT = 3;

  private final long sinceNs;
  private final int triesMax;
  private boolean answered;
  private int tries;

  /** When END is said again, or the slot is freed. */
  long atNs;

  Farewell(long nowNs, Ending why) {
    sinceNs = nowNs;
    triesMax = why == Ending.PEER_SILENT ? TRIES_TO_SILENT : Integer.MAX_VALUE;
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
    if (tries > triesMax || nowNs - sinceNs > config.silenceNs()) {
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
