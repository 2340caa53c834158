package io.busbar.lab.stack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.busbar.messages.MessageException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How lanes end when a node is cut off or begins another life. */
class LaneEndTest {
  private static final long SECOND_NS = 1_000_000_000L;

  private final List<String> first = new ArrayList<>();
  private final List<String> second = new ArrayList<>();

  /**
   * Both begin at once, so the lane has an association for each way; one way is tried alone, and
   * nobody hears its farewell.
   */
  @Test
  void laneThatEndsAtOneEndEndsAtTheOther() throws Throwable {
    Duo[] duo = new Duo[1];
    Duo.Play sends =
        process -> {
          try (Duo.Talk talk = duo[0].talk(process)) {
            talk.say(1);
            talk.extractUntil(2 * SECOND_NS);
            talk.say(1);
            talk.extractUntil(60 * SECOND_NS);
            first.addAll(talk.events);
            assertThatThrownBy(() -> talk.say(1)).isInstanceOf(MessageException.class);
          }
        };
    Duo.Play listens =
        process -> {
          try (Duo.Talk talk = duo[0].talk(process)) {
            talk.say(0);
            talk.extractUntil(41 * SECOND_NS);
            if (talk.events.isEmpty()) {
              talk.say(0);
            }
            talk.extractUntil(60 * SECOND_NS);
            second.addAll(talk.events);
          }
        };
    duo[0] = new Duo(List.of(sends), List.of(listens));
    duo[0].stack.schedule().at(SECOND_NS, () -> duo[0].stack.faults().cut(0, 1, true));
    duo[0].stack.schedule().at(40 * SECOND_NS, () -> duo[0].stack.faults().cut(0, 1, false));
    duo[0].run(90 * SECOND_NS);
    assertThat(first).containsExactly("node 1 is gone");
    assertThat(second).containsExactly("node 0 is gone");
  }

  /** A new life is refused by who knew the former one; it hears of it though it leaves at once. */
  @Test
  void whoLeavesIsToldWhoIsGone() throws Throwable {
    Duo[] duo = new Duo[1];
    Duo.Play stays =
        process -> {
          try (Duo.Talk talk = duo[0].talk(process)) {
            talk.extractUntil(20 * SECOND_NS);
            first.addAll(talk.events);
            first.add("handled " + talk.handled);
          }
        };
    Duo.Play crashes =
        process -> {
          try (Duo.Talk talk = duo[0].talk(process)) {
            talk.say(0);
            talk.extractUntil(20 * SECOND_NS);
          }
        };
    Duo.Play leaves =
        process -> {
          Duo.Talk talk = duo[0].talk(process);
          talk.say(0);
          talk.close();
          second.addAll(talk.events);
        };
    duo[0] = new Duo(List.of(stays), List.of(crashes, leaves));
    duo[0].stack.schedule().at(SECOND_NS, () -> duo[0].stack.crash(1));
    duo[0].stack.schedule().at(2 * SECOND_NS, () -> duo[0].stack.restart(1));
    duo[0].run(30 * SECOND_NS);
    assertThat(first).containsExactly("node 1 is gone", "handled 1");
    assertThat(second).containsExactly("node 0 is gone");
  }
}
