package io.busbar.memory;

import io.busbar.linux.PageView;
import io.busbar.linux.PrivateCopies;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/**
 * An application's memory whose pages can be sent by giving away the extent below them (C7). It
 * shows an extent, its home: shared while that is here, so that writes cost nothing; private where
 * a message was lent, so that the application may write at once and the message stays as it was.
 *
 * <p>Pages that were written to since are copies of this process, and go into the file before the
 * extent is lent again, or shared: to map it anew would throw them away. An extent that is not back
 * is neither lent nor written: what is sent meanwhile is copied, so who sends often has two of
 * these in turn.
 *
 * <p>One thread. The application does not write while a method runs.
 */
public final class SendPages implements AutoCloseable {
  private final ExchangeBank bank;
  private final PageView view;
  private final PrivateCopies copies;
  private final int home;
  private long privateFrom;
  private long privateTo;
  private long divergedBytes;

  /** Memory as long as an extent, which it shows; its bytes are those of the extent. */
  public SendPages(ExchangeBank bank, int home) {
    this.bank = bank;
    this.home = home;
    this.view = new PageView(bank.file(), bank.extentBytes(), bank.alignment());
    this.copies = new PrivateCopies((int) (bank.extentBytes() / PageRange.PAGE));
    share(0, bank.extentBytes());
  }

  /** The application's memory; its address stays. */
  public MemorySegment segment() {
    return view.segment();
  }

  /** The extent that it shows. */
  public int home() {
    return home;
  }

  /** Whether the home is lent, as far as this object knows. */
  public boolean isLent() {
    return privateFrom < privateTo;
  }

  /** Bytes of pages that were copied because they had diverged, so far. */
  public long divergedBytes() {
    return divergedBytes;
  }

  /** Whether bytes can be lent: they begin with a page and fill at least one. */
  public static boolean canLend(long offset, long length) {
    return PageRange.isAligned(offset) && length >= PageRange.PAGE;
  }

  /**
   * Makes a message of bytes that are here: from now on they stay in the home as they are now, and
   * what the application writes stays here. The home is here, or came back; the caller gives it
   * away.
   */
  public void lend(long offset, long length) {
    Objects.checkFromIndexSize(offset, length, bank.extentBytes());
    if (!canLend(offset, length)) {
      throw new IllegalArgumentException(
          "whole pages are lent, not %d bytes from %d on".formatted(length, offset));
    }
    long to = PageRange.up(offset + length);
    saveCopies();
    if (offset == privateFrom && to == privateTo) {
      return; // the same pages again: the home's are shown already
    }
    reshare();
    int result = view.showPrivate(offset, to - offset, bank.fileOffset(home) + offset);
    PageRange.check(result, "make lent pages private", "mmap");
    privateFrom = offset;
    privateTo = to;
  }

  /**
   * The home came back, and is the application's again: what diverged is copied into it, and
   * further writes cost nothing. Does nothing when it is not lent.
   */
  public void reown() {
    if (isLent()) {
      saveCopies();
      long from = privateFrom;
      long bytes = privateTo - from;
      reshare();
      PageRange.check(view.populate(from, bytes), "populate pages", "madvise");
    }
  }

  /**
   * Copies pages that diverged into the home, whose pages nobody else looks at, and only then drops
   * the copies.
   */
  private void saveCopies() {
    long run = -1;
    if (!isLent()) {
      return;
    }
    int pages = (int) ((privateTo - privateFrom) / PageRange.PAGE);
    copies.look(view.segment(), privateFrom, pages);
    for (int page = 0; page <= pages; page++) {
      boolean copy = page < pages && copies.isCopy(page);
      long at = privateFrom + (long) page * PageRange.PAGE;
      if (copy && run < 0) {
        run = at;
      } else if (!copy && run >= 0) {
        save(run, at - run);
        run = -1;
      }
    }
  }

  private void save(long offset, long length) {
    MemorySegment.copy(view.segment(), offset, bank.segment(), bank.offset(home) + offset, length);
    divergedBytes += length;
    PageRange.check(view.dropCopies(offset, length), "drop copies of pages", "madvise");
  }

  private void reshare() {
    if (isLent()) {
      share(privateFrom, privateTo - privateFrom);
      privateFrom = 0;
      privateTo = 0;
    }
  }

  private void share(long offset, long length) {
    int result = view.showShared(offset, length, bank.fileOffset(home) + offset);
    PageRange.check(result, "show pages of an extent", "mmap");
  }

  /** Unmaps it. The home stays with whoever has it. */
  @Override
  public void close() {
    copies.close();
    view.close();
  }
}
