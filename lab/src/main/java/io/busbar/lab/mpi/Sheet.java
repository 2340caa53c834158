package io.busbar.lab.mpi;

import io.busbar.lab.Pattern;
import io.busbar.mpi.Datatype;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/** Memory for a message: in one piece, or in blocks with gaps. */
final class Sheet {
  private static final int BLOCK = 24;
  private static final int STRIDE = 40;
  private static final byte BLANK = 0x33;

  private final boolean hasGaps;
  private final Datatype type;
  private final int count;
  private final byte[] memory;

  private Sheet(boolean hasGaps, Datatype type, int count, int bytes) {
    this.hasGaps = hasGaps;
    this.type = type;
    this.count = count;
    memory = blank(bytes);
  }

  private static byte[] blank(int bytes) {
    byte[] made = new byte[bytes];
    Arrays.fill(made, BLANK);
    return made;
  }

  /** For so many bytes, or, with gaps, for a few more. */
  static Sheet of(int bytes, boolean hasGaps) {
    if (!hasGaps || bytes == 0) {
      return new Sheet(false, Datatype.BYTE, bytes, bytes);
    }
    int blocks = blocks(bytes);
    Datatype gapped = Datatype.vector(blocks, BLOCK, STRIDE, Datatype.BYTE);
    return new Sheet(true, gapped, 1, blocks * STRIDE);
  }

  private static int blocks(int bytes) {
    return (bytes + BLOCK - 1) / BLOCK;
  }

  /** How many bytes one for so many has. */
  static int room(int bytes, boolean hasGaps) {
    return hasGaps ? blocks(bytes) * BLOCK : bytes;
  }

  byte[] memory() {
    return memory;
  }

  Datatype type() {
    return type;
  }

  int count() {
    return count;
  }

  private byte[] written(long flow, int length) {
    byte[] bytes = new byte[length];
    Pattern.write(MemorySegment.ofArray(bytes), 0, length, flow, 0);
    byte[] all = blank(memory.length);
    if (!hasGaps) {
      System.arraycopy(bytes, 0, all, 0, length);
      return all;
    }
    for (int at = 0; at < length; at += BLOCK) {
      System.arraycopy(bytes, at, all, at / BLOCK * STRIDE, Math.min(BLOCK, length - at));
    }
    return all;
  }

  void write(Letter letter) {
    byte[] all = written(letter.flow, letter.length);
    System.arraycopy(all, 0, memory, 0, all.length);
  }

  /** What was sent may be changed now, and is. */
  void spoil() {
    Arrays.fill(memory, (byte) 0x55);
  }

  /** Whether it has a letter's bytes, and nothing else was touched. */
  boolean has(Letter letter) {
    return letter.length <= memory.length
        && Arrays.equals(memory, written(letter.flow, letter.length));
  }
}
