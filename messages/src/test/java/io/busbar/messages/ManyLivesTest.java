package io.busbar.messages;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A node that comes again and again leaves nothing behind at those who stay. */
@Timeout(60)
class ManyLivesTest extends Segment {
  private static final int LIVES = 12;
  private static final int LONG = 300_000;

  @ParameterizedTest
  @ValueSource(strings = {"shm,udp", "udp"})
  void nothingIsLeftOfThem(String fabrics) throws Exception {
    String[] used = fabrics.split(",", -1);
    Guest stays = join(config("lives", segment().withId(1), used));
    for (int life = 1; life <= LIVES; life++) {
      Guest comes = new Guest(config("lives", segment().withId(2).expecting(2), used));
      int lives = life;
      comes.say(1);
      sendLong(comes, 1);
      awaitThat("messages of life " + life, () -> stays.count("LONG") == lives);
      awaitThat("a message of life " + life, () -> stays.heard.get() == lives);
      sendLong(stays, 2);
      awaitThat("an answer to life " + life, () -> comes.count("LONG") == 1);
      assertThat(stays.messages.stagesMade()).isPositive();
      comes.close();
      awaitThat("its end", () -> stays.count("GONE 2") == lives);
      awaitThat("nothing is left of it", () -> stays.messages.lives() <= 2);
      assertThat(stays.messages.stagesMade()).as("stages for nobody").isZero();
    }
  }

  /** In pieces, so that they are gathered. */
  private static void sendLong(Guest from, int to) {
    MemorySegment piece = MemorySegment.ofArray(new byte[10_000]);
    try (OutMessage out = from.messages.begin(to, LONG, HEAR_LONG)) {
      for (int sent = 0; sent < LONG; sent += 10_000) {
        out.send(piece, 0, 10_000);
      }
    }
  }
}
