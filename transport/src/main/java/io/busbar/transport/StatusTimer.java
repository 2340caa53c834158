package io.busbar.transport;

/**
 * How long an answer is waited for (A30): what the path's round trip says, twice as long each time
 * that waiting was in vain. And how long the peer has been silent: a process that was paused itself
 * finds all its timers ended at once, so silence counts only with several requests unanswered.
 */
final class StatusTimer {
  private static final int UNANSWERED_MAX = 3;
  private static final int BACKOFF_MAX = 12;

  private long atNs = Timed.NEVER;
  private long heardNs;
  private int unanswered;
  private int fruitless;

  void clear() {
    atNs = Timed.NEVER;
    unanswered = 0;
    fruitless = 0;
  }

  /** When the answer is missed; {@link Timed#NEVER} when none is waited for. */
  long atNs() {
    return atNs;
  }

  boolean isRunning() {
    return atNs != Timed.NEVER;
  }

  /** Starts to wait, unless it runs already. */
  void start(Path path, long nowNs) {
    if (!isRunning()) {
      restart(path, nowNs);
    }
  }

  /** Starts to wait anew. */
  void restart(Path path, long nowNs) {
    TransportConfig config = path.core.config;
    long plain = Math.max(config.rtoMinNs(), path.roundTrip.timeoutNs());
    long backedOff = Math.min(plain << Math.min(fruitless, BACKOFF_MAX), config.rtoMaxNs());
    atNs = nowNs + Math.max(plain, backedOff) + path.peerAckDelayNs;
  }

  void stop() {
    atNs = Timed.NEVER;
  }

  /** The peer said something. */
  void onHeard(long nowNs) {
    heardNs = nowNs;
  }

  /** The peer answered, though nothing may have moved. */
  void onAnswered() {
    unanswered = 0;
  }

  /** Something moved. */
  void onProgress() {
    unanswered = 0;
    fruitless = 0;
  }

  /** The time has come without an answer. */
  void onExpired() {
    atNs = Timed.NEVER;
    unanswered++;
    fruitless++;
  }

  /** Whether more than one request in a row was left unanswered. */
  boolean isRepeated() {
    return unanswered > 1;
  }

  /** Whether the peer has been silent for too long. */
  boolean isSilent(long nowNs, long boundNs) {
    return unanswered > UNANSWERED_MAX && nowNs - heardNs > boundNs;
  }
}
