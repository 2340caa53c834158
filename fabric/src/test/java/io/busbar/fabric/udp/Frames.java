package io.busbar.fabric.udp;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/** Bytes to send, all different from each other. */
final class Frames {
  private Frames() {}

  /** Bytes that follow from the length and a number. */
  static byte[] one(int length, int number) {
    byte[] bytes = new byte[length];
    for (int i = 0; i < length; i++) {
      bytes[i] = (byte) (31 * i + 7 * (i >>> 8) + number);
    }
    return bytes;
  }

  /** As many as there are lengths. */
  static List<byte[]> of(int... lengths) {
    List<byte[]> frames = new ArrayList<>();
    for (int length : lengths) {
      frames.add(one(length, frames.size()));
    }
    return frames;
  }

  /** The same outside the heap. */
  static MemorySegment memory(byte[] bytes) {
    MemorySegment memory = Arena.ofAuto().allocate(bytes.length);
    MemorySegment.copy(bytes, 0, memory, JAVA_BYTE, 0, bytes.length);
    return memory;
  }

  /** Sends each by a copy; all must be taken. */
  static void transmit(UdpNic nic, int peer, List<byte[]> frames) {
    for (byte[] frame : frames) {
      long result = nic.transmit(peer, MemorySegment.ofArray(frame), 0, frame.length);
      if (result != UdpNic.DONE) {
        throw new AssertionError("refused: " + result);
      }
    }
  }
}
