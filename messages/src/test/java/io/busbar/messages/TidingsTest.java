package io.busbar.messages;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.bus.Member;
import io.busbar.bus.MemberEvent;
import io.busbar.bus.MemberState;
import io.busbar.wire.MemberCard;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** What waits until somebody extracts is bounded, and what was dropped for that is told. */
class TidingsTest {
  private static final int MANY = 100_000;
  private static final MemberCard CARD = new MemberCard("", "", List.of(), Map.of());

  private final List<String> told = new ArrayList<>();
  private final MessageEvents program =
      new MessageEvents() {
        @Override
        public void onWarning(String what) {
          told.add(what);
        }

        @Override
        public void onMember(MemberEvent event) {
          told.add("member " + event.member().id());
        }
      };

  private int tellAll(Tidings tidings) {
    int count = 0;
    for (Consumer<MessageEvents> next = tidings.next(); next != null; next = tidings.next()) {
      next.accept(program);
      count++;
    }
    return count;
  }

  private static Consumer<MessageEvents> member(int id) {
    Member member = new Member(id, 1, 0, MemberState.ALIVE, CARD);
    return to -> to.onMember(new MemberEvent(id, MemberEvent.What.JOINED, member));
  }

  @Test
  void oldestEventsOfMembersAreDroppedAndTold() {
    Tidings tidings = new Tidings();
    tidings.add(to -> to.onWarning("first"));
    for (int i = 0; i < MANY; i++) {
      tidings.addPassing(member(i));
    }
    tidings.add(to -> to.onWarning("last"));
    assertThat(tellAll(tidings)).isEqualTo(Tidings.PASSING_MAX + 3);
    assertThat(tidings.isAny()).isFalse();
    assertThat(told.getFirst())
        .startsWith("%d events of members were dropped".formatted(MANY - Tidings.PASSING_MAX));
    assertThat(told.get(1)).isEqualTo("first"); // a warning is never dropped
    assertThat(told.get(2)).isEqualTo("member " + (MANY - Tidings.PASSING_MAX));
    assertThat(told.get(told.size() - 2)).isEqualTo("member " + (MANY - 1));
    assertThat(told.getLast()).isEqualTo("last");
  }

  @Test
  void nothingIsSaidOfDropsWhenThereWereNone() {
    Tidings tidings = new Tidings();
    for (int round = 0; round < 3; round++) {
      for (int i = 0; i < Tidings.PASSING_MAX; i++) {
        tidings.addPassing(member(i));
      }
      assertThat(tidings.isAny()).isTrue();
      assertThat(tellAll(tidings)).isEqualTo(Tidings.PASSING_MAX);
      assertThat(tidings.isAny()).isFalse();
    }
    assertThat(told).hasSize(3 * Tidings.PASSING_MAX).allMatch(one -> one.startsWith("member"));
  }
}
