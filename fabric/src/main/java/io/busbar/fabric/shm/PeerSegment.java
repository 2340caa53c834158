package io.busbar.fabric.shm;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.busbar.fabric.FabricException;
import io.busbar.linux.Errno;
import io.busbar.linux.Fifo;
import io.busbar.linux.Mapping;
import io.busbar.linux.MemoryAdvice;
import io.busbar.linux.MemoryFile;
import io.busbar.linux.ProcessMemory;
import io.busbar.linux.SystemCallException;
import io.busbar.wire.SharedSegment;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/** The segment of a peer, mapped once and populated, and the peer's doorbell. */
final class PeerSegment implements AutoCloseable {
  final ShmAddress address;
  final Segment layout;
  final MemorySegment memory;
  final Fifo bell;
  private final IntSupplier ring;
  final ProcessMemory process;
  private final MemoryFile file;
  private final Mapping mapping;

  private PeerSegment(
      ShmAddress address, Segment layout, MemoryFile file, Mapping mapping, Fifo bell) {
    this.address = address;
    this.layout = layout;
    this.file = file;
    this.mapping = mapping;
    this.bell = bell;
    this.ring = bell::ring;
    this.memory = mapping.segment();
    this.process = new ProcessMemory(memory.get(JAVA_INT, SharedSegment.PID_AT));
  }

  /**
   * Finds a peer on this host.
   *
   * @throws FabricException when it is on another, has gone, or its segment is not sound
   */
  static PeerSegment open(ShmAddress address, HostIdentity here, SegmentFiles files) {
    if (address.host().boot() != here.boot()) {
      throw new FabricException(
          "%s is on another host: its kernel was booted apart from ours; use udp"
              .formatted(address));
    }
    if (address.host().network() != here.network()) {
      throw new FabricException(
          "%s is in another network namespace, and counts as another host; use udp"
              .formatted(address));
    }
    String path = files.segment(address.token());
    MemoryFile file;
    try {
      file = MemoryFile.open(path);
    } catch (SystemCallException e) {
      String reason =
          switch (e.errno()) {
            case Errno.ENOENT ->
                "there is no such segment: it has left, or looks into another folder";
            case Errno.EACCES -> "it belongs to another user; use udp";
            default -> e.getMessage();
          };
      throw new FabricException("cannot open %s at %s: %s".formatted(address, path, reason), e);
    }
    return open(address, file, files, path);
  }

  private static PeerSegment open(
      ShmAddress address, MemoryFile file, SegmentFiles files, String path) {
    Mapping mapping = null;
    try {
      if (!SegmentFiles.isAlive(file)) {
        throw new FabricException("%s has died: nobody holds %s".formatted(address, path));
      }
      if (file.size() < SharedSegment.POOL) {
        throw new FabricException("%s is not ready yet; try again".formatted(path));
      }
      mapping = Mapping.of(file, 0, file.size());
      long state = Segment.state(mapping);
      if (state != SharedSegment.READY) {
        throw new FabricException(
            "%s %s"
                .formatted(
                    path,
                    state == SharedSegment.MAKING ? "is not ready yet; try again" : "has left"));
      }
      Segment layout = Segment.read(mapping.segment(), file, address);
      mapping.advise(MemoryAdvice.POPULATE_WRITE, 0, layout.ringsAt);
      return new PeerSegment(
          address, layout, file, mapping, Fifo.ringer(files.bell(address.token())));
    } catch (IllegalArgumentException e) {
      close(file, mapping);
      throw new FabricException("%s is not sound: %s".formatted(path, e.getMessage()), e);
    } catch (SystemCallException e) {
      close(file, mapping);
      throw new FabricException("cannot map %s: %s".formatted(path, e.getMessage()), e);
    } catch (FabricException e) {
      close(file, mapping);
      throw e;
    }
  }

  private static void close(MemoryFile file, @Nullable Mapping mapping) {
    if (mapping != null) {
      mapping.close();
    }
    file.close();
  }

  /** Whether the kernel says that the owner lives, and the owner that it has not left. */
  boolean isAlive() {
    return Shared.acquire(memory, SharedSegment.STATE_AT) == SharedSegment.READY
        && SegmentFiles.isAlive(file);
  }

  /** Why it is not alive. */
  String farewell() {
    boolean left = Shared.acquire(memory, SharedSegment.STATE_AT) == SharedSegment.CLOSED;
    return left ? "it has left" : "its process has ended";
  }

  /** Whether this process may read the owner's memory: reads the token from there. */
  boolean canReadAcross() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment token = arena.allocate(JAVA_LONG);
      long at = memory.get(JAVA_LONG, SharedSegment.PROBE_AT);
      return process.read(at, token, 0, Long.BYTES) == Long.BYTES
          && token.get(JAVA_LONG, 0) == address.token();
    }
  }

  /** Wakes the owner if it sleeps, and nobody else has; whether it was rung. */
  boolean wake() {
    return SleepWord.ring(memory, ring);
  }

  @Override
  public void close() {
    bell.close();
    close(file, mapping);
  }
}
