package io.busbar.linux;

/** Numbers for processes, named as in the headers; the same on x86-64 and aarch64. */
final class ProcessNumbers {
  // bits/confname.h
  static final int _SC_PAGESIZE = 30;

  // linux/membarrier.h
  static final int MEMBARRIER_CMD_QUERY = 0;
  static final int MEMBARRIER_CMD_GLOBAL_EXPEDITED = 1 << 1;
  static final int MEMBARRIER_CMD_REGISTER_GLOBAL_EXPEDITED = 1 << 2;
  static final int MEMBARRIER_CMD_PRIVATE_EXPEDITED = 1 << 3;
  static final int MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED = 1 << 4;

  // linux/capability.h
  static final int _LINUX_CAPABILITY_VERSION_3 = 0x20080522;
  static final int _LINUX_CAPABILITY_U32S_3 = 2;

  // sched.h: bits of a cpu_set_t
  static final int CPU_SETSIZE = 1024;

  // linux/sched.h
  static final int CLONE_NEWNET = 0x40000000;

  private ProcessNumbers() {}
}
