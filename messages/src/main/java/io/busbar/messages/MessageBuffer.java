package io.busbar.messages;

import io.busbar.messages.MessageException.Mistake;
import io.busbar.node.Buffers;
import io.busbar.node.Lane;
import io.busbar.node.Place;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Memory that has one owner at a time. Over shared memory a buffer that is given with a message, or
 * taken from one, is not copied: its owner changes. Elsewhere it is copied, and the program cannot
 * tell. Whoever owns it gives it away or closes it.
 */
public final class MessageBuffer implements AutoCloseable {
  private final Place node;
  private final MemorySegment memory;

  // Where it comes from: a pool of buffers, or a lane that keeps it for us; or nowhere.
  private final @Nullable Buffers buffers;
  private final long buffer;
  private final @Nullable Lane lane;
  private final long claim;
  private boolean owned = true;

  private MessageBuffer(
      Place node,
      MemorySegment memory,
      @Nullable Buffers buffers,
      long buffer,
      @Nullable Lane lane,
      long claim) {
    this.node = node;
    this.memory = memory;
    this.buffers = buffers;
    this.buffer = buffer;
    this.lane = lane;
    this.claim = claim;
  }

  /** A buffer of a pool. */
  static MessageBuffer pooled(Place node, MemorySegment memory, Buffers buffers, long buffer) {
    return new MessageBuffer(node, memory, buffers, buffer, null, Lane.NO_CLAIM);
  }

  /** Memory of another's that a lane keeps for us. */
  static MessageBuffer kept(Place node, MemorySegment memory, Lane lane, long claim) {
    return new MessageBuffer(node, memory, null, Buffers.NONE, lane, claim);
  }

  /** Memory of our own. */
  static MessageBuffer plain(Place node, MemorySegment memory) {
    return new MessageBuffer(node, memory, null, Buffers.NONE, null, Lane.NO_CLAIM);
  }

  /** Memory for such a buffer, which takes any layout that a buffer of a pool takes. */
  static MemorySegment fresh(int bytes) {
    int words = (int) (((long) bytes + Long.BYTES - 1) / Long.BYTES);
    return MemorySegment.ofArray(new long[words]).asSlice(0, bytes);
  }

  /** Its bytes, as long as it is owned. */
  public MemorySegment memory() {
    checkOwned();
    return memory;
  }

  void checkOwned() {
    if (!owned) {
      throw new MessageException(
          Mistake.NOT_OWNED, "the buffer was given away or closed: take another one");
    }
  }

  /** Whether it can change its owner; otherwise its bytes are sent. */
  boolean isPooled() {
    return buffers != null;
  }

  long name() {
    return buffer;
  }

  /** Somebody else owns it from now on. */
  void onGiven() {
    owned = false;
  }

  /**
   * Gives it back. A second call does nothing, nor does one after it was given away, or after the
   * messages were closed, with which its memory goes.
   */
  @Override
  public void close() {
    if (owned) {
      node.take();
      try {
        discard();
      } finally {
        node.release();
      }
    }
  }

  /** Gives it back; the driver's role is needed. */
  void discard() {
    owned = false;
    if (node.isClosed()) {
      return;
    }
    if (buffers != null) {
      buffers.free(buffer);
    } else if (lane != null) {
      lane.release(claim);
    }
  }
}
