package io.busbar.linux;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;

/**
 * One of the four rings of an AF_XDP socket: of two the kernel is the reader, of two the writer.
 * Cursors count on without a bound, and wrap at 32 bits.
 */
public final class XdpRing implements AutoCloseable {
  private static final VarHandle INT = JAVA_INT.varHandle();
  private static final long DESCRIPTOR_LENGTH =
      Offsets.of(PacketLayouts.XDP_DESC, "len") - Offsets.of(PacketLayouts.XDP_DESC, "addr");
  private static final long DESCRIPTOR_OPTIONS =
      Offsets.of(PacketLayouts.XDP_DESC, "options") - Offsets.of(PacketLayouts.XDP_DESC, "addr");

  private final Mapping mapping;
  private final MemorySegment memory;
  private final long producerAt;
  private final long consumerAt;
  private final long flagsAt;
  private final long entriesAt;
  private final int entryBytes;
  private final int entries;
  private final int mask;

  /** How far this side is, and how far it has seen the other side. */
  private int own;

  private int seen;

  XdpRing(FileDescriptor fd, MemorySegment offsets, long page, int entries, int entryBytes) {
    producerAt = offsets.get(JAVA_LONG, Offsets.of(PacketLayouts.XDP_RING_OFFSET, "producer"));
    consumerAt = offsets.get(JAVA_LONG, Offsets.of(PacketLayouts.XDP_RING_OFFSET, "consumer"));
    flagsAt = offsets.get(JAVA_LONG, Offsets.of(PacketLayouts.XDP_RING_OFFSET, "flags"));
    entriesAt = offsets.get(JAVA_LONG, Offsets.of(PacketLayouts.XDP_RING_OFFSET, "desc"));
    this.entries = entries;
    this.entryBytes = entryBytes;
    this.mask = entries - 1;
    this.mapping = Mapping.ofDescriptor(fd, page, entriesAt + (long) entries * entryBytes);
    this.memory = mapping.segment();
  }

  // This side writes.

  /** Entries that can be written before the next {@link #publish}; looks again when few. */
  public int room(int wanted) {
    int room = entries - (own - seen);
    if (room < wanted) {
      seen = (int) INT.getAcquire(memory, consumerAt);
      room = entries - (own - seen);
    }
    return room;
  }

  /** Writes an address. */
  public void put(long address) {
    memory.set(JAVA_LONG, entriesAt + (long) (own++ & mask) * entryBytes, address);
  }

  /** Writes a descriptor; {@code goesOn} when its frame continues in the next one. */
  public void put(long address, int length, boolean goesOn) {
    long at = entriesAt + (long) (own++ & mask) * entryBytes;
    memory.set(JAVA_LONG, at, address);
    memory.set(JAVA_INT, at + DESCRIPTOR_LENGTH, length);
    memory.set(JAVA_INT, at + DESCRIPTOR_OPTIONS, goesOn ? XdpLaterNumbers.XDP_PKT_CONTD : 0);
  }

  /** The kernel sees what was written. */
  public void publish() {
    INT.setRelease(memory, producerAt, own);
  }

  /** Entries that the kernel has not taken yet. */
  public int pending() {
    seen = (int) INT.getAcquire(memory, consumerAt);
    return own - seen;
  }

  /** Whether the kernel has to be called to take them. */
  public boolean needsCall() {
    int flags = (int) INT.getVolatile(memory, flagsAt);
    return (flags & XdpNumbers.XDP_RING_NEED_WAKEUP) != 0;
  }

  // The kernel writes.

  /** Entries that can be read; looks at the kernel's cursor when there seems to be none. */
  public int filled() {
    int filled = seen - own;
    if (filled == 0) {
      seen = (int) INT.getAcquire(memory, producerAt);
      filled = seen - own;
    }
    return filled;
  }

  /** The address in the entry that is read next. */
  public long address() {
    return memory.get(JAVA_LONG, entriesAt + (long) (own & mask) * entryBytes);
  }

  /** The length in the descriptor that is read next. */
  public int length() {
    return memory.get(JAVA_INT, entriesAt + (long) (own & mask) * entryBytes + DESCRIPTOR_LENGTH);
  }

  /** Whether the frame of the descriptor that is read next goes on in the one behind it. */
  public boolean goesOn() {
    int options =
        memory.get(JAVA_INT, entriesAt + (long) (own & mask) * entryBytes + DESCRIPTOR_OPTIONS);
    return (options & XdpLaterNumbers.XDP_PKT_CONTD) != 0;
  }

  /** Goes on to the next entry. */
  public void next() {
    own++;
  }

  /** The kernel may write again where was read. */
  public void free() {
    INT.setRelease(memory, consumerAt, own);
  }

  @Override
  public void close() {
    mapping.close();
  }
}
