package io.busbar.linux;

/**
 * The processors that Busbar runs on, with the numbers in which their kernels differ. All other
 * numbers of this room are the same on both.
 */
enum Architecture {
  /** From {@code asm/unistd_64.h}. */
  X86_64(324, 125, 321),
  /** From {@code asm-generic/unistd.h}. */
  AARCH64(283, 90, 280);

  /** {@code SYS_membarrier}; the C library has no function for it. */
  final long sysMembarrier;

  /** {@code SYS_capget}; the C library has no function for it. */
  final long sysCapget;

  /** {@code SYS_bpf}; the C library has no function for it. */
  final long sysBpf;

  Architecture(long sysMembarrier, long sysCapget, long sysBpf) {
    this.sysMembarrier = sysMembarrier;
    this.sysCapget = sysCapget;
    this.sysBpf = sysBpf;
  }

  /** The one that this process runs on. Anything but Linux on these two is refused. */
  static final Architecture CURRENT =
      of(System.getProperty("os.name", "?"), System.getProperty("os.arch", "?"));

  static Architecture of(String system, String processor) {
    if (system.equals("Linux")) {
      switch (processor) {
        case "amd64", "x86_64" -> {
          return X86_64;
        }
        case "aarch64" -> {
          return AARCH64;
        }
        default -> {}
      }
    }
    throw new UnsupportedOperationException(
        "Busbar runs on Linux on x86-64 and aarch64 only, and this is %s on %s."
            .formatted(system, processor));
  }
}
