package io.busbar.linux;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/**
 * Which pages of a private mapping of a file are copies that this process made by writing, and no
 * longer the file's: the kernel's page map, whose bit 61 marks pages of files. Looking allocates
 * nothing.
 */
public final class PrivateCopies implements AutoCloseable {
  // Documentation/admin-guide/mm/pagemap.rst
  private static final long PRESENT = 1L << 63;
  private static final long SWAPPED = 1L << 62;
  private static final long OF_FILE = 1L << 61;

  private final MemoryFile map = MemoryFile.openReadOnly("/proc/self/pagemap");
  private final MemorySegment entries;
  private final int pagesMax;
  private int pages;

  /** For looks at so many pages at most. */
  public PrivateCopies(int pagesMax) {
    this.pagesMax = pagesMax;
    this.entries = Arena.ofAuto().allocate(JAVA_LONG, pagesMax);
  }

  /** Looks at pages of a mapping. */
  public void look(MemorySegment view, long offset, int count) {
    Objects.checkIndex(count, pagesMax + 1);
    int pageBytes = ThisProcess.pageBytes();
    long first = Native.address(view, offset, (long) count * pageBytes) / pageBytes;
    pages = 0;
    long bytes = (long) count * Long.BYTES;
    long read = 0;
    while (read < bytes) { // the kernel may stop anywhere
      long result = map.read(first * Long.BYTES + read, entries, read, bytes - read);
      if (result <= 0) {
        throw new IllegalStateException("the page map of this process ended too early");
      }
      read += result;
    }
    pages = count;
  }

  /** Whether the page was a copy at the last look: there or swapped out, and not the file's. */
  public boolean isCopy(int page) {
    long entry = entries.getAtIndex(JAVA_LONG, Objects.checkIndex(page, pages));
    return (entry & (PRESENT | SWAPPED)) != 0 && (entry & OF_FILE) == 0;
  }

  /** Closes the page map. */
  @Override
  public void close() {
    map.close();
  }
}
