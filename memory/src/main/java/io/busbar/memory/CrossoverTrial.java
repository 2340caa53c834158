package io.busbar.memory;

import io.busbar.linux.MapOption;
import io.busbar.linux.Mapping;
import io.busbar.linux.MemoryFile;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/** Measures both ways beside each other; both ends are in this process, and do the real work. */
final class CrossoverTrial {
  private static final long LEAST = 64 << 10;
  private static final long MOST = 16 << 20;

  /**
   * Sender and receiver turn in three extents, so that what arrives is not in the nearest cache.
   */
  private static final int EXTENTS = 3;

  private static final int ROUNDS = 9;
  private static final int READ_BYTES = 32 << 10;

  private final MemoryFile file;
  private final long pageBytes;
  private byte value;

  CrossoverTrial(MemoryFile file, long pageBytes) {
    this.file = file;
    this.pageBytes = pageBytes;
    file.reserve(EXTENTS * MOST);
  }

  Crossover run() {
    List<Crossover.Point> points = new ArrayList<>();
    try (Mapping application = Mapping.anonymous(MOST, MapOption.POPULATE);
        Mapping near = Mapping.anonymous(READ_BYTES, MapOption.POPULATE)) {
      for (long bytes = LEAST; bytes <= MOST; bytes *= 2) {
        points.add(measure(bytes, application.segment(), near.segment()));
      }
    }
    return Crossover.of(pageBytes, points);
  }

  private Crossover.Point measure(long bytes, MemorySegment application, MemorySegment near) {
    try (ExchangeBank bank =
            new ExchangeBank(file, 0, EXTENTS, Math.max(bytes, pageBytes), pageBytes);
        SendPages out = new SendPages(bank, 0);
        ReceivePages in = new ReceivePages(bank, bytes)) {
      double copySend =
          least(
              () -> {
                fill(application, bytes);
                MemorySegment.copy(application, 0, bank.segment(), bank.offset(1), bytes);
              });
      double exchangeSend =
          least(
              () -> {
                out.reown();
                fill(out.segment(), bytes);
                out.lend(0, bytes);
              });
      int[] turn = {0};
      double copyReceive =
          least(
              () -> {
                int extent = turn[0]++ % EXTENTS;
                MemorySegment.copy(bank.segment(), bank.offset(extent), application, 0, bytes);
                read(application, bytes, near);
              });
      double exchangeReceive =
          least(
              () -> {
                int _ = in.take(turn[0]++ % EXTENTS, 0, 0, bytes);
                read(in.segment(), bytes, near);
              });
      return new Crossover.Point(bytes, copySend, exchangeSend, copyReceive, exchangeReceive);
    }
  }

  private void fill(MemorySegment memory, long bytes) {
    memory.asSlice(0, bytes).fill(value++);
  }

  /** Into memory that is near: fast even before anything is compiled. */
  private static void read(MemorySegment memory, long bytes, MemorySegment near) {
    for (long at = 0; at < bytes; at += READ_BYTES) {
      MemorySegment.copy(memory, at, near, 0, Math.min(READ_BYTES, bytes - at));
    }
  }

  /** The least of some rounds: what others do on the machine only ever adds. */
  private static double least(Runnable work) {
    long least = Long.MAX_VALUE;
    for (int round = 0; round < ROUNDS; round++) {
      long start = System.nanoTime();
      work.run();
      least = Math.min(least, System.nanoTime() - start);
    }
    return least;
  }
}
