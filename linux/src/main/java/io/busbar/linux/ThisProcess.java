package io.busbar.linux;

/** What the kernel knows the calling process and thread by. */
public final class ThisProcess {
  private static final int PAGE_BYTES = (int) ProcessCalls.sysconf(ProcessNumbers._SC_PAGESIZE);

  private ThisProcess() {}

  /** The process id, in this process's own pid namespace. */
  public static int pid() {
    return ProcessCalls.getpid();
  }

  /** The thread id; of a virtual thread, that of its carrier of the moment. */
  public static int threadId() {
    return ProcessCalls.gettid();
  }

  /** Lets others go first who wait for the processor that the calling thread runs on. */
  public static void offerProcessor() {
    int result = HotCalls.schedYield();
    if (result < 0) {
      throw new SystemCallException("offer the processor", "sched_yield", -result);
    }
  }

  /** Bytes of a page: 4 KB on x86-64; 4, 16 or 64 KB on aarch64. */
  public static int pageBytes() {
    return PAGE_BYTES;
  }
}
