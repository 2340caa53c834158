package io.busbar.transport;

import io.busbar.wire.Diagnosis;
import java.util.Arrays;

/**
 * The last refusals of a peer's FIRSTs. DIAG may be lost; the FIRST that comes again then gets the
 * same answer. One that is older than these gets UNKNOWN_KEY.
 */
final class Refusals {
  private static final int KEPT = 16;

  private final long[] serials = new long[KEPT];
  private final Diagnosis[] codes = new Diagnosis[KEPT];
  private final int[] details = new int[KEPT];
  private int next;

  Refusals() {
    Arrays.fill(codes, Diagnosis.UNKNOWN_KEY);
  }

  void add(long serial, Diagnosis code, int detail) {
    int i = next++ & (KEPT - 1);
    serials[i] = serial;
    codes[i] = code;
    details[i] = detail;
  }

  /** What was said of this serial. */
  Diagnosis code(long serial) {
    int i = find(serial);
    return i < 0 ? Diagnosis.UNKNOWN_KEY : codes[i];
  }

  /** What the refusing user said of it. */
  int detail(long serial) {
    int i = find(serial);
    return i < 0 ? 0 : details[i];
  }

  private int find(long serial) {
    for (int i = 0; i < KEPT; i++) {
      if (serials[i] == serial) {
        return i;
      }
    }
    return -1;
  }
}
