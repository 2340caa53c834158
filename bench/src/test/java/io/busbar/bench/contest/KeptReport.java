package io.busbar.bench.contest;

import io.busbar.bench.Bench;
import io.busbar.bench.Figure;
import java.util.ArrayList;
import java.util.List;

/** Keeps what is missing; a contest makes figures and reports none. */
public final class KeptReport implements Bench.Report {
  /** An experiment that is only a name. */
  public static final Bench NAMED =
      new Bench() {
        @Override
        public String name() {
          return "test";
        }

        @Override
        public String description() {
          return "a test";
        }

        @Override
        public void run(Report report, boolean quick) {
          throw new UnsupportedOperationException("only a name");
        }
      };

  /** What is missing, and why. */
  public final List<String> missing = new ArrayList<>();

  @Override
  public void figure(Figure figure) {
    throw new IllegalStateException("a contest makes figures and reports none");
  }

  @Override
  public void missing(String system, String why) {
    missing.add(system + ": " + why);
  }

  @Override
  public void note(String system, String setup) {}

  @Override
  public void progress(String what) {}
}
