package io.busbar.linux;

import static io.busbar.linux.PacketLayouts.TPACKET2_HDR;
import static io.busbar.linux.PacketLayouts.TPACKET_REQ;
import static io.busbar.linux.PacketLayouts.TPACKET_STATS;
import static io.busbar.linux.PacketNumbers.PACKET_RX_RING;
import static io.busbar.linux.PacketNumbers.PACKET_STATISTICS;
import static io.busbar.linux.PacketNumbers.PACKET_VERSION;
import static io.busbar.linux.PacketNumbers.SOL_PACKET;
import static io.busbar.linux.PacketNumbers.TPACKET_ALIGNMENT;
import static io.busbar.linux.PacketNumbers.TPACKET_V2;
import static io.busbar.linux.PacketNumbers.TP_STATUS_KERNEL;
import static io.busbar.linux.PacketNumbers.TP_STATUS_USER;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;

/**
 * Memory in which a packet socket's frames arrive without a call: slots of one size, which the
 * kernel fills in turn, and gets back. It drops what arrives while the next slot is not its own.
 */
public final class PacketRing implements AutoCloseable {
  private static final VarHandle INT = JAVA_INT.varHandle();
  private static final long STATUS = Offsets.of(TPACKET2_HDR, "tp_status");
  private static final long LENGTH = Offsets.of(TPACKET2_HDR, "tp_len");
  private static final long CAPTURED = Offsets.of(TPACKET2_HDR, "tp_snaplen");
  private static final long FRAME = Offsets.of(TPACKET2_HDR, "tp_mac");

  private static final long DROPS = Offsets.of(TPACKET_STATS, "tp_drops");

  /** What a slot needs besides the frame: its head, the source's address, and alignment. */
  private static final int HEAD_BYTES =
      (int)
          (TPACKET2_HDR.byteSize() + SocketLayouts.SOCKADDR_LL.byteSize() + 2L * TPACKET_ALIGNMENT);

  private static final int BLOCK_BYTES_MIN = 1 << 16;

  private final NativeSocket socket;
  private final Mapping mapping;
  private final MemorySegment memory;
  private final SocketStatistics statistics =
      new SocketStatistics(SOL_PACKET, PACKET_STATISTICS, TPACKET_STATS);
  private final int slotBytes;
  private final int slots;

  /**
   * Gives a socket its ring; before it is bound, so that nothing passes by.
   *
   * @param slots a power of two
   * @param frameBytesMax the longest frame, its Ethernet header included
   */
  public PacketRing(NativeSocket socket, int slots, int frameBytesMax) {
    if (Integer.bitCount(slots) != 1) {
      throw new IllegalArgumentException("a ring has a power of two of slots, not " + slots);
    }
    this.socket = socket;
    int wanted = Math.addExact(frameBytesMax, HEAD_BYTES);
    this.slotBytes = Integer.highestOneBit(wanted - 1) << 1;
    int blockBytes = Math.max(BLOCK_BYTES_MIN, slotBytes);
    this.slots = Math.max(slots, blockBytes / slotBytes);
    long bytes = (long) this.slots * slotBytes;
    try (Arena arena = Arena.ofConfined()) {
      socket.setStructure(
          SOL_PACKET, PACKET_VERSION, arena.allocateFrom(JAVA_INT, TPACKET_V2), "TPACKET_V2");
      MemorySegment request = arena.allocate(TPACKET_REQ);
      request.set(JAVA_INT, Offsets.of(TPACKET_REQ, "tp_block_size"), blockBytes);
      request.set(JAVA_INT, Offsets.of(TPACKET_REQ, "tp_block_nr"), (int) (bytes / blockBytes));
      request.set(JAVA_INT, Offsets.of(TPACKET_REQ, "tp_frame_size"), slotBytes);
      request.set(JAVA_INT, Offsets.of(TPACKET_REQ, "tp_frame_nr"), this.slots);
      socket.setStructure(
          SOL_PACKET, PACKET_RX_RING, request, "PACKET_RX_RING of " + ByteText.of(bytes));
    }
    this.mapping = Mapping.ofDescriptor(socket.descriptor(), 0, bytes);
    this.memory = mapping.segment();
  }

  /** The memory of all slots. */
  public MemorySegment memory() {
    return memory;
  }

  /** How many there are: as asked for, or more. */
  public int slots() {
    return slots;
  }

  /** Whether the kernel has filled a slot. */
  public boolean isFilled(int slot) {
    return ((int) INT.getAcquire(memory, slot * (long) slotBytes + STATUS) & TP_STATUS_USER) != 0;
  }

  /** Bytes of the frame in a filled slot, as it was on the wire, Ethernet header included. */
  public int length(int slot) {
    return memory.get(JAVA_INT, slot * (long) slotBytes + LENGTH);
  }

  /** Whether the frame was longer than the slot. */
  public boolean isTruncated(int slot) {
    return memory.get(JAVA_INT, slot * (long) slotBytes + CAPTURED) < length(slot);
  }

  /** Where in {@link #memory} the frame begins, with its Ethernet header. */
  public long at(int slot) {
    long slotAt = slot * (long) slotBytes;
    return slotAt + (memory.get(JAVA_SHORT, slotAt + FRAME) & 0xFFFF);
  }

  /** Gives a slot back to the kernel. */
  public void free(int slot) {
    INT.setRelease(memory, slot * (long) slotBytes + STATUS, TP_STATUS_KERNEL);
  }

  /** Frames that found no free slot since the last time that this was asked. */
  public int drops() {
    return statistics.of(socket).get(JAVA_INT, DROPS);
  }

  /** Unmaps the ring; the socket keeps it until it is closed. */
  @Override
  public void close() {
    mapping.close();
  }
}
