package io.busbar.linux;

import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.StructLayout;
import java.util.Arrays;

/** Where the fields of structures are. */
final class Offsets {
  private Offsets() {}

  /** The offset of a field, named from the outside in. */
  static long of(StructLayout struct, String... path) {
    return struct.byteOffset(
        Arrays.stream(path).map(PathElement::groupElement).toArray(PathElement[]::new));
  }
}
