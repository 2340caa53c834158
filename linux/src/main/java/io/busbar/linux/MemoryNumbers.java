package io.busbar.linux;

/** Numbers for memory, named as in the headers; the same on x86-64 and aarch64. */
final class MemoryNumbers {
  // asm-generic/mman-common.h
  static final int PROT_READ = 1;
  static final int PROT_WRITE = 2;
  static final int MAP_FIXED = 0x10;
  static final int MAP_ANONYMOUS = 0x20;
  static final int MAP_POPULATE = 0x8000;
  static final int MAP_HUGETLB = 0x40000;
  static final int MADV_WILLNEED = 3;
  static final int MADV_DONTNEED = 4;
  static final int MADV_REMOVE = 9;
  static final int MADV_DONTFORK = 10;
  static final int MADV_HUGEPAGE = 14;
  static final int MADV_NOHUGEPAGE = 15;
  static final int MADV_POPULATE_READ = 22;
  static final int MADV_POPULATE_WRITE = 23;

  // asm-generic/mman.h
  static final int MAP_NORESERVE = 0x4000;

  // linux/mman.h
  static final int MAP_SHARED = 1;
  static final int MAP_PRIVATE = 2;
  static final int MAP_HUGE_2MB = 21 << 26;

  private MemoryNumbers() {}
}
