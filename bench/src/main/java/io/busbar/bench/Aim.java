package io.busbar.bench;

import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/**
 * What a figure should be: a bound on Busbar's value, or on its ratio to another system's. The
 * median decides.
 *
 * @param atMost whether the bound is one from above
 * @param bound the value itself, or a factor of another system's
 * @param system whose value is multiplied; empty for a bound on the value itself
 */
public record Aim(boolean atMost, double bound, String system) {
  /** Less than a small object in thousands of messages: what is left is the harness's own. */
  private static final double NOTHING = 0.005;

  /** Whether an aim was reached. */
  public enum Verdict {
    /** The median meets the bound. */
    MET,
    /** It does not. */
    MISSED,
    /** What it is compared with was not measured. */
    UNKNOWN
  }

  /** Busbar's value is at most this. */
  public static Aim atMost(double bound) {
    return new Aim(true, bound, "");
  }

  /** Busbar's value is at least this. */
  public static Aim atLeast(double bound) {
    return new Aim(false, bound, "");
  }

  /** Busbar's value is at most so many times another system's. */
  public static Aim atMost(double factor, String system) {
    return new Aim(true, factor, system);
  }

  /** Busbar's value is at least so many times another system's. */
  public static Aim atLeast(double factor, String system) {
    return new Aim(false, factor, system);
  }

  /** Busbar's value is zero, but for what the harness itself adds. */
  public static Aim zero() {
    return atMost(0);
  }

  /** Judges a figure. */
  public Verdict judge(Figure figure) {
    if (system.isEmpty()) {
      Double value = figure.systems().get("busbar");
      if (value == null) {
        return figure.systems().containsKey("busbar") ? Verdict.MISSED : Verdict.UNKNOWN;
      }
      return judge(value);
    }
    double @Nullable [] ratio = figure.ratios().get(system);
    return ratio == null ? Verdict.UNKNOWN : judge(ratio[0]);
  }

  private Verdict judge(double value) {
    double allowed = atMost && bound == 0 ? NOTHING : bound;
    return (atMost ? value <= allowed : value >= allowed) ? Verdict.MET : Verdict.MISSED;
  }

  /** The aim, and whether the figure reaches it, in words. */
  public String words(Figure figure) {
    String verdict =
        switch (judge(figure)) {
          case MET -> "met";
          case MISSED -> "missed";
          case UNKNOWN -> "not measured";
        };
    return this + ": " + verdict;
  }

  /** The aim as an object; who reads it finds the verdict. */
  String json() {
    return "{\"%s\":%s%s}"
        .formatted(
            atMost ? "at_most" : "at_least",
            number(),
            system.isEmpty() ? "" : ",\"of\":\"" + system + "\"");
  }

  private String number() {
    return new BigDecimal(Double.toString(bound)).stripTrailingZeros().toPlainString();
  }

  @Override
  public String toString() {
    return (atMost ? "<= " : ">= ") + number() + (system.isEmpty() ? "" : " x " + system);
  }
}
