package io.busbar.linux;

import java.util.Locale;

/** Sizes as people read them: {@code 64 MB}, {@code 1.5 KB}, {@code 17 bytes}. */
final class ByteText {
  private static final String[] UNITS = {"bytes", "KB", "MB", "GB", "TB", "PB", "EB"};

  private ByteText() {}

  static String of(long bytes) {
    int unit = bytes < 1024 ? 0 : (63 - Long.numberOfLeadingZeros(bytes)) / 10;
    long one = 1L << (10 * unit);
    return bytes % one == 0
        ? "%d %s".formatted(bytes / one, UNITS[unit])
        : String.format(Locale.ROOT, "%.1f %s", bytes / (double) one, UNITS[unit]);
  }
}
