package io.busbar.messages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.busbar.messages.ResumableHandler.Progress;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A handler on the thread that extracts throws that this was interrupted: it still is. */
@Timeout(60)
class InterruptedHandlersTest extends Nodes {
  private static final int LONG = 150_000;

  private boolean called;

  /** As if it had waited for something. */
  private void interrupted() throws InterruptedException {
    called = true;
    Thread.currentThread().interrupt();
    TimeUnit.SECONDS.sleep(1);
  }

  private void join(String fabric, String kind) throws Exception {
    join(fabric, 2);
    Messages b = nodes.get(1);
    Handler _ =
        switch (kind) {
          case "blocking" -> b.handler(kind, (_, _) -> interrupted());
          case "resumable" ->
              b.resumableHandler(
                  kind,
                  (_, _) -> {
                    interrupted();
                    return Progress.DONE;
                  });
          default -> b.waitingHandler(kind, (_, _) -> interrupted());
        };
  }

  private void send(String kind, int length) {
    nodes.get(0).send(1, Handler.named(kind), pattern(length, 0), 0, length);
  }

  @ParameterizedTest
  @CsvSource({"shm, blocking", "udp, blocking", "shm, resumable", "udp, resumable"})
  void waitEndsAfterAHandlerWasInterrupted(String fabric, String kind) throws Exception {
    join(fabric, kind);
    send(kind, 16);
    long startNs = System.nanoTime();
    assertThatThrownBy(() -> nodes.get(1).await(() -> false, 20 * SECOND_NS))
        .isInstanceOf(InterruptedException.class);
    assertThat(System.nanoTime() - startNs).isLessThan(10 * SECOND_NS);
    assertThat(told).containsExactly("%s 0 16 sleep interrupted".formatted(kind));
  }

  /** A long one: all of it is there, or, for a resumable one, some. */
  @ParameterizedTest
  @CsvSource({"shm, blocking", "shm, resumable", "udp, resumable"})
  void extractLeavesItInterrupted(String fabric, String kind) throws Exception {
    join(fabric, kind);
    Future<?> sending = threads.submit(() -> send(kind, LONG));
    Object _ = sending.get(20, TimeUnit.SECONDS); // less than its windows: all has left
    Thread.sleep(200);
    long startNs = System.nanoTime();
    while (!called && System.nanoTime() - startNs < 20 * SECOND_NS) {
      int _ = nodes.get(1).extract();
    }
    assertThat(Thread.interrupted()).isTrue();
    assertThat(told).containsExactly("%s 0 %d sleep interrupted".formatted(kind, LONG));
  }

  /** The thread of a waiting handler is its own: who extracts was not interrupted. */
  @ParameterizedTest
  @ValueSource(strings = {"shm", "udp"})
  void whoExtractsIsNotInterruptedByAWaitingHandler(String fabric) throws Exception {
    join(fabric, "waiting");
    send("waiting", 16);
    assertThat(nodes.get(1).await(() -> !told.isEmpty(), 20 * SECOND_NS)).isTrue();
    assertThat(nodes.get(1).await(() -> false, SECOND_NS / 10)).isFalse();
    assertThat(Thread.interrupted()).isFalse();
  }
}
