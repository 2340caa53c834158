package io.busbar.bench.report;

import io.busbar.bench.Bench;
import io.busbar.bench.Figure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Runs experiments one after the other and logs them. One that fails is logged as such, and the
 * next one runs. Its line moves when an experiment has something to say: a clock of its own would
 * compute beside what is measured.
 */
public final class Campaign {
  private static final int WHY_MAX = 2000;

  /** What takes much less time than the others, and would make the rest look short. */
  private static final Set<String> SHORT = Set.of("transport");

  private final List<Bench> benches;
  private final boolean quick;
  private final boolean mayInstall;
  private final RunLog log;
  private final Screen screen;

  /** Where people look. */
  public interface Screen {
    /** How far it is; replaces what was said before. */
    void status(String line);

    /** Something that stays. */
    void say(String line);
  }

  /**
   * Experiments to run.
   *
   * @param mayInstall whether what a peer needs may be installed
   */
  public Campaign(
      List<Bench> benches, boolean quick, boolean mayInstall, RunLog log, Screen screen) {
    this.benches = List.copyOf(benches);
    this.quick = quick;
    this.mayInstall = mayInstall;
    this.log = log;
    this.screen = screen;
  }

  /** Runs them all. */
  public void run() {
    Pace pace = new Pace(benches.stream().map(this::usual).toList());
    for (Bench bench : benches) {
      long startNs = System.nanoTime();
      log.begin(bench);
      try {
        bench.run(new Watch(bench, pace, startNs), quick);
      } catch (RuntimeException | Error e) {
        log.failed(bench, why(e));
        screen.say("%s failed: %s".formatted(bench.name(), why(e)));
      }
      pace.onDone(System.nanoTime() - startNs);
    }
  }

  private Duration usual(Bench bench) {
    Duration usual = quick ? Duration.ofSeconds(150) : Duration.ofMinutes(12);
    return SHORT.contains(bench.name()) ? usual.dividedBy(5) : usual;
  }

  /** What happened, and what made it happen. */
  static String why(Throwable thrown) {
    List<String> words = new ArrayList<>();
    for (Throwable cause = thrown; cause != null && words.size() < 5; cause = cause.getCause()) {
      String message = cause.getMessage();
      words.add(cause.getClass().getSimpleName() + (message == null ? "" : ": " + message));
    }
    String why = String.join("; because of ", words);
    return why.length() <= WHY_MAX ? why : why.substring(0, WHY_MAX) + "…";
  }

  private final class Watch implements Bench.Report {
    private final Bench bench;
    private final Pace pace;
    private final long startNs;

    Watch(Bench bench, Pace pace, long startNs) {
      this.bench = bench;
      this.pace = pace;
      this.startNs = startNs;
      progress("begins");
    }

    @Override
    public void figure(Figure figure) {
      log.figure(figure);
    }

    @Override
    public void missing(String system, String why) {
      log.missing(system, why);
      screen.say("%s: %s is missing: %s".formatted(bench.name(), system, why));
    }

    @Override
    public void note(String system, String setup) {
      log.note(system, setup);
    }

    @Override
    public boolean mayInstall() {
      return mayInstall;
    }

    @Override
    public void progress(String what) {
      String line = pace.line(System.nanoTime() - startNs);
      screen.status("%s; %s: %s".formatted(line, bench.name(), what));
    }
  }
}
