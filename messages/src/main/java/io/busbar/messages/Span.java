package io.busbar.messages;

import io.busbar.node.Lane;
import java.lang.foreign.MemorySegment;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Bytes that have come, where they lie, or the start of a long message. It is a link of one {@link
 * SpanQueue}; whoever drives makes it and gets it back.
 */
final class Span {
  MemorySegment memory = MemorySegment.NULL;
  long at;
  int length;

  /** Where they lie is kept by the lane under this name, or in a chunk of copies. */
  long claim = Lane.NO_CLAIM;

  Copies.@Nullable Chunk chunk;

  /** The body that starts here, if one does. */
  @Nullable Body starts;

  /** What the program is to be told here, if this is no message. */
  @Nullable Consumer<MessageEvents> tiding;

  volatile @Nullable Span next;

  Span() {}

  void clear() {
    memory = MemorySegment.NULL;
    claim = Lane.NO_CLAIM;
    chunk = null;
    starts = null;
    tiding = null;
    next = null;
  }
}
