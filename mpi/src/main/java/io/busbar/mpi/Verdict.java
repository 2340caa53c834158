package io.busbar.mpi;

import io.busbar.mpi.MpiError.Kind;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.StringJoiner;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Whether the calls of all processes are one collective. Pure.
 *
 * @param kind what differs; null: nothing does
 * @param text who calls what
 */
record Verdict(@Nullable Kind kind, String text) {
  private static final int RANKS_NAMED_MAX = 16;
  private static final Verdict AGREED = new Verdict(null, "");

  /**
   * Over the calls of all processes; an absent one is null.
   *
   * @param firstSide how many of them are on the first of two sides; 0 if there is one
   * @param label which rank people know each by
   */
  static Verdict of(List<@Nullable Call> calls, int firstSide, List<Integer> label) {
    Kind kind = difference(calls, firstSide);
    return kind == null ? AGREED : new Verdict(kind, text(calls, label));
  }

  private static @Nullable Kind difference(List<@Nullable Call> calls, int firstSide) {
    if (calls.contains(null)) {
      return Kind.PROC_FAILED;
    }
    List<Call> all = calls.stream().map(Objects::requireNonNull).toList();
    if (!same(all, Call::name, call -> true)) {
      return Kind.OTHER;
    }
    boolean rootsFit =
        firstSide == 0 ? same(all, Call::root, call -> true) : rootsFit(all, firstSide);
    if (!rootsFit) {
      return Kind.ROOT;
    }
    // Beside the root of another group, nothing else matters.
    Predicate<Call> takesPart = call -> firstSide == 0 || call.root() != Communicator.NOBODY;
    if (!same(all, Call::operation, takesPart)) {
      return Kind.OP;
    }
    return same(all, Call::data, takesPart) ? null : Kind.COUNT;
  }

  private static boolean same(List<Call> all, Function<Call, Object> what, Predicate<Call> which) {
    return all.stream().filter(which).map(what).distinct().count() <= 1;
  }

  /** One is the root, those beside it know, and the other side names it. */
  private static boolean rootsFit(List<Call> all, int firstSide) {
    if (all.stream().allMatch(call -> call.root() == Call.NO_ROOT)) {
      return true;
    }
    int[] roots =
        IntStream.range(0, all.size())
            .filter(i -> all.get(i).root() == Communicator.ROOT)
            .toArray();
    if (roots.length != 1) {
      return false;
    }
    int root = roots[0];
    boolean inFirst = root < firstSide;
    int rank = inFirst ? root : root - firstSide;
    return IntStream.range(0, all.size())
        .filter(i -> i != root)
        .allMatch(
            i -> all.get(i).root() == ((i < firstSide) == inFirst ? Communicator.NOBODY : rank));
  }

  private static String text(List<@Nullable Call> calls, List<Integer> label) {
    Map<String, StringJoiner> who = new LinkedHashMap<>();
    Map<String, Integer> counts = new LinkedHashMap<>();
    for (int i = 0; i < calls.size(); i++) {
      Call call = calls.get(i);
      String what = call == null ? "nothing more" : call.toString();
      int count = counts.merge(what, 1, Integer::sum);
      StringJoiner ranks = who.computeIfAbsent(what, _ -> new StringJoiner(", "));
      if (count <= RANKS_NAMED_MAX) {
        ranks.add(Integer.toString(label.get(i)));
      } else if (count == RANKS_NAMED_MAX + 1) {
        ranks.add("…");
      }
    }
    StringJoiner text = new StringJoiner(", ");
    who.forEach(
        (what, ranks) ->
            text.add(
                counts.getOrDefault(what, 0) == 1
                    ? "rank %s calls %s".formatted(ranks, what)
                    : "ranks %s call %s".formatted(ranks, what)));
    return text.toString();
  }
}
