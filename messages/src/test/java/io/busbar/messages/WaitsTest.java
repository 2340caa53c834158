package io.busbar.messages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.busbar.messages.MessageException.Mistake;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Waits end in time, and when they are interrupted; handlers run where they may. */
@Timeout(60)
class WaitsTest extends Nodes {
  private static final int SIZE = 300_000;

  @ParameterizedTest
  @ValueSource(strings = {"shm", "udp"})
  void handlerWaitsAsLongAsItWants(String fabric) throws Exception {
    join(fabric, 2);
    Messages a = nodes.get(0);
    Messages b = nodes.get(1);
    int[] late = new int[1];
    Handler awaits =
        b.waitingHandler(
            "awaits", (in, _) -> late[0] += in.await(() -> false, 200_000_000) ? 0 : 1);
    Handler receives =
        b.handler(
            "receives",
            (in, _) -> {
              in.patience(200_000_000);
              byte[] _ = in.receiveRest();
            });
    long startNs = System.nanoTime();
    a.send(1, awaits, 1, 2, 3, 4);
    assertThat(b.await(() -> late[0] == 1, 20 * SECOND_NS)).isTrue();
    try (OutMessage out = a.begin(1, Messages.SIZE_UNKNOWN, receives)) {
      out.send(pattern(SIZE, 0), 0, SIZE);
      out.flush();
      assertThat(b.await(() -> !told.isEmpty(), 20 * SECOND_NS)).isTrue();
      assertThat(told).singleElement().asString().contains("are missing after 200 ms");
    }
    assertThat(System.nanoTime() - startNs).isBetween(400_000_000L, 10 * SECOND_NS);
    awaitNothingHeld(b);
  }

  /** After a silence who waits looks at the network later, and at conditions all the same. */
  @ParameterizedTest
  @ValueSource(strings = {"shm", "udp"})
  void conditionsAreLookedAtAfterASilence(String fabric) throws Exception {
    join(fabric, 2);
    Messages a = nodes.get(0);
    Messages b = nodes.get(1);
    boolean[] free = new boolean[1];
    int[] begun = new int[1];
    int[] ended = new int[1];
    Handler awaits =
        b.waitingHandler(
            "awaits",
            (in, _) -> {
              begun[0]++;
              in.await(() -> free[0]);
              ended[0]++;
            });
    for (int i = 1; i <= 20; i++) {
      int number = i;
      free[0] = false;
      a.send(1, awaits, 1, 2, 3, 4);
      assertThat(b.await(() -> begun[0] == number, 20 * SECOND_NS)).isTrue();
      assertThat(b.await(() -> ended[0] == number, 20_000_000)).isFalse();
      free[0] = true; // and nobody is told
      assertThat(b.await(() -> ended[0] == number, 5 * SECOND_NS)).as("number %d", i).isTrue();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"shm", "udp"})
  void handlerThatWaitsCanBeInterrupted(String fabric) throws Exception {
    join(fabric, 2);
    Messages b = nodes.get(1);
    AtomicReference<Thread> waits = new AtomicReference<>();
    Handler awaits =
        b.waitingHandler(
            "awaits",
            (in, _) -> {
              waits.set(Thread.currentThread());
              in.await(() -> false);
            });
    nodes.get(0).send(1, awaits, 1, 2, 3, 4);
    assertThat(b.await(() -> waits.get() != null, 20 * SECOND_NS)).isTrue();
    waits.getAndSet(Thread.currentThread()).interrupt();
    assertThat(b.await(() -> !told.isEmpty(), 20 * SECOND_NS)).isTrue();
    assertThat(told).containsExactly("awaits 0 16 interrupted while a handler waited");
  }

  /** Also in the kernel, where a thread that waits sleeps. */
  @ParameterizedTest
  @ValueSource(strings = {"shm", "udp"})
  void interruptEndsAWaitAtOnce(String fabric) throws Exception {
    join(fabric, 2);
    Messages b = nodes.get(1);
    long[] endedNs = new long[1];
    Thread waiting =
        Thread.ofPlatform()
            .start(
                () -> {
                  try {
                    int _ = b.extractOrWait(60 * SECOND_NS);
                  } catch (InterruptedException e) {
                    endedNs[0] = System.nanoTime();
                  }
                });
    Thread.sleep(1_000);
    long startNs = System.nanoTime();
    waiting.interrupt();
    waiting.join();
    assertThat(endedNs[0] - startNs).isBetween(0L, SECOND_NS / 2);
  }

  /** What has not arrived is told; the thread knows that it was interrupted. */
  @Test
  void interruptEndsAWaitForWhatWasSent() throws Exception {
    join("udp", 2);
    Messages a = nodes.get(0);
    nodes.get(1).node().take(); // it acknowledges nothing
    try {
      a.send(1, Handler.named("take"), pattern(1_000, 0), 0, 1_000);
      checkThatClosingIsInterrupted(() -> a.close(60 * SECOND_NS));
    } finally {
      nodes.get(1).node().release();
    }
    assertThat(told).contains("undelivered 1");
    assertThatThrownBy(a::held).hasMessageContaining("were closed");
  }

  /** Who closes waits a second for it. */
  @ParameterizedTest
  @ValueSource(strings = {"shm", "udp"})
  void interruptEndsAWaitForAnothersHandler(String fabric) throws Exception {
    join(fabric, 2);
    Messages b = nodes.get(1);
    CountDownLatch inside = new CountDownLatch(1);
    CountDownLatch enough = new CountDownLatch(1);
    Handler stays =
        b.handler(
            "stays",
            (in, from) -> {
              inside.countDown();
              enough.await();
            });
    nodes.get(0).send(1, stays, 1, 2, 3, 4);
    Future<Integer> extracting = threads.submit(() -> b.extractOrWait(20 * SECOND_NS));
    inside.await();
    checkThatClosingIsInterrupted(b::close);
    assertThat(extracting.isDone()).isFalse();
    enough.countDown();
    assertThatThrownBy(extracting::get).hasMessageContaining("were closed");
  }

  private static void checkThatClosingIsInterrupted(Runnable closes) throws InterruptedException {
    AtomicBoolean knows = new AtomicBoolean();
    Thread closing =
        Thread.ofPlatform()
            .start(
                () -> {
                  closes.run();
                  knows.set(Thread.interrupted());
                });
    Thread.sleep(300);
    assertThat(closing.isAlive()).as("it waits").isTrue();
    long startNs = System.nanoTime();
    closing.interrupt();
    closing.join();
    assertThat(System.nanoTime() - startNs).isLessThan(SECOND_NS / 2);
    assertThat(knows.get()).as("it knows that it was interrupted").isTrue();
  }

  /** Sending runs handlers when it is blocked, unless it is told not to, and only then. */
  @ParameterizedTest
  @ValueSource(strings = {"shm", "udp"})
  void sendingRunsHandlersOnlyWhenItIsBlocked(String fabric) throws Exception {
    join(fabric, 2);
    Messages a = nodes.get(0);
    Messages b = nodes.get(1);
    int[] heard = new int[1];
    Handler hear = b.handler("hear", (_, _) -> heard[0]++);
    Handler take = Handler.named("take");
    for (int i = 0; i < 10; i++) {
      a.send(1, hear, i, 0, 0, 0);
    }
    Thread.sleep(200); // they have come
    for (int i = 0; i < 20; i++) {
      b.send(0, take, i, 0, 0, 0);
    }
    assertThat(heard[0]).as("handlers run by a sender that is not blocked").isZero();
    b.patience(SECOND_NS / 2);
    b.extractsWhenBlocked(false);
    MemorySegment bytes = pattern(10_000, 0);
    checkThatItIsBlocked(b, take, bytes);
    assertThat(heard[0]).as("handlers run by one that may not").isZero();
    b.extractsWhenBlocked(true);
    checkThatItIsBlocked(b, take, bytes);
    assertThat(heard[0]).isEqualTo(10);
    int _ = a.extract(); // unknown handlers, all of them
  }

  private static void checkThatItIsBlocked(Messages fm, Handler take, MemorySegment bytes) {
    assertThatThrownBy(
            () -> {
              for (int i = 0; i < 10_000; i++) {
                fm.send(0, take, bytes, 0, 10_000);
              }
            })
        .isInstanceOfSatisfying(
            MessageException.class, e -> assertThat(e.mistake()).isEqualTo(Mistake.TIMED_OUT));
  }

  /** D10: whole messages until there were so many bytes; of a long one, no more than that. */
  @ParameterizedTest
  @ValueSource(strings = {"shm", "udp"})
  void extractHonoursItsLimit(String fabric) throws Exception {
    join(fabric, 2);
    Messages a = nodes.get(0);
    Messages b = nodes.get(1);
    int[] heard = new int[1];
    Handler hear = b.handler("hear", (_, _) -> heard[0]++);
    for (int i = 0; i < 10; i++) {
      a.send(1, hear, pattern(1_000, 0), 0, 1_000);
    }
    Thread.sleep(200);
    assertThat(b.extract(2_500)).isEqualTo(3);
    assertThat(b.extract(1)).isOne();
    assertThat(b.await(() -> heard[0] == 10, 20 * SECOND_NS)).isTrue();
    byte[] all = new byte[SIZE];
    int[] received = new int[1];
    Handler receives =
        b.handler(
            "receives",
            (in, _) -> {
              for (int n = 0; n >= 0; n = in.receiveSome(all, received[0], SIZE - received[0])) {
                received[0] += n;
                if (received[0] == SIZE) {
                  return;
                }
              }
            });
    try (OutMessage out = a.begin(1, SIZE, receives)) {
      out.send(pattern(SIZE, 0), 0, SIZE);
    }
    for (int before = 0; received[0] < SIZE; before = received[0]) {
      int _ = b.extract(10_000);
      assertThat(received[0] - before).isBetween(0, 10_000);
    }
  }
}
