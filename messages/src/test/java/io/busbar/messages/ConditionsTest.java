package io.busbar.messages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.busbar.messages.MessageException.Mistake;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is awaited may use the messages, whoever drives while it is looked at; it may not wait. */
@Timeout(60)
class ConditionsTest extends Nodes {
  private static final int ANSWERS = 1_000;
  private static final Handler TAKE = Handler.named("take");

  private static void doAll(Messages fm) {
    assertThat(fm.held().channels()).isNotNegative();
    boolean _ = fm.castsAtOnce();
    assertThatThrownBy(() -> fm.group("none")).isInstanceOf(MessageException.class);
    try (MessageBuffer small = fm.buffer(100);
        MessageBuffer large = fm.buffer(1 << 20)) {
      assertThat(small.memory().byteSize() + large.memory().byteSize()).isEqualTo(100 + (1 << 20));
    }
    boolean _ = fm.trySend(1, TAKE, pattern(8, 0), 0, 8);
    OutMessage begun = fm.tryBegin(1, 100, TAKE);
    if (begun != null && !(begun.trySend(pattern(100, 0), 0, 100) && begun.tryClose())) {
      begun.abandon();
    }
    fm.wake();
  }

  /** It is looked at by who drives, also before he sleeps, and without the role. */
  @ParameterizedTest
  @ValueSource(strings = {"shm", "udp"})
  void conditionMayDoAllThatDoesNotWait(String fabric) throws Exception {
    join(fabric, 2);
    Messages a = nodes.get(0);
    Messages b = nodes.get(1);
    Handler answer = Handler.named("answer");
    Handler _ = b.handler("take", (in, from) -> b.send(from, answer, 0, 0, 0, 0));
    int[] answers = new int[1];
    Handler _ = a.handler("answer", (in, from) -> answers[0]++);
    AtomicBoolean enough = new AtomicBoolean();
    Future<?> extracting = threads.submit(() -> extractUntil(b, enough));
    int[] looks = new int[1];
    boolean held =
        a.await(
            () -> {
              looks[0] += a.node().isLooking() ? 1 : 0;
              boolean so = answers[0] >= ANSWERS;
              doAll(a);
              return so;
            },
            40 * SECOND_NS);
    assertThat(held).isTrue();
    assertThat(looks[0]).as("looks of who drives").isPositive();
    enough.set(true);
    extracting.get();
  }

  private static int extractUntil(Messages fm, AtomicBoolean enough) throws InterruptedException {
    int count = 0;
    while (!enough.get()) {
      count += fm.extractOrWait(SECOND_NS / 100);
    }
    return count;
  }

  /** Each of them needs the role to look, one of them has it, and an answer is for the other. */
  @ParameterizedTest
  @ValueSource(strings = {"shm", "udp"})
  void severalThreadsMayAwaitSo(String fabric) throws Exception {
    join(fabric, 2);
    Messages a = nodes.get(0);
    Messages b = nodes.get(1);
    Handler answer = Handler.named("answer");
    Handler _ = b.handler("take", (in, from) -> b.send(from, answer, in.receiveInt(), 0, 0, 0));
    AtomicInteger[] answers = {new AtomicInteger(), new AtomicInteger(), new AtomicInteger()};
    Handler _ = a.handler("answer", (in, from) -> answers[in.receiveInt()].incrementAndGet());
    AtomicBoolean enough = new AtomicBoolean();
    Future<?> echoing = threads.submit(() -> extractUntil(b, enough));
    List<Future<Boolean>> asking = new ArrayList<>();
    for (int i = 0; i < answers.length; i++) {
      int self = i;
      asking.add(
          threads.submit(
              () -> {
                for (int round = 1; round <= 200; round++) {
                  int wanted = round;
                  a.send(1, TAKE, self, 0, 0, 0);
                  if (!a.await(() -> cameBefore(answers[self], wanted, a), 10 * SECOND_NS)) {
                    return false;
                  }
                }
                return true;
              }));
    }
    for (Future<Boolean> one : asking) {
      assertThat(one.get()).isTrue();
    }
    enough.set(true);
    echoing.get();
  }

  /** What comes while the role is taken, this look misses. */
  private static boolean cameBefore(AtomicInteger answers, int wanted, Messages fm) {
    boolean came = answers.get() == wanted;
    return fm.held().begun() == 0 && came;
  }

  /** Whatever would wait there for itself is refused, and the wait goes on elsewhere. */
  @ParameterizedTest
  @ValueSource(strings = {"shm", "udp"})
  void conditionMayNotWait(String fabric) throws Exception {
    join(fabric, 2);
    Messages a = nodes.get(0);
    List<BooleanSupplier> waits =
        List.of(
            () -> a.extract() > 0,
            () -> a.extractNext(1) > 0,
            () -> waits(() -> a.extractOrWait(SECOND_NS)),
            () -> waits(() -> a.await(() -> false, SECOND_NS)),
            () -> {
              a.close();
              return true;
            },
            () -> {
              for (int i = 0; i < 1_000_000; i++) {
                a.send(1, TAKE, pattern(1_000, 0), 0, 1_000); // nobody extracts
              }
              return true;
            });
    for (BooleanSupplier one : waits) {
      assertThatThrownBy(
              () -> a.await(() -> a.node().isLooking() && one.getAsBoolean(), 10 * SECOND_NS))
          .isInstanceOfSatisfying(
              MessageException.class, e -> assertThat(e.mistake()).isEqualTo(Mistake.WRONG_PLACE))
          .hasMessageContaining("a condition that is awaited may");
    }
    assertThatThrownBy(
            () ->
                a.await(
                    () -> {
                      if (a.node().isLooking()) {
                        a.node().close();
                      }
                      return false;
                    },
                    10 * SECOND_NS))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("closes the node");
    assertThat(a.await(() -> false, SECOND_NS / 100)).isFalse();
  }

  private interface Wait {
    Object run() throws InterruptedException;
  }

  private static boolean waits(Wait wait) {
    try {
      return wait.run() == null;
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
