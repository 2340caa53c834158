package io.busbar.linux;

import static java.lang.foreign.MemoryLayout.paddingLayout;
import static java.lang.foreign.MemoryLayout.sequenceLayout;
import static java.lang.foreign.MemoryLayout.structLayout;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.StructLayout;

/** The structures of files, waiting and processes. */
final class SystemLayouts {
  /** From {@code asm-generic/poll.h}. */
  static final StructLayout POLLFD =
      structLayout(
              JAVA_INT.withName("fd"),
              JAVA_SHORT.withName("events"),
              JAVA_SHORT.withName("revents"))
          .withName("struct pollfd");

  /** From {@code bits/types/struct_timespec.h}. */
  static final StructLayout TIMESPEC =
      structLayout(JAVA_LONG.withName("tv_sec"), JAVA_LONG.withName("tv_nsec"))
          .withName("struct timespec");

  /** From {@code asm-generic/fcntl.h}. */
  static final StructLayout FLOCK =
      structLayout(
              JAVA_SHORT.withName("l_type"),
              JAVA_SHORT.withName("l_whence"),
              paddingLayout(4),
              JAVA_LONG.withName("l_start"),
              JAVA_LONG.withName("l_len"),
              JAVA_INT.withName("l_pid"),
              paddingLayout(4))
          .withName("struct flock");

  /** From {@code bits/statfs.h}. */
  static final StructLayout STATFS =
      structLayout(
              JAVA_LONG.withName("f_type"),
              JAVA_LONG.withName("f_bsize"),
              JAVA_LONG.withName("f_blocks"),
              JAVA_LONG.withName("f_bfree"),
              JAVA_LONG.withName("f_bavail"),
              JAVA_LONG.withName("f_files"),
              JAVA_LONG.withName("f_ffree"),
              sequenceLayout(2, JAVA_INT).withName("f_fsid"),
              JAVA_LONG.withName("f_namelen"),
              JAVA_LONG.withName("f_frsize"),
              JAVA_LONG.withName("f_flags"),
              sequenceLayout(4, JAVA_LONG))
          .withName("struct statfs");

  /** From {@code linux/stat.h}; the fields up to those that are used. */
  static final StructLayout STATX =
      structLayout(
              JAVA_INT.withName("stx_mask"),
              JAVA_INT.withName("stx_blksize"),
              JAVA_LONG.withName("stx_attributes"),
              JAVA_INT.withName("stx_nlink"),
              JAVA_INT.withName("stx_uid"),
              JAVA_INT.withName("stx_gid"),
              JAVA_SHORT.withName("stx_mode"),
              paddingLayout(2),
              JAVA_LONG.withName("stx_ino"),
              JAVA_LONG.withName("stx_size"),
              JAVA_LONG.withName("stx_blocks"),
              sequenceLayout(25, JAVA_LONG))
          .withName("struct statx");

  /** From {@code bits/resource.h}. */
  static final StructLayout RLIMIT =
      structLayout(JAVA_LONG.withName("rlim_cur"), JAVA_LONG.withName("rlim_max"))
          .withName("struct rlimit");

  /** From {@code linux/capability.h}. */
  static final StructLayout CAP_HEADER =
      structLayout(JAVA_INT.withName("version"), JAVA_INT.withName("pid"))
          .withName("struct __user_cap_header_struct");

  /** From {@code linux/capability.h}; version 3 has two, for the low and the high 32 bits. */
  static final StructLayout CAP_DATA =
      structLayout(
              JAVA_INT.withName("effective"),
              JAVA_INT.withName("permitted"),
              JAVA_INT.withName("inheritable"))
          .withName("struct __user_cap_data_struct");

  private SystemLayouts() {}
}
