package io.busbar.memory;

import io.busbar.linux.SystemCallException;
import io.busbar.linux.ThisProcess;

/** Bytes in whole pages. */
final class PageRange {
  static final int PAGE = ThisProcess.pageBytes();

  private PageRange() {}

  static boolean isAligned(long bytes) {
    return (bytes & (PAGE - 1)) == 0;
  }

  static long down(long bytes) {
    return bytes & -PAGE;
  }

  static long up(long bytes) {
    return (bytes + PAGE - 1) & -PAGE;
  }

  /** The result of a change of what a view shows. */
  static void check(int result, String purpose, String call) {
    if (result < 0) {
      throw new SystemCallException(purpose, call, -result);
    }
  }
}
