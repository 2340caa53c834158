package io.busbar.linux;

/** Numbers for files, named as in the headers; the same on x86-64 and aarch64. */
final class FileNumbers {
  // asm-generic/fcntl.h
  static final int O_RDONLY = 0;
  static final int O_WRONLY = 1;
  static final int O_RDWR = 2;
  static final int O_CREAT = 0x40;
  static final int O_EXCL = 0x80;
  static final int O_NONBLOCK = 0x800;
  static final int O_CLOEXEC = 0x80000;
  static final int F_RDLCK = 0;
  static final int F_WRLCK = 1;
  static final int F_UNLCK = 2;
  static final int F_OFD_GETLK = 36;
  static final int F_OFD_SETLK = 37;

  // linux/fcntl.h
  static final int F_SETPIPE_SZ = 1031;

  // linux/fs.h
  static final int SEEK_SET = 0;

  // linux/stat.h, linux/fcntl.h
  static final int STATX_NLINK = 4;
  static final int STATX_INO = 0x100;
  static final int STATX_SIZE = 0x200;
  static final int STATX_BLOCKS = 0x400;
  static final int AT_EMPTY_PATH = 0x1000;

  // linux/memfd.h
  static final int MFD_CLOEXEC = 1;
  static final int MFD_HUGETLB = 4;
  static final int MFD_HUGE_2MB = 21 << 26;

  // linux/mount.h
  static final int FSOPEN_CLOEXEC = 1;
  static final int FSCONFIG_SET_STRING = 1;
  static final int FSCONFIG_CMD_CREATE = 6;
  static final int FSMOUNT_CLOEXEC = 1;

  // sys/eventfd.h
  static final int EFD_NONBLOCK = 0x800;
  static final int EFD_CLOEXEC = 0x80000;

  // sys/timerfd.h, time.h
  static final int TFD_NONBLOCK = 0x800;
  static final int TFD_CLOEXEC = 0x80000;
  static final int CLOCK_MONOTONIC = 1;

  // linux/magic.h
  static final long TMPFS_MAGIC = 0x01021994;

  // asm-generic/poll.h
  static final int POLLIN = 1;
  static final int POLLOUT = 4;
  static final int POLLERR = 8;
  static final int POLLHUP = 0x10;
  static final int POLLNVAL = 0x20;

  private FileNumbers() {}
}
