package io.busbar.bench;

import io.busbar.bench.fabric.FabricBench;
import java.util.List;

/** One experiment. */
public interface Bench {
  /** Every experiment there is. */
  List<Bench> ALL = List.of(new TransportBench(), new FabricBench());

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

    /** What is being measured now. */
    void progress(String what);
  }
}
