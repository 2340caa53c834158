package io.busbar.transport;

import io.busbar.wire.FrameBuilder;
import io.busbar.wire.Records;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * What the user gave to send, in order: segments of the user's, never copies (A45). An entry stays
 * until its last byte is acknowledged. A record's header and padding are made up while a frame is
 * filled; they take their place in the stream's numbering.
 */
final class SendQueue implements Parts.Part {
  private static final MemorySegment NOTHING = MemorySegment.ofArray(new byte[0]);
  private static final int INITIAL = 8;

  private MemorySegment[] segments = new MemorySegment[INITIAL];
  private long[] offsets = new long[INITIAL];
  private int[] lengths = new int[INITIAL];
  private long[] starts = new long[INITIAL];
  private long[] ends = new long[INITIAL];
  private long[] tokens = new long[INITIAL];
  private long[] headers = new long[INITIAL];
  private boolean[] endsMessage = new boolean[INITIAL];
  private int head;
  private int size;
  private int cursor;
  private boolean messageEnded;

  SendQueue() {
    Arrays.fill(segments, NOTHING);
  }

  @Override
  public void clear() {
    head = 0;
    size = 0;
    cursor = 0;
  }

  int size() {
    return size;
  }

  /** Appends an entry that begins at {@code start}; returns where the stream ends now. */
  long add(
      long start,
      MemorySegment segment,
      long at,
      int length,
      long token,
      long recordHeader,
      boolean ends) {
    if (size == segments.length) {
      grow();
    }
    int i = head + size++ & segments.length - 1;
    segments[i] = segment;
    offsets[i] = at;
    lengths[i] = length;
    starts[i] = start;
    this.ends[i] = start + (recordHeader == 0 ? length : Records.streamBytes(length));
    tokens[i] = token;
    headers[i] = recordHeader;
    endsMessage[i] = ends;
    return this.ends[i];
  }

  /** Gives back every entry whose last byte lies before {@code upTo}. The user may add more. */
  void release(long upTo, Association association, Release how) {
    while (size > 0 && ends[head] <= upTo) {
      releaseHead(association, how);
    }
  }

  private void releaseHead(Association association, Release how) {
    long token = tokens[head];
    segments[head] = NOTHING;
    head = head + 1 & segments.length - 1;
    size--;
    cursor = Math.max(0, cursor - 1);
    association.core().upcalls.onReleased(association.localKey, token, how);
  }

  /**
   * Appends the bytes from {@code from} to the frame, at most {@code room} and none at or past
   * {@code limit}; stops behind the end of a message, of which {@link #messageEnded} tells.
   *
   * @return how many bytes were appended
   */
  int fill(FrameBuilder frame, long from, long limit, int room) {
    long next = from;
    long stop = Math.min(limit, from + room);
    int mask = segments.length - 1;
    int entry = locate(from);
    messageEnded = false;
    while (next < stop && frame.hasPart()) {
      int i = head + entry & mask;
      int length = (int) (Math.min(stop, ends[i]) - next);
      next += headers[i] == 0 ? piece(frame, i, next, length) : record(frame, i, next, length);
      if (next == ends[i]) {
        entry++;
        if (endsMessage[i]) {
          messageEnded = true;
          break;
        }
      }
    }
    cursor = Math.min(entry, Math.max(0, size - 1));
    return (int) (next - from);
  }

  /** Whether the last {@link #fill} stopped because a message ended. */
  boolean messageEnded() {
    return messageEnded;
  }

  private int piece(FrameBuilder frame, int i, long from, int length) {
    frame.bytes(segments[i], offsets[i] + from - starts[i], length);
    return length;
  }

  /** Appends one kind of a record's bytes: header, payload or padding; the caller comes again. */
  private int record(FrameBuilder frame, int i, long from, int length) {
    long into = from - starts[i];
    if (into < Records.HEADER_BYTES) {
      int end = (int) Math.min(Records.HEADER_BYTES, into + length);
      frame.word(headers[i], (int) into, end);
      return (int) (end - into);
    }
    long at = into - Records.HEADER_BYTES;
    if (at < lengths[i]) {
      int bytes = (int) Math.min(length, lengths[i] - at);
      frame.bytes(segments[i], offsets[i] + at, bytes);
      return bytes;
    }
    frame.zeros(length);
    return length;
  }

  /** The entry that holds {@code seq}; in order it is the cursor's or the next one. */
  private int locate(long seq) {
    int mask = segments.length - 1;
    int near = head + cursor & mask;
    if (cursor < size && starts[near] <= seq && seq < ends[near]) {
      return cursor;
    }
    int low = 0;
    int high = size;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (ends[head + middle & mask] <= seq) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  private void grow() {
    int old = segments.length;
    MemorySegment[] s = Arrays.copyOf(segments, old << 1);
    Arrays.fill(s, old, old << 1, NOTHING);
    long[] o = new long[old << 1];
    int[] l = new int[old << 1];
    long[] b = new long[old << 1];
    long[] e = new long[old << 1];
    long[] t = new long[old << 1];
    long[] h = new long[old << 1];
    boolean[] m = new boolean[old << 1];
    for (int k = 0; k < size; k++) {
      int i = head + k & old - 1;
      s[k] = segments[i];
      o[k] = offsets[i];
      l[k] = lengths[i];
      b[k] = starts[i];
      e[k] = ends[i];
      t[k] = tokens[i];
      h[k] = headers[i];
      m[k] = endsMessage[i];
    }
    segments = s;
    offsets = o;
    lengths = l;
    starts = b;
    ends = e;
    tokens = t;
    headers = h;
    endsMessage = m;
    head = 0;
  }
}
