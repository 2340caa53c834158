package io.busbar.fabric.udp;

import io.busbar.linux.Mapping;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Frames that wait for the doorbell, in order, as runs: frames of one size to one peer, of which
 * the last may be shorter. The last run is in fields, and goes into the lists when it is looked at
 * or another one begins: a frame that continues it costs a few additions.
 *
 * <p>The bytes of a run are a list of parts, in the stage's own memory or in registered memory;
 * what is written to the stage lies one behind the other, so that most runs are one piece. When all
 * have left, it starts again at its beginning, which the cache still has.
 */
final class TransmitStage implements AutoCloseable {
  /** Frames of a run; older kernels cut into no more. */
  static final int RUN_FRAMES_MAX = 64;

  /** Bytes of a run: what an IPv4 packet holds. */
  static final int RUN_BYTES_MAX = 65_507;

  /** Parts of a run: each frame a header and a body. */
  static final int RUN_PARTS_MAX = 128;

  private final Mapping mapping;
  private final MemorySegment memory;
  private final int framesMax;

  private final @Nullable Peer[] peers;
  private final int[] frameBytes;
  private final int[] frames;
  private final int[] bytes;
  private final int[] partsEnd;
  private int first;
  private int end;

  private final @Nullable MemorySegment[] partMemory;

  private final long[] partAt;
  private final int[] partLength;
  private int parts;

  /** Parts of the first run that have left; what has left of the next one was cut off it. */
  private int firstPart;

  private int used;

  /** Frames that were ever staged, and those that have left or are lost: the last tickets. */
  private long staged;

  private long gone;

  /** Whether the last run may be continued. */
  private boolean open;

  // The last run and its last part, where the lists are out of date.

  private boolean unlisted;
  private @Nullable Peer lastPeer;
  private int lastFrameBytes;
  private int lastFrames;
  private int lastBytes;
  private int lastPartsFrom;
  private @Nullable MemorySegment lastMemory;
  private boolean lastIsOwn;
  private long lastPartAt;
  private int lastPartLength;

  /** The address of its end, and how far that may grow: the end of this memory, or of a promise. */
  private long lastPartEnd;

  private long lastPartLimit;

  TransmitStage(int bytesMax, int framesMax, int partsMax) {
    this.mapping = Mapping.anonymous(bytesMax);
    this.memory = mapping.segment();
    this.framesMax = framesMax;
    this.peers = new Peer[framesMax];
    this.frameBytes = new int[framesMax];
    this.frames = new int[framesMax];
    this.bytes = new int[framesMax];
    this.partsEnd = new int[framesMax];
    this.partMemory = new MemorySegment[partsMax + 1];
    this.partAt = new long[partsMax + 1];
    this.partLength = new int[partsMax + 1];
  }

  MemorySegment memory() {
    return memory;
  }

  // Filling.

  /** Whether a frame with so many parts finds room, and so many bytes of it in this memory. */
  boolean hasRoom(int ownBytes, int partCount) {
    return count() < framesMax
        && end < framesMax
        && ownBytes <= memory.byteSize() - used
        && partCount < partLength.length - parts;
  }

  /** Where the next byte of this memory is written. */
  int next() {
    return used;
  }

  /** Adds a frame, whose parts follow at once. Returns its ticket. */
  long add(Peer peer, int length, int partCount) {
    if (!continues(peer, length) || parts - lastPartsFrom + partCount >= RUN_PARTS_MAX) {
      begin(peer, length);
    }
    lastFrames++;
    lastBytes += length;
    open = length == lastFrameBytes;
    return ++staged;
  }

  private boolean continues(Peer peer, int length) {
    return open
        && lastPeer == peer
        && length <= lastFrameBytes
        && lastFrames < RUN_FRAMES_MAX
        && lastBytes + length <= RUN_BYTES_MAX;
  }

  private void begin(Peer peer, int length) {
    list();
    peers[end] = peer;
    frameBytes[end] = length;
    end++;
    unlisted = true;
    lastPeer = peer;
    lastFrameBytes = length;
    lastFrames = 0;
    lastBytes = 0;
    lastPartsFrom = parts;
    lastMemory = null;
  }

  /** Brings the lists up to date. */
  private void list() {
    if (unlisted) {
      unlisted = false;
      open = false;
      frames[end - 1] = lastFrames;
      bytes[end - 1] = lastBytes;
      listPart();
      partsEnd[end - 1] = parts;
    }
  }

  private void listPart() {
    if (lastMemory != null) {
      partMemory[parts] = lastMemory;
      partAt[parts] = lastPartAt;
      partLength[parts] = lastPartLength;
      parts++;
      lastMemory = null;
    }
  }

  /**
   * Adds a frame that lies behind the last one, in memory that is registered, and is as long; 0
   * when it does not, and its ticket otherwise.
   */
  long addBehind(Peer peer, MemorySegment from, long offset, int length) {
    long at = from.address() + offset;
    if (at != lastPartEnd
        || lastIsOwn
        || at + length > lastPartLimit
        || length != lastFrameBytes
        || !from.isNative()
        || !continues(peer, length)
        || count() >= framesMax) {
      return 0;
    }
    lastPartEnd += length;
    lastPartLength += length;
    lastFrames++;
    lastBytes += length;
    return ++staged;
  }

  /** A part of the frame that was added last, whose bytes were written at {@link #next}. */
  void addOwn(int length) {
    addPart(true, memory, used, length, memory.byteSize());
    used += length;
  }

  /**
   * A part of the frame that was added last, which stays where it is.
   *
   * @param limit the offset up to which the memory behind it is registered, too
   */
  void addInPlace(MemorySegment from, long offset, int length, long limit) {
    addPart(false, from, offset, length, limit);
  }

  /**
   * One that begins where the last one of its run ends, inside what that may grow to, makes it
   * longer.
   */
  private void addPart(boolean own, MemorySegment from, long at, int length, long limit) {
    long address = from.address() + at;
    if (lastMemory != null
        && own == lastIsOwn
        && address == lastPartEnd
        && address + length <= lastPartLimit) {
      lastPartLength += length;
    } else {
      listPart();
      lastMemory = from;
      lastIsOwn = own;
      lastPartAt = at;
      lastPartLength = length;
      lastPartLimit = from.address() + limit;
    }
    lastPartEnd = address + length;
  }

  /** What is added from now on begins a run of its own: those that wait may be leaving. */
  void endRun() {
    list();
  }

  // Leaving.

  boolean isEmpty() {
    return staged == gone;
  }

  /** Frames that wait. */
  int count() {
    return (int) (staged - gone);
  }

  /** The first run that waits. */
  int first() {
    list();
    return first;
  }

  /** The runs that wait are before this one. */
  int end() {
    list();
    return end;
  }

  Peer peer(int run) {
    return Objects.requireNonNull(peers[run]);
  }

  /** Frames of a run. */
  int frames(int run) {
    return frames[run];
  }

  /** Bytes of a run. */
  int bytes(int run) {
    return bytes[run];
  }

  /** Bytes of each frame of a run but the last. */
  int frameBytes(int run) {
    return frameBytes[run];
  }

  int partsFrom(int run) {
    return run == first ? firstPart : partsEnd[run - 1];
  }

  int partsTo(int run) {
    return partsEnd[run];
  }

  MemorySegment partMemory(int part) {
    return Objects.requireNonNull(partMemory[part]);
  }

  long partAt(int part) {
    return partAt[part];
  }

  int partLength(int part) {
    return partLength[part];
  }

  /** The first frames have left, or are lost: their bytes. */
  long leave(int count) {
    list();
    long left = 0;
    int rest = count;
    while (rest > 0 && rest >= frames[first]) {
      rest -= frames[first];
      left += bytes[first];
      firstPart = partsEnd[first];
      first++;
    }
    gone += count;
    if (rest > 0) {
      left += cut(rest);
    }
    if (isEmpty()) {
      restart();
    }
    return left;
  }

  /** Takes the first frames off the first run. */
  private long cut(int count) {
    int left = count * frameBytes[first];
    frames[first] -= count;
    bytes[first] -= left;
    int rest = left;
    while (rest >= partLength[firstPart]) {
      rest -= partLength[firstPart];
      firstPart++;
    }
    partAt[firstPart] += rest;
    partLength[firstPart] -= rest;
    return left;
  }

  private void restart() {
    first = 0;
    end = 0;
    firstPart = 0;
    parts = 0;
    used = 0;
    open = false;
    lastMemory = null;
    lastPartEnd = 0;
  }

  /** Whether the frame of a ticket has left, or is lost. */
  boolean isComplete(long ticket) {
    return ticket <= gone;
  }

  /** Whether a frame that waits has a part in some memory. */
  boolean uses(MemorySegment registered) {
    list();
    long from = registered.address();
    long to = from + registered.byteSize();
    for (int part = firstPart; part < parts; part++) {
      long at = partMemory(part).address() + partAt[part];
      boolean own = partMemory(part).equals(memory);
      if (!own && at >= from && at < to) {
        return true;
      }
    }
    return false;
  }

  @Override
  public void close() {
    mapping.close();
  }
}
