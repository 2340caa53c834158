package io.busbar.lab.mpi;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** A seed is a run, though ranks and collectives have threads: the same one, whatever else runs. */
class MpiDeterminismTest {
  private static final int SEEDS = 8;

  private static MpiOutcome run(long seed) {
    return new MpiScenario(seed, 0, null).run();
  }

  private static List<MpiOutcome> runAll() {
    return LongStream.rangeClosed(1, SEEDS).mapToObj(MpiDeterminismTest::run).toList();
  }

  @Test
  void sameSeedGivesTheSameRunWhateverElseRuns() throws ExecutionException, InterruptedException {
    List<MpiOutcome> alone = runAll();
    assertThat(alone).extracting(MpiOutcome::traceHash).doesNotHaveDuplicates();
    try (ExecutorService threads = Executors.newFixedThreadPool(2)) {
      Future<List<MpiOutcome>> one = threads.submit(MpiDeterminismTest::runAll);
      Future<List<MpiOutcome>> two = threads.submit(MpiDeterminismTest::runAll);
      assertThat(one.get()).isEqualTo(alone);
      assertThat(two.get()).isEqualTo(alone);
    }
  }

  @Test
  void watchingChangesNothing() {
    long[] lines = new long[1];
    MpiOutcome watched = new MpiScenario(7, 3, line -> lines[0]++).run();
    assertThat(watched).isEqualTo(new MpiScenario(7, 3, null).run());
    assertThat(watched.nodes()).isEqualTo(3);
    assertThat(lines[0]).isGreaterThan(watched.frames() + watched.messages());
  }
}
