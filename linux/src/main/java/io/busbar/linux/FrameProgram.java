package io.busbar.linux;

/**
 * A program that decides about frames: steps are appended, and every way ends with {@link #accept}
 * or {@link #reject}. Offsets count from the Ethernet header, values are in network order, and
 * jumps count the steps that are skipped.
 */
public interface FrameProgram {
  /** Loads the byte at an offset. */
  FrameProgram loadByte(int offset);

  /** Loads two bytes at an offset. */
  FrameProgram loadShort(int offset);

  /** Loads four bytes at an offset. */
  FrameProgram loadInt(int offset);

  /** Keeps only these bits of what was loaded. */
  FrameProgram and(int bits);

  /** Skips steps by whether what was loaded equals a value. */
  FrameProgram jumpEqual(int value, int skipIfTrue, int skipIfFalse);

  /** The frame is the owner's. */
  FrameProgram accept();

  /** The frame is not the owner's. */
  FrameProgram reject();
}
