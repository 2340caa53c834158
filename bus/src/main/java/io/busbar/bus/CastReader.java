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

  /** The most that it ever took beyond what it had. */
  int most;

  /**
   * Since when it holds its sender back without getting far; {@link CastCore#NEVER}: not at all.
   */
  private long slowNs = CastCore.NEVER;

  /** What it had then. */
  private long slowHas;

  /** Whether what it says shows that it knows where it begins; a former reader may not. */
  boolean confirmed;

  /** How often it has asked to be taken in since it last said that it had begun. */
  int asks;

  /**
   * One that begins.
   *
   * @param frames that it takes from the start on
   */
  CastReader(int id, long life, long start, long message, int frames) {
    this.id = id;
    this.life = life;
    this.start = start;
    this.message = message;
    this.has = start;
    this.limit = start + frames;
    this.most = frames;
  }

  /**
   * It says what it has, and up to where it takes more. What it says last holds: of frames that
   * have become longer it takes fewer.
   *
   * @return whether that is news
   */
  boolean hear(long hasNow, long upTo) {
    boolean isNews = hasNow > has || (hasNow == has && upTo > limit);
    if (isNews) {
      has = hasNow;
      limit = upTo;
      most = Math.max(most, (int) (upTo - hasNow));
    }
    return isNews;
  }

  /**
   * It is looked at, while its sender waits for somebody.
   *
   * @param slow whether that may be this one
   * @param frames whoever got so many since is slow from now on
   * @return since when it is slow
   */
  long slowSince(long nowNs, boolean slow, int frames) {
    if (!slow) {
      slowNs = CastCore.NEVER;
    } else if (slowNs == CastCore.NEVER || has - slowHas >= frames) {
      slowNs = nowNs;
      slowHas = has;
    }
    return slowNs;
  }

  void forgetSlow() {
    slowNs = CastCore.NEVER;
  }

  /** Nobody could have heard of its progress for so long. */
  void forgive(long ns) {
    slowNs = slowNs == CastCore.NEVER ? slowNs : slowNs + ns;
  }
}
