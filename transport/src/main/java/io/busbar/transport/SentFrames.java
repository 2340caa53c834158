package io.busbar.transport;

/**
 * The frames between the first unacknowledged byte and the next new one, in order of their bytes;
 * each with the time and the number of its last transmission. Frames keep their cuts when they are
 * repaired, so one entry stands for one range of bytes.
 */
final class SentFrames {
  /** Most frames in flight per association: the longest window in 1 KB frames, twice. */
  static final int MAX = 8192;

  private static final byte ON_ITS_WAY = 0;
  private static final byte ARRIVED = 1;
  private static final byte LOST = 2;
  private static final int INITIAL = 16;

  private long[] ends = new long[INITIAL];
  private int[] lengths = new int[INITIAL];
  private long[] sentNs = new long[INITIAL];
  private int[] numbers = new int[INITIAL];
  private byte[] states = new byte[INITIAL];
  private boolean[] repaired = new boolean[INITIAL];
  private int head;
  private int size;
  private int lost;
  private int lostHint;
  private long onTheirWayBytes;

  private boolean heard;
  private int newestNumber;
  private long newestSentNs;

  int size() {
    return size;
  }

  boolean isFull() {
    return size == MAX;
  }

  /** Bytes sent and neither acknowledged, reported nor given up. */
  long onTheirWayBytes() {
    return onTheirWayBytes;
  }

  /** How many frames wait to be repaired. */
  int lost() {
    return lost;
  }

  /** Adds a frame that leaves for the first time. */
  void add(long start, int length, long nowNs, int number) {
    if (size == ends.length) {
      grow();
    }
    int i = slot(size++);
    ends[i] = start + length;
    lengths[i] = length;
    sentNs[i] = nowNs;
    numbers[i] = number;
    states[i] = ON_ITS_WAY;
    repaired[i] = false;
    onTheirWayBytes += length;
  }

  /** The first frame that waits for repair, by position; call only when {@link #lost} says so. */
  int firstLost() {
    for (int k = lostHint; k < size; k++) {
      if (states[slot(k)] == LOST) {
        lostHint = k;
        return k;
      }
    }
    throw new IllegalStateException("no frame waits for repair, though " + lost + " were counted");
  }

  long start(int k) {
    int i = slot(k);
    return ends[i] - lengths[i];
  }

  int length(int k) {
    return lengths[slot(k)];
  }

  /** Frame {@code k} has left again. */
  void onRepaired(int k, long nowNs, int number) {
    int i = slot(k);
    states[i] = ON_ITS_WAY;
    repaired[i] = true;
    sentNs[i] = nowNs;
    numbers[i] = number;
    lost--;
    onTheirWayBytes += lengths[i];
  }

  /** The frame that ends at {@code end} and was sent once, by position; -1 when there is none. */
  int findOnce(long end) {
    int k = firstEndingAt(end);
    if (k == size) {
      return -1;
    }
    int i = slot(k);
    return ends[i] == end && !repaired[i] ? k : -1;
  }

  long sentNs(int k) {
    return sentNs[slot(k)];
  }

  /** Everything before {@code rseq} has arrived; returns how many bytes that were on their way. */
  int onAcked(long rseq) {
    long before = onTheirWayBytes;
    while (size > 0 && ends[head] <= rseq) {
      leave(head);
      head = head + 1 & ends.length - 1;
      size--;
      lostHint = Math.max(0, lostHint - 1);
    }
    return (int) (before - onTheirWayBytes);
  }

  /**
   * Everything from {@code from} to {@code to} has arrived; returns bytes that were on their way.
   */
  int onSpan(long from, long to) {
    long before = onTheirWayBytes;
    for (int k = firstEndingAt(from + 1); k < size; k++) {
      int i = slot(k);
      if (ends[i] > to) {
        break;
      }
      if (ends[i] - lengths[i] >= from) {
        leave(i);
      }
    }
    return (int) (before - onTheirWayBytes);
  }

  /**
   * Gives up frames that end at or before {@code edge} and were sent before the newest one that
   * arrived, by more than {@code allowanceNs}.
   *
   * @return how many bytes were found lost
   */
  int giveUpBefore(long edge, long allowanceNs) {
    if (!heard) {
      return 0;
    }
    long before = onTheirWayBytes;
    for (int k = 0; k < size; k++) {
      int i = slot(k);
      if (ends[i] > edge) {
        break;
      }
      boolean older =
          numbers[i] - newestNumber < 0
              && newestSentNs - sentNs[i] >= (repaired[i] ? allowanceNs : 0);
      if (states[i] == ON_ITS_WAY && older) {
        giveUp(k, i);
      }
    }
    return (int) (before - onTheirWayBytes);
  }

  /** Gives up every frame that left before number {@code number}: both ends have synchronised. */
  int giveUpOlderThan(int number) {
    long before = onTheirWayBytes;
    for (int k = 0; k < size; k++) {
      int i = slot(k);
      if (states[i] == ON_ITS_WAY && numbers[i] - number < 0) {
        giveUp(k, i);
      }
    }
    return (int) (before - onTheirWayBytes);
  }

  /** The number of the newest frame that arrived; meaningful after something arrived. */
  int newestNumber() {
    return newestNumber;
  }

  void clear() {
    head = 0;
    size = 0;
    lost = 0;
    lostHint = 0;
    onTheirWayBytes = 0;
    heard = false;
  }

  private void giveUp(int k, int i) {
    states[i] = LOST;
    onTheirWayBytes -= lengths[i];
    lost++;
    lostHint = Math.min(lostHint, k);
  }

  private void leave(int i) {
    if (states[i] == ARRIVED) {
      return;
    }
    if (states[i] == LOST) {
      lost--;
    } else {
      onTheirWayBytes -= lengths[i];
    }
    states[i] = ARRIVED;
    if (!heard || numbers[i] - newestNumber > 0) {
      heard = true;
      newestNumber = numbers[i];
      newestSentNs = sentNs[i];
    }
  }

  /** Position of the first frame that ends at or behind {@code end}. */
  private int firstEndingAt(long end) {
    int low = 0;
    int high = size;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (ends[slot(middle)] < end) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  private int slot(int k) {
    return head + k & ends.length - 1;
  }

  private void grow() {
    int old = ends.length;
    long[] e = new long[old << 1];
    int[] l = new int[old << 1];
    long[] t = new long[old << 1];
    int[] n = new int[old << 1];
    byte[] s = new byte[old << 1];
    boolean[] r = new boolean[old << 1];
    for (int k = 0; k < size; k++) {
      int i = slot(k);
      e[k] = ends[i];
      l[k] = lengths[i];
      t[k] = sentNs[i];
      n[k] = numbers[i];
      s[k] = states[i];
      r[k] = repaired[i];
    }
    ends = e;
    lengths = l;
    sentNs = t;
    numbers = n;
    states = s;
    repaired = r;
    head = 0;
  }
}
