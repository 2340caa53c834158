package io.busbar.cli;

import io.busbar.lab.FaultPlan;
import io.busbar.lab.RunOutcome;
import io.busbar.lab.Violation;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What is said of a run of the lab, to people and to programs, figure by figure. */
final class LabText {
  private final RunOutcome outcome;
  private final StringBuilder readable = new StringBuilder();
  private final StringBuilder json = new StringBuilder();

  LabText(String lab, RunOutcome outcome) {
    this.outcome = outcome;
    readable.append("seed %d:".formatted(outcome.seed()));
    json.append(
        "{\"lab\":\"%s\",\"seed\":%d,\"ok\":%b".formatted(lab, outcome.seed(), outcome.ok()));
  }

  /**
   * Adds a figure.
   *
   * @param phrase for people; one that begins with a space goes on with the one before
   */
  LabText with(String key, long value, String phrase) {
    json.append(",\"%s\":%d".formatted(key, value));
    return say(String.format(Locale.ROOT, phrase, value));
  }

  /** Adds a word. */
  LabText with(String key, String value, String phrase) {
    json.append(",\"%s\":\"%s\"".formatted(key, value));
    return say(phrase.formatted(value.replace('_', ' ')));
  }

  private LabText say(String text) {
    boolean isFirst = readable.charAt(readable.length() - 1) == ':';
    readable.append(text.startsWith(" ") ? "" : isFirst ? " " : ", ").append(text);
    return this;
  }

  /** For people. */
  String readable() {
    return readable
        + String.format(
            Locale.ROOT,
            ", %.3f s of virtual time, trace hash %016x%n  faults drawn: %s",
            outcome.virtualNs() / 1e9,
            outcome.traceHash(),
            names(outcome.faults()));
  }

  /** For programs, one object. */
  String json() {
    String violation = text(outcome.violation());
    return json
        + ",\"virtual_ns\":%d,\"trace_hash\":\"%016x\",\"faults\":[%s],\"violation\":%s}"
            .formatted(
                outcome.virtualNs(),
                outcome.traceHash(),
                outcome.faults().stream()
                    .map(kind -> '"' + kind.name() + '"')
                    .collect(Collectors.joining(",")),
                violation == null ? "null" : '"' + Json.escape(violation) + '"');
  }

  /** Kinds of faults, for people. */
  static String names(Set<FaultPlan.Kind> faults) {
    return faults.isEmpty()
        ? "none"
        : faults.stream()
            .map(kind -> kind.name().toLowerCase(Locale.ROOT).replace('_', ' '))
            .collect(Collectors.joining(", "));
  }

  /** What was violated; null if nothing was. */
  static @Nullable String text(@Nullable Violation violation) {
    return violation == null ? null : String.valueOf(violation.getMessage());
  }
}
