package io.busbar.linux;

import static io.busbar.linux.MessageLayouts.CMSGHDR;
import static io.busbar.linux.MessageLayouts.IOVEC;
import static io.busbar.linux.MessageLayouts.MMSGHDR;
import static io.busbar.linux.MessageLayouts.MSGHDR;
import static io.busbar.linux.SocketNumbers.IPPROTO_UDP;
import static io.busbar.linux.SocketNumbers.SOL_SOCKET;
import static io.busbar.linux.SocketNumbers.SO_RXQ_OVFL;
import static io.busbar.linux.SocketNumbers.UDP_GRO;
import static io.busbar.linux.SocketNumbers.UDP_SEGMENT;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * The arguments of {@code sendmmsg} and {@code recvmmsg} in one piece of memory: the headers, then
 * of every message its parts, its address and its control messages. The headers point to the rest
 * from the beginning, so that filling a message writes a few words.
 */
final class MessageTable {
  /** What one call may carry, of messages and of parts. */
  static final int COUNT_MAX = SocketNumbers.UIO_MAXIOV;

  /** Room for the control messages of one message: UDP_GRO and SO_RXQ_OVFL take 24 bytes each. */
  static final int CONTROL_BYTES = 64;

  private static final long NAME = Offsets.of(MSGHDR, "msg_name");
  private static final long NAME_BYTES = Offsets.of(MSGHDR, "msg_namelen");
  private static final long PARTS = Offsets.of(MSGHDR, "msg_iov");
  private static final long PART_COUNT = Offsets.of(MSGHDR, "msg_iovlen");
  private static final long CONTROL = Offsets.of(MSGHDR, "msg_control");
  private static final long CONTROL_LENGTH = Offsets.of(MSGHDR, "msg_controllen");
  private static final long FLAGS = Offsets.of(MSGHDR, "msg_flags");
  private static final long LENGTH = Offsets.of(MMSGHDR, "msg_len");
  private static final long HEADER_BYTES = MMSGHDR.byteSize();

  private static final long BASE = Offsets.of(IOVEC, "iov_base");
  private static final long PART_LENGTH = Offsets.of(IOVEC, "iov_len");
  private static final long PART_BYTES = IOVEC.byteSize();

  private static final long C_LENGTH = Offsets.of(CMSGHDR, "cmsg_len");
  private static final long C_LEVEL = Offsets.of(CMSGHDR, "cmsg_level");
  private static final long C_TYPE = Offsets.of(CMSGHDR, "cmsg_type");
  private static final long C_VALUE = CMSGHDR.byteSize();

  private final int partsMax;
  private final long partsAt;
  private final long namesAt;
  private final long controlsAt;
  private final MemorySegment memory;

  MessageTable(int messages, int partsMax) {
    if (messages < 1 || messages > COUNT_MAX || partsMax < 1 || partsMax > COUNT_MAX) {
      throw new IllegalArgumentException(
          "a call carries 1 to %d messages of 1 to %d parts, not %d of %d"
              .formatted(COUNT_MAX, COUNT_MAX, messages, partsMax));
    }
    this.partsMax = partsMax;
    this.partsAt = messages * HEADER_BYTES;
    this.namesAt = partsAt + (long) messages * partsMax * PART_BYTES;
    this.controlsAt = namesAt + (long) messages * NativeAddress.BYTES_MAX;
    this.memory = Arena.ofAuto().allocate(controlsAt + (long) messages * CONTROL_BYTES, 64);
    for (int i = 0; i < messages; i++) {
      long header = header(i);
      memory.set(JAVA_LONG, header + NAME, memory.address() + nameAt(i));
      memory.set(JAVA_LONG, header + PARTS, memory.address() + partAt(i, 0));
      memory.set(JAVA_LONG, header + CONTROL, memory.address() + controlAt(i));
    }
  }

  private static long header(int message) {
    return message * HEADER_BYTES;
  }

  private long partAt(int message, int part) {
    return partsAt + ((long) message * partsMax + part) * PART_BYTES;
  }

  private long nameAt(int message) {
    return namesAt + (long) message * NativeAddress.BYTES_MAX;
  }

  private long controlAt(int message) {
    return controlsAt + (long) message * CONTROL_BYTES;
  }

  /** Where the headers from this message on are, for the kernel. */
  long address(int message) {
    return memory.address() + header(message);
  }

  /** Empties a message: no address, no parts, no control messages. */
  void reset(int message) {
    long header = header(message);
    memory.set(JAVA_INT, header + NAME_BYTES, 0);
    memory.set(JAVA_LONG, header + PART_COUNT, 0);
    memory.set(JAVA_LONG, header + CONTROL_LENGTH, 0);
    memory.set(JAVA_INT, header + FLAGS, 0);
  }

  /** Gives a message its destination. */
  void setAddress(int message, NativeAddress to) {
    int length = to.length();
    MemorySegment.copy(to.segment(), 0, memory, nameAt(message), length);
    memory.set(JAVA_INT, header(message) + NAME_BYTES, length);
  }

  /** Bytes of a message's address: 0 leaves it to the socket, and keeps the address for later. */
  int addressBytes(int message) {
    return memory.get(JAVA_INT, header(message) + NAME_BYTES);
  }

  void setAddressBytes(int message, int bytes) {
    memory.set(JAVA_INT, header(message) + NAME_BYTES, bytes);
  }

  /** Where a message came from. */
  void readAddress(int message, NativeAddress from) {
    from.copyFrom(memory, nameAt(message), memory.get(JAVA_INT, header(message) + NAME_BYTES));
  }

  /** Whether a message came from an address. */
  boolean isFrom(int message, NativeAddress address) {
    return address.equals(
        memory, nameAt(message), memory.get(JAVA_INT, header(message) + NAME_BYTES));
  }

  int partCount(int message) {
    return (int) memory.get(JAVA_LONG, header(message) + PART_COUNT);
  }

  /** Sets a part; the message has parts up to and including this one. */
  void setPart(int message, int part, long address, long length) {
    long at = partAt(message, part);
    memory.set(JAVA_LONG, at + BASE, address);
    memory.set(JAVA_LONG, at + PART_LENGTH, length);
    memory.set(JAVA_LONG, header(message) + PART_COUNT, part + 1L);
  }

  /** Adds the control message UDP_SEGMENT, whose value has two bytes. */
  void setSegmentBytes(int message, int bytes) {
    long at = controlAt(message);
    memory.set(JAVA_LONG, at + C_LENGTH, C_VALUE + JAVA_SHORT.byteSize());
    memory.set(JAVA_INT, at + C_LEVEL, IPPROTO_UDP);
    memory.set(JAVA_INT, at + C_TYPE, UDP_SEGMENT);
    memory.set(JAVA_SHORT, at + C_VALUE, (short) bytes);
    long all = align(C_VALUE + JAVA_SHORT.byteSize());
    memory.set(JAVA_LONG, header(message) + CONTROL_LENGTH, all);
  }

  /** Before the kernel writes a message here: room for any address, and for control messages. */
  void makeRoom(int message) {
    long header = header(message);
    memory.set(JAVA_INT, header + NAME_BYTES, NativeAddress.BYTES_MAX);
    memory.set(JAVA_LONG, header + CONTROL_LENGTH, CONTROL_BYTES);
  }

  /** Bytes of the message that were sent or received. */
  int length(int message) {
    return memory.get(JAVA_INT, header(message) + LENGTH);
  }

  /** Notes the bytes of a message that was received by itself. */
  void setLength(int message, int bytes) {
    memory.set(JAVA_INT, header(message) + LENGTH, bytes);
  }

  /** What the kernel said about a received message. */
  int flags(int message) {
    return memory.get(JAVA_INT, header(message) + FLAGS);
  }

  /** The value of the control message UDP_GRO, an int; 0 without one. */
  int groBytes(int message) {
    return control(message, IPPROTO_UDP, UDP_GRO);
  }

  /** The value of the control message SO_RXQ_OVFL, a count that wraps; 0 without one. */
  int overflows(int message) {
    return control(message, SOL_SOCKET, SO_RXQ_OVFL);
  }

  /** The value of a control message, an int; 0 without one. */
  private int control(int message, int level, int type) {
    long at = controlAt(message);
    long end =
        at + Math.min(memory.get(JAVA_LONG, header(message) + CONTROL_LENGTH), CONTROL_BYTES);
    while (at + C_VALUE <= end) {
      long length = memory.get(JAVA_LONG, at + C_LENGTH);
      if (length < C_VALUE || length > end - at) {
        return 0;
      }
      if (memory.get(JAVA_INT, at + C_LEVEL) == level
          && memory.get(JAVA_INT, at + C_TYPE) == type
          && length >= C_VALUE + JAVA_INT.byteSize()) {
        return memory.get(JAVA_INT, at + C_VALUE);
      }
      at += align(length);
    }
    return 0;
  }

  /** {@code CMSG_ALIGN} of {@code bits/socket.h}. */
  private static long align(long bytes) {
    return (bytes + 7) & ~7L;
  }
}
