package io.busbar.fabric.udp;

import io.busbar.linux.Mapping;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Frames that wait for the doorbell, in order, as runs: frames of one size to one peer, of which
 * the last may be shorter. A frame that continues the last run costs a few additions.
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

  /** The memory of each part; null for the stage's own. */
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

  TransmitStage(int bytesMax, int framesMax, int partsMax) {
    this.mapping = Mapping.anonymous(bytesMax);
    this.memory = mapping.segment();
    this.framesMax = framesMax;
    this.peers = new Peer[framesMax];
    this.frameBytes = new int[framesMax];
    this.frames = new int[framesMax];
    this.bytes = new int[framesMax];
    this.partsEnd = new int[framesMax];
    this.partMemory = new MemorySegment[partsMax];
    this.partAt = new long[partsMax];
    this.partLength = new int[partsMax];
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
        && partCount <= partLength.length - parts;
  }

  /** Where the next byte of this memory is written. */
  int next() {
    return used;
  }

  /** Adds a frame, whose parts follow at once. Returns its ticket. */
  long add(Peer peer, int length, int partCount) {
    if (!open || !continues(end - 1, peer, length, partCount)) {
      peers[end] = peer;
      frameBytes[end] = length;
      frames[end] = 0;
      bytes[end] = 0;
      partsEnd[end] = parts;
      end++;
    }
    int run = end - 1;
    frames[run]++;
    bytes[run] += length;
    open = length == frameBytes[run];
    return ++staged;
  }

  private boolean continues(int run, Peer peer, int length, int partCount) {
    return peers[run] == peer
        && length <= frameBytes[run]
        && frames[run] < RUN_FRAMES_MAX
        && bytes[run] + length <= RUN_BYTES_MAX
        && partsEnd[run] - partsFrom(run) + partCount <= RUN_PARTS_MAX;
  }

  /** A part of the frame that was added last, whose bytes were written at {@link #next}. */
  void addOwn(int length) {
    int run = end - 1;
    int last = parts - 1;
    if (last >= partsFrom(run) && partMemory[last] == null) {
      partLength[last] += length;
    } else {
      partMemory[parts] = null;
      addPart(run, used, length);
    }
    used += length;
  }

  /** A part of the frame that was added last, which stays where it is. */
  void addInPlace(MemorySegment from, long offset, int length) {
    partMemory[parts] = from;
    addPart(end - 1, offset, length);
  }

  private void addPart(int run, long at, int length) {
    partAt[parts] = at;
    partLength[parts] = length;
    parts++;
    partsEnd[run] = parts;
  }

  /** What is added from now on begins a run of its own: those that wait may be leaving. */
  void endRun() {
    open = false;
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
    return first;
  }

  /** The runs that wait are before this one. */
  int end() {
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
    MemorySegment from = partMemory[part];
    return from == null ? memory : from;
  }

  long partAt(int part) {
    return partAt[part];
  }

  int partLength(int part) {
    return partLength[part];
  }

  /** The first frames have left, or are lost: their bytes. */
  long leave(int count) {
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
  }

  /** Whether the frame of a ticket has left, or is lost. */
  boolean isComplete(long ticket) {
    return ticket <= gone;
  }

  /** Whether a frame that waits has a part in some memory. */
  boolean uses(MemorySegment registered) {
    long from = registered.address();
    long to = from + registered.byteSize();
    for (int part = firstPart; part < parts; part++) {
      long at = partMemory(part).address() + partAt[part];
      if (partMemory[part] != null && at >= from && at < to) {
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
