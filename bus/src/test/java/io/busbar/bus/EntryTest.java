package io.busbar.bus;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.wire.MemberCard;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Which of two lives with one id is over, and who may say that it is not. */
class EntryTest {
  private static final long EARLIER = 100;
  private static final long LATER = 200;

  private static Entry holding(MemberState state, long life) {
    Entry entry = new Entry(7, new MemberCard("", "", List.of(), Map.of()));
    entry.state = state;
    entry.life = life;
    return entry;
  }

  /** What the roster does when a record is believed. */
  private static void follow(Entry entry, long life) {
    entry.noteEnd(MemberState.ALIVE, life);
    entry.state = MemberState.ALIVE;
    entry.life = life;
  }

  @Test
  void oldNewsOfADeadLifeDoesNotReplaceAnEarlierOneThatLives() {
    Entry entry = holding(MemberState.DEAD, LATER);
    follow(entry, EARLIER);
    assertThat(entry.isOver(LATER, 0, false)).isTrue();
    assertThat(entry.isOver(LATER, 0, true)).as("its own word").isFalse();
    assertThat(entry.isOver(LATER, 1, false)).as("it has refuted its death").isFalse();
    entry.state = MemberState.DEAD;
    assertThat(entry.isOver(LATER, 0, false)).as("the earlier one is dead, too").isFalse();
  }

  @Test
  void aLifeThatWasReplacedByALaterOneMayProveToBeTheLivingOne() {
    Entry entry = holding(MemberState.DEAD, EARLIER);
    follow(entry, LATER);
    entry.state = MemberState.LEFT;
    assertThat(entry.isOver(EARLIER, 0, false)).isFalse();
    Entry alive = holding(MemberState.ALIVE, LATER);
    follow(alive, EARLIER);
    assertThat(alive.isOver(LATER, 0, false)).as("it was never found dead").isFalse();
  }

  @Test
  void aLifeAtWhoseAddressAnotherOneAnswersIsOverWhateverItSays() {
    Entry entry = holding(MemberState.SUSPECTED, LATER);
    entry.heir = EARLIER;
    follow(entry, EARLIER);
    assertThat(entry.isOver(LATER, 5, true)).isTrue();
    entry.state = MemberState.DEAD;
    assertThat(entry.isOver(LATER, 5, true)).isTrue();
    assertThat(entry.isOver(EARLIER, 0, false)).isFalse();
  }
}
