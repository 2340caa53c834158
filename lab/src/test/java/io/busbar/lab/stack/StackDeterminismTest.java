package io.busbar.lab.stack;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** A seed is a run, though programs have threads: the same one always, whatever else runs. */
class StackDeterminismTest {
  private static final int SEEDS = 25;

  private static StackOutcome run(long seed) {
    return new StackScenario(seed, null).run();
  }

  private static List<StackOutcome> runAll() {
    return LongStream.rangeClosed(1, SEEDS).mapToObj(StackDeterminismTest::run).toList();
  }

  @Test
  void sameSeedGivesTheSameRunWhateverElseRuns() throws ExecutionException, InterruptedException {
    List<StackOutcome> alone = runAll();
    assertThat(alone).extracting(StackOutcome::traceHash).doesNotHaveDuplicates();
    try (ExecutorService threads = Executors.newFixedThreadPool(2)) {
      Future<List<StackOutcome>> one = threads.submit(StackDeterminismTest::runAll);
      Future<List<StackOutcome>> two = threads.submit(StackDeterminismTest::runAll);
      assertThat(one.get()).isEqualTo(alone);
      assertThat(two.get()).isEqualTo(alone);
    }
  }

  @Test
  void watchingChangesNothing() {
    long[] lines = new long[1];
    StackOutcome watched = new StackScenario(7, line -> lines[0]++).run();
    assertThat(watched).isEqualTo(run(7));
    assertThat(lines[0]).isGreaterThan(watched.frames() + watched.messages());
  }
}
