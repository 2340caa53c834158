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

  /** Bytes of a page: 4 KB on x86-64; 4, 16 or 64 KB on aarch64. */
  public static int pageBytes() {
    return PAGE_BYTES;
  }
}
