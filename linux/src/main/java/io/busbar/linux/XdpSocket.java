package io.busbar.linux;

import static io.busbar.linux.PacketLayouts.SOCKADDR_XDP;
import static io.busbar.linux.PacketLayouts.XDP_DESC;
import static io.busbar.linux.PacketLayouts.XDP_RING_OFFSET;
import static io.busbar.linux.PacketLayouts.XDP_UMEM_REG;
import static io.busbar.linux.SocketNumbers.MSG_DONTWAIT;
import static io.busbar.linux.XdpNumbers.AF_XDP;
import static io.busbar.linux.XdpNumbers.SOL_XDP;
import static io.busbar.linux.XdpNumbers.XDP_COPY;
import static io.busbar.linux.XdpNumbers.XDP_MMAP_OFFSETS;
import static io.busbar.linux.XdpNumbers.XDP_PGOFF_RX_RING;
import static io.busbar.linux.XdpNumbers.XDP_PGOFF_TX_RING;
import static io.busbar.linux.XdpNumbers.XDP_RX_RING;
import static io.busbar.linux.XdpNumbers.XDP_TX_RING;
import static io.busbar.linux.XdpNumbers.XDP_UMEM_COMPLETION_RING;
import static io.busbar.linux.XdpNumbers.XDP_UMEM_FILL_RING;
import static io.busbar.linux.XdpNumbers.XDP_UMEM_PGOFF_COMPLETION_RING;
import static io.busbar.linux.XdpNumbers.XDP_UMEM_PGOFF_FILL_RING;
import static io.busbar.linux.XdpNumbers.XDP_USE_NEED_WAKEUP;
import static io.busbar.linux.XdpNumbers.XDP_ZEROCOPY;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * A socket that exchanges frames with one queue of an interface through rings, in memory of this
 * process that is cut into chunks of one size. Frames go out of that memory, and arrive in chunks
 * that were put into {@link #fill}; {@link #completion} gives back those that were sent.
 */
public final class XdpSocket implements AutoCloseable {
  private static final long DROPPED = Offsets.of(PacketLayouts.XDP_STATISTICS, "rx_dropped");
  private static final long RING_FULL = Offsets.of(PacketLayouts.XDP_STATISTICS, "rx_ring_full");

  private final SocketStatistics statistics =
      new SocketStatistics(SOL_XDP, XdpNumbers.XDP_STATISTICS, PacketLayouts.XDP_STATISTICS);
  private final NativeSocket socket;
  private final Mapping memory;
  private final XdpRing rx;
  private final XdpRing tx;
  private final XdpRing fill;
  private final XdpRing completion;
  private boolean zeroCopy;
  private boolean inPieces;

  /**
   * A socket with its memory and its rings; not at an interface yet.
   *
   * @param memory whole pages; stays open longer than the socket
   * @param chunkBytes 2,048 or 4,096
   * @param entries of each ring, a power of two
   */
  public XdpSocket(Mapping memory, int chunkBytes, int entries) {
    this.memory = memory;
    this.socket = NativeSocket.xdp();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment region = arena.allocate(XDP_UMEM_REG);
      region.set(JAVA_LONG, Offsets.of(XDP_UMEM_REG, "addr"), memory.address());
      region.set(JAVA_LONG, Offsets.of(XDP_UMEM_REG, "len"), memory.bytes());
      region.set(JAVA_INT, Offsets.of(XDP_UMEM_REG, "chunk_size"), chunkBytes);
      socket.setStructure(SOL_XDP, XdpNumbers.XDP_UMEM_REG, region, "XDP_UMEM_REG of " + memory);
      for (int ring :
          new int[] {XDP_UMEM_FILL_RING, XDP_UMEM_COMPLETION_RING, XDP_RX_RING, XDP_TX_RING}) {
        MemorySegment count = arena.allocateFrom(JAVA_INT, entries);
        socket.setStructure(SOL_XDP, ring, count, "a ring of %d entries".formatted(entries));
      }
      long offsetBytes = XDP_RING_OFFSET.byteSize();
      MemorySegment offsets = arena.allocate(4 * offsetBytes, 8);
      socket.getStructure(SOL_XDP, XDP_MMAP_OFFSETS, offsets, "XDP_MMAP_OFFSETS");
      int descriptor = (int) XDP_DESC.byteSize();
      FileDescriptor fd = socket.descriptor();
      rx = new XdpRing(fd, offsets, XDP_PGOFF_RX_RING, entries, descriptor);
      tx = new XdpRing(fd, offsets.asSlice(offsetBytes), XDP_PGOFF_TX_RING, entries, descriptor);
      fill =
          new XdpRing(
              fd, offsets.asSlice(2 * offsetBytes), XDP_UMEM_PGOFF_FILL_RING, entries, Long.BYTES);
      completion =
          new XdpRing(
              fd,
              offsets.asSlice(3 * offsetBytes),
              XDP_UMEM_PGOFF_COMPLETION_RING,
              entries,
              Long.BYTES);
    } catch (RuntimeException e) {
      socket.close();
      throw e;
    }
  }

  /**
   * Goes to a queue of an interface: without copies where its driver can, with them otherwise.
   *
   * @param inPieces whether frames may be longer than a chunk, and go on in the next
   * @throws SystemCallException with {@link Errno#EBUSY} when another process has the queue
   */
  public void bind(NetworkDevice device, int queue, boolean inPieces) {
    this.inPieces = inPieces;
    int flags = XDP_USE_NEED_WAKEUP | (inPieces ? XdpLaterNumbers.XDP_USE_SG : 0);
    int result = bind(device, queue, flags | XDP_ZEROCOPY);
    zeroCopy = result >= 0;
    if (result == -Errno.EOPNOTSUPP || result == -Errno.EINVAL) {
      result = bind(device, queue, flags | XDP_COPY);
    }
    if (result < 0) {
      throw new SystemCallException(
          "take queue %d of %s".formatted(queue, device.name()), "bind", -result);
    }
  }

  private int bind(NetworkDevice device, int queue, int flags) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment address = arena.allocate(SOCKADDR_XDP);
      address.set(JAVA_SHORT, Offsets.of(SOCKADDR_XDP, "sxdp_family"), (short) AF_XDP);
      address.set(JAVA_SHORT, Offsets.of(SOCKADDR_XDP, "sxdp_flags"), (short) flags);
      address.set(JAVA_INT, Offsets.of(SOCKADDR_XDP, "sxdp_ifindex"), device.index());
      address.set(JAVA_INT, Offsets.of(SOCKADDR_XDP, "sxdp_queue_id"), queue);
      int fd = socket.descriptor().number();
      return SocketCalls.bind(fd, address, (int) address.byteSize());
    }
  }

  /** Frames that one call sends at most where they are copied; false on a kernel before 6.17. */
  public boolean sendAtMost(int frames) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment value = arena.allocateFrom(JAVA_INT, frames);
      socket.setStructure(
          SOL_XDP, XdpLaterNumbers.XDP_MAX_TX_SKB_BUDGET, value, "XDP_MAX_TX_SKB_BUDGET");
      return true;
    } catch (SystemCallException e) {
      return false;
    }
  }

  /** Whether frames are not copied between this memory and the interface. */
  public boolean isZeroCopy() {
    return zeroCopy;
  }

  /** Whether frames may be longer than a chunk. */
  public boolean isInPieces() {
    return inPieces;
  }

  /** Sets an option that any socket has. */
  public void set(SocketOption option, int value) {
    socket.set(option, value);
  }

  /** The memory of all chunks. */
  public MemorySegment memory() {
    return memory.segment();
  }

  /** Frames that have arrived. */
  public XdpRing rx() {
    return rx;
  }

  /** Frames to send. */
  public XdpRing tx() {
    return tx;
  }

  /** Chunks for frames to arrive in. */
  public XdpRing fill() {
    return fill;
  }

  /** Chunks that were sent. */
  public XdpRing completion() {
    return completion;
  }

  /** Lets the kernel send what was put into {@link #tx}: 0, or a negated errno. */
  public int send() {
    return HotCalls.sendto(socket.descriptor().number(), 0, 0, MSG_DONTWAIT, 0, 0);
  }

  /** Lets the kernel look at {@link #fill}, and at its device: 0, or a negated errno. */
  public int receive() {
    return HotCalls.recvfrom(socket.descriptor().number(), 0, 0, MSG_DONTWAIT, 0, 0);
  }

  /** Frames that were lost because there was no chunk, or no room in {@link #rx}. */
  public long drops() {
    MemorySegment all = statistics.of(socket);
    return all.get(JAVA_LONG, DROPPED) + all.get(JAVA_LONG, RING_FULL);
  }

  /** The descriptor to sleep on. */
  public FileDescriptor descriptor() {
    return socket.descriptor();
  }

  @Override
  public void close() {
    rx.close();
    tx.close();
    fill.close();
    completion.close();
    socket.close();
  }

  @Override
  public String toString() {
    return socket.toString();
  }
}
