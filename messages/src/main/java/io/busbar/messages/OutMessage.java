package io.busbar.messages;

import io.busbar.messages.MessageException.Mistake;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A message that is sent in pieces, of any number and size; the receiver need not take the same
 * ones. {@link #close} ends it. One thread uses it. When a call returns, the memory of its piece
 * may be changed.
 *
 * <pre>{@code
 * try (OutMessage out = fm.begin(peer, size, handler)) {
 *   out.send(header);
 *   out.send(body);
 * }
 * }</pre>
 */
public final class OutMessage implements AutoCloseable {
  private final Sending sending;
  private @Nullable Draft draft;

  OutMessage(Sending sending, Draft draft) {
    this.sending = sending;
    this.draft = draft;
  }

  private Draft open() {
    Draft open = draft;
    if (open == null) {
      throw new MessageException(Mistake.AFTER_END, "the message was ended before");
    }
    return open;
  }

  /** Sends all bytes of a memory. */
  public void send(MemorySegment piece) {
    send(piece, 0, piece.byteSize());
  }

  /** Sends bytes; waits while the receiver has no room, unless in a handler. */
  public void send(MemorySegment from, long at, long length) {
    Draft open = open();
    long _ = Objects.checkFromIndexSize(at, length, from.byteSize());
    try {
      open.send(from, at, length);
    } catch (MessageException e) {
      if (e.mistake() != Mistake.SIZE_EXCEEDED) {
        draft = null; // the node is gone, the time is over: some of the piece may have left
        sending.abandon(open);
      }
      throw e;
    }
  }

  /** Sends an array. */
  public void send(byte[] piece) {
    send(MemorySegment.ofArray(piece));
  }

  /** Sends a part of an array. */
  public void send(byte[] from, int at, int length) {
    send(MemorySegment.ofArray(from), at, length);
  }

  /** Sends what remains of a buffer. */
  public void send(ByteBuffer piece) {
    send(MemorySegment.ofBuffer(piece));
    piece.position(piece.limit());
  }

  /**
   * Sends the first bytes of a buffer, and gives the buffer away: over shared memory nothing is
   * copied. After a refusal it is still the caller's.
   */
  public void give(MessageBuffer buffer, int length) {
    Draft open = open();
    buffer.checkOwned();
    long _ = Objects.checkFromIndexSize(0, length, buffer.memory().byteSize());
    if (buffer.isPooled() && open.target().lane.passesBuffers() && !sending.isInHandler()) {
      open.give(buffer, length);
    } else {
      send(buffer.memory(), 0, length);
      buffer.close();
    }
  }

  /** Sends four bytes, little-endian. */
  public void sendInt(int value) {
    byte[] bytes = new byte[Integer.BYTES];
    MemorySegment.ofArray(bytes).set(Little.INT, 0, value);
    send(bytes);
  }

  /** Sends eight bytes, little-endian. */
  public void sendLong(long value) {
    byte[] bytes = new byte[Long.BYTES];
    MemorySegment.ofArray(bytes).set(Little.LONG, 0, value);
    send(bytes);
  }

  /** Sends a piece of at most 60 KB if that needs no waiting; false: nothing of it was taken. */
  public boolean trySend(MemorySegment from, long at, int length) {
    Draft open = open();
    long _ = Objects.checkFromIndexSize(at, length, from.byteSize());
    int most = open.target().lane.pieceBytesMax();
    if (length > most) {
      throw new MessageException(
          Mistake.TOO_LONG,
          "a piece of %d bytes; allowed, without waiting: %d".formatted(length, most));
    }
    return open.trySend(from, at, length);
  }

  /** Lets what was sent so far leave: less than 1 KB would wait for more, or the end. */
  public void flush() {
    open().flush();
  }

  /**
   * Ends the message. A second call does nothing.
   *
   * @throws MessageException when less was sent than was announced, or the wait for room was ended:
   *     then it is broken off, and its handler gets an exception if it has begun
   */
  @Override
  public void close() {
    Draft open = draft;
    if (open != null) {
      draft = null;
      try {
        open.end();
      } catch (MessageException e) {
        if (e.mistake() != Mistake.SIZE_UNDERSHOT) {
          sending.abandon(open); // it could not be ended in time, or be kept for later
        }
        throw e;
      }
    }
  }

  /** Ends the message if that needs no waiting; false: it is still open. */
  public boolean tryClose() {
    Draft open = draft;
    draft = null; // if less was sent than was announced it is over, too
    if (open != null && !open.tryEnd()) {
      draft = open;
    }
    return draft == null;
  }

  /** Breaks the message off: its handler gets an exception if it has begun, and nothing else. */
  public void abandon() {
    Draft open = draft;
    if (open != null) {
      draft = null;
      sending.abandon(open);
    }
  }
}
