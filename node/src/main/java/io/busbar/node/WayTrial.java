package io.busbar.node;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Measures the ways to one node against each other, in turns: the time of a short frame and its
 * answer, and of a train of full frames and their answers. Of each the shortest counts. It is told
 * the time and which answers came, and says by which way to ask next.
 */
final class WayTrial {
  /** Frames of a train. */
  static final int TRAIN = 16;

  /** After so many rounds more would not change the result. */
  static final int ROUNDS_MAX = 512;

  /**
   * What has not come by then is lost, if answers usually come much sooner; the next one has twice
   * the time, until one is answered.
   */
  private static final long PATIENCE_NS = 2_000_000;

  private static final long PATIENCE_NS_MAX = 200_000_000;
  private static final int USUAL_TIMES = 32;

  /** When nobody has answered for so long, nobody will. */
  static final long SILENCE_NS = 3_000_000_000L;

  /** A way that was silent so often, one time after the other, is not asked any more. */
  private static final int SILENCES_MAX = 5;

  /** A way that was silent so often at the end is not chosen; a frame may be lost now and then. */
  private static final int SILENCES_AT_END = 2;

  private static final long UNKNOWN = Long.MAX_VALUE;
  private static final double SHORTER = 0.95;
  private static final double HARDLY_LONGER = 1.1;
  private static final double NS_PER_US = 1000;

  /** Who sends what the trial asks for. */
  @FunctionalInterface
  interface Asker {
    void ask(int peer, Way way, long seq, int frameBytes);
  }

  private final int peer;
  private final List<Way> ways;
  private final long budgetNs;
  private final Asker asker;
  private final LongSupplier sequence;
  private final int fullBytes;
  private final long[] shortNs;
  private final long[] trainNs;

  /** By way: how often it was silent last, since any answered; and since it answered itself. */
  private final int[] silences;

  private final int[] unanswered;

  /** How long answers took lately. */
  private long usualNs;

  private long startedNs = UNKNOWN;

  /** When the first answer came: from then on the time runs. */
  private long answeredNs = UNKNOWN;

  private int round;

  /** Twice the ways in each round: a short frame by each of them, then a train by each. */
  private int step;

  private long askedNs;
  private long firstSeq;
  private int missing;
  private final boolean[] came = new boolean[TRAIN];
  private boolean over;

  /**
   * A trial.
   *
   * @param ways the preferred one first; the last one is used if none is better
   * @param suspect a way that is given up after one question without an answer
   * @param sequence yields numbers that nobody guesses
   */
  WayTrial(
      int peer,
      List<Way> ways,
      Predicate<Way> suspect,
      long budgetNs,
      Asker asker,
      LongSupplier sequence) {
    this.peer = peer;
    this.ways = List.copyOf(ways);
    this.budgetNs = budgetNs;
    this.asker = asker;
    this.sequence = sequence;
    this.fullBytes = ways.stream().mapToInt(Way::frameBytesMax).min().orElseThrow();
    this.shortNs = new long[ways.size()];
    this.trainNs = new long[ways.size()];
    this.silences = new int[ways.size()];
    this.unanswered = new int[ways.size()];
    for (int i = 0; i < silences.length; i++) {
      silences[i] = suspect.test(ways.get(i)) ? SILENCES_MAX - 1 : 0;
    }
    Arrays.fill(shortNs, UNKNOWN);
    Arrays.fill(trainNs, UNKNOWN);
  }

  int peer() {
    return peer;
  }

  List<Way> ways() {
    return ways;
  }

  boolean isOver() {
    return over;
  }

  /** When {@link #poll} has something to do. */
  long dueNs() {
    return startedNs == UNKNOWN || missing == 0 ? 0 : askedNs + patienceNs();
  }

  /** Asks the next question, if there is an answer to the last one, or none comes any more. */
  void poll(long nowNs) {
    if (over) {
      return;
    }
    if (startedNs == UNKNOWN) {
      startedNs = nowNs;
      ask(nowNs);
    } else if (missing == 0) {
      next(nowNs);
    } else if (nowNs - askedNs >= patienceNs()) {
      onSilence();
      next(nowNs);
    }
  }

  private long patienceNs() {
    long leastNs = Math.max(PATIENCE_NS, USUAL_TIMES * usualNs);
    return Math.min(leastNs << unanswered[way()], PATIENCE_NS_MAX);
  }

  private void onSilence() {
    unanswered[way()] = Math.min(unanswered[way()] + 1, SILENCES_MAX);
    if (answeredNs != UNKNOWN) { // before that, the node may not be there yet
      silences[way()]++;
    }
  }

  private int way() {
    int turn = step % ways.size();
    return round % 2 == 0 ? turn : ways.size() - 1 - turn; // who is first has colder caches
  }

  private boolean isTrain() {
    return step >= ways.size();
  }

  private void next(long nowNs) {
    do {
      step++;
      if (step == 2 * ways.size()) {
        step = 0;
        round++;
      }
      over = isEnough(nowNs);
    } while (!over && silences[way()] >= SILENCES_MAX);
    if (!over) {
      ask(nowNs);
    }
  }

  private boolean isEnough(long nowNs) {
    if (answeredNs == UNKNOWN) {
      return nowNs - startedNs > SILENCE_NS;
    }
    int left = 0;
    boolean known = true;
    for (int way = 0; way < silences.length; way++) {
      if (silences[way] < SILENCES_MAX) {
        left++;
        known &= shortNs[way] != UNKNOWN && trainNs[way] != UNKNOWN;
      }
    }
    boolean spent = round >= ROUNDS_MAX || nowNs - answeredNs > budgetNs;
    return left < 2 || (spent && (known || nowNs - answeredNs > SILENCE_NS));
  }

  private void ask(long nowNs) {
    missing = isTrain() ? TRAIN : 1;
    Arrays.fill(came, false);
    firstSeq = (sequence.getAsLong() >>> 1) & ~(TRAIN - 1L);
    askedNs = nowNs;
    for (int i = 0; i < missing; i++) {
      asker.ask(peer, ways.get(way()), firstSeq + i, isTrain() ? fullBytes : 0);
    }
  }

  /** An answer came, by whatever way. */
  void onAnswer(long nowNs, long seq) {
    long index = seq - firstSeq;
    int asked = isTrain() ? TRAIN : 1;
    if (over || missing == 0 || index < 0 || index >= asked || came[(int) index]) {
      return;
    }
    came[(int) index] = true;
    missing--;
    if (missing == 0) {
      answeredNs = answeredNs == UNKNOWN ? nowNs : answeredNs;
      long[] shortest = isTrain() ? trainNs : shortNs;
      long tookNs = nowNs - askedNs;
      shortest[way()] = Math.min(shortest[way()], tookNs);
      usualNs = usualNs == 0 ? tookNs : (7 * usualNs + tookNs) / 8;
      silences[way()] = 0;
      unanswered[way()] = 0;
    }
  }

  /** The best way, as far as is known. */
  private int best() {
    int best = ways.size() - 1;
    for (int i = ways.size() - 2; i >= 0; i--) {
      best = isBetter(i, best) ? i : best;
    }
    return best;
  }

  private boolean isBetter(int one, int than) {
    if (!answers(one) || !answers(than)) {
      return answers(one);
    }
    if ((trainNs[one] == UNKNOWN) != (trainNs[than] == UNKNOWN)) {
      return trainNs[than] == UNKNOWN;
    }
    return shortNs[one] < SHORTER * shortNs[than] && trainNs[one] <= HARDLY_LONGER * trainNs[than];
  }

  /** The way as it is to be used: with frames of no other size than was tried. */
  Way chosen() {
    Way way = ways.get(best());
    return new Way(way.carrier(), way.number(), fullBytes);
  }

  /** Whether a way answered until the end. */
  boolean answers(Way way) {
    return answers(ways.indexOf(way));
  }

  private boolean answers(int way) {
    return shortNs[way] != UNKNOWN && silences[way] < SILENCES_AT_END;
  }

  /** What was measured, for people. */
  String figures() {
    return IntStream.range(0, ways.size()).mapToObj(this::figure).collect(Collectors.joining("; "));
  }

  private String figure(int way) {
    String fabric = ways.get(way).fabric();
    if (!answers(way)) {
      return fabric + (shortNs[way] == UNKNOWN ? " did not answer" : " does not answer any more");
    }
    String train = trainNs[way] == UNKNOWN ? "lost some" : us(trainNs[way]);
    return "%s: round trip %s, %d full frames %s".formatted(fabric, us(shortNs[way]), TRAIN, train);
  }

  private static String us(long ns) {
    return String.format(Locale.ROOT, "%.1f us", ns / NS_PER_US);
  }
}
