package io.busbar.messages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.busbar.bus.Member;
import io.busbar.messages.MessageException.Mistake;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A node whose id another one had before: it joins again, or ends with an error that says why. */
@Timeout(60)
class LostIdTest extends Segment {
  private static long life(Guest guest) {
    return guest.messages.node().members().stream()
        .filter(member -> member.id() == guest.id())
        .findFirst()
        .map(Member::incarnation)
        .orElseThrow();
  }

  private static void shout(Guest guest) {
    guest.messages.send(Messages.EVERYONE, HEAR, MemorySegment.ofArray(new byte[100]), 0, 100);
  }

  @ParameterizedTest
  @ValueSource(strings = {"shm,udp", "udp"})
  void itJoinsAgainAndNothingIsLostSilently(String fabrics) throws Exception {
    String[] used = fabrics.split(",", -1);
    Guest stays = join(config("lost", segment(), used));
    Guest loses = join(config("lost", segment().expecting(2), used));
    int group = loses.messages.group("nobody's");
    int id = loses.id();
    awaitThat("they know each other", () -> stays.knows("JOINED " + id));
    stays.say(id);
    loses.say(stays.id());
    shout(loses);
    shout(stays);
    awaitThat("all is heard", () -> stays.heard.get() == 2 && loses.heard.get() == 2);
    OutMessage begun = loses.messages.begin(stays.id(), 1 << 20, HEAR_LONG);
    begun.send(new byte[200_000]);
    awaitThat("a part of a long message", () -> stays.knows("LONG"));

    long startNs = System.nanoTime();
    try (Twin _ = new Twin("lost", port, id, life(loses) - 1)) {
      awaitThat(
          "it joins again", () -> loses.told.stream().anyMatch(e -> e.startsWith("REJOINED")));
      long tookMs = (System.nanoTime() - startNs) / 1_000_000;
      System.out.printf("%s: an id was lost and another one had within %d ms%n", fabrics, tookMs);
      int next = loses.id();
      assertThat(next).isNotEqualTo(id);
      assertThat(loses.told)
          .contains("ID_LOST " + id, "REJOINED " + next, "GONE " + stays.id())
          .anyMatch(event -> event.startsWith("SENDER_GONE " + stays.id()));
      assertThatThrownBy(() -> begun.send(new byte[10]))
          .isInstanceOfSatisfying(
              MessageException.class,
              e -> {
                assertThat(e.mistake()).isEqualTo(Mistake.NODE_GONE);
                assertThat(e).hasMessageContaining("lost its id %d".formatted(id));
              });
      awaitThat(
          "the other one hears of all",
          () ->
              stays.knows("LEFT " + id)
                  && stays.knows("GONE " + id)
                  && stays.knows("JOINED " + next)
                  && stays.knows("FAILED " + id));
      assertThat(stays.told).anyMatch(event -> event.startsWith("SENDER_GONE " + id));

      awaitThat("it knows the other one", () -> loses.count("JOINED " + stays.id()) == 2);
      assertThat(loses.messages.group("nobody's")).isEqualTo(group);
      loses.say(stays.id());
      shout(loses);
      stays.say(next);
      shout(stays);
      awaitThat("all is heard again", () -> stays.heard.get() == 4 && loses.heard.get() == 4);
      assertThat(loses.count("ID_LOST " + id)).isEqualTo(1);
      assertThat(stays.knows("DIED " + next)).isFalse();
    }
  }

  @Test
  void whoWasGivenItsIdEndsAndSaysWhy() throws Exception {
    Guest stays = join(config("given", segment(), "udp"));
    Guest loses = join(config("given", segment().withId(7).expecting(2), "udp"));
    loses.say(stays.id());
    awaitThat("a message", () -> stays.heard.get() == 1);
    try (Twin _ = new Twin("given", port, 7, life(loses) - 1)) {
      awaitThat(
          "it hears of it", () -> loses.knows("ID_LOST 7") && loses.knows("GONE " + stays.id()));
      awaitThat("so does the other one", () -> stays.knows("LEFT 7"));
      Thread.sleep(2_500); // longer than a lane that has ended stays so, if its member lives
      for (int to : new int[] {stays.id(), Messages.EVERYONE}) {
        assertThatThrownBy(
                () -> loses.messages.send(to, HEAR, MemorySegment.ofArray(new byte[8]), 0, 8))
            .isInstanceOfSatisfying(
                MessageException.class, e -> assertThat(e.mistake()).isEqualTo(Mistake.NODE_GONE))
            .hasMessageContaining("lost its id 7")
            .hasMessageContaining("start it with another one");
      }
      assertThat(loses.told).noneMatch(event -> event.startsWith("REJOINED"));
    }
  }
}
