package io.busbar.wire;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/**
 * A frame on its way out, as a list of parts: small pieces are copied into the builder's scratch
 * and merge with what lies before them, large ones stay where the caller has them. The parts are
 * valid until the next {@link #begin}.
 *
 * <p>Order of calls: {@code begin}, any of {@code word}, {@code zeros}, {@code bytes} or a block in
 * {@link #scratch}, then {@code finish}.
 */
public final class FrameBuilder {
  /** Pieces shorter than this are copied: an I/O vector entry costs about as much. */
  static final int COPY_BELOW_BYTES = 256;

  /** A frame has at most this many parts; the kernel's limit for one call is 1024. */
  public static final int PARTS_MAX = 64;

  private final MemorySegment scratch;
  private final boolean crc;
  private final Seal seal;
  private final MemorySegment[] segments = new MemorySegment[PARTS_MAX];
  private final long[] offsets = new long[PARTS_MAX];
  private final int[] lengths = new int[PARTS_MAX];
  private int parts;
  private int scratchUsed;
  private int bytes;

  /** Whether the last part is scratch's: what scratch gives out next lies right behind it. */
  private boolean endsInScratch;

  /**
   * A builder whose frames have at most {@code scratch.byteSize()} bytes.
   *
   * @param scratch memory of the caller's; native when frames go to the kernel
   * @param crc whether frames get a checksum
   */
  public FrameBuilder(MemorySegment scratch, boolean crc, Seal seal) {
    this.scratch = scratch;
    this.crc = crc;
    this.seal = seal;
    Arrays.fill(segments, scratch);
  }

  /** How many bytes checksum and seal add to every frame. */
  public static int guardBytes(boolean crc, Seal seal) {
    return (crc ? Crc32c.BYTES : 0) + (seal.active() ? Seal.BYTES : 0);
  }

  /** Starts a frame: room for the header, nothing behind it. */
  public void begin() {
    segments[0] = scratch;
    offsets[0] = 0;
    lengths[0] = Header.BYTES;
    parts = 1;
    scratchUsed = Header.BYTES;
    bytes = Header.BYTES;
    endsInScratch = true;
  }

  /** Bytes of payload so far; ask before {@link #finish}, which adds the guards. */
  public int payloadBytes() {
    return bytes - Header.BYTES;
  }

  /** Whether another piece, of any kind, still finds a part to go to (and the tail, too). */
  public boolean hasPart() {
    return parts <= PARTS_MAX - 3;
  }

  /** Reserves {@code length} bytes of scratch as payload and returns where they are. */
  public long reserve(int length) {
    int from = scratchUsed;
    if (length == 0) {
      return from;
    }
    if (endsInScratch) {
      lengths[parts - 1] += length;
    } else {
      add(scratch, from, length);
      endsInScratch = true;
    }
    scratchUsed += length;
    bytes += length;
    return from;
  }

  /** The memory that {@link #reserve} hands out. */
  public MemorySegment scratch() {
    return scratch;
  }

  /** Appends bytes {@code from} (inclusive) to {@code to} of a little-endian word. */
  public void word(long word, int from, int to) {
    long at = reserve(to - from);
    if (to - from == Long.BYTES) {
      scratch.set(Le.LONG, at, word);
      return;
    }
    for (int i = from; i < to; i++) {
      scratch.set(ValueLayout.JAVA_BYTE, at + i - from, (byte) (word >>> (i << 3)));
    }
  }

  /** Appends {@code length} zero bytes. */
  public void zeros(int length) {
    long at = reserve(length);
    for (int i = 0; i < length; i++) {
      scratch.set(ValueLayout.JAVA_BYTE, at + i, (byte) 0);
    }
  }

  /** Appends bytes of the caller's, by copy when they are few. */
  public void bytes(MemorySegment from, long at, int length) {
    if (length < COPY_BELOW_BYTES) {
      long to = reserve(length);
      MemorySegment.copy(from, at, scratch, to, length);
    } else {
      add(from, at, length);
      endsInScratch = false;
      bytes += length;
    }
  }

  private void add(MemorySegment segment, long at, int length) {
    segments[parts] = segment;
    offsets[parts] = at;
    lengths[parts] = length;
    parts++;
  }

  /**
   * Writes the header in front, and checksum and seal behind.
   *
   * @throws IllegalStateException when the payload is longer than a header can say
   */
  public void finish(
      int format,
      int proto,
      int to,
      int from,
      long key,
      long seq,
      long rseq,
      int creditUnits,
      int options) {
    if (payloadBytes() > Header.PAYLOAD_BYTES_MAX) {
      throw new IllegalStateException(
          "payload of " + payloadBytes() + " bytes; a frame holds " + Header.PAYLOAD_BYTES_MAX);
    }
    int guards = (crc ? Options.CRC : 0) | (seal.active() ? Options.SEAL : 0);
    Header.write(
        scratch,
        0,
        format,
        proto,
        payloadBytes(),
        to,
        from,
        key,
        seq,
        rseq,
        creditUnits,
        options | guards);
    if (guards == 0) {
      return;
    }
    if (seal.active()) {
      gather();
    }
    if (crc) {
      int state = Crc32c.start();
      for (int i = 0; i < parts; i++) {
        state = Crc32c.update(state, segments[i], offsets[i], lengths[i]);
      }
      scratch.set(Le.INT, reserve(Crc32c.BYTES), Crc32c.finish(state));
    }
    if (seal.active()) {
      int length = bytes;
      reserve(Seal.BYTES);
      seal.seal(scratch, 0, length);
    }
  }

  /**
   * A sealed frame lies in one piece: copies every part to its place, last first; part 0 is there.
   */
  private void gather() {
    int end = bytes;
    for (int i = parts - 1; i > 0; i--) {
      end -= lengths[i];
      MemorySegment.copy(segments[i], offsets[i], scratch, end, lengths[i]);
    }
    lengths[0] = bytes;
    parts = 1;
    scratchUsed = bytes;
    endsInScratch = true;
  }

  /** Bytes of the whole frame. */
  public int frameBytes() {
    return bytes;
  }

  /** How many parts the frame has. */
  public int parts() {
    return parts;
  }

  /** The memory of part {@code i}. */
  public MemorySegment segment(int i) {
    return segments[i];
  }

  /** Where part {@code i} begins. */
  public long offset(int i) {
    return offsets[i];
  }

  /** Bytes of part {@code i}. */
  public int length(int i) {
    return lengths[i];
  }

  /** Copies the frame into one piece, as a carrier without gathering does. */
  public void copyTo(MemorySegment to, long at) {
    long end = at;
    for (int i = 0; i < parts; i++) {
      MemorySegment.copy(segments[i], offsets[i], to, end, lengths[i]);
      end += lengths[i];
    }
  }
}
