package io.busbar.wire;

import java.lang.foreign.MemorySegment;

/**
 * A checked look at a frame. {@link #wrap} judges the bytes once; after {@link Verdict#OK} no
 * accessor can fail, and none reads beyond the frame. One view serves many frames, one at a time.
 */
public final class FrameView {
  private static final MemorySegment NOTHING = MemorySegment.ofArray(new byte[0]);

  private final boolean crcRequired;
  private final Seal seal;
  private MemorySegment segment = NOTHING;
  private long at;
  private long route;
  private long key;
  private long seq;
  private long status;

  /** A view that requires neither checksum nor seal. */
  public FrameView() {
    this(false, Seal.NONE);
  }

  /**
   * A view that refuses frames without a checksum when {@code crcRequired} (a flipped option bit
   * must not switch the check off), and frames that are not sealed when the seal is active.
   */
  public FrameView(boolean crcRequired, Seal seal) {
    this.crcRequired = crcRequired;
    this.seal = seal;
  }

  /**
   * Judges {@code available} bytes at {@code offset}; bytes past the announced end are padding.
   *
   * <p>An active seal opens the frame where it lies, so a sealed frame is wrapped once. After
   * {@link Verdict#VERSION} only the fields that no version moves may be read: {@link #version},
   * {@link #format}, {@link #to}, {@link #from} and {@link #key}; after any other refusal, none.
   */
  public Verdict wrap(MemorySegment bytes, long offset, int available) {
    if (available < Header.BYTES) {
      return Verdict.TRUNCATED;
    }
    segment = bytes;
    at = offset;
    route = bytes.get(Le.LONG, offset);
    key = bytes.get(Le.LONG, offset + Header.KEY_AT);
    seq = bytes.get(Le.LONG, offset + Header.SEQ_AT);
    status = bytes.get(Le.LONG, offset + Header.RSEQ_AT);
    if (version() != Header.VERSION) {
      return Verdict.VERSION;
    }
    int options = options();
    if ((options & ~Options.KNOWN) != 0) {
      return Verdict.OPTIONS;
    }
    int length = length();
    int tail = (options & Options.CRC) == 0 ? 0 : Crc32c.BYTES;
    tail += (options & Options.SEAL) == 0 ? 0 : Seal.BYTES;
    if (Header.BYTES + length + tail > available) {
      return Verdict.TRUNCATED;
    }
    if (from() == Header.EVERYONE) {
      return Verdict.NODES;
    }
    if (crcRequired || seal.active() || tail != 0) {
      Verdict guarded = checkGuards(bytes, offset, length, options);
      if (!guarded.ok()) {
        return guarded;
      }
    }
    return checkFormat(bytes, offset + Header.BYTES, length, options);
  }

  /** Seal outside, checksum inside: a sealed frame's checksum is sealed with it. */
  private Verdict checkGuards(MemorySegment bytes, long offset, int length, int options) {
    boolean summed = (options & Options.CRC) != 0;
    int body = Header.BYTES + length;
    if (((options & Options.SEAL) != 0) != seal.active()) {
      return Verdict.SEAL_UNEXPECTED;
    }
    if (seal.active() && !seal.open(bytes, offset, body + (summed ? Crc32c.BYTES : 0))) {
      return Verdict.SEAL_WRONG;
    }
    if (!summed) {
      return crcRequired ? Verdict.CRC_MISSING : Verdict.OK;
    }
    int sum = Crc32c.finish(Crc32c.update(Crc32c.start(), bytes, offset, body));
    return sum == Le.i32(bytes, offset + body) ? Verdict.OK : Verdict.CRC_WRONG;
  }

  private Verdict checkFormat(MemorySegment bytes, long payload, int length, int options) {
    int format = format();
    if (format >= Format.BUS) {
      return Verdict.OK;
    }
    if (format == 0 || format == Format.TCNTL) {
      return Verdict.FORMAT;
    }
    if ((options & Format.optionsRefused(format)) != 0) {
      return Verdict.OPTIONS;
    }
    if (to() == Header.EVERYONE) {
      return Verdict.NODES;
    }
    if (seq < 0 || seq + length < 0) {
      return Verdict.SEQUENCE;
    }
    return switch (format) {
      case Format.FIRST -> FirstBlock.check(bytes, payload, length);
      case Format.CNTL -> ControlBlock.check(bytes, payload, length, false);
      case Format.ECNTL -> ControlBlock.check(bytes, payload, length, true);
      case Format.DIAG -> DiagBlock.check(bytes, payload, length);
      default -> Verdict.OK;
    };
  }

  /** The bytes in which the frame lies. */
  public MemorySegment segment() {
    return segment;
  }

  /** Where the frame begins. */
  public long at() {
    return at;
  }

  /** Where the payload begins. */
  public long payloadAt() {
    return at + Header.BYTES;
  }

  /** Where the stream's bytes begin: behind FIRST's block, else at the payload. */
  public long dataAt() {
    return payloadAt() + (format() == Format.FIRST ? FirstBlock.BYTES : 0);
  }

  /** How many bytes of the stream the frame carries. */
  public int dataLength() {
    return switch (format()) {
      case Format.DATA -> length();
      case Format.FIRST -> length() - FirstBlock.BYTES;
      default -> 0;
    };
  }

  /** The version that the frame is written in. */
  public int version() {
    return (int) route >>> 4 & 0xF;
  }

  /** What kind of frame this is, a number of {@link Format}. */
  public int format() {
    return (int) route & 0xF;
  }

  /** Who above gets it. */
  public int proto() {
    return (int) route >>> 8 & 0xFF;
  }

  /** Bytes of payload; the carrier may have padded. */
  public int length() {
    return (int) route >>> 16;
  }

  /** The node it is sent to. */
  public int to() {
    return (int) (route >>> 32) & 0xFFFF;
  }

  /** The node that sent it. */
  public int from() {
    return (int) (route >>> 48);
  }

  /** The association's key; {@link Options#RTN} tells which side made it. */
  public long key() {
    return key;
  }

  /** The sequence number of the first byte, or of the datagram. */
  public long seq() {
    return seq;
  }

  /** The low 32 bits of what the sender has received without a gap. */
  public int rseqLow() {
    return (int) status;
  }

  /** How many bytes past {@code rseq} the receiver of this frame may send. */
  public long creditBytes() {
    return (status >>> 32 & 0xFFFF) * Header.CREDIT_UNIT_BYTES;
  }

  /** The credit as it stands in the header. */
  public int creditUnits() {
    return (int) (status >>> 32) & 0xFFFF;
  }

  /** The option bits. */
  public int options() {
    return (int) (status >>> 48);
  }

  /** Whether any of the given option bits is set. */
  public boolean has(int options) {
    return (options() & options) != 0;
  }
}
