package io.busbar.bench.contest;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * The floor of a message that is copied once: {@link MemorySegment#copy} in one process. It goes
 * through more memory than the nearer caches hold, as a message does that another process wrote.
 */
final class Memcpy implements Contender {
  private static final int ROTATION_BYTES = 16 << 20;

  private final MemorySegment from = Arena.ofAuto().allocate(ROTATION_BYTES, 4096);
  private final MemorySegment to = Arena.ofAuto().allocate(ROTATION_BYTES, 4096);

  Memcpy() {
    from.fill((byte) -1);
    to.fill((byte) 0);
  }

  @Override
  public String address() {
    return "-";
  }

  @Override
  public void connect(String other) {}

  @Override
  public void flood(int bytes, int count) {
    long at = 0;
    for (int i = 0; i < count; i++) {
      MemorySegment.copy(from, at, to, at, bytes);
      at = at + 2L * bytes > ROTATION_BYTES ? 0 : at + bytes;
    }
  }

  @Override
  public void sink(int bytes, int count) {}

  @Override
  public void close() {}
}
