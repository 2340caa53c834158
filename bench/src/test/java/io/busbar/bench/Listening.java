package io.busbar.bench;

import java.util.ArrayList;
import java.util.List;

/** Keeps what is reported. */
public final class Listening implements Bench.Report {
  /** What was measured. */
  public final List<Figure> figures = new ArrayList<>();

  /** What is missing, with its reason. */
  public final List<String> missing = new ArrayList<>();

  /** How systems are set up. */
  public final List<String> notes = new ArrayList<>();

  /** Nothing is reported yet. */
  public Listening() {}

  @Override
  public void figure(Figure figure) {
    figures.add(figure);
  }

  @Override
  public void missing(String system, String why) {
    missing.add(system + ": " + why);
  }

  @Override
  public void note(String system, String setup) {
    notes.add(system + ": " + setup);
  }

  @Override
  public void progress(String what) {}
}
