package io.busbar.bench.contest;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * The floor of shared memory: slots whose first word publishes them, one ring each way, and a
 * cursor so that the sender does not overtake the receiver. Nothing else: no lengths, no peers, no
 * deaths, no sleep.
 */
final class BareRing implements Contender {
  private static final VarHandle WORD = JAVA_LONG.varHandle();
  private static final int LINE = 128;
  private static final long RING_BYTES = 4 << 20;
  private static final int CURSOR_EVERY = 64;

  private final Path path;
  private final boolean owner;
  private final Arena arena = Arena.ofShared();
  private MemorySegment out = MemorySegment.NULL;
  private MemorySegment in = MemorySegment.NULL;
  private final MemorySegment payload = arena.allocate(1 << 20, LINE);
  private long sent;
  private long taken;
  private long passed;

  BareRing(String directory, boolean asks) {
    this.owner = asks;
    this.path = Path.of(directory, "busbar-bare-" + ProcessHandle.current().pid());
    payload.fill((byte) -1);
    if (owner) {
      map(path);
    }
  }

  private void map(Path file) {
    try (FileChannel channel =
        FileChannel.open(
            file, StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.CREATE)) {
      long each = RING_BYTES + LINE;
      MemorySegment all = channel.map(FileChannel.MapMode.READ_WRITE, 0, 2 * each, arena);
      out = all.asSlice(owner ? 0 : each, each);
      in = all.asSlice(owner ? each : 0, each);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public String address() {
    return path.toString();
  }

  @Override
  public void connect(String other) {
    if (!owner) {
      map(Path.of(other));
    }
  }

  private static long slotBytes(int bytes) {
    return Math.ceilDivExact(bytes + Long.BYTES, LINE) * (long) LINE;
  }

  private static long slots(int bytes) {
    return Long.highestOneBit(RING_BYTES / slotBytes(bytes));
  }

  private void put(int bytes, long slot, long mask) {
    long at = LINE + (sent++ & mask) * slot;
    MemorySegment.copy(payload, 0, out, at + Long.BYTES, bytes);
    WORD.setRelease(out, at, sent); // the last write publishes
  }

  private void take(int bytes, long slot, long mask) {
    long at = LINE + (taken++ & mask) * slot;
    while ((long) WORD.getAcquire(in, at) != taken) {
      Thread.onSpinWait();
    }
    MemorySegment.copy(in, at + Long.BYTES, payload, 0, bytes);
  }

  @Override
  public void ask(int bytes, int count, long[] roundTripsNs) {
    long slot = slotBytes(bytes);
    long mask = slots(bytes) - 1;
    for (int i = 0; i < count; i++) {
      long start = System.nanoTime();
      put(bytes, slot, mask);
      take(bytes, slot, mask);
      roundTripsNs[i] = System.nanoTime() - start;
    }
  }

  @Override
  public void answer(int bytes, int count) {
    long slot = slotBytes(bytes);
    long mask = slots(bytes) - 1;
    for (int i = 0; i < count; i++) {
      take(bytes, slot, mask);
      put(bytes, slot, mask);
    }
  }

  @Override
  public void flood(int bytes, int count) {
    long slot = slotBytes(bytes);
    long slots = slots(bytes);
    for (int i = 0; i < count; i++) {
      while (sent - passed >= slots) {
        Thread.onSpinWait();
        passed = (long) WORD.getAcquire(in, 0);
      }
      put(bytes, slot, slots - 1);
    }
    while ((long) WORD.getAcquire(in, 0) != sent) {
      Thread.onSpinWait();
    }
    passed = sent;
  }

  @Override
  public void sink(int bytes, int count) {
    long slot = slotBytes(bytes);
    long slots = slots(bytes);
    long every = Math.clamp(slots / 4, 1, CURSOR_EVERY);
    WORD.setRelease(out, 0, taken); // round trips move no cursor
    for (int i = 0; i < count; i++) {
      take(bytes, slot, slots - 1);
      if (i % every == 0) {
        WORD.setRelease(out, 0, taken);
      }
    }
    WORD.setRelease(out, 0, taken);
  }

  @Override
  public void close() {
    arena.close();
    try {
      Files.deleteIfExists(path);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
