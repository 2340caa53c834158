package io.busbar.node;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * By which way the transport's frames reach each node. Where there are several, they are tried, one
 * node after the other, and meanwhile the last one is used.
 */
final class Ways {
  /** What all trials together may take, when everybody answers; one has its part of it. */
  private static final long BUDGET_NS = 200_000_000;

  private static final long BUDGET_NS_MAX = 50_000_000;
  private static final long BUDGET_NS_MIN = 2_000_000;

  /** Who is told which way was chosen. */
  @FunctionalInterface
  interface Chosen {
    void onChosen(int node, Way way);
  }

  private record Candidates(int node, List<Way> ways, long fromNs) {}

  private final WayTrial.Asker asker;
  private final LongSupplier sequence;
  private final Chosen chosen;
  private @Nullable Way[] ways = new @Nullable Way[16];
  private final ArrayDeque<Candidates> waiting = new ArrayDeque<>();
  private @Nullable WayTrial trial;
  private int trials;
  private long notBeforeNs;

  /** Carriers that brought no answer from the last node that was tried. */
  private final Set<Carrier> silent = new HashSet<>();

  private volatile boolean settled = true;

  /** Nodes with several ways; read by other threads. */
  private final Set<Integer> measured = ConcurrentHashMap.newKeySet();

  /** By node, what was measured; read by other threads. */
  private final Map<Integer, String> figures = new ConcurrentHashMap<>();

  Ways(WayTrial.Asker asker, LongSupplier sequence, Chosen chosen) {
    this.asker = asker;
    this.sequence = sequence;
    this.chosen = chosen;
  }

  /**
   * Makes the ways to a node known.
   *
   * @param candidates the preferred one first, at least one
   */
  void add(int node, List<Way> candidates) {
    use(node, candidates.getLast());
    if (candidates.size() > 1) {
      waiting.add(new Candidates(node, candidates, notBeforeNs));
      trials++;
      measured.add(node);
      settled = false;
    }
  }

  /** Ways that are added from now on are not tried before a time. */
  void delayUntil(long ns) {
    notBeforeNs = ns;
  }

  /** Forgets a node, which may come again. */
  void remove(int node) {
    forget(node);
    measured.remove(node);
    figures.remove(node);
    if (node < ways.length) {
      ways[node] = null;
    }
  }

  /** Whether there are several ways to a node. From any thread. */
  boolean areMeasured(int node) {
    return measured.contains(node);
  }

  private void use(int node, Way way) {
    if (node >= ways.length) {
      ways = Arrays.copyOf(ways, Math.max(node + 1, 2 * ways.length));
    }
    ways[node] = way;
    chosen.onChosen(node, way);
  }

  /** The way to a node; null when it is not known. */
  @Nullable Way to(int node) {
    return node < ways.length ? ways[node] : null;
  }

  /** Nodes have numbers below that. */
  int limit() {
    return ways.length;
  }

  /** Whether all that is to be tried was tried. From any thread. */
  boolean areSettled() {
    return settled;
  }

  /** What was measured on the ways to a node; null when nothing was. From any thread. */
  @Nullable String figures(int node) {
    return figures.get(node);
  }

  /** When {@link #poll} has something to do. */
  long dueNs() {
    if (trial != null) {
      return trial.dueNs();
    }
    return waiting.isEmpty() ? Engine.NEVER : waiting.element().fromNs;
  }

  void poll(long nowNs) {
    if (trial == null) {
      Candidates next = waiting.peek();
      if (next == null || next.fromNs > nowNs) {
        return;
      }
      waiting.remove();
      long budgetNs = Math.clamp(BUDGET_NS / trials, BUDGET_NS_MIN, BUDGET_NS_MAX);
      trial = new WayTrial(next.node, next.ways, this::isSilent, budgetNs, asker, sequence);
    }
    trial.poll(nowNs);
    if (trial.isOver()) {
      learn(trial);
      use(trial.peer(), trial.chosen());
      figures.put(trial.peer(), trial.figures());
      endTrial();
    }
  }

  private void endTrial() {
    trial = null;
    settled = waiting.isEmpty();
  }

  /**
   * A carrier that brought no answer from one node, while another one did, is not used to those
   * that wait for their trial if it can be helped: they would be silent until then.
   */
  private void learn(WayTrial ended) {
    boolean any = ended.ways().stream().anyMatch(ended::answers);
    for (Way way : ended.ways()) {
      if (ended.answers(way)) {
        silent.remove(way.carrier());
      } else if (any && silent.add(way.carrier())) {
        waiting.forEach(this::avoidSilent);
      }
    }
  }

  private void avoidSilent(Candidates candidates) {
    for (Way way : candidates.ways.reversed()) {
      if (!isSilent(way)) {
        use(candidates.node, way);
        return;
      }
    }
  }

  private boolean isSilent(Way way) {
    return silent.contains(way.carrier());
  }

  /** Nothing is sent to a node any more. */
  void forget(int node) {
    boolean _ = waiting.removeIf(candidates -> candidates.node == node);
    trial = trial != null && trial.peer() == node ? null : trial;
    settled = trial == null && waiting.isEmpty();
  }

  void onAnswer(long nowNs, int node, long seq) {
    if (trial != null && trial.peer() == node) {
      trial.onAnswer(nowNs, seq);
    }
  }
}
