package io.busbar.fabric;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/** A capture, read by somebody who knows the format from its description alone. */
final class PcapReading {
  /** A frame: when, its Ethernet header and what was kept of it in hex, and how long it was. */
  record Captured(long epochNs, String ethernet, int length, String hex) {
    byte[] bytes() {
      return HexFormat.of().parseHex(hex);
    }
  }

  private PcapReading() {}

  /** All frames; fails unless the file ends with one. */
  static List<Captured> of(byte[] file) {
    ByteBuffer in = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN);
    String header = HexFormat.of().formatHex(file, 0, 24);
    if (!header.equals(
        "4d3cb2a1" + "02000400" + "00000000" + "00000000" + "00000400" + "01000000")) {
      throw new AssertionError("the file begins with " + header);
    }
    in.position(24);
    List<Captured> frames = new ArrayList<>();
    while (in.hasRemaining()) {
      long epochNs = Integer.toUnsignedLong(in.getInt()) * 1_000_000_000 + in.getInt();
      byte[] bytes = new byte[in.getInt() - 14];
      int length = in.getInt() - 14;
      byte[] ethernet = new byte[14];
      in.get(ethernet).get(bytes);
      HexFormat hex = HexFormat.of();
      frames.add(new Captured(epochNs, hex.formatHex(ethernet), length, hex.formatHex(bytes)));
    }
    return frames;
  }
}
