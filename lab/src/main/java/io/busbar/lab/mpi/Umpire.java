package io.busbar.lab.mpi;

import io.busbar.lab.TraceHash;
import io.busbar.lab.Violation;
import io.busbar.lab.stack.SimProcess;
import io.busbar.lab.stack.Stack;
import io.busbar.mpi.Holdings;
import io.busbar.mpi.MpiError;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Judges a run: knows what was sent, who had a reason to fail, and what is owed at the end. */
final class Umpire {
  private record Pair(int of, int with) {}

  private record Account(long credit, long untold, long castCredit, long untoldCasts) {}

  /** What a rank may have cast and nobody asked for, as many times what it may have sent. */
  private static final int CASTS_TIMES = 4;

  private final Stack stack;
  private final TraceHash trace;
  private final @Nullable Consumer<String> story;
  private final long quotaBytes;
  private final Letters letters = new Letters();
  private final List<Letter> recalls = new ArrayList<>();
  private final BitSet isolated = new BitSet();
  private final Map<Pair, Account> accounts = new HashMap<>();
  private final String[] doing;
  private @Nullable Violation violation;
  private long received;
  private long bytes;
  private long collectives;
  private long calledBack;
  private long errors;
  private long casts;

  Umpire(Stack stack, TraceHash trace, @Nullable Consumer<String> story, long quotaBytes) {
    this.stack = stack;
    this.trace = trace;
    this.story = story;
    this.quotaBytes = quotaBytes;
    doing = new String[stack.size()];
  }

  Letters letters() {
    return letters;
  }

  // What happens.

  /** A program does something; said only if somebody reads it. */
  void note(SimProcess at, String what, long which) {
    doing[at.node()] = "%s %d".formatted(what, which);
    trace.on(at.nowNs(), what.hashCode() * 31L + at.node(), which);
    if (story != null) {
      story.accept(
          String.format(
              Locale.ROOT,
              "%14.3f  %-9s  rank %d %s %d",
              at.schedule().nowNs() / 1e3,
              "",
              at.node(),
              what,
              which));
    }
  }

  /** The first violation counts. */
  void fail(Violation why) {
    if (violation == null) {
      violation = why;
    }
  }

  @Nullable Violation violation() {
    return violation;
  }

  void onReceived(SimProcess at, Letter letter) {
    received++;
    bytes += letter.length;
    note(at, "has letter", letter.flow);
  }

  void onCollective() {
    collectives++;
  }

  /** A send was called back, in time or too late; then somebody takes it. */
  void onEndOfRecall(Letter letter) {
    calledBack += letter.calledBack ? 1 : 0;
    recalls.add(letter);
  }

  long calledBack() {
    return calledBack;
  }

  long received() {
    return received;
  }

  long bytes() {
    return bytes;
  }

  long collectives() {
    return collectives;
  }

  /** Whether ranks can send to all at once. */
  boolean isOnBus() {
    return stack.isOnBus();
  }

  /** A rank has sent so many messages to all. */
  void onCasts(long count) {
    casts += count;
  }

  long casts() {
    return casts;
  }

  long errors() {
    return errors;
  }

  // Reasons.

  /** A rank cannot be reached for longer than anybody waits. */
  void isolate(int node) {
    isolated.set(node);
  }

  private boolean isLost(int node) {
    SimProcess now = stack.process(node);
    return now.isCrashed() || now.life() > 0 || isolated.get(node);
  }

  /** Ranks that were killed. */
  int deaths() {
    int sum = 0;
    for (int node = 0; node < stack.size(); node++) {
      sum += isLost(node) && !isolated.get(node) ? 1 : 0;
    }
    return sum;
  }

  /** Whether something may fail for anybody. */
  boolean hasReason() {
    for (int node = 0; node < stack.size(); node++) {
      if (isLost(node)) {
        return true;
      }
    }
    return false;
  }

  /** Whether something between two ranks may fail. */
  boolean hasReason(int a, int b) {
    return isLost(a) || isLost(b);
  }

  /** An operation failed: it says that a rank has, and one has. */
  void onError(SimProcess at, boolean reason, MpiError why) {
    errors++;
    note(at, "gets an error of class " + why.kind(), errors);
    if (why.kind() != MpiError.Kind.PROC_FAILED || !reason) {
      Violation made =
          new Violation(
              "no error without a reason", "rank %d, %s: %s".formatted(at.node(), why.kind(), why));
      made.initCause(why);
      throw made;
    }
  }

  // What is owed.

  /** What a rank keeps for others is within what they were allowed to send. */
  void checkKept(SimProcess at, Holdings holdings) {
    for (int from = 0; from < stack.size(); from++) {
      if (from != at.node()) {
        checkKept(at, from, holdings.keptBytes(from), quotaBytes);
        checkKept(at, from, holdings.keptCastBytes(from), CASTS_TIMES * quotaBytes);
      }
    }
  }

  private static void checkKept(SimProcess at, int from, long kept, long allowed) {
    Promise.check(
        kept <= allowed,
        "memory within its bound",
        "rank %d keeps %d bytes of rank %d that nobody has asked for; allowed: %d",
        at.node(),
        kept,
        from,
        allowed);
  }

  /** A rank has got all that another one sent, and has heard all that it had to say of credit. */
  void settle(int node, int with, Holdings holdings) {
    accounts.put(
        new Pair(node, with),
        new Account(
            holdings.credit(with),
            holdings.untold(with),
            holdings.castCredit(with),
            holdings.untoldCasts(with)));
  }

  /** All has come back that was spent. */
  void checkAccounts() {
    accounts.forEach(
        (pair, mine) -> {
          Account theirs = accounts.get(new Pair(pair.with, pair.of));
          Promise.check(
              theirs != null
                  && mine.credit + theirs.untold == quotaBytes
                  && mine.castCredit + theirs.untoldCasts == CASTS_TIMES * quotaBytes,
              "credit comes back",
              "of rank %d's %d bytes at rank %d it has %s, and will be given %s",
              pair.of,
              quotaBytes,
              pair.with,
              mine,
              String.valueOf(theirs));
        });
  }

  /** What was called back too late has been taken by somebody. */
  void checkRecalls() {
    for (Letter letter : recalls) {
      Promise.check(
          letter.taken != letter.calledBack,
          "what is called back is received or never was",
          "%s was called back too late, and nobody has it",
          letter);
    }
  }

  boolean haveAllEnded() {
    for (SimProcess process : stack.processes()) {
      if (!process.isEnded() && !process.isCrashed()) {
        return false;
      }
    }
    return true;
  }

  /** What keeps a run from its end. */
  Violation unfinished() {
    StringBuilder open = new StringBuilder("not over:");
    for (SimProcess process : stack.processes()) {
      if (!process.isEnded() && !process.isCrashed()) {
        open.append(" rank %d %s;".formatted(process.node(), doing[process.node()]));
      }
    }
    return new Violation("every rank ends", open.toString());
  }
}
