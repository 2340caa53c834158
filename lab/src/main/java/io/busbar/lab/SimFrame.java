package io.busbar.lab;

import java.lang.foreign.MemorySegment;

/** A frame on its way, with a buffer that is used again. */
final class SimFrame {
  final MemorySegment bytes;
  int from;
  int to;
  int length;
  int references;

  SimFrame(int capacity) {
    bytes = MemorySegment.ofArray(new byte[capacity]);
  }
}
