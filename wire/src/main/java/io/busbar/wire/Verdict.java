package io.busbar.wire;

/** What {@link FrameView#wrap} says of a byte string. Everything but OK changes nothing. */
public enum Verdict {
  /** A well-formed frame. */
  OK,
  /** Fewer bytes than a header, or than the header announces. */
  TRUNCATED,
  /** A version that this code does not speak. */
  VERSION,
  /** A format without a meaning. */
  FORMAT,
  /** An option bit without a meaning, or one that its format does not allow. */
  OPTIONS,
  /** The sender names itself "everyone", or a point-to-point frame is sent to everyone. */
  NODES,
  /** A sequence number or window edge that is negative, or that runs backwards. */
  SEQUENCE,
  /** A payload too short for its block, or a block that contradicts itself. */
  BLOCK,
  /** Spans that are empty, out of order, overlapping, or too many. */
  SPANS,
  /** The checksum is required and missing. */
  CRC_MISSING,
  /** The checksum does not match. */
  CRC_WRONG,
  /** Sealed, and there is no key to open it; or unsealed where a seal is required. */
  SEAL_UNEXPECTED,
  /** The seal does not open. */
  SEAL_WRONG;

  /** Whether the frame may be read. */
  public boolean ok() {
    return this == OK;
  }
}
