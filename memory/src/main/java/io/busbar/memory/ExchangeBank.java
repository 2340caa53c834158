package io.busbar.memory;

import io.busbar.linux.MemoryFile;
import io.busbar.linux.ThisProcess;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/**
 * The memory that page exchange stands on: extents of one size in a file, which are mapped shared
 * here, and from which {@link SendPages} and {@link ReceivePages} show pages to applications. Who
 * has an extent is kept elsewhere; who does not have it neither writes to it nor reads it.
 */
public final class ExchangeBank implements AutoCloseable {
  /** No extent. */
  public static final int NONE = -1;

  private final MemoryFile file;
  private final long at;
  private final int extents;
  private final long extentBytes;
  private final long alignment;
  private final ResidentMemory memory;

  /**
   * Extents in a file, which stays the caller's.
   *
   * @param at where they begin; a multiple of the alignment
   * @param extentBytes of each; a multiple of the alignment
   * @param alignment the size of the file's pages
   */
  public ExchangeBank(MemoryFile file, long at, int extents, long extentBytes, long alignment) {
    if (extents < 1 || extentBytes < 1 || at % alignment != 0 || extentBytes % alignment != 0) {
      throw new IllegalArgumentException(
          "extents are whole pages of %d bytes, not %d of %d from %d on"
              .formatted(alignment, extents, extentBytes, at));
    }
    this.file = file;
    this.at = at;
    this.extents = extents;
    this.extentBytes = extentBytes;
    this.alignment = Math.max(alignment, ThisProcess.pageBytes());
    this.memory = ResidentMemory.part(file, at, extents * extentBytes, Pinning.none());
  }

  /** All extents, one after the other. */
  public MemorySegment segment() {
    return memory.segment();
  }

  /** How many extents there are. */
  public int extents() {
    return extents;
  }

  /** Bytes of each. */
  public long extentBytes() {
    return extentBytes;
  }

  /** Where an extent begins in {@link #segment}. */
  public long offset(int extent) {
    return Objects.checkIndex(extent, extents) * extentBytes;
  }

  /** Where an extent begins in the file. */
  long fileOffset(int extent) {
    return at + offset(extent);
  }

  MemoryFile file() {
    return file;
  }

  long alignment() {
    return alignment;
  }

  /** Unmaps it. */
  @Override
  public void close() {
    memory.close();
  }
}
