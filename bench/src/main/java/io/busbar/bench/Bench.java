package io.busbar.bench;

import io.busbar.bench.broadcast.BroadcastBench;
import io.busbar.bench.fabric.FabricBench;
import io.busbar.bench.guarantees.GuaranteesBench;
import io.busbar.bench.layers.LayersBench;
import io.busbar.bench.messages.BandwidthBench;
import io.busbar.bench.messages.IdleBench;
import io.busbar.bench.messages.LatencyBench;
import io.busbar.bench.messages.LineBench;
import io.busbar.bench.messages.LossBench;
import io.busbar.bench.messages.MixBench;
import io.busbar.bench.messages.RateBench;
import io.busbar.bench.modes.ModesBench;
import io.busbar.bench.mpi.MpiBench;
import io.busbar.bench.path.PathBench;
import java.util.List;

/** One experiment. */
public interface Bench {
  /** Every experiment there is. */
  List<Bench> ALL =
      List.of(
          new TransportBench(),
          new FabricBench(),
          new LatencyBench(),
          new BandwidthBench(),
          new RateBench(),
          new MpiBench(),
          new IdleBench(),
          new LossBench(),
          new MixBench(),
          new LineBench(),
          new GuaranteesBench(),
          new LayersBench(),
          new ScaleBench(),
          new PathBench(),
          new ModesBench(),
          new BroadcastBench());

  /** How it is called on the command line. */
  String name();

  /** What it measures, in a line. */
  String description();

  /** Measures, and reports each figure as soon as it is known. */
  void run(Report report, boolean quick);

  /** Who gets the figures, and the words that tell how far it is. */
  interface Report {
    /** A figure is known. */
    void figure(Figure figure);

    /** A system cannot be measured here; it is told once. */
    void missing(String system, String why);

    /** How a system is set up, where that matters to who reads its figures. */
    void note(String system, String setup);

    /** What is being measured now. */
    void progress(String what);

    /** Whether what a peer needs may be installed where it is missing. */
    default boolean mayInstall() {
      return true;
    }
  }
}
