package io.busbar.linux;

import static io.busbar.linux.MessageLayouts.IOVEC;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;

/**
 * The memory of another process, read with one copy (cross memory attach). Reading allocates
 * nothing. That the pid still belongs to the same process is for the caller to prove, with a lock
 * that the process holds.
 */
public final class ProcessMemory {
  private static final long BASE = Offsets.of(IOVEC, "iov_base");
  private static final long LENGTH = Offsets.of(IOVEC, "iov_len");

  private final int pid;
  private final MemorySegment local = Arena.ofAuto().allocate(IOVEC);
  private final MemorySegment remote = Arena.ofAuto().allocate(IOVEC);

  /** Of the process with this id; whether it may be read, the first read says. */
  public ProcessMemory(int pid) {
    this.pid = pid;
  }

  /**
   * Reads from an address of the other process: bytes, fewer when its memory ends before, or a
   * negated errno: {@code -EPERM} without the right, {@code -ESRCH} when the process has ended,
   * {@code -EFAULT} when nothing is mapped there.
   */
  public long read(long address, MemorySegment into, long offset, long length) {
    local.set(JAVA_LONG, BASE, Native.address(into, offset, length));
    local.set(JAVA_LONG, LENGTH, length);
    remote.set(JAVA_LONG, BASE, address);
    remote.set(JAVA_LONG, LENGTH, length);
    try {
      return HotCalls.processVmReadv(pid, local.address(), remote.address());
    } finally {
      Reference.reachabilityFence(into);
      Reference.reachabilityFence(this);
    }
  }

  /** What a failed read is, in words. */
  public SystemCallException failure(long result) {
    String purpose = "read the memory of process " + pid;
    return new SystemCallException(purpose, "process_vm_readv", (int) -result);
  }
}
