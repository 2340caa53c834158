package io.busbar.lab.stack;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.transport.Count;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Whether acknowledgements ride on the records of a conversation. */
class RidingTest {
  private static final long SECOND_NS = 1_000_000_000L;
  private static final int ROUNDS = 500;

  private long frames;

  /** Longer than an answer that was asked for waits, and shorter than others do. */
  private static final long THOUGHT_NS = 60_000;

  private Duo.Play play(Duo[] duo, int self, long thoughtNs) {
    return process -> {
      try (Duo.Talk talk = duo[0].talk(process)) {
        talk.say(1 - self); // nobody has heard of the other one yet
        assertThat(talk.messages.await(() -> talk.handled == 1, SECOND_NS)).isTrue();
        for (int i = 1; i <= ROUNDS; i++) {
          int expected = 1 + i;
          if (self == 0) {
            talk.say(1);
          }
          assertThat(talk.messages.await(() -> talk.handled == expected, SECOND_NS)).isTrue();
          if (thoughtNs > 0) {
            talk.extractUntil(duo[0].stack.schedule().nowNs() + thoughtNs);
          }
          if (self == 1) {
            talk.say(0);
          }
        }
        talk.extractUntil(SECOND_NS);
        frames += ((SimPlace) talk.messages.node()).count(Count.FRAMES_OUT);
        assertThat(talk.events).isEmpty();
      }
    };
  }

  @Test
  void answersRideOnRecordsThoughBothBeganAtOnce() throws Throwable {
    Duo[] duo = new Duo[1];
    duo[0] = new Duo(List.of(play(duo, 0, 0)), List.of(play(duo, 1, 0)));
    duo[0].run(10 * SECOND_NS);
    assertThat(frames).isBetween(2L * ROUNDS, 2L * ROUNDS + 20);
  }

  /** One of eight asks, and is answered sooner than that. */
  @Test
  void answersRideOnRecordsThatTakeAWhile() throws Throwable {
    Duo[] duo = new Duo[1];
    duo[0] = new Duo(List.of(play(duo, 0, THOUGHT_NS)), List.of(play(duo, 1, THOUGHT_NS)));
    duo[0].run(10 * SECOND_NS);
    assertThat(frames).isBetween(2L * ROUNDS, 2L * ROUNDS * 9 / 8 + 20);
  }
}
