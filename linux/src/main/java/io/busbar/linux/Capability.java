package io.busbar.linux;

/** Rights of a process, with the numbers of {@code linux/capability.h}. */
public enum Capability {
  /** Set up interfaces, and pass the limits of socket buffers. */
  CAP_NET_ADMIN(12),
  /** Open raw and packet sockets. */
  CAP_NET_RAW(13),
  /** Lock memory past the limit. */
  CAP_IPC_LOCK(14),
  /** Read another user's processes. */
  CAP_SYS_PTRACE(19),
  /** Much else, namespaces among it. */
  CAP_SYS_ADMIN(21),
  /** Raise priorities, and set other users' affinity. */
  CAP_SYS_NICE(23),
  /** Raise hard limits. */
  CAP_SYS_RESOURCE(24),
  /** Load programs into the kernel. */
  CAP_BPF(39);

  final int number;

  Capability(int number) {
    this.number = number;
  }
}
