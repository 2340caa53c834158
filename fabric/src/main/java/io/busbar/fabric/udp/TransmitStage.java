package io.busbar.fabric.udp;

import io.busbar.linux.Mapping;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Frames that wait for the doorbell, in order: each a destination and a list of parts, in the
 * stage's own memory or in registered memory. Parts in the stage lie one behind the other, so that
 * a run of frames is one piece; when all have left, it starts again at its beginning, which the
 * cache still has.
 */
final class TransmitStage implements AutoCloseable {
  private final Mapping mapping;
  private final MemorySegment memory;
  private final @Nullable Peer[] peers;
  private final int[] lengths;
  private final int[] partsEnd;

  /** The memory of each part; null for the stage's own. */
  private final @Nullable MemorySegment[] partMemory;

  private final long[] partAt;
  private final int[] partLength;
  private int first;
  private int end;
  private int parts;
  private int used;

  /** Frames that were staged before the first one here. */
  private long before;

  TransmitStage(int bytes, int framesMax, int partsMax) {
    this.mapping = Mapping.anonymous(bytes);
    this.memory = mapping.segment();
    this.peers = new Peer[framesMax];
    this.lengths = new int[framesMax];
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
  boolean hasRoom(int bytes, int partCount) {
    return end < lengths.length
        && bytes <= memory.byteSize() - used
        && partCount <= partLength.length - parts;
  }

  /** Where the next byte of this memory is written. */
  int next() {
    return used;
  }

  /** Adds a part of the frame that is being filled, whose bytes were written at {@link #next}. */
  void addOwn(int length) {
    partMemory[parts] = null;
    add(used, length);
    used += length;
  }

  /** Adds a part of the frame that is being filled, which stays where it is. */
  void addInPlace(MemorySegment from, long offset, int length) {
    partMemory[parts] = from;
    add(offset, length);
  }

  private void add(long at, int length) {
    partAt[parts] = at;
    partLength[parts] = length;
    parts++;
  }

  /** Ends the frame: it waits from now on. Returns its ticket. */
  long stage(Peer peer, int length) {
    peers[end] = peer;
    lengths[end] = length;
    partsEnd[end] = parts;
    end++;
    return before + end;
  }

  // Leaving.

  boolean isEmpty() {
    return first == end;
  }

  /** Frames that wait. */
  int count() {
    return end - first;
  }

  /** The first frame that waits. */
  int first() {
    return first;
  }

  /** The frames that wait are before this one. */
  int end() {
    return end;
  }

  Peer peer(int frame) {
    return Objects.requireNonNull(peers[frame]);
  }

  int length(int frame) {
    return lengths[frame];
  }

  int partsFrom(int frame) {
    return frame == 0 ? 0 : partsEnd[frame - 1];
  }

  int partsTo(int frame) {
    return partsEnd[frame];
  }

  /** Whether a part lies in this memory. */
  boolean isOwn(int part) {
    return partMemory[part] == null;
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

  /** The first frames have left, or are lost. */
  void advance(int frames) {
    first += frames;
    if (first == end) {
      before += end;
      first = 0;
      end = 0;
      parts = 0;
      used = 0;
    }
  }

  /** Whether the frame of a ticket has left, or is lost. */
  boolean isComplete(long ticket) {
    return ticket <= before + first;
  }

  /** Whether a frame that waits has a part in some memory. */
  boolean uses(MemorySegment registered) {
    long from = registered.address();
    long to = from + registered.byteSize();
    for (int part = partsFrom(first); part < parts; part++) {
      long at = partMemory(part).address() + partAt[part];
      if (!isOwn(part) && at >= from && at < to) {
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
