package io.busbar.messages;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.node.stat.NodeSnapshot;
import io.busbar.node.stat.StatReader;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The first message after a silence, when all that both ends kept warm is gone. */
@Timeout(60)
class AfterSilenceTest extends Nodes {
  private static final int ROUNDS = 10;

  /** Longer than credits of a stream at rest are believed. */
  private static final long SILENCE_MS = 200;

  /** Its acknowledgement rides on it: to send a frame more would take as long as to answer. */
  @Test
  void anAnswerIsOneFrame() throws Exception {
    join("udp", 2);
    Messages asks = nodes.get(0);
    Messages answers = nodes.get(1);
    AtomicInteger answered = new AtomicInteger();
    AtomicInteger heard = new AtomicInteger();
    MemorySegment bytes = Arena.ofAuto().allocate(64);
    Handler question =
        answers.handler(
            "question",
            (in, from) -> {
              answers.send(from, Handler.named("answer"), bytes, 0, 64);
              int _ = answered.incrementAndGet();
            });
    Handler _ = asks.handler("answer", (in, from) -> heard.incrementAndGet());
    Future<Boolean> serves =
        threads.submit(() -> answers.await(() -> answered.get() == ROUNDS, 60 * SECOND_NS));
    for (int i = 1; i <= ROUNDS; i++) {
      TimeUnit.MILLISECONDS.sleep(SILENCE_MS);
      int sofar = i;
      asks.send(1, question, bytes, 0, 64);
      assertThat(asks.await(() -> heard.get() == sofar, 10 * SECOND_NS)).isTrue();
    }
    assertThat(serves.get()).isTrue();

    awaitThat("the node shows its counters", 10, () -> answerers("qmp.data-out") >= ROUNDS);
    assertThat(answerers("qmp.status-out"))
        .as("acknowledgements of %d questions that left alone", ROUNDS)
        .isLessThan(ROUNDS / 2);
  }

  private static long answerers(String counter) {
    return StatReader.places().stream()
        .flatMap(place -> StatReader.list(place).stream())
        .filter(NodeSnapshot.class::isInstance)
        .map(NodeSnapshot.class::cast)
        .filter(shown -> shown.pid() == ProcessHandle.current().pid() && shown.node() == 1)
        .mapToLong(shown -> shown.counters().get(counter))
        .sum();
  }
}
