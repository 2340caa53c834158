package io.busbar.memory;

import io.busbar.linux.PageView;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/**
 * An application's memory into which messages arrive by mapping the extent that they lie in (C8).
 * Its pages are always private: what the application writes stays here, and never appears in the
 * sender's pages. The extent is kept, and nobody writes to it, until the next message takes its
 * place or it is {@linkplain #release released}.
 *
 * <p>One thread. The application does not write while a method runs.
 */
public final class ReceivePages implements AutoCloseable {
  private final ExchangeBank bank;
  private final PageView view;
  private int extent = ExchangeBank.NONE;
  private long shownFrom;
  private long shownTo;

  /** Zeroed memory of so many bytes, whole pages. */
  public ReceivePages(ExchangeBank bank, long bytes) {
    this.bank = bank;
    this.view = new PageView(bank.file(), bytes, bank.alignment());
  }

  /** The application's memory; its address stays. */
  public MemorySegment segment() {
    return view.segment();
  }

  /** The extent that is kept; {@link ExchangeBank#NONE} when there is none. */
  public int extent() {
    return extent;
  }

  /** Whether a message can be taken by exchange: it begins with a page on both sides. */
  public static boolean canTake(long from, long offset, long length) {
    return PageRange.isAligned(from) && PageRange.isAligned(offset) && length >= PageRange.PAGE;
  }

  /**
   * Takes a message that lies in an extent: whole pages by mapping, the rest of the last page by
   * copying, so that no byte behind the message changes.
   *
   * @param taken the extent, which the caller has and this object keeps
   * @param from where the message begins in it
   * @param offset where it goes here
   * @return the extent that was kept before and is free now, or {@link ExchangeBank#NONE}
   */
  public int take(int taken, long from, long offset, long length) {
    Objects.checkFromIndexSize(from, length, bank.extentBytes());
    Objects.checkFromIndexSize(offset, length, view.segment().byteSize());
    if (!canTake(from, offset, length)) {
      throw new IllegalArgumentException(
          "whole pages are taken, not %d bytes from %d to %d".formatted(length, from, offset));
    }
    long whole = PageRange.down(length);
    keepCopies(shownFrom, Math.min(shownTo, offset));
    keepCopies(Math.max(shownFrom, offset + whole), shownTo);
    int result = view.showPrivate(offset, whole, bank.fileOffset(taken) + from);
    PageRange.check(result, "show pages of a message", "mmap");
    MemorySegment.copy(
        bank.segment(),
        bank.offset(taken) + from + whole,
        view.segment(),
        offset + whole,
        length - whole);
    int before = extent;
    extent = taken;
    shownFrom = offset;
    shownTo = offset + whole;
    return before;
  }

  /**
   * Keeps the bytes and gives the extent back: the kernel copies what it still shows.
   *
   * @return the extent, free now, or {@link ExchangeBank#NONE}
   */
  public int release() {
    keepCopies(shownFrom, shownTo);
    int before = extent;
    extent = ExchangeBank.NONE;
    shownFrom = 0;
    shownTo = 0;
    return before;
  }

  /**
   * Makes copies of this process of pages that it may still share with the extent. By the kernel: a
   * store of what was just loaded is one that a compiler leaves out.
   */
  private void keepCopies(long from, long to) {
    if (from < to) {
      PageRange.check(view.populate(from, to - from), "keep copies of pages", "madvise");
    }
  }

  /** Unmaps it; who has made it gives the extent back. */
  @Override
  public void close() {
    view.close();
  }
}
