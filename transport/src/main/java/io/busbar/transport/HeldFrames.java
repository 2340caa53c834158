package io.busbar.transport;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * Pieces that arrived behind a gap, in order of their bytes, each where the fabric or the {@link
 * CopyStore} keeps it. They never overlap: the caller has trimmed them.
 */
final class HeldFrames {
  /** The piece ends a message. */
  static final int ENDS_MESSAGE = 1;

  /** The stream ends behind the piece. */
  static final int ENDS_STREAM = 2;

  private static final MemorySegment NOTHING = MemorySegment.ofArray(new byte[0]);
  private static final int INITIAL = 8;

  private long[] starts = new long[INITIAL];
  private int[] lengths = new int[INITIAL];
  private int[] flags = new int[INITIAL];
  private MemorySegment[] segments = new MemorySegment[INITIAL];
  private long[] offsets = new long[INITIAL];
  private long[] frames = new long[INITIAL];
  private int head;
  private int size;

  HeldFrames() {
    Arrays.fill(segments, NOTHING);
  }

  int size() {
    return size;
  }

  boolean isEmpty() {
    return size == 0;
  }

  long firstStart() {
    return starts[head];
  }

  int firstLength() {
    return lengths[head];
  }

  int firstFlags() {
    return flags[head];
  }

  MemorySegment firstSegment() {
    return segments[head];
  }

  long firstOffset() {
    return offsets[head];
  }

  /** The claim of the first piece, or {@link CopyStore#COPIED}. */
  long firstFrame() {
    return frames[head];
  }

  void removeFirst() {
    segments[head] = NOTHING;
    head = head + 1 & starts.length - 1;
    size--;
  }

  /** Puts a piece in its place; mostly that is the end. */
  void add(long start, int length, int flag, MemorySegment segment, long at, long frame) {
    if (size == starts.length) {
      grow();
    }
    int k = size++;
    while (k > 0 && starts[slot(k - 1)] > start) {
      move(slot(k - 1), slot(k));
      k--;
    }
    int i = slot(k);
    starts[i] = start;
    lengths[i] = length;
    flags[i] = flag;
    segments[i] = segment;
    offsets[i] = at;
    frames[i] = frame;
  }

  private void move(int from, int to) {
    starts[to] = starts[from];
    lengths[to] = lengths[from];
    flags[to] = flags[from];
    segments[to] = segments[from];
    offsets[to] = offsets[from];
    frames[to] = frames[from];
  }

  private int slot(int k) {
    return head + k & starts.length - 1;
  }

  private void grow() {
    int old = starts.length;
    starts = Arrays.copyOf(starts, old << 1);
    lengths = Arrays.copyOf(lengths, old << 1);
    flags = Arrays.copyOf(flags, old << 1);
    segments = Arrays.copyOf(segments, old << 1);
    Arrays.fill(segments, old, old << 1, NOTHING);
    offsets = Arrays.copyOf(offsets, old << 1);
    frames = Arrays.copyOf(frames, old << 1);
    for (int k = 0; k < head; k++) {
      move(k, old + k);
      segments[k] = NOTHING;
    }
  }
}
