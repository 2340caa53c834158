package io.busbar.messages;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;

/**
 * Copies of pieces that could not be kept where they came, one behind the other in chunks; a chunk
 * whose copies are all dealt with is used again. The driver's role is needed. What is in here was
 * allowed by credits, which are the bound.
 */
final class Copies {
  private static final int CHUNK_BYTES = 256 << 10;
  private static final int SPARES_MAX = 8;

  /** Some memory, and how many copies in it are needed. */
  static final class Chunk {
    final MemorySegment memory = Arena.ofAuto().allocate(CHUNK_BYTES, 64);
    int used;
    int copies;
  }

  private final ArrayDeque<Chunk> spares = new ArrayDeque<>();
  private Chunk current = new Chunk();

  /** Copies bytes, of which there are no more than a piece has, and lets a span show them. */
  void copy(MemorySegment from, long at, int length, Span into) {
    if (current.used + length > CHUNK_BYTES) {
      Chunk full = current;
      Chunk spare = spares.poll();
      current = spare == null ? new Chunk() : spare;
      recycle(full);
    }
    MemorySegment.copy(from, at, current.memory, current.used, length);
    into.memory = current.memory;
    into.at = current.used;
    into.length = length;
    into.chunk = current;
    current.used += length + (-length & 7);
    current.copies++;
  }

  /** A copy is needed no longer. */
  void release(Chunk chunk) {
    chunk.copies--;
    recycle(chunk);
  }

  private void recycle(Chunk chunk) {
    if (chunk.copies == 0 && chunk != current && spares.size() < SPARES_MAX) {
      chunk.used = 0;
      spares.add(chunk);
    }
  }
}
