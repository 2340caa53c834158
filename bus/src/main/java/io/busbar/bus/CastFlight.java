package io.busbar.bus;

/** How many frames may be on their way: losses halve it, at most once a round trip. */
final class CastFlight {
  private static final int FIRST = 256;
  private static final int MIN = 16;

  private double frames = FIRST;

  /** Below this it grows by what arrives, above by one in as many. */
  private double careful = CastConfig.WINDOW_MAX;

  private long cutNs = -CastCore.NEVER / 2;

  long frames() {
    return (long) frames;
  }

  void onArrived(long count) {
    frames += frames < careful ? count : count / frames;
    frames = Math.min(frames, CastConfig.WINDOW_MAX);
  }

  void onLoss(long nowNs, long roundTripNs) {
    if (nowNs - cutNs > roundTripNs) {
      cutNs = nowNs;
      frames = Math.max(MIN, frames / 2);
      careful = frames;
    }
  }
}
