package io.busbar.lab.bus;

import io.busbar.lab.FaultPlan;
import io.busbar.lab.TraceHash;
import io.busbar.lab.TraceLine;
import io.busbar.lab.Violation;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One run of the bus: the stories of members and of broadcasts that a seed tells. */
public final class BusScenario {
  /** The fewest nodes of a story. */
  public static final int NODES_MIN = 2;

  /** The most nodes; the memory of a story grows with their square. */
  public static final int NODES_MAX = 256;

  private final long seed;
  private final TraceHash hash = new TraceHash();
  private final @Nullable TraceLine lines;
  private final BusStory members;
  private final CastStory casts;

  /**
   * Draws a run from a seed; nothing has happened yet.
   *
   * @param nodes how many take part; 0 draws that, too
   * @param lines gets every frame and its fate, a line each; null for silence
   */
  public BusScenario(long seed, int nodes, @Nullable Consumer<String> lines) {
    if (nodes != 0 && (nodes < NODES_MIN || nodes > NODES_MAX)) {
      throw new IllegalArgumentException(
          "%d nodes; allowed: %d to %d".formatted(nodes, NODES_MIN, NODES_MAX));
    }
    this.seed = seed;
    this.lines = lines == null ? null : new TraceLine(lines);
    members = new BusStory(seed, nodes);
    casts = new CastStory(seed, nodes);
  }

  /** Tells both stories, or one when it breaks a promise. */
  public BusOutcome run() {
    Violation violation = tell(members.cluster(), members::run);
    if (violation == null) {
      violation = tell(casts.cluster(), casts::run);
    }
    BusCluster one = members.cluster();
    BusCluster other = casts.cluster();
    Set<FaultPlan.Kind> faults = EnumSet.copyOf(members.faults());
    faults.addAll(casts.faults());
    return new BusOutcome(
        seed,
        one.nodes().size(),
        one.frames() + other.frames(),
        casts.said(),
        one.repairs() + other.repairs(),
        one.nowNs() + other.nowNs(),
        hash.value(),
        faults,
        violation);
  }

  private @Nullable Violation tell(BusCluster cluster, Runnable story) {
    cluster.watch(
        (nowNs, what, bytes, length) -> {
          hash.onFrame(nowNs, what, bytes, length);
          if (lines != null) {
            lines.onFrame(nowNs, what, bytes, length);
          }
        });
    try {
      story.run();
      return null;
    } catch (Violation v) {
      return v;
    } catch (RuntimeException e) {
      Violation made = new Violation("no exception", e.toString());
      made.initCause(e);
      return made;
    }
  }
}
