package io.busbar.linux;

import static io.busbar.linux.MemoryNumbers.MADV_DONTNEED;
import static io.busbar.linux.MemoryNumbers.MADV_POPULATE_WRITE;
import static io.busbar.linux.MemoryNumbers.MAP_FIXED;
import static io.busbar.linux.MemoryNumbers.MAP_NORESERVE;
import static io.busbar.linux.MemoryNumbers.MAP_PRIVATE;
import static io.busbar.linux.MemoryNumbers.MAP_SHARED;
import static io.busbar.linux.MemoryNumbers.PROT_READ;
import static io.busbar.linux.MemoryNumbers.PROT_WRITE;

import java.lang.foreign.MemorySegment;
import java.util.Objects;

/**
 * A place in this process's memory that shows pages of a file, now these and now those, shared or
 * private. It begins as zeroed memory of the process. To change what it shows allocates nothing and
 * takes effect for all threads at once; offsets and lengths are whole pages.
 *
 * <p>A private part shows the file's page until it is written to, and its own copy from then on;
 * {@link PrivateCopies} tells which. What others write to the file is seen in pages that were not
 * copied: who needs them to stay keeps others from writing. The file does not become shorter while
 * it is shown.
 */
public final class PageView implements AutoCloseable {
  private static final int READ_WRITE = PROT_READ | PROT_WRITE;

  private final MemoryFile file;
  private final long fileBytes;
  private final Mapping place;
  private final MemorySegment segment;

  /**
   * A place for pages of a file, as it is long now.
   *
   * @param bytes whole pages
   * @param alignment of its address, a power of two: the size of the pages that are to be shown
   */
  public PageView(MemoryFile file, long bytes, long alignment) {
    this.file = file;
    this.fileBytes = file.size();
    if (Long.bitCount(alignment) != 1 || bytes <= 0 || bytes % ThisProcess.pageBytes() != 0) {
      throw new IllegalArgumentException(
          "a view has whole pages and an alignment that is a power of two, not %d bytes and %d"
              .formatted(bytes, alignment));
    }
    this.place = Mapping.anonymous(bytes + alignment, MapOption.NO_RESERVE);
    long at = -place.address() & (alignment - 1);
    this.segment = place.segment().asSlice(at, bytes);
  }

  /** The memory; every access after {@link #close} is an {@link IllegalStateException}. */
  public MemorySegment segment() {
    return segment;
  }

  /** Shows pages of the file: what is written here is in the file. 0, or a negated errno. */
  public int showShared(long offset, long length, long fileOffset) {
    return show(offset, length, fileOffset, MAP_SHARED);
  }

  /** Shows pages of the file: what is written here stays here. 0, or a negated errno. */
  public int showPrivate(long offset, long length, long fileOffset) {
    return show(offset, length, fileOffset, MAP_PRIVATE | MAP_NORESERVE);
  }

  private int show(long offset, long length, long fileOffset, int flags) {
    Objects.checkFromIndexSize(fileOffset, length, fileBytes);
    long address = address(offset, length);
    int fd = file.descriptor().number();
    long result = HotCalls.mmap(address, length, READ_WRITE, flags | MAP_FIXED, fd, fileOffset);
    return (int) Math.min(0, result);
  }

  /** Drops private copies: the file's pages are seen again. 0, or a negated errno. */
  public int dropCopies(long offset, long length) {
    return HotCalls.madvise(address(offset, length), length, MADV_DONTNEED);
  }

  /**
   * Takes the faults of the first writes now, which is cheaper; private pages are copies from then
   * on. 0, or a negated errno.
   */
  public int populate(long offset, long length) {
    return HotCalls.madvise(address(offset, length), length, MADV_POPULATE_WRITE);
  }

  private long address(long offset, long length) {
    Objects.checkFromIndexSize(offset, length, segment.byteSize());
    if (!place.isOpen()) {
      throw new IllegalStateException("this view was unmapped already");
    }
    return segment.address() + offset;
  }

  /** Unmaps it; the file stays open. */
  @Override
  public void close() {
    place.close();
  }

  @Override
  public String toString() {
    return "a view of %s of %s".formatted(ByteText.of(segment.byteSize()), file);
  }
}
