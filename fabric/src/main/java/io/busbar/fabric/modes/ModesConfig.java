package io.busbar.fabric.modes;

import io.busbar.linux.ThisProcess;
import io.busbar.memory.Crossover;

/**
 * How large a channel is.
 *
 * @param cells messages on their way; each takes a little more than 4 KB
 * @param extents parts of the bank, each for one long message; half of them may be kept by the
 *     receiver, half less one by the sender
 * @param inboundExtents further ones that are the receiver's from the start, for posted buffers
 * @param messageBytesMax the longest message, and the size of an extent; whole pages, of 2 MB where
 *     they are large
 * @param overflowBytes private memory of the receiver, for what waits in a sender's own memory
 *     while nothing is posted
 * @param largePages whether the bank has pages of 2 MB; needs CAP_SYS_ADMIN
 * @param crossover below what size EXCHANGE copies
 */
public record ModesConfig(
    int cells,
    int extents,
    int inboundExtents,
    long messageBytesMax,
    long overflowBytes,
    boolean largePages,
    Crossover crossover) {
  /** The longest message that is stored into the interface. */
  public static final int PIO_BYTES_MAX = 4096;

  static final int EXTENTS_MAX = 64;

  /** Checks the numbers. */
  public ModesConfig {
    check(Integer.bitCount(cells) == 1 && cells >= 2 && cells <= 1 << 16, "cells", cells);
    check(extents >= 4 && inboundExtents >= 0, "extents", extents);
    check(extents + inboundExtents <= EXTENTS_MAX, "extents in all", extents + inboundExtents);
    long page = largePages ? Crossover.LARGE : ThisProcess.pageBytes();
    check(
        messageBytesMax >= PIO_BYTES_MAX
            && messageBytesMax % page == 0
            && messageBytesMax >> 31 == 0,
        "messageBytesMax",
        messageBytesMax);
    check(overflowBytes >= 0 && overflowBytes >> 31 == 0, "overflowBytes", overflowBytes);
  }

  private static void check(boolean sound, String what, long value) {
    if (!sound) {
      throw new IllegalArgumentException("a channel cannot have %s = %d".formatted(what, value));
    }
  }

  /** Messages up to 1 MB, small pages, and exchange where it pays on this machine. */
  public static ModesConfig defaults() {
    return new ModesConfig(256, 16, 4, 1 << 20, 4 << 20, false, Measured.SMALL_PAGES);
  }

  /** The same with another crossover. */
  public ModesConfig with(Crossover other) {
    return new ModesConfig(
        cells, extents, inboundExtents, messageBytesMax, overflowBytes, largePages, other);
  }

  /** Measured once in a process, by the first who asks. */
  private static final class Measured {
    static final Crossover SMALL_PAGES = Crossover.measure();
  }
}
