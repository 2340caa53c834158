package io.busbar.linux;

import static io.busbar.linux.SocketNumbers.MSG_DONTWAIT;
import static io.busbar.linux.SocketNumbers.MSG_NOSIGNAL;

import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;

/**
 * Datagrams that leave in one call, each gathered from parts. It is filled, sent and cleared, again
 * and again, and allocates nothing. The memory of the parts is not copied: it stays alive and
 * unchanged until the message was sent.
 *
 * <pre>{@code
 * batch.clear();
 * batch.message(to).part(header, 0, 32).part(body, at, length);
 * int sent = batch.send(socket);
 * }</pre>
 */
public final class SendBatch {
  private static final int HOW_TO_SEND = MSG_DONTWAIT | MSG_NOSIGNAL;

  private final int messagesMax;
  private final int partsMax;
  private final MessageTable table;
  private final MemorySegment[] held;
  private int count;
  private int next;

  /**
   * A batch of its final size.
   *
   * @param messagesMax datagrams, or groups of segments, per call; at most 1,024
   * @param partsMax parts of each; at most 1,024
   */
  public SendBatch(int messagesMax, int partsMax) {
    this.table = new MessageTable(messagesMax, partsMax);
    this.messagesMax = messagesMax;
    this.partsMax = partsMax;
    this.held = new MemorySegment[messagesMax * partsMax];
  }

  /** Forgets all messages. */
  public void clear() {
    count = 0;
    next = 0;
  }

  /** Whether no further message fits. */
  public boolean isFull() {
    return count == messagesMax;
  }

  /** Messages in the batch, sent or not. */
  public int count() {
    return count;
  }

  /** Messages that are not sent yet. */
  public int remaining() {
    return count - next;
  }

  /** Begins a message to the connected peer. */
  public SendBatch message() {
    if (isFull()) {
      throw new IllegalStateException("the batch is full: send it, then clear it");
    }
    table.reset(count++);
    return this;
  }

  /** Begins a message to an address, which is copied. */
  public SendBatch message(NativeAddress to) {
    message();
    table.setAddress(count - 1, to);
    return this;
  }

  /** Appends a part to the message that was begun last. */
  public SendBatch part(MemorySegment from, long offset, long length) {
    int message = last();
    int part = table.partCount(message);
    if (part == partsMax) {
      throw new IllegalStateException("a message of this batch has at most " + partsMax + " parts");
    }
    table.setPart(message, part, Native.address(from, offset, length), length);
    held[message * partsMax + part] = from;
    return this;
  }

  /**
   * The message that was begun last leaves as datagrams of this size, of which the last may be
   * shorter: UDP_SEGMENT, on UDP sockets only, at most 64 KB in all and 64 datagrams on older
   * kernels.
   */
  public SendBatch segmentBytes(int bytes) {
    if (bytes < 1 || bytes > 0xFFFF) {
      throw new IllegalArgumentException("a segment has 1 to 65535 bytes, not " + bytes);
    }
    table.setSegmentBytes(last(), bytes);
    return this;
  }

  private int last() {
    if (count == 0) {
      throw new IllegalStateException("begin a message first");
    }
    return count - 1;
  }

  /**
   * Sends what is not sent yet, in order. Returns how many messages the kernel took in this call,
   * or a negated errno when it took none; after {@code -EAGAIN} the same call is made again later,
   * and after an error of the message itself {@link #skip} passes it over.
   */
  public int send(NativeSocket socket) {
    if (next == count) {
      return 0;
    }
    int fd = socket.descriptor().number();
    try {
      int result = HotCalls.sendmmsg(fd, table.address(next), count - next, HOW_TO_SEND);
      next += Math.max(0, result);
      return result;
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  /**
   * The same over a socket that is connected to where all messages go: their addresses are left
   * out, which saves the kernel a search for the route for each. When nothing was taken, they can
   * still be sent with their addresses.
   */
  public int sendConnected(NativeSocket socket) {
    int from = next;
    int addressBytes = from < count ? table.addressBytes(from) : 0;
    for (int i = from; i < count; i++) {
      table.setAddressBytes(i, 0);
    }
    int result = send(socket);
    for (int i = next; i < count; i++) {
      table.setAddressBytes(i, addressBytes);
    }
    return result;
  }

  /** Passes over the next message that is not sent yet. */
  public void skip() {
    if (next < count) {
      next++;
    }
  }
}
