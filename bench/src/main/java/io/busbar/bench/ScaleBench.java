package io.busbar.bench;

import io.busbar.transport.Count;
import java.util.Locale;

/**
 * What a large cluster costs (E12): bytes of an association at rest and in use; and clusters of
 * many nodes in virtual time, whose nodes join a bounded set of others, or all of them one: frames,
 * virtual time and state. A cluster repeats to the frame from its seed.
 */
final class ScaleBench implements Bench {
  private static final int[] NODES = {64, 256, 1024, 4096};
  private static final int[] NODES_QUICK = {64, 256, 1024};
  private static final long SEED = 7;

  @Override
  public String name() {
    return "scale";
  }

  @Override
  public String description() {
    return "bytes of an association, and clusters of 64 to 4096 simulated nodes that join";
  }

  @Override
  public void run(Report report, boolean quick) {
    state(report, quick);
    for (Acquaintance acquaintance : Acquaintance.values()) {
      for (int nodes : quick ? NODES_QUICK : NODES) {
        join(report, nodes, acquaintance, SEED);
      }
    }
  }

  private void state(Report report, boolean quick) {
    int idle = quick ? 200_000 : 1_000_000;
    report.progress("memory of %d associations at rest".formatted(idle));
    report.figure(
        Figure.plain(name(), "sim-idle", 0, "state_bytes", "B", "lower")
            .with("busbar", new StateSize(idle).idleBytes())
            .of(idle, 0)
            .aims(Aim.atMost(160)));
    int active = quick ? 10_000 : 50_000;
    report.progress("memory of %d associations in use".formatted(active));
    StateSize size = new StateSize(active);
    double rest = size.idleBytes();
    report.figure(
        Figure.plain(name(), "sim-active", 0, "state_bytes", "B", "lower")
            .with("busbar", rest + size.activeBytes())
            .of(active, 0));
  }

  /** One cluster, from its start to its rest. */
  void join(Report report, int nodes, Acquaintance acquaintance, long seed) {
    String way = acquaintance.name().toLowerCase(Locale.ROOT);
    String scene = "sim-%s-n%d".formatted(way, nodes);
    report.progress("%s, seed %d".formatted(scene, seed));
    long startNs = System.nanoTime();
    SimulatedJoin cluster = new SimulatedJoin(nodes, acquaintance, seed);
    double seconds = cluster.join();
    long associations = cluster.associations();
    report.figure(
        plain(scene, "join_time", "s", nodes, seed)
            .with("busbar", seconds)
            .also("wall_s", (System.nanoTime() - startNs) / 1e9)
            .of(associations, 0));
    cluster.rest();
    report.figure(
        plain(scene, "frames_per_join", "frames", nodes, seed)
            .with("busbar", (double) cluster.frames() / associations)
            .also("repairs", (double) cluster.count(Count.REPAIRS_OUT))
            .also("overflows", (double) cluster.overflows())
            .of(associations, 0));
    report.figure(
        plain(scene, "state_bytes", "B", nodes, seed)
            .with("busbar", cluster.stateBytes())
            .also("associations_per_node", 2.0 * associations / nodes)
            .of(nodes, 0));
  }

  private Figure plain(String scene, String metric, String unit, int nodes, long seed) {
    return Figure.plain(name(), scene, 0, metric, unit, "lower")
        .also("peers", nodes)
        .also("seed", (double) seed);
  }
}
