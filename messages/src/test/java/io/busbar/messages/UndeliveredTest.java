package io.busbar.messages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.busbar.messages.MessageException.Mistake;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Who leaves is told what did not arrive. */
@Timeout(60)
class UndeliveredTest extends Nodes {
  private static final Handler TAKE = Handler.named("take");

  /** The peer takes nothing: some was accepted here for which it has no room. */
  @Test
  void whatHasNotArrivedIsToldAtTheEnd() throws Exception {
    join("udp", 2);
    Messages a = nodes.get(0);
    a.patience(50_000_000);
    assertThatThrownBy(
            () -> {
              while (true) {
                a.send(1, TAKE, pattern(1_000, 0), 0, 1_000);
              }
            })
        .isInstanceOfSatisfying(
            MessageException.class, e -> assertThat(e.mistake()).isEqualTo(Mistake.TIMED_OUT));
    assertThat(told).isEmpty();
    a.close(100_000_000);
    assertThat(told).contains("undelivered 1");
  }

  /** What had arrived before the end is no event. */
  @Test
  void whatHasArrivedIsNotTold() throws Exception {
    join("udp", 2);
    Messages a = nodes.get(0);
    for (int i = 0; i < 10; i++) {
      a.send(1, TAKE, pattern(1_000, 0), 0, 1_000);
    }
    a.close();
    assertThat(told).doesNotContain("undelivered 1");
  }
}
