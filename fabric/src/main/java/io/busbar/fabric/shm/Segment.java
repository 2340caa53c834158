package io.busbar.fabric.shm;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.busbar.linux.Mapping;
import io.busbar.linux.MemoryFile;
import io.busbar.linux.ThisProcess;
import io.busbar.memory.PoolLayout;
import io.busbar.wire.SharedSegment;
import java.lang.foreign.MemorySegment;

/** Where the parts of a segment lie; the pool before the rings, which get space on first use. */
final class Segment {
  final PoolLayout pool;
  final int ringBytes;
  final long ringsAt;
  final long ringStride;

  Segment(PoolLayout pool, int ringBytes) {
    this.pool = pool;
    this.ringBytes = ringBytes;
    long page = ThisProcess.pageBytes();
    this.ringsAt = -Math.floorDiv(-(SharedSegment.POOL + pool.bytes()), page) * page;
    this.ringStride = SharedSegment.RING_SLOTS + (long) ringBytes;
  }

  /** Bytes of the whole file. */
  long bytes() {
    return ringsAt + SharedSegment.PEERS_MAX * ringStride;
  }

  /** The longest buffer of the pool. */
  int zoneBytes() {
    return PoolLayout.ZONE_BLOCKS * pool.blockBytes();
  }

  /** Where the ring to a participant begins. */
  long ringAt(int participant) {
    return ringsAt + (participant - SharedSegment.OWNER - 1) * ringStride;
  }

  /** Whether a number names a peer. */
  static boolean isPeer(long participant) {
    return participant > SharedSegment.OWNER
        && participant <= SharedSegment.OWNER + SharedSegment.PEERS_MAX;
  }

  /** The part of a mapped segment that is its pool. */
  MemorySegment pool(MemorySegment memory) {
    return memory.asSlice(SharedSegment.POOL, pool.bytes());
  }

  /** Writes the header of a new segment; its state comes last. */
  void write(MemorySegment memory, ShmAddress address, long probe) {
    memory.set(JAVA_LONG, SharedSegment.MAGIC_AT, SharedSegment.MAGIC);
    memory.set(JAVA_INT, SharedSegment.VERSION_AT, SharedSegment.VERSION);
    memory.set(JAVA_LONG, SharedSegment.TOKEN_AT, address.token());
    memory.set(JAVA_LONG, SharedSegment.BOOT_AT, address.host().boot());
    memory.set(JAVA_LONG, SharedSegment.NETWORK_AT, address.host().network());
    memory.set(JAVA_INT, SharedSegment.PID_AT, ThisProcess.pid());
    memory.set(JAVA_INT, SharedSegment.BLOCK_BYTES_AT, pool.blockBytes());
    memory.set(JAVA_INT, SharedSegment.ZONES_AT, pool.zones());
    memory.set(JAVA_INT, SharedSegment.RING_BYTES_AT, ringBytes);
    memory.set(JAVA_LONG, SharedSegment.PROBE_AT, probe);
    Shared.release(memory, SharedSegment.STATE_AT, SharedSegment.READY);
  }

  /**
   * Reads and checks the header of another's segment.
   *
   * @throws IllegalArgumentException with what is wrong
   */
  static Segment read(MemorySegment header, MemoryFile file, ShmAddress address) {
    check(header.get(JAVA_LONG, SharedSegment.MAGIC_AT) == SharedSegment.MAGIC, "it is no segment");
    int version = header.get(JAVA_INT, SharedSegment.VERSION_AT);
    check(
        version == SharedSegment.VERSION,
        "its layout has version %d, ours %d".formatted(version, SharedSegment.VERSION));
    check(
        header.get(JAVA_LONG, SharedSegment.TOKEN_AT) == address.token()
            && header.get(JAVA_LONG, SharedSegment.BOOT_AT) == address.host().boot()
            && header.get(JAVA_LONG, SharedSegment.NETWORK_AT) == address.host().network(),
        "its header names another owner");
    PoolLayout pool =
        new PoolLayout(
            header.get(JAVA_INT, SharedSegment.ZONES_AT),
            header.get(JAVA_INT, SharedSegment.BLOCK_BYTES_AT));
    int ringBytes = header.get(JAVA_INT, SharedSegment.RING_BYTES_AT);
    check(ShmConfig.isRing(ringBytes), "it says that a ring has %d bytes".formatted(ringBytes));
    Segment segment = new Segment(pool, ringBytes);
    check(
        segment.bytes() == file.size(),
        "it has %d bytes and says %d".formatted(file.size(), segment.bytes()));
    return segment;
  }

  private static void check(boolean holds, String message) {
    if (!holds) {
      throw new IllegalArgumentException(message);
    }
  }

  /** Puts zeros in the place of a mapping whose file was cut. */
  static void mend(Mapping mapping) {
    try (MemoryFile zeros = MemoryFile.anonymous("busbar-mended")) {
      zeros.resize(mapping.bytes());
      mapping.replace(0, mapping.bytes(), zeros, 0);
    }
  }

  /** How far a segment is. */
  static long state(Mapping mapping) {
    return Shared.acquire(mapping.segment(), SharedSegment.STATE_AT);
  }
}
