package io.busbar.lab.conformance;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.busbar.linux.EventFd;
import io.busbar.memory.Pool;
import io.busbar.memory.PoolLayout;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;

/** What the stations of one process share: rings, pools, bells, and two words each. */
final class LoopHub {
  static final int STATIONS = 3;
  static final int BLOCK_BYTES = 4096;

  /** Room for a full ring and all claims of two receivers, and as much for the program. */
  static final PoolLayout POOL = new PoolLayout(16, BLOCK_BYTES);

  private static final VarHandle WORD = JAVA_LONG.varHandle();
  private static final long LINE_BYTES = 128;

  private final LoopRing[][] rings = new LoopRing[STATIONS][STATIONS];
  private final MemorySegment[] memories = new MemorySegment[STATIONS];
  private final EventFd[] bells = new EventFd[STATIONS];
  private final MemorySegment alive = words();
  private final MemorySegment sleeping = words();

  LoopHub() {
    for (int i = 0; i < STATIONS; i++) {
      memories[i] = Arena.ofAuto().allocate(POOL.bytes(), BLOCK_BYTES);
      bells[i] = new EventFd();
      for (int k = 0; k < STATIONS; k++) {
        rings[i][k] = new LoopRing();
      }
    }
  }

  private static MemorySegment words() {
    return Arena.ofAuto().allocate(STATIONS * LINE_BYTES, Long.BYTES);
  }

  LoopRing ring(int from, int to) {
    return rings[from][to];
  }

  MemorySegment memory(int station) {
    return memories[station];
  }

  /** A hold on one station's pool for another, or for itself. */
  Pool pool(int of, int by) {
    return new Pool(POOL, memories[of], by + 1);
  }

  EventFd bell(int station) {
    return bells[station];
  }

  boolean isAlive(int station) {
    return (long) WORD.getVolatile(alive, station * LINE_BYTES) != 0;
  }

  void setAlive(int station, boolean lives) {
    WORD.setVolatile(alive, station * LINE_BYTES, lives ? 1L : 0L);
  }

  /** Volatile, as the rings' tails are not: a fence stands before it at the sender. */
  boolean isAsleep(int station) {
    return (long) WORD.getVolatile(sleeping, station * LINE_BYTES) != 0;
  }

  void setAsleep(int station, boolean sleeps) {
    WORD.setVolatile(sleeping, station * LINE_BYTES, sleeps ? 1L : 0L);
  }

  void close() {
    for (EventFd bell : bells) {
      bell.close();
    }
  }
}
