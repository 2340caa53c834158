package io.busbar.bench.report;

import io.busbar.bench.Bench;
import java.util.function.Consumer;

/** An experiment that measures nothing. */
record StandIn(String name, Consumer<Bench.Report> action) implements Bench {
  @Override
  public String description() {
    return "what " + name + " measures";
  }

  @Override
  public void run(Report report, boolean quick) {
    action.accept(report);
  }
}
