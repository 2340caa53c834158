package io.busbar.linux;

/**
 * How memory is mapped. Without any, it is shared, readable and writable, and paged in on touch.
 */
public enum MapOption {
  /** It can be read only; a write is a crash, so who maps like this wraps it read-only too. */
  READ_ONLY(0),
  /** What is written stays here: the kernel copies a page on the first write to it. */
  PRIVATE(0),
  /** All pages are there when the mapping is: no fault on first touch. */
  POPULATE(MemoryNumbers.MAP_POPULATE),
  /** Pages of 2 MB from the kernel's reserve; refused when there are not enough. */
  HUGE_2MB(MemoryNumbers.MAP_HUGETLB | MemoryNumbers.MAP_HUGE_2MB),
  /** No swap is set aside for it. */
  NO_RESERVE(MemoryNumbers.MAP_NORESERVE);

  final int flags;

  MapOption(int flags) {
    this.flags = flags;
  }
}
