package io.busbar.lab;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** A seed is a run: the same one always, whatever else runs. */
class DeterminismTest {
  private static final int SEEDS = 50;

  private static Outcome run(long seed) {
    return new Scenario(seed).run(null);
  }

  private static List<Outcome> runAll() {
    return LongStream.rangeClosed(1, SEEDS).mapToObj(DeterminismTest::run).toList();
  }

  /** The records hold the hash over all frames, the counters and the endings. */
  @Test
  void sameSeedGivesTheSameRun() {
    assertThat(runAll()).isEqualTo(runAll());
  }

  @Test
  void differentSeedsGiveDifferentRuns() {
    assertThat(runAll()).extracting(Outcome::traceHash).doesNotHaveDuplicates();
  }

  @Test
  void runsOnTwoThreadsDoNotTouch() throws ExecutionException, InterruptedException {
    List<Outcome> alone = runAll();
    try (ExecutorService threads = Executors.newFixedThreadPool(2)) {
      Future<List<Outcome>> one = threads.submit(DeterminismTest::runAll);
      Future<List<Outcome>> two = threads.submit(DeterminismTest::runAll);
      assertThat(one.get()).isEqualTo(alone);
      assertThat(two.get()).isEqualTo(alone);
    }
  }

  @Test
  void watchingChangesNothing() {
    long[] frames = new long[1];
    Outcome watched = new Scenario(7).run((now, what, bytes, length) -> frames[0]++);
    assertThat(watched).isEqualTo(run(7));
    assertThat(frames[0]).isGreaterThan(watched.frames());
  }
}
