package io.busbar.linux;

import static io.busbar.linux.SystemLayouts.CAP_DATA;
import static io.busbar.linux.SystemLayouts.CAP_HEADER;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * The rights that count for the calling thread now.
 *
 * @param bits a bit per capability
 */
public record Capabilities(long bits) {
  private static final long VERSION = Offsets.of(CAP_HEADER, "version");
  private static final long EFFECTIVE = Offsets.of(CAP_DATA, "effective");

  /** What the calling thread has. */
  public static Capabilities effective() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment header = arena.allocate(CAP_HEADER);
      header.set(JAVA_INT, VERSION, ProcessNumbers._LINUX_CAPABILITY_VERSION_3);
      MemorySegment data = arena.allocate(CAP_DATA, ProcessNumbers._LINUX_CAPABILITY_U32S_3);
      long result = ProcessCalls.syscallPointers(Native.ARCHITECTURE.sysCapget, header, data);
      if (result < 0) {
        throw new SystemCallException("read this process's rights", "capget", (int) -result);
      }
      long low = data.get(JAVA_INT, EFFECTIVE) & 0xFFFF_FFFFL;
      long high = data.get(JAVA_INT, CAP_DATA.byteSize() + EFFECTIVE);
      return new Capabilities((high << 32) | low);
    }
  }

  /** Whether it is among them. */
  public boolean has(Capability capability) {
    return ((bits >>> capability.number) & 1) != 0;
  }
}
