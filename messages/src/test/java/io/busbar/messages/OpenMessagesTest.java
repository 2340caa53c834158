package io.busbar.messages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.busbar.messages.MessageException.Mistake;
import java.util.ArrayDeque;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** So many messages to a node may have begun and not ended; one more is refused by name. */
@Timeout(60)
class OpenMessagesTest extends Nodes {
  private static final int MOST = 64;
  private static final Handler TAKE = Handler.named("take");

  private int taken;

  private void checkThatItIsFull(long size) {
    Messages a = nodes.get(0);
    assertThatThrownBy(() -> a.begin(1, size, TAKE))
        .isInstanceOfSatisfying(
            MessageException.class, e -> assertThat(e.mistake()).isEqualTo(Mistake.TOO_MANY_OPEN))
        .hasMessageContaining("64 messages to node 1");
    assertThat(a.held().begun()).isEqualTo(MOST);
  }

  private static void end(OutMessage out) {
    out.send(new byte[10]);
    out.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"shm", "udp"})
  void oneMoreIsRefusedUntilOneEnds(String fabric) throws Exception {
    join(fabric, 2);
    Messages a = nodes.get(0);
    Messages b = nodes.get(1);
    Handler _ =
        b.handler(
            "take",
            (in, _) -> {
              assertThat(in.receiveRest()).hasSize(10);
              taken++;
            });
    ArrayDeque<OutMessage> open = new ArrayDeque<>();
    for (int i = 0; i < MOST; i++) {
      open.add(a.begin(1, 10, TAKE));
    }
    checkThatItIsFull(10);
    checkThatItIsFull(1_000_000);
    for (int i = 1; i <= 10; i++) { // each that ends makes room for one
      end(open.remove());
      open.add(a.begin(1, 10, TAKE));
      checkThatItIsFull(10);
      int all = i;
      assertThat(b.await(() -> taken == all, 20 * SECOND_NS)).isTrue();
    }
    open.remove().abandon();
    OutMessage more = a.tryBegin(1, 10, TAKE);
    assertThat(more).isNotNull();
    Future<?> ending = threads.submit(() -> open.forEach(OpenMessagesTest::end));
    assertThat(b.await(() -> taken == 10 + MOST - 1, 20 * SECOND_NS)).isTrue();
    Object _ = ending.get();
    if (more != null) {
      end(more);
    }
    assertThat(b.await(() -> taken == 10 + MOST, 20 * SECOND_NS)).isTrue();
    awaitNothingHeld(a);
    assertThat(told).isEmpty();
  }
}
