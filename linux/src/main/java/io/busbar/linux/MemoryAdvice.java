package io.busbar.linux;

/** What the kernel is told about memory, from {@code asm-generic/mman-common.h}. */
public enum MemoryAdvice {
  /** It will be used soon. */
  WILL_NEED(MemoryNumbers.MADV_WILLNEED),
  /** Drop the pages: private memory is zero again, shared memory is read again from its file. */
  DONT_NEED(MemoryNumbers.MADV_DONTNEED),
  /** Give the pages and the space in the file back; they are zero again. */
  REMOVE(MemoryNumbers.MADV_REMOVE),
  /** A child process does not get it. */
  DONT_FORK(MemoryNumbers.MADV_DONTFORK),
  /** Use pages of 2 MB where they are free. */
  HUGE_PAGE(MemoryNumbers.MADV_HUGEPAGE),
  /** Use small pages. */
  NO_HUGE_PAGE(MemoryNumbers.MADV_NOHUGEPAGE),
  /** Fault all pages in for reading now; fails where a touch would (since Linux 5.14). */
  POPULATE_READ(MemoryNumbers.MADV_POPULATE_READ),
  /** Fault all pages in for writing now; fails where a touch would (since Linux 5.14). */
  POPULATE_WRITE(MemoryNumbers.MADV_POPULATE_WRITE);

  final int number;

  MemoryAdvice(int number) {
    this.number = number;
  }
}
