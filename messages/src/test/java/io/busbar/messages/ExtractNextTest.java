package io.busbar.messages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.busbar.messages.MessageException.Mistake;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who takes one message at a time takes one, the first, and leaves the others where they are. */
@Timeout(60)
class ExtractNextTest extends Nodes {
  private static final Handler ONE = Handler.named("one");
  private static final Handler OTHER = Handler.named("other");

  private final List<Integer> heard = new ArrayList<>();

  /** Calls until a handler was called; how often one was. */
  private static int next(Messages fm) {
    long startNs = System.nanoTime();
    int count = 0;
    while (count == 0) {
      count = fm.extractNext(1);
      assertThat(System.nanoTime() - startNs).as("ns for a message").isLessThan(20 * SECOND_NS);
    }
    return count;
  }

  /** All of them are there before the first is taken; their sender is gone, which comes last. */
  @ParameterizedTest
  @ValueSource(strings = {"shm", "udp"})
  void takesOneOfManyInTheirOrder(String fabric) throws Exception {
    join(fabric, 2);
    Messages a = nodes.get(0);
    Messages b = nodes.get(1);
    Handler _ = b.handler(ONE.name(), (in, from) -> heard.add(in.receiveInt()));
    Handler _ = b.handler(OTHER.name(), (in, from) -> heard.add(in.receiveInt()));
    int count = 50;
    for (int i = 0; i < count; i++) {
      a.send(1, i % 3 == 0 ? OTHER : ONE, i, 0, 0, 0);
    }
    a.close(); // waits until they have arrived
    for (int i = 0; i < count; i++) {
      assertThat(next(b)).as("calls for message %d", i).isOne();
      assertThat(heard).hasSize(i + 1).last().isEqualTo(i);
      assertThat(toldGone).isEmpty();
    }
    awaitThat("that it is gone", 20, () -> b.extractNext(1) > 0 || !toldGone.isEmpty());
    assertThat(toldGone).containsExactly("1 0");
    assertThat(heard).hasSize(count);
  }

  @ParameterizedTest
  @ValueSource(strings = {"shm", "udp"})
  void isZeroWhenThereIsNothing(String fabric) throws Exception {
    join(fabric, 2);
    Messages b = nodes.get(1);
    Handler _ = b.handler(ONE.name(), (in, from) -> heard.add(in.receiveInt()));
    for (int round = 0; round < 3; round++) {
      for (int i = 0; i < 100; i++) {
        assertThat(b.extractNext(1)).isZero();
      }
      nodes.get(0).send(1, ONE, round, 0, 0, 0);
      assertThat(next(b)).isOne();
    }
    assertThat(b.extractNext(1)).isZero();
    assertThat(heard).containsExactly(0, 1, 2);
  }

  /** In one call one short message begins, however many there are, and the long one goes on. */
  @ParameterizedTest
  @ValueSource(strings = {"shm", "udp"})
  void longMessageGoesOnBesideTheNext(String fabric) throws Exception {
    join(fabric, 2);
    Messages a = nodes.get(0);
    Messages b = nodes.get(1);
    int bytes = 4 << 20;
    boolean[] whole = new boolean[1];
    Handler big =
        b.handler(
            "big",
            (in, from) -> {
              byte[] all = new byte[bytes];
              in.receive(all);
              whole[0] = all[bytes - 1] == (byte) ((bytes - 1) * 7);
            });
    Handler _ = b.handler(ONE.name(), (in, from) -> heard.add(in.receiveInt()));
    int count = 200;
    Future<?> sender =
        threads.submit(
            () -> {
              for (int i = 0; i < count / 2; i++) {
                a.send(1, ONE, i, 0, 0, 0);
              }
              a.send(1, big, pattern(bytes, 0), 0, bytes);
              for (int i = count / 2; i < count; i++) {
                a.send(1, ONE, i, 0, 0, 0);
              }
            });
    while (heard.size() < count || !whole[0]) {
      int before = heard.size();
      assertThat(next(b)).isBetween(1, 2);
      assertThat(heard.size() - before).isBetween(0, 1);
    }
    Object _ = sender.get(20, TimeUnit.SECONDS);
    assertThat(heard).isEqualTo(IntStream.range(0, count).boxed().toList());
    assertThat(told).isEmpty();
  }

  @Test
  void isZeroWhileAnotherThreadExtracts() throws Exception {
    join("shm", 2);
    Messages b = nodes.get(1);
    CountDownLatch inside = new CountDownLatch(1);
    CountDownLatch enough = new CountDownLatch(1);
    Handler _ =
        b.handler(
            OTHER.name(),
            (in, from) -> {
              inside.countDown();
              enough.await();
            });
    Handler _ = b.handler(ONE.name(), (in, from) -> heard.add(in.receiveInt()));
    nodes.get(0).send(1, OTHER, 0, 0, 0, 0);
    nodes.get(0).send(1, ONE, 1, 0, 0, 0);
    Future<Integer> other = threads.submit(() -> next(b));
    try {
      assertThat(inside.await(20, TimeUnit.SECONDS)).isTrue();
      assertThat(b.extractNext(1)).isZero();
    } finally {
      enough.countDown();
    }
    assertThat(other.get(20, TimeUnit.SECONDS)).isOne();
    assertThat(heard).as("left by both").isEmpty();
    assertThat(next(b)).isOne();
    assertThat(heard).containsExactly(1);
  }

  @Test
  void isRefusedInAHandlerAndAfterTheEnd() throws Exception {
    join("shm", 2);
    Messages b = nodes.get(1);
    Handler _ = b.handler(ONE.name(), (in, from) -> heard.add(b.extractNext(1)));
    nodes.get(0).send(1, ONE, 1, 0, 0, 0);
    assertThat(next(b)).isOne();
    assertThat(heard).isEmpty();
    assertThat(told).singleElement().asString().contains("a handler may neither extract nor close");
    b.close();
    assertThatThrownBy(() -> b.extractNext(1))
        .isInstanceOfSatisfying(
            MessageException.class, e -> assertThat(e.mistake()).isEqualTo(Mistake.WRONG_PLACE));
  }
}
