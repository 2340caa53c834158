package io.busbar.transport;

/**
 * What this node may hold for others, in sum. Streams that are in use take windows from it. A
 * window grows while its stream uses it up; when little is free, windows above an equal share
 * shrink as their bytes are consumed, so that late comers find something. A part can be kept for
 * favored streams: they are heard though all others wait for their users.
 */
final class CreditBudget {
  private final long totalBytes;
  private long freeBytes;
  private int takers;
  private long keptBytes;

  CreditBudget(long totalBytes) {
    this.totalBytes = totalBytes;
    freeBytes = totalBytes;
  }

  /** From now on only favored streams take the last bytes. */
  void keep(long bytes) {
    keptBytes = Math.min(bytes, totalBytes >>> 1);
  }

  private long free(boolean favored) {
    return favored ? freeBytes : Math.max(0, freeBytes - keptBytes);
  }

  /**
   * A stream begins to be used: takes between {@code least} and {@code most} bytes.
   *
   * @return what was taken; 0 when not even {@code least} is free
   */
  int enter(int least, int most, boolean favored) {
    long free = free(favored);
    if (free < least) {
      return 0;
    }
    takers++;
    int taken = (int) Math.min(most, Math.max(least, free >>> 3));
    freeBytes -= taken;
    return taken;
  }

  /** Takes up to {@code most} bytes more for a window of this size; 0 when there is no room. */
  int grow(int windowBytes, int most, boolean favored) {
    if (isScarce() && windowBytes >= shareBytes()) {
      return 0;
    }
    int taken = (int) Math.min(most, free(favored) >>> 2);
    freeBytes -= taken;
    return taken;
  }

  /**
   * Gives back what a window has above its share when little is free.
   *
   * @param promisedBytes what the sender may still send: it was told, so it stays
   * @return the window's new size
   */
  int shrink(int windowBytes, long promisedBytes) {
    if (!isScarce() || windowBytes <= shareBytes()) {
      return windowBytes;
    }
    int kept = (int) Math.min(windowBytes, Math.max(shareBytes(), promisedBytes));
    freeBytes += windowBytes - kept;
    return kept;
  }

  /** A stream rests or has ended. */
  void leave(int windowBytes) {
    freeBytes += windowBytes;
    takers--;
    if (freeBytes > totalBytes || takers < 0) {
      throw new IllegalStateException("more credit was given back than was taken");
    }
  }

  long takenBytes() {
    return totalBytes - freeBytes;
  }

  private boolean isScarce() {
    return freeBytes < totalBytes >>> 2;
  }

  private long shareBytes() {
    return totalBytes / Math.max(1, takers);
  }
}
