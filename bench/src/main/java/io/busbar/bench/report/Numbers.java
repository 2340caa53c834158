package io.busbar.bench.report;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Numbers as people read them. */
final class Numbers {
  private static final MathContext DIGITS = new MathContext(4);
  private static final String[] THOUSANDS = {"", "k", "M", "G", "T", "P", "E"};

  private Numbers() {}

  /** All digits that a number has. */
  static String plain(double value) {
    return new BigDecimal(Double.toString(value)).stripTrailingZeros().toPlainString();
  }

  /** Four digits that count, and commas between thousands. */
  static String shown(double value) {
    double size = Math.abs(value);
    if (size >= 1e12 || (size > 0 && size < 1e-6)) {
      return String.format(Locale.ROOT, "%.3g", value);
    }
    if (size >= 1000) {
      return String.format(Locale.ROOT, "%,.0f", value);
    }
    return plain(new BigDecimal(Double.toString(value)).round(DIGITS).doubleValue());
  }

  /** The same with its unit. */
  static String shown(double value, String unit) {
    return unit.isEmpty() ? shown(value) : shown(value) + " " + unit;
  }

  /** The same of a value that may be missing. */
  static String orMissing(@Nullable Double value, String unit) {
    return value == null ? "not measured" : shown(value, unit);
  }

  /** Three digits that count, with a letter for thousands: for axes and bars. */
  static String brief(double value) {
    double rest = Math.abs(value);
    int thousands = 0;
    while (rest >= 1000 && thousands < THOUSANDS.length - 1) {
      rest /= 1000;
      thousands++;
    }
    if (rest >= 1000 || (rest > 0 && rest < 1e-4)) {
      return String.format(Locale.ROOT, "%.0e", value);
    }
    String digits = plain(new BigDecimal(rest).round(new MathContext(3)).doubleValue());
    return (value < 0 ? "-" : "") + digits + THOUSANDS[thousands];
  }

  /** The size of a message. */
  static String bytes(int bytes) {
    if (bytes >= 1 << 20 && bytes % (1 << 20) == 0) {
      return (bytes >> 20) + " MiB";
    }
    if (bytes >= 1 << 10 && bytes % (1 << 10) == 0) {
      return (bytes >> 10) + " KiB";
    }
    return String.format(Locale.ROOT, "%,d B", bytes);
  }
}
