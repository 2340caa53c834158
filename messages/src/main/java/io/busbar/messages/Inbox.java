package io.busbar.messages;

import io.busbar.wire.Records;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * Messages that have arrived and wait for their handlers, in order: whoever drives puts them in,
 * whoever extracts takes them out. They lie in chunks, one behind the other; a chunk that was
 * emptied is used again. What is in here was allowed by credits, which are the bound.
 */
final class Inbox {
  private static final int CHUNK_BYTES = 1 << 20;
  private static final int SPARES_MAX = 4;

  /** In front of each message: the record's header, who sent it. */
  private static final int PREFIX_BYTES = 16;

  private static final class Chunk {
    final MemorySegment memory = Arena.ofAuto().allocate(CHUNK_BYTES, 64);
    volatile int written;
    volatile @Nullable Chunk next;
    int read;
  }

  private final ConcurrentLinkedQueue<Chunk> spares = new ConcurrentLinkedQueue<>();

  /** The driver's. */
  private Chunk last = new Chunk();

  /** The extractor's. */
  private volatile Chunk first = last;

  /** Puts a message in; the driver's. */
  void put(int from, long header, MemorySegment memory, long at, int length) {
    int bytes = entryBytes(length);
    Chunk chunk = last;
    int place = chunk.written;
    if (bytes > CHUNK_BYTES - place) {
      Chunk fresh = fresh();
      chunk.next = fresh;
      last = fresh;
      chunk = fresh;
      place = 0;
    }
    chunk.memory.set(Little.LONG, place, header);
    chunk.memory.set(Little.LONG, place + 8, from);
    MemorySegment.copy(memory, at, chunk.memory, place + PREFIX_BYTES, length);
    chunk.written = place + bytes;
  }

  private static int entryBytes(int length) {
    return PREFIX_BYTES + length + Records.padding(length);
  }

  private Chunk fresh() {
    Chunk spare = spares.poll();
    return spare == null ? new Chunk() : spare;
  }

  /** Whether a message waits; from any thread, as a hint. */
  boolean isEmpty() {
    Chunk chunk = first;
    return chunk.read == chunk.written && chunk.next == null;
  }

  /** Goes to the next message; the extractor's. False when there is none. */
  boolean next() {
    Chunk chunk = first;
    if (chunk.read < chunk.written) {
      return true;
    }
    Chunk next = chunk.next;
    if (next == null || chunk.read < chunk.written) { // written before the next one was linked
      return next != null;
    }
    first = next;
    recycle(chunk);
    return next.read < next.written;
  }

  private void recycle(Chunk chunk) {
    if (spares.size() < SPARES_MAX) {
      chunk.read = 0;
      chunk.written = 0;
      chunk.next = null;
      spares.add(chunk);
    }
  }

  /** The record's header of the message that is next. */
  long header() {
    return first.memory.get(Little.LONG, first.read);
  }

  /** Who sent it. */
  int from() {
    return (int) first.memory.get(Little.LONG, first.read + 8);
  }

  /** Where its bytes are. */
  MemorySegment memory() {
    return first.memory;
  }

  long at() {
    return (long) first.read + PREFIX_BYTES;
  }

  /** It was dealt with. */
  void remove() {
    first.read += entryBytes(Records.length(header()));
  }
}
