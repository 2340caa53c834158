package io.busbar.wire;

import java.lang.foreign.MemorySegment;

/**
 * Cuts a stream's bytes back into records, whatever frames they came in. Feeding allocates nothing
 * and copies nothing but a header that spans two pieces.
 */
public final class RecordReader {
  /** Who gets the records. */
  public interface Sink {
    /** A record begins; its payload follows in pieces, none for length 0. */
    void onRecord(long header);

    /** The next bytes of the record that began last; {@code last} with the piece that ends it. */
    void onBytes(MemorySegment segment, long at, int length, boolean last);
  }

  private long header;
  private int headerBytes;
  private int payloadLeft;
  private int paddingLeft;
  private boolean broken;

  /** A reader at the start of a stream. */
  public RecordReader() {}

  /** Whether the stream stands between two records; never, once it is broken. */
  public boolean isAtBoundary() {
    return !broken && headerBytes == 0 && payloadLeft == 0 && paddingLeft == 0;
  }

  /**
   * Takes the next bytes of the stream.
   *
   * @return false when a header is not sound; the stream is then of no further use, and every later
   *     call returns false, too
   */
  public boolean feed(MemorySegment segment, long at, int length, Sink sink) {
    long next = at;
    long end = at + length;
    while (next < end && !broken) {
      if (payloadLeft > 0) {
        int piece = (int) Math.min(payloadLeft, end - next);
        payloadLeft -= piece;
        sink.onBytes(segment, next, piece, payloadLeft == 0);
        next += piece;
      } else if (paddingLeft > 0) {
        int piece = (int) Math.min(paddingLeft, end - next);
        paddingLeft -= piece;
        next += piece;
      } else if (headerBytes == 0 && end - next >= Records.HEADER_BYTES) {
        begin(segment.get(Le.LONG, next), sink);
        next += Records.HEADER_BYTES;
      } else {
        header = headerBytes == 0 ? 0 : header;
        header |= (long) Le.u8(segment, next) << (headerBytes << 3);
        next++;
        if (++headerBytes == Records.HEADER_BYTES) {
          headerBytes = 0;
          begin(header, sink);
        }
      }
    }
    return !broken;
  }

  private void begin(long word, Sink sink) {
    if (!Records.isSound(word)) {
      broken = true;
      return;
    }
    payloadLeft = Records.length(word);
    paddingLeft = Records.padding(payloadLeft);
    sink.onRecord(word);
  }
}
