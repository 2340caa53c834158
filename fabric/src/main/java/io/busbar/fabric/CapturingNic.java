package io.busbar.fabric;

import io.busbar.memory.Pool;
import io.busbar.memory.Role;
import io.busbar.wire.FrameBuilder;
import io.busbar.wire.Header;
import java.lang.foreign.MemorySegment;
import java.time.Instant;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * Writes every frame that is taken to be sent, and every frame that is delivered, to a {@link
 * PcapFile}, which {@code docs/wire/busbar.lua} explains to Wireshark. It changes nothing, and
 * allocates nothing.
 *
 * <p>Frames get an Ethernet header, whatever carries them. On carriers that lose frames they begin
 * with Busbar's header: EtherType {@link #ETHER_FRAME}, and node N is {@code 02:bb:00:00} and N. On
 * {@link NicCapability#RELIABLE} ones a frame is a record and names no node: EtherType {@link
 * #ETHER_RECORD}, peer N of this interface is {@code 02:bb:00:01} and N, and the interface itself
 * {@code 02:bb:00:ff:ff:ff}.
 *
 * <p>What is gathered goes to the file when the buffer is full, when the caller is about to sleep,
 * and at {@link #flushCapture}. Put it over the other decorators, to see what its user sees.
 */
public final class CapturingNic extends ForwardingNic {
  /** A frame that begins with Busbar's header: the first EtherType for local experiments. */
  public static final int ETHER_FRAME = 0x88B5;

  /** A frame that is one record: the second EtherType for local experiments. */
  public static final int ETHER_RECORD = 0x88B6;

  private static final FrameReceiver NOBODY = (peer, memory, offset, length, frame) -> {};
  private static final long NODE = 0x02BB_0000_0000L;
  private static final long PEER = 0x02BB_0001_0000L;
  private static final long SELF = 0x02BB_00FF_FFFFL;
  private static final long STRANGER_ADDRESS = 0x02BB_00FF_FFFEL;
  private static final long BROADCAST = 0xFFFF_FFFF_FFFFL;
  private static final long NS_PER_S = 1_000_000_000;

  private final PcapFile file;
  private final LongSupplier epochNs;
  private final boolean records;
  private final boolean passesBuffers;
  private final FrameReceiver arrivals = this::onFrame;
  private FrameReceiver receiver = NOBODY;
  private int reservedFor;
  private long reservedAt = FULL;
  private int reservedBytes;

  /**
   * Over any interface; the file belongs to it, and is closed with it.
   *
   * @param epochNs the time, in nanoseconds since 1970: {@link #wallClock}, or a virtual one
   */
  public CapturingNic(Nic below, PcapFile file, LongSupplier epochNs) {
    super(below);
    this.file = file;
    this.epochNs = epochNs;
    Set<NicCapability> can = below.capabilities();
    records = can.contains(NicCapability.RELIABLE);
    passesBuffers = can.contains(NicCapability.OWNERSHIP);
  }

  /** Nanoseconds since 1970, in the steps of {@link System#nanoTime}; it allocates nothing. */
  public static LongSupplier wallClock() {
    Instant now = Instant.now();
    long startNs = now.getEpochSecond() * NS_PER_S + now.getNano() - System.nanoTime();
    return () -> startNs + System.nanoTime();
  }

  /** Lets what was captured go to the file. */
  public void flushCapture() {
    file.flush();
  }

  // Sending: a frame counts when it was taken.

  @Override
  public long reserve(int peer, int length) {
    reservedFor = peer;
    reservedBytes = length;
    reservedAt = FULL;
    reservedAt = below.reserve(peer, length);
    return reservedAt;
  }

  /** Afterwards the bytes may be the receiver's already, so they are looked at before. */
  @Override
  public void commit(int length) {
    boolean sound = Nic.isTicket(reservedAt) && length >= 0 && length <= reservedBytes;
    if (sound) {
      beginSent(reservedFor, below.transmitMemory(), reservedAt, length);
    }
    reservedAt = FULL;
    below.commit(length);
    if (sound) {
      file.end();
    }
  }

  @Override
  public void abandon() {
    reservedAt = FULL;
    below.abandon();
  }

  @Override
  public long transmit(int peer, MemorySegment from, long offset, int length) {
    long result = below.transmit(peer, from, offset, length);
    if (Nic.isTicket(result)) {
      beginSent(peer, from, offset, length);
      file.end();
    }
    return result;
  }

  /** The header stands in the first part. */
  @Override
  public long transmit(int peer, FrameBuilder frame) {
    long result = below.transmit(peer, frame);
    if (Nic.isTicket(result)) {
      beginSent(peer, frame.segment(0), frame.offset(0), frame.length(0));
      for (int i = 1; i < frame.parts(); i++) {
        file.add(frame.segment(i), frame.offset(i), frame.length(i));
      }
      file.end();
    }
    return result;
  }

  /** As {@link #commit}; a buffer that is not the caller's is not looked at. */
  @Override
  public long transfer(int peer, long handle, Role from, int length) {
    boolean sound = passesBuffers && length >= 0 && below.pool().holds(handle, from, length);
    if (sound) {
      Pool pool = below.pool();
      beginSent(peer, pool.segment(handle, from), 0, length);
    }
    long result = below.transfer(peer, handle, from, length);
    if (sound && Nic.isTicket(result)) {
      file.end();
    }
    return result;
  }

  private void beginSent(int peer, MemorySegment memory, long offset, int length) {
    begin(ethernet(peer), SELF, memory, offset, length);
  }

  // Receiving: a frame is written before its receiver answers it.

  @Override
  public int poll(FrameReceiver to, int budget) {
    FrameReceiver outer = receiver;
    receiver = to;
    try {
      return below.poll(arrivals, budget);
    } finally {
      receiver = outer;
    }
  }

  private void onFrame(int peer, MemorySegment memory, long offset, int length, long frame) {
    begin(SELF, ethernet(peer), memory, offset, length);
    file.end();
    receiver.onFrame(peer, memory, offset, length, frame);
  }

  private void begin(long to, long from, MemorySegment memory, long offset, int length) {
    long now = epochNs.getAsLong();
    if (records) {
      file.begin(now, ETHER_RECORD, to, from);
    } else if (length < Header.ROUTE_BYTES) {
      file.begin(now, ETHER_FRAME, to, from);
    } else {
      int node = Header.to(memory, offset);
      long toNode = node == Header.EVERYONE ? BROADCAST : NODE | node;
      file.begin(now, ETHER_FRAME, toNode, NODE | Header.from(memory, offset));
    }
    file.add(memory, offset, length);
  }

  private static long ethernet(int peer) {
    return switch (peer) {
      case EVERYONE -> BROADCAST;
      case STRANGER -> STRANGER_ADDRESS;
      default -> PEER | (peer & 0xFFFF);
    };
  }

  @Override
  public boolean arm() {
    file.flush();
    return below.arm();
  }

  @Override
  public void close() {
    try {
      below.close();
    } finally {
      file.close();
    }
  }
}
