package io.busbar.fabric.shm;

import io.busbar.fabric.FabricException;
import io.busbar.linux.Errno;
import io.busbar.linux.Fifo;
import io.busbar.linux.Mapping;
import io.busbar.linux.MemoryAdvice;
import io.busbar.linux.MemoryFile;
import io.busbar.linux.OfdLock;
import io.busbar.linux.SystemCallException;
import io.busbar.wire.SharedSegment;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The segment of this process: made, locked, mapped and announced to nobody yet. Its space is
 * reserved before it is touched, so that a full file system is an error here and not a crash later.
 */
final class OwnSegment implements AutoCloseable {
  /** A dead owner's file, or one that somebody is just removing, is gone after a moment. */
  private static final int ATTEMPTS_MAX = 50;

  private static final long BETWEEN_ATTEMPTS_NS = 2_000_000;

  final Segment layout;
  final ShmAddress address;
  final MemorySegment memory;
  final Fifo bell;

  private final SegmentFiles files;
  private final MemoryFile file;
  private final OfdLock lock;
  private final Mapping mapping;

  /** Where the token lies for those who try to read it across. */
  private final MemorySegment probe = Arena.ofAuto().allocate(ValueLayout.JAVA_LONG);

  private OwnSegment(
      SegmentFiles files,
      Segment layout,
      ShmAddress address,
      MemoryFile file,
      OfdLock lock,
      Mapping mapping,
      Fifo bell) {
    this.files = files;
    this.layout = layout;
    this.address = address;
    this.file = file;
    this.lock = lock;
    this.mapping = mapping;
    this.bell = bell;
    this.memory = mapping.segment();
    probe.set(ValueLayout.JAVA_LONG, 0, address.token());
    layout.write(memory, address, probe.address());
  }

  static OwnSegment create(ShmConfig config, HostIdentity host) {
    SegmentFiles files = new SegmentFiles(config.directory());
    files.sweep();
    for (int attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
      long token = config.token() == 0 ? drawToken() : config.token();
      OwnSegment made = tryCreate(config, files, new ShmAddress(host, token));
      if (made != null) {
        return made;
      }
      if (!files.removeDead(token)) {
        LockSupport.parkNanos(BETWEEN_ATTEMPTS_NS);
      }
    }
    throw new FabricException(
        "cannot make the segment %s: a living process has it; choose another name, or let it draw one"
            .formatted(files.segment(config.token())));
  }

  private static long drawToken() {
    long token = ThreadLocalRandom.current().nextLong();
    return token == 0 ? 1 : token;
  }

  private static @Nullable OwnSegment tryCreate(
      ShmConfig config, SegmentFiles files, ShmAddress address) {
    MemoryFile file;
    try {
      file = MemoryFile.create(files.segment(address.token()));
    } catch (SystemCallException e) {
      if (e.errno() == Errno.EEXIST) {
        return null;
      }
      throw failure(files, address, e);
    }
    OfdLock lock = SegmentFiles.tryLock(file);
    if (lock == null) { // a sweeper took it for a dead one's
      file.close();
      return null;
    }
    Mapping mapping = null;
    try {
      Segment layout = new Segment(config.pool(), config.ringBytes());
      file.reserve(layout.ringsAt);
      file.resize(layout.bytes());
      mapping = Mapping.of(file, 0, layout.bytes());
      mapping.advise(MemoryAdvice.POPULATE_WRITE, 0, layout.ringsAt);
      Fifo bell = Fifo.create(files.freshBell(address.token()));
      return new OwnSegment(files, layout, address, file, lock, mapping, bell);
    } catch (SystemCallException e) {
      if (mapping != null) {
        mapping.close();
      }
      files.remove(address.token());
      file.close();
      throw failure(files, address, e);
    }
  }

  private static FabricException failure(
      SegmentFiles files, ShmAddress address, SystemCallException e) {
    return new FabricException(
        "cannot make the segment %s: %s".formatted(files.segment(address.token()), e.getMessage()),
        e);
  }

  /**
   * Gives the ring to a participant its space, and clears it.
   *
   * @throws SystemCallException when the file system is full
   */
  void makeRing(int participant) {
    long at = layout.ringAt(participant);
    file.reserve(at, layout.ringStride);
    mapping.advise(MemoryAdvice.POPULATE_WRITE, at, layout.ringStride);
    memory.asSlice(at, layout.ringStride).fill((byte) 0);
  }

  /** As {@link PeerSegment#isTorn}. */
  boolean isTorn() {
    if (file.size() >= layout.bytes()) {
      return false;
    }
    Segment.mend(mapping);
    return true;
  }

  /** Keeps the header, the mailbox and the pool in memory. */
  void pin() {
    mapping.lock(0, layout.ringsAt);
  }

  /** Where the files of this host's segments are. */
  SegmentFiles files() {
    return files;
  }

  /** Whether the calling process owns the segment with this token. */
  boolean isOwn(long token) {
    return token == address.token();
  }

  /** Says that this process leaves, before it closes its ways one by one. */
  void leave() {
    Shared.fenced(memory, SharedSegment.STATE_AT, SharedSegment.CLOSED);
  }

  /** The files go; then the lock, when nothing of anybody's is touched any more. */
  @Override
  public void close() {
    close(false);
  }

  /**
   * The same.
   *
   * @param unread somebody has not found its ring yet: the segment stays, as a dead one's does, and
   *     whoever makes one later removes it
   */
  void close(boolean unread) {
    try {
      if (!unread) {
        files.remove(address.token());
      }
    } finally {
      bell.close();
      lock.close();
      file.close();
      mapping.close();
    }
  }
}
