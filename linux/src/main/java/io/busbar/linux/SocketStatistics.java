package io.busbar.linux;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.ref.Reference;

/** What a socket has counted, asked for again and again without allocating. */
final class SocketStatistics {
  private final int level;
  private final int option;
  private final int bytes;
  private final MemorySegment value;
  private final MemorySegment length = Arena.ofAuto().allocate(JAVA_INT);

  SocketStatistics(int level, int option, StructLayout layout) {
    this.level = level;
    this.option = option;
    this.bytes = (int) layout.byteSize();
    this.value = Arena.ofAuto().allocate(layout);
  }

  /** What it has counted now; the same memory every time. */
  MemorySegment of(NativeSocket socket) {
    length.set(JAVA_INT, 0, bytes);
    int fd = socket.descriptor().number();
    try {
      if (RareCalls.getsockopt(fd, level, option, value.address(), length.address()) < 0) {
        int result = SocketCalls.getsockopt(fd, level, option, value, length);
        if (result < 0) {
          throw new SystemCallException("count what " + socket + " lost", "getsockopt", -result);
        }
      }
      return value;
    } finally {
      Reference.reachabilityFence(this);
    }
  }
}
