package io.busbar.transport;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Chunks of one frame each, for frames that must be kept and cannot be claimed. Chunks are made
 * when first needed, up to the credit budget, and used again.
 */
final class CopyStore {
  /** In place of a claim's number: the bytes lie in this store. */
  static final long COPIED = -1;

  private final int chunkBytes;
  private final int chunksMax;
  private MemorySegment[] free = new MemorySegment[16];
  private int freeCount;
  private int made;

  CopyStore(int chunkBytes, long bytesMax) {
    this.chunkBytes = chunkBytes;
    chunksMax = (int) Math.min(Integer.MAX_VALUE, bytesMax / chunkBytes);
  }

  /** Copies bytes into a chunk; null when the store is full. */
  @Nullable MemorySegment keep(MemorySegment from, long at, int length) {
    MemorySegment chunk;
    if (freeCount > 0) {
      chunk = free[--freeCount];
    } else if (made < chunksMax) {
      chunk = Arena.ofAuto().allocate(chunkBytes);
      made++;
    } else {
      return null;
    }
    MemorySegment.copy(from, at, chunk, 0, length);
    return chunk;
  }

  void giveBack(MemorySegment chunk) {
    if (freeCount == free.length) {
      free = Arrays.copyOf(free, freeCount << 1);
    }
    free[freeCount++] = chunk;
  }

  /** Bytes in chunks that are in use. */
  long heldBytes() {
    return (long) (made - freeCount) * chunkBytes;
  }
}
