package io.busbar.linux;

import static io.busbar.linux.ProcessNumbers.CPU_SETSIZE;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.BitSet;

/** The processors that the calling platform thread may run on; of at most 1,024. */
public final class Affinity {
  private static final int SET_BYTES = CPU_SETSIZE / 8;
  private static final int THIS_THREAD = 0;

  private Affinity() {}

  /** A bit per processor. */
  public static BitSet get() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment set = arena.allocate(SET_BYTES, 8);
      int result = ProcessCalls.schedGetaffinity(THIS_THREAD, SET_BYTES, set);
      if (result < 0) {
        throw new SystemCallException("read the affinity", "sched_getaffinity", -result);
      }
      return BitSet.valueOf(set.toArray(JAVA_BYTE));
    }
  }

  /** Runs on these from now on. */
  public static void set(BitSet processors) {
    if (Thread.currentThread().isVirtual()) {
      throw new IllegalStateException("a virtual thread has no processors of its own");
    }
    byte[] bits = processors.toByteArray();
    if (bits.length > SET_BYTES) {
      throw new IllegalArgumentException("processors are numbered below " + CPU_SETSIZE);
    }
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment set = arena.allocate(SET_BYTES, 8);
      MemorySegment.copy(bits, 0, set, JAVA_BYTE, 0, bits.length);
      int result = ProcessCalls.schedSetaffinity(THIS_THREAD, SET_BYTES, set);
      if (result < 0) {
        String purpose = "run on the processors " + processors;
        throw new SystemCallException(purpose, "sched_setaffinity", -result);
      }
    }
  }
}
