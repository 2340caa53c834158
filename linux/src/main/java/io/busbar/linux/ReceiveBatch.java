package io.busbar.linux;

import static io.busbar.linux.SocketNumbers.MSG_DONTWAIT;
import static io.busbar.linux.SocketNumbers.MSG_TRUNC;

import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.util.Objects;

/**
 * Slots that datagrams arrive in, several in one call. Slots keep their memory from call to call
 * until it is replaced; receiving allocates nothing. A socket with UDP_GRO fills a slot with
 * several datagrams of one size, so its slots have 64 KB.
 */
public final class ReceiveBatch {
  private final MessageTable table;
  private final MemorySegment[] held;
  private int count;

  /**
   * A batch of its final size.
   *
   * @param slots datagrams, or groups of them, per call; at most 1,024
   */
  public ReceiveBatch(int slots) {
    this.table = new MessageTable(slots, 1);
    this.held = new MemorySegment[slots];
    for (int i = 0; i < slots; i++) {
      table.reset(i);
    }
  }

  /** Slots of the batch. */
  public int slots() {
    return held.length;
  }

  /** Gives a slot its memory, which stays alive until it is replaced. */
  public void slot(int slot, MemorySegment into, long offset, long length) {
    Objects.checkIndex(slot, held.length);
    table.setPart(slot, 0, Native.address(into, offset, length), length);
    held[slot] = into;
  }

  /**
   * Receives into the first slots what has arrived, at most {@code slotsMax} messages. Returns how
   * many, or a negated errno: {@code -EAGAIN} when nothing has arrived.
   */
  public int receive(NativeSocket socket, int slotsMax) {
    Objects.checkFromIndexSize(0, slotsMax, held.length);
    if (slotsMax == 1) {
      return receiveOne(socket);
    }
    count = 0;
    for (int i = 0; i < slotsMax; i++) {
      table.makeRoom(i);
    }
    int fd = socket.descriptor().number();
    try {
      int result = HotCalls.recvmmsg(fd, table.address(0), slotsMax, MSG_DONTWAIT);
      count = Math.max(0, result);
      return result;
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  /** By the call for one, which costs less. */
  private int receiveOne(NativeSocket socket) {
    count = 0;
    table.makeRoom(0);
    try {
      int result = HotCalls.recvmsg(socket.descriptor().number(), table.address(0), MSG_DONTWAIT);
      if (result < 0) {
        return result;
      }
      table.setLength(0, result);
      count = 1;
      return 1;
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  /** Messages that the last call received. */
  public int count() {
    return count;
  }

  /** Bytes in a slot that the last call filled. */
  public int bytes(int slot) {
    return table.length(Objects.checkIndex(slot, count));
  }

  /**
   * Bytes of each datagram in the slot, of which the last may be shorter; the slot's own bytes when
   * it holds a single one.
   */
  public int segmentBytes(int slot) {
    int bytes = table.groBytes(Objects.checkIndex(slot, count));
    return bytes > 0 ? bytes : table.length(slot);
  }

  /** Whether the slot was too small and the rest of the datagram is lost. */
  public boolean isTruncated(int slot) {
    return (table.flags(Objects.checkIndex(slot, count)) & MSG_TRUNC) != 0;
  }

  /**
   * Datagrams that had no room in the socket before this one, since it was opened, as a count that
   * wraps at 32 bits; 0 when there were none, or the socket has no SO_RXQ_OVFL.
   */
  public int overflows(int slot) {
    return table.overflows(Objects.checkIndex(slot, count));
  }

  /** Whether the message came from this address, as {@link #from} would write it. */
  public boolean isFrom(int slot, NativeAddress address) {
    return table.isFrom(Objects.checkIndex(slot, count), address);
  }

  /** Where the message came from. */
  public void from(int slot, NativeAddress address) {
    table.readAddress(Objects.checkIndex(slot, count), address);
  }
}
