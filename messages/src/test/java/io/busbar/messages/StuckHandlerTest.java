package io.busbar.messages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.busbar.messages.MessageException.Mistake;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A handler that never returns holds the extractor's role, and nothing else: others that extract
 * wait, as long as they want to; the network goes on; senders to it are stopped by its credit; and
 * it can be closed.
 */
@Timeout(60)
class StuckHandlerTest extends Nodes {
  private static final Handler STUCK = Handler.named("stuck");
  private static final Handler TAKE = Handler.named("take");

  private final CountDownLatch inside = new CountDownLatch(1);
  private final CountDownLatch enough = new CountDownLatch(1);

  /** Three nodes, and node 1 has a thread in a handler that does not return. */
  private Future<Integer> stick(String fabric) throws Exception {
    join(fabric, 3);
    Messages b = nodes.get(1);
    Handler _ =
        b.handler(
            STUCK.name(),
            (in, from) -> {
              inside.countDown();
              enough.await();
            });
    for (Messages fm : nodes) {
      Handler _ = fm.handler(TAKE.name(), (in, from) -> {});
    }
    nodes.get(0).send(1, STUCK, 1, 2, 3, 4);
    Future<Integer> stuck =
        threads.submit(
            () -> {
              int count = 0;
              while (count == 0) {
                count = b.extractOrWait(SECOND_NS);
              }
              return count;
            });
    assertThat(inside.await(20, TimeUnit.SECONDS)).isTrue();
    return stuck;
  }

  @ParameterizedTest
  @ValueSource(strings = {"shm", "udp"})
  void othersThatExtractWaitAsLongAsTheyWant(String fabric) throws Exception {
    try {
      Future<Integer> _ = stick(fabric);
      Messages b = nodes.get(1);
      AtomicReference<Throwable> thrown = new AtomicReference<>();
      Thread second =
          Thread.ofPlatform()
              .start(
                  () -> {
                    try {
                      int _ = b.extract();
                    } catch (MessageException e) {
                      thrown.set(e);
                    }
                  });
      awaitThat("it waits", 20, () -> second.getState() == Thread.State.WAITING);
      second.interrupt();
      second.join();
      assertThat(thrown.get())
          .isInstanceOfSatisfying(
              MessageException.class, e -> assertThat(e.mistake()).isEqualTo(Mistake.TIMED_OUT));
      for (int round = 0; round < 2; round++) { // with nothing to extract, and with something
        long startNs = System.nanoTime();
        assertThat(b.extractOrWait(SECOND_NS / 5)).isZero();
        assertThat(System.nanoTime() - startNs).isBetween(SECOND_NS / 5, 5 * SECOND_NS);
        nodes.get(0).send(1, TAKE, 1, 2, 3, 4);
      }
    } finally {
      enough.countDown();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"shm", "udp"})
  void networkGoesOnAndSendersAreStopped(String fabric) throws Exception {
    try {
      Future<Integer> stuck = stick(fabric);
      Messages a = nodes.get(0);
      Messages c = nodes.get(2);
      MemorySegment bytes = pattern(10_000, 0);
      for (int i = 0; i < 10; i++) {
        c.send(1, TAKE, bytes, 0, 1_000);
      }
      awaitAnswer(c, a); // over UDP, who never spoke with it is not told that it is gone
      long startNs = System.nanoTime();
      c.close();
      assertThat(System.nanoTime() - startNs).as("ns to settle").isLessThan(3 * SECOND_NS);
      assertThat(told).as("all that node 2 sent was acknowledged").doesNotContain("undelivered 1");

      a.patience(SECOND_NS);
      assertThatThrownBy(
              () -> {
                for (int i = 0; i < 10_000; i++) {
                  a.send(1, TAKE, bytes, 0, 10_000);
                }
              })
          .isInstanceOfSatisfying(
              MessageException.class, e -> assertThat(e.mistake()).isEqualTo(Mistake.TIMED_OUT));
      assertThat(stuck.isDone()).isFalse();
      assertThat(toldGone).as("told while node 1 extracts nothing").isSubsetOf("0 2");
      enough.countDown();
      assertThat(stuck.get(20, TimeUnit.SECONDS)).isPositive();
      Messages b = nodes.get(1);
      Future<Boolean> later =
          threads.submit(() -> b.await(() -> toldGone.contains("1 2"), 20 * SECOND_NS));
      a.send(1, TAKE, bytes, 0, 10_000); // there is room again
      assertThat(later.get()).as("node 1 is told when it extracts").isTrue();
      assertThat(a.await(() -> toldGone.contains("0 2"), 20 * SECOND_NS)).isTrue();
      awaitAnswer(b, a); // behind which nothing is told again
      awaitAnswer(a, b);
      assertThat(toldGone).containsExactlyInAnyOrder("0 2", "1 2");
    } finally {
      enough.countDown();
    }
  }

  /** A message from one to another, extracted there. */
  private static void awaitAnswer(Messages from, Messages to) throws InterruptedException {
    boolean[] heard = new boolean[1];
    String name = "from %d to %d".formatted(from.node().id(), to.node().id());
    Handler hear = to.handler(name, (in, _) -> heard[0] = true);
    from.send(to.node().id(), hear, 1, 2, 3, 4);
    assertThat(to.await(() -> heard[0], 20 * SECOND_NS)).isTrue();
  }

  /** Longer than silence is borne: who has no room answers. */
  @Tag("long")
  @ParameterizedTest
  @ValueSource(strings = {"shm", "udp"})
  void stuckIsNotDead(String fabric) throws Exception {
    try {
      Future<Integer> stuck = stick(fabric);
      Messages a = nodes.get(0);
      MemorySegment bytes = pattern(10_000, 0);
      a.patience(25 * SECOND_NS);
      assertThatThrownBy(
              () -> {
                for (int i = 0; i < 10_000; i++) {
                  a.send(1, TAKE, bytes, 0, 10_000);
                }
              })
          .isInstanceOfSatisfying(
              MessageException.class, e -> assertThat(e.mistake()).isEqualTo(Mistake.TIMED_OUT));
      assertThat(told).isEmpty();
      enough.countDown();
      assertThat(stuck.get(20, TimeUnit.SECONDS)).isPositive();
      Future<Boolean> _ = threads.submit(() -> nodes.get(1).await(() -> false, 2 * SECOND_NS));
      a.send(1, TAKE, bytes, 0, 10_000);
    } finally {
      enough.countDown();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"shm", "udp"})
  void nodeOfAStuckHandlerCanBeClosed(String fabric) throws Exception {
    try {
      Future<Integer> stuck = stick(fabric);
      Messages a = nodes.get(0);
      Messages b = nodes.get(1);
      b.send(0, TAKE, 1, 2, 3, 4);
      long startNs = System.nanoTime();
      b.close();
      assertThat(System.nanoTime() - startNs).as("ns to close").isLessThan(8 * SECOND_NS);
      assertThat(stuck.isDone()).isFalse();
      assertThat(a.await(() -> told.contains("gone 1"), 20 * SECOND_NS)).isTrue();
      assertThatThrownBy(() -> a.send(1, TAKE, 1, 2, 3, 4))
          .isInstanceOfSatisfying(
              MessageException.class, e -> assertThat(e.mistake()).isEqualTo(Mistake.NODE_GONE));
      boolean[] heard = new boolean[1];
      Handler other = nodes.get(2).handler("other", (in, from) -> heard[0] = true);
      a.send(2, other, 1, 2, 3, 4);
      assertThat(nodes.get(2).await(() -> heard[0], 10 * SECOND_NS)).isTrue();
      enough.countDown();
      assertThatThrownBy(() -> stuck.get(20, TimeUnit.SECONDS))
          .cause()
          .isInstanceOfSatisfying(
              MessageException.class, e -> assertThat(e.mistake()).isEqualTo(Mistake.WRONG_PLACE));
    } finally {
      enough.countDown();
    }
  }

  /** How long this thread has had a processor. */
  private static long onProcessorNs() throws IOException {
    String words = Files.readString(Path.of("/proc/thread-self/schedstat"));
    return Long.parseLong(words.substring(0, words.indexOf(' ')));
  }

  /** A sender that waits for room is refused when its time has passed, and does not spin. */
  @ParameterizedTest
  @ValueSource(strings = {"shm", "udp"})
  void senderBesideItWaitsAsLongAsItWants(String fabric) throws Exception {
    try {
      Future<Integer> stuck = stick(fabric);
      Messages b = nodes.get(1);
      b.patience(SECOND_NS);
      Future<Long> sending =
          threads.submit(
              () -> {
                long before = 0;
                try {
                  while (true) {
                    before = onProcessorNs();
                    b.send(0, TAKE, pattern(10_000, 0), 0, 10_000);
                  }
                } catch (MessageException e) {
                  assertThat(e.mistake()).isEqualTo(Mistake.TIMED_OUT);
                  return onProcessorNs() - before;
                }
              });
      assertThat(sending.get(20, TimeUnit.SECONDS))
          .as("ns of a processor for a second's wait")
          .isLessThan(SECOND_NS / 2);
      assertThat(stuck.isDone()).isFalse();
    } finally {
      enough.countDown();
    }
  }

  /** It goes on when room comes, though there are messages that it cannot extract. */
  @ParameterizedTest
  @ValueSource(strings = {"shm", "udp"})
  void senderBesideItGoesOnWhenThereIsRoom(String fabric) throws Exception {
    try {
      Future<Integer> stuck = stick(fabric);
      Messages a = nodes.get(0);
      Messages b = nodes.get(1);
      int[] heard = new int[1];
      Handler hear = a.handler("hear", (_, _) -> heard[0]++);
      int count = 2_000;
      MemorySegment bytes = pattern(10_000, 0);
      Future<?> sending =
          threads.submit(
              () -> {
                for (int i = 0; i < count; i++) {
                  b.send(0, hear, bytes, 0, 10_000);
                }
              });
      assertThat(a.await(() -> heard[0] == count, 20 * SECOND_NS)).isTrue();
      Object _ = sending.get(20, TimeUnit.SECONDS);
      assertThat(stuck.isDone()).isFalse();
    } finally {
      enough.countDown();
    }
  }

  /** When it returns at last, one who waits for a message extracts those that have come. */
  @ParameterizedTest
  @ValueSource(strings = {"shm", "udp"})
  void whoWaitsBesideItIsToldWhenItReturns(String fabric) throws Exception {
    try {
      Future<Integer> _ = stick(fabric);
      Messages b = nodes.get(1);
      Future<Integer> waiting = threads.submit(() -> b.extractOrWait(40 * SECOND_NS));
      Thread.sleep(100);
      assertThat(waiting.isDone()).isFalse();
      enough.countDown();
      int _ = waiting.get(20, TimeUnit.SECONDS);
    } finally {
      enough.countDown();
    }
  }

  /** What is awaited beside it is seen when another thread brings it about. */
  @ParameterizedTest
  @ValueSource(strings = {"shm", "udp"})
  void conditionBesideItIsSeen(String fabric) throws Exception {
    try {
      Future<Integer> stuck = stick(fabric);
      Messages b = nodes.get(1);
      AtomicBoolean holds = new AtomicBoolean();
      Future<Boolean> waiting = threads.submit(() -> b.await(holds::get, 40 * SECOND_NS));
      Thread.sleep(100);
      holds.set(true);
      b.wake();
      assertThat(waiting.get(20, TimeUnit.SECONDS)).isTrue();
      assertThat(stuck.isDone()).isFalse();
    } finally {
      enough.countDown();
    }
  }

  /**
   * A handler that waits for the rest of its message gets its exception when the node is closed,
   * though another thread is in a handler then, which returns soon, or later.
   */
  @ParameterizedTest
  @CsvSource({"shm, 200", "udp, 200", "shm, 3000", "udp, 3000"})
  void handlersThatWaitEndThoughOneIsStuck(String fabric, int stuckMs) throws Exception {
    join(fabric, 2);
    Messages a = nodes.get(0);
    Messages b = nodes.get(1);
    AtomicBoolean waits = new AtomicBoolean();
    Handler _ =
        b.handler(
            "waits",
            (in, _) -> {
              waits.set(true);
              byte[] _ = in.receiveRest();
            });
    Handler _ =
        b.handler(
            STUCK.name(),
            (_, _) -> {
              inside.countDown();
              enough.await();
            });
    try (OutMessage out = a.begin(1, 300_000, Handler.named("waits"))) {
      out.send(pattern(10_000, 0), 0, 10_000);
      out.flush();
      assertThat(b.await(waits::get, 20 * SECOND_NS)).isTrue();
      a.send(1, STUCK, 1, 2, 3, 4);
      Future<?> stuck =
          threads.submit(
              () -> {
                while (inside.getCount() > 0) {
                  int _ = b.extract();
                }
              });
      assertThat(inside.await(20, TimeUnit.SECONDS)).isTrue();
      Future<?> returning =
          threads.submit(
              () -> {
                Thread.sleep(stuckMs);
                enough.countDown();
                return 0;
              });
      long startNs = System.nanoTime();
      b.close();
      assertThat(System.nanoTime() - startNs).as("ns to close").isLessThan(3 * SECOND_NS);
      Object _ = returning.get(20, TimeUnit.SECONDS);
      awaitThat("its exception", 20, () -> !told.isEmpty());
      assertThat(told).first().asString().startsWith("waits 0 300000 this node has left");
      awaitThat("the end of the other one", 20, stuck::isDone);
      out.abandon();
    } finally {
      enough.countDown();
    }
  }
}
