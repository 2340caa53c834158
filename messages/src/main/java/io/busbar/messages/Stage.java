package io.busbar.messages;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** Room in which the pieces of a message are gathered before they leave. */
final class Stage {
  static final int BYTES = Messages.WHOLE_BYTES_MAX;

  final MemorySegment memory = Arena.ofAuto().allocate(BYTES, 64);

  /** Its place among the stages of its peer; negative for one that is used once. */
  final int index;

  int filled;

  /** Whose pieces it has had last. */
  @Nullable Draft owner;

  Stage(int index) {
    this.index = index;
  }
}
