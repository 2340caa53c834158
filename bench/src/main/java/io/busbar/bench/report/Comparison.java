package io.busbar.bench.report;

import io.busbar.bench.Aim;
import io.busbar.bench.Figure;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Busbar's value beside another one of the same figure: what a line of the table of ratios says.
 *
 * @param system the other one; empty when the value itself is judged
 * @param value the other's; null when it was not measured
 * @param ratio Busbar's value over it, with the interval; null when there is none
 * @param standing who is ahead
 * @param aims what should be
 */
record Comparison(
    String system,
    @Nullable Double value,
    @Nullable Ratio ratio,
    Standing standing,
    List<Aim> aims) {

  /**
   * Busbar's value over another's.
   *
   * @param median over paired rounds
   * @param low where the middle 80 % begin
   * @param high where they end
   */
  record Ratio(double median, double low, double high) {
    static @Nullable Ratio of(double @Nullable [] ratio) {
      return ratio == null ? null : new Ratio(ratio[0], ratio[1], ratio[2]);
    }

    /** The median in words. */
    String words() {
      return Numbers.shown(median) + " x";
    }

    /** The interval in words. */
    String interval() {
      return Numbers.shown(low) + " to " + Numbers.shown(high);
    }
  }

  /** Who is ahead, by the whole interval of the ratio. */
  enum Standing {
    /** Busbar is. */
    AHEAD("ahead"),
    /** The interval holds both. */
    LEVEL("level"),
    /** The other is. */
    BEHIND("behind"),
    /** There is no ratio. */
    UNKNOWN("");

    private final String words;

    Standing(String words) {
      this.words = words;
    }

    String words() {
      return words;
    }

    static Standing of(@Nullable Ratio ratio, boolean lowerIsBetter) {
      if (ratio == null) {
        return UNKNOWN;
      }
      if (ratio.low <= 1 && ratio.high >= 1) {
        return LEVEL;
      }
      return ratio.high < 1 == lowerIsBetter ? AHEAD : BEHIND;
    }
  }

  /** Whether a figure belongs into the table of ratios. */
  static boolean isComparable(Figure figure) {
    return !figure.ratios().isEmpty() || !figure.aims().isEmpty();
  }

  /** All comparisons of a figure; an aim is in exactly one of them. */
  static List<Comparison> of(Figure figure) {
    Map<String, List<Aim>> aims = new LinkedHashMap<>();
    if (figure.aims().stream().anyMatch(aim -> aim.system().isEmpty())) {
      aims.put("", new ArrayList<>());
    }
    figure.systems().keySet().stream()
        .filter(system -> !system.equals(Recording.BUSBAR))
        .forEach(system -> aims.put(system, new ArrayList<>()));
    figure
        .aims()
        .forEach(aim -> aims.computeIfAbsent(aim.system(), _ -> new ArrayList<>()).add(aim));
    List<Comparison> comparisons = new ArrayList<>();
    aims.forEach(
        (system, its) -> {
          Ratio ratio = Ratio.of(figure.ratios().get(system));
          comparisons.add(
              new Comparison(
                  system,
                  figure.systems().get(system),
                  ratio,
                  Standing.of(ratio, figure.better().equals("lower")),
                  its));
        });
    return comparisons;
  }

  /** What is aimed at, in words. */
  static String words(Aim aim) {
    return aim.toString().replace("<=", "at most").replace(">=", "at least");
  }

  /** Whether it was reached, in words. */
  static String verdict(Aim aim, Figure figure) {
    return switch (aim.judge(figure)) {
      case MET -> "met";
      case MISSED -> "missed";
      case UNKNOWN -> "not measured";
    };
  }

  /**
   * How often each word was said.
   *
   * @param verdicts met, missed, not measured
   * @param standings for each system: ahead, level, behind
   */
  record Tally(Map<String, Integer> verdicts, Map<String, Map<Standing, Integer>> standings) {
    static Tally of(Recording recording) {
      Map<String, Integer> verdicts = new LinkedHashMap<>();
      List.of("met", "missed", "not measured").forEach(verdict -> verdicts.put(verdict, 0));
      Map<String, Map<Standing, Integer>> standings = new LinkedHashMap<>();
      recording
          .figures()
          .forEach(
              figure -> {
                for (Comparison one : Comparison.of(figure)) {
                  one.aims.forEach(aim -> verdicts.merge(verdict(aim, figure), 1, Integer::sum));
                  if (one.standing != Standing.UNKNOWN) {
                    standings
                        .computeIfAbsent(one.system, _ -> new LinkedHashMap<>())
                        .merge(one.standing, 1, Integer::sum);
                  }
                }
              });
      return new Tally(verdicts, standings);
    }

    int count(String system, Standing standing) {
      return standings.getOrDefault(system, Map.of()).getOrDefault(standing, 0);
    }
  }
}
