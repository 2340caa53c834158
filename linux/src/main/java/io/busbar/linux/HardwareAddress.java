package io.busbar.linux;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.MemorySegment;
import java.util.HexFormat;

/** Ethernet addresses as numbers of 48 bits, the first byte highest. */
public final class HardwareAddress {
  /** Everyone on the segment. */
  public static final long BROADCAST = 0xFFFF_FFFF_FFFFL;

  private static final int BYTES = 6;

  private HardwareAddress() {}

  /** Reads six bytes. */
  public static long read(MemorySegment from, long offset) {
    long address = 0;
    for (int i = 0; i < BYTES; i++) {
      address = (address << 8) | (from.get(JAVA_BYTE, offset + i) & 0xFF);
    }
    return address;
  }

  /** Writes six bytes. */
  public static void write(long address, MemorySegment into, long offset) {
    for (int i = 0; i < BYTES; i++) {
      into.set(JAVA_BYTE, offset + i, (byte) (address >>> (8 * (BYTES - 1 - i))));
    }
  }

  /** As people write it: {@code 02:00:00:00:00:01}. */
  public static String text(long address) {
    byte[] bytes = new byte[BYTES];
    write(address, MemorySegment.ofArray(bytes), 0);
    return HexFormat.ofDelimiter(":").formatHex(bytes);
  }
}
