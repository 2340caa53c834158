package io.busbar.messages;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.node.Discovery;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * In the middle of a long message to everyone somebody joins, or is evicted and taken in again:
 * what still comes of it is nobody's there, takes no room, and harms nothing that follows.
 */
@Timeout(60)
class PartOfBroadcastTest extends Segment {
  private static final Handler PARTS = Handler.named("parts");

  /** Each is more than may be on its way. */
  private static final int PART_BYTES = 4 << 20;

  private static final byte[] PART = new byte[PART_BYTES];

  private static void listen(Guest guest) {
    Handler _ =
        guest.messages.handler(
            "parts",
            (in, from) -> {
              int part = 0;
              while (in.remaining() > 0) {
                in.receive(new byte[PART_BYTES]);
                guest.told.add("PART " + ++part);
              }
              guest.told.add("WHOLE");
            });
  }

  private List<Guest> joined(int nodes, Discovery discovery, String fabrics) throws Exception {
    List<Guest> all =
        joinAtOnce(
            Collections.nCopies(
                nodes, config("parts", discovery.expecting(nodes), fabrics.split(",", -1))));
    all.forEach(PartOfBroadcastTest::listen);
    return all;
  }

  private static OutMessage begin(Guest by, int parts) {
    return by.messages.begin(Messages.EVERYONE, (long) parts * PART_BYTES, PARTS);
  }

  private static void say(OutMessage out) {
    out.send(PART);
    out.flush();
  }

  /** A long message, and a short one behind it. */
  private static void sayWhole(Guest by) {
    try (OutMessage out = begin(by, 1)) {
      out.send(PART);
    }
    by.say(Messages.EVERYONE);
  }

  private static boolean isToldOf(Guest guest, String what) {
    return guest.told.stream().anyMatch(event -> event.startsWith(what));
  }

  @ParameterizedTest
  @ValueSource(strings = {"udp", "shm,udp"})
  void whoJoinsInTheMiddleHearsWhatBeginsAfterwards(String fabrics) throws Exception {
    List<Guest> both = joined(2, segment(), fabrics);
    Guest speaker = both.getFirst();
    Guest reader = both.getLast();
    Guest late;
    try (OutMessage out = begin(speaker, 2)) {
      say(out);
      awaitThat("the first part", () -> reader.knows("PART 1"));
      late = join(config("parts", segment().expecting(3), fabrics.split(",", -1)));
      listen(late);
      String begun = "BEGUN %d 1 1".formatted(speaker.id());
      awaitThat("it is taken in behind the start", () -> late.knows(begun));
      say(out);
    }
    sayWhole(speaker);
    awaitThat("both are heard", () -> reader.count("WHOLE") == 2 && reader.heard.get() == 1);
    awaitThat("the second is heard", () -> late.count("WHOLE") == 1 && late.heard.get() == 1);
    assertThat(late.count("PART 1")).isEqualTo(1);
    assertThat(late.told)
        .noneMatch(e -> e.startsWith("FAILED") || e.startsWith("GAP") || e.startsWith("EVICTED"));
    assertThat(speaker.told).noneMatch(event -> event.startsWith("READER_EVICTED"));
  }

  @Test
  void whoIsEvictedInTheMiddleIsToldAndHearsWhatBeginsAfterwards() throws Exception {
    List<Guest> all = joined(3, segment().pacing(SECOND_NS), "udp");
    Guest speaker = all.get(0);
    Guest reader = all.get(1);
    Guest sleeper = all.get(2);
    try (OutMessage out = begin(speaker, 3)) {
      say(out);
      awaitThat("the first part", () -> reader.knows("PART 1") && sleeper.knows("PART 1"));
      sleeper.sleeps = true;
      awaitThat("it sleeps", () -> sleeper.isAsleep);
      say(out);
      speaker.say(Messages.EVERYONE);
      awaitThat("the other one goes on", () -> reader.knows("PART 2") && reader.heard.get() == 1);
      String evicted = "READER_EVICTED " + sleeper.id();
      awaitThat("the sender is told", () -> isToldOf(speaker, evicted));
      sleeper.sleeps = false;
      String gap = "GAP %d 1 2".formatted(speaker.id());
      awaitThat("it is told what it missed", () -> sleeper.knows(gap));
      awaitThat("who waits for the rest, too", () -> sleeper.knows("FAILED " + speaker.id()));
      say(out);
    }
    sayWhole(speaker);
    awaitThat("all is heard", () -> reader.count("WHOLE") == 2 && reader.heard.get() == 2);
    awaitThat("the rest is heard", () -> sleeper.count("WHOLE") == 1 && sleeper.heard.get() == 1);
    assertThat(sleeper.count("PART 2")).isZero();
    assertThat(reader.told).noneMatch(e -> e.startsWith("FAILED") || e.startsWith("GAP"));
    assertThat(speaker.told.stream().filter(e -> e.startsWith("READER_EVICTED"))).hasSize(1);
  }
}
