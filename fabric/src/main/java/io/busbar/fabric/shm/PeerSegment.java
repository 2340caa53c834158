package io.busbar.fabric.shm;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.busbar.fabric.FabricException;
import io.busbar.linux.Errno;
import io.busbar.linux.Fifo;
import io.busbar.linux.FileStatus;
import io.busbar.linux.Mapping;
import io.busbar.linux.MemoryAdvice;
import io.busbar.linux.MemoryFile;
import io.busbar.linux.PollSet;
import io.busbar.linux.ProcessMemory;
import io.busbar.linux.SystemCallException;
import io.busbar.memory.Pool;
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
  private final ProcessMemory process;
  private final PollSet watch = new PollSet(1);
  private final MemoryFile file;
  private final Mapping mapping;
  private boolean mended;

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
    watch.add(bell.descriptor(), 0);
  }

  /**
   * Finds a peer on this host.
   *
   * @throws FabricException when it is on another, has gone, or its segment is not sound
   */
  static PeerSegment open(ShmAddress address, HostIdentity here, SegmentFiles files) {
    return open(address, here, files, false);
  }

  /** As {@link #open}; of a peer that has died, what it left. */
  static PeerSegment openEvenDead(ShmAddress address, HostIdentity here, SegmentFiles files) {
    return open(address, here, files, true);
  }

  private static PeerSegment open(
      ShmAddress address, HostIdentity here, SegmentFiles files, boolean evenDead) {
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
    return open(address, file, files, path, evenDead);
  }

  private static PeerSegment open(
      ShmAddress address, MemoryFile file, SegmentFiles files, String path, boolean evenDead) {
    Mapping mapping = null;
    try {
      boolean alive = SegmentFiles.isAlive(file);
      if (!alive && !evenDead) {
        throw new FabricException("%s has died: nobody holds %s".formatted(address, path));
      }
      if (file.size() < SharedSegment.POOL) {
        throw new FabricException("%s is not ready yet; try again".formatted(path));
      }
      mapping = Mapping.of(file, 0, file.size());
      long state = Segment.state(mapping);
      if (state != SharedSegment.READY && !(evenDead && state == SharedSegment.CLOSED)) {
        throw new FabricException(
            "%s %s"
                .formatted(
                    path,
                    state == SharedSegment.MAKING ? "is not ready yet; try again" : "has left"));
      }
      Segment layout = Segment.read(mapping.segment(), file, address);
      mapping.advise(MemoryAdvice.POPULATE_WRITE, 0, layout.ringsAt);
      return new PeerSegment(address, layout, file, mapping, bellOf(files, address, evenDead));
    } catch (IllegalArgumentException e) {
      close(file, mapping);
      throw new FabricException("%s is not sound: %s".formatted(path, e.getMessage()), e);
    } catch (SystemCallException e) {
      close(file, mapping);
      throw new FabricException("cannot map %s: %s".formatted(path, e.getMessage()), e);
    } catch (FabricException e) {
      close(file, mapping);
      throw e;
    } catch (InternalError e) { // a SIGBUS
      close(file, mapping);
      throw new FabricException("%s was cut short while it was read".formatted(path), e);
    }
  }

  /** Where a dead peer listened, nothing can be rung: then an end that only looks on. */
  private static Fifo bellOf(SegmentFiles files, ShmAddress address, boolean evenDead) {
    String path = files.bell(address.token());
    try {
      return Fifo.ringer(path);
    } catch (SystemCallException e) {
      if (evenDead && e.errno() == Errno.ENXIO) {
        return Fifo.reader(path);
      }
      throw e;
    }
  }

  private static void close(MemoryFile file, @Nullable Mapping mapping) {
    if (mapping != null) {
      mapping.close();
    }
    file.close();
  }

  /**
   * The ring from the owner to us.
   *
   * @param participant by which the owner knows us
   * @throws FabricException when there can be no such ring, or it has no space
   */
  RingIn ringTo(long participant) {
    if (!Segment.isPeer(participant)) {
      throw new FabricException("%s calls us participant %d".formatted(address, participant));
    }
    long at = layout.ringAt((int) participant);
    try {
      mapping.advise(MemoryAdvice.POPULATE_WRITE, at, layout.ringStride);
    } catch (SystemCallException e) {
      throw new FabricException(
          "the ring of %s is not there: %s".formatted(address, e.getMessage()), e);
    }
    return new RingIn(memory, at, layout.ringBytes, 0);
  }

  /** The owner's pool as we may use it. */
  Pool poolFor(long participant) {
    return new Pool(layout.pool, layout.pool(memory), (int) participant);
  }

  /** Whether the owner says that it has left, or the kernel that it has died. */
  boolean isGone() {
    return hasLeft() || isDead();
  }

  private boolean hasLeft() {
    return Shared.acquire(memory, SharedSegment.STATE_AT) == SharedSegment.CLOSED;
  }

  /** Whether the owner touches nothing any more: the kernel has dropped its lock. */
  boolean isDead() {
    return !SegmentFiles.isAlive(file);
  }

  /** Whether the owner's process ended before the owner could say that it leaves. */
  boolean hasDiedSilently() {
    return !hasLeft() && isDead();
  }

  /** Whether there is another segment of the same name: of a later life, or of somebody else. */
  boolean isReplaced(SegmentFiles files) {
    return FileStatus.of(file.descriptor()).links() == 0 && files.exists(address.token());
  }

  /** Why it goes. */
  String farewell() {
    if (hasLeft()) {
      return "it has left";
    }
    return isDead() ? "its process has ended" : "it has closed the way";
  }

  /** Whether this process may read the owner's memory: reads the token from there. */
  boolean canReadAcross() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment token = arena.allocate(JAVA_LONG);
      long at = memory.get(JAVA_LONG, SharedSegment.PROBE_AT);
      return readAcross(at, token, 0, Long.BYTES) == Long.BYTES
          && token.get(JAVA_LONG, 0) == address.token();
    }
  }

  /**
   * Reads the owner's private memory: bytes, or a negated errno. {@code -ESRCH} if its process has
   * ended meanwhile: while somebody listens at the bell, the process id was not given again.
   */
  long readAcross(long from, MemorySegment into, long at, int length) {
    long read = process.read(from, into, at, length);
    return read > 0 && watch.await(0) > 0 ? -Errno.ESRCH : read;
  }

  /**
   * Whether somebody has cut the file, so that a touch of it is a fault. Then zeros take its place:
   * nothing of it can be used any more, and nothing faults.
   */
  boolean isTorn() {
    if (file.size() >= layout.bytes()) {
      return false;
    }
    if (!mended) {
      mended = true;
      Segment.mend(mapping);
    }
    return true;
  }

  /** Wakes the owner if it sleeps, and nobody else has; whether it was rung. */
  boolean wake() {
    return SleepWord.ring(memory, ring);
  }

  /** Wakes the owner if it waits for room, and nobody else has; whether it was rung. */
  boolean wakeForRoom() {
    return SleepWord.ringForRoom(memory, ring);
  }

  @Override
  public void close() {
    bell.close();
    close(file, mapping);
  }
}
