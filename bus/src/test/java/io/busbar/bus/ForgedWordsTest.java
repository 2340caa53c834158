package io.busbar.bus;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.wire.Header;
import io.busbar.wire.MemberCard;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is made up of a node is corrected by itself, and costs nobody his place meanwhile. */
class ForgedWordsTest extends BusHearing {
  /** Then hellos are rare, and mend nothing by chance. */
  private static final long QUIET_MS = 90_000;

  private static final Membership NOBODY = member(9, CLUSTER, new Kept());
  private static final MemberCard CARD =
      new MemberCard("n1", "h", List.of("udp:10.0.0.1:1"), Map.of("a", "b"));
  private static final MemberCard FALSE_CARD =
      new MemberCard("n1", "h", List.of("udp:10.9.9.9:9"), Map.of("a", "b"));

  /**
   * Nobody but a node itself raises its edition; who makes one up is believed by those who do not
   * know better. So the node itself says a higher one.
   */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 99, Integer.MAX_VALUE - 1, Integer.MAX_VALUE})
  void whatIsMadeUpOfANodeIsCorrectedByItself(int edition) {
    for (MemberState state : MemberState.values()) {
      Kept fromOne = new Kept();
      Kept fromTwo = new Kept();
      Membership one = member(1, CLUSTER, fromOne);
      Membership two = member(2, CLUSTER, fromTwo);
      talk(one, fromOne, two, fromTwo, 0, 1_000 * MS);
      assertThat(two.viewHash()).isEqualTo(one.viewHash());
      byte[] forged = news(1, 1001, state, edition);
      for (int i = 0; i < 3; i++) {
        assertThat(hear(two, 1_000 * MS, forged, fromTwo)).isTrue();
        assertThat(hear(one, 1_000 * MS, forged, fromOne)).isTrue();
      }
      talk(one, fromOne, two, fromTwo, 1_000 * MS, 1_200 * MS);
      assertThat(two.members().getFirst().state())
          .as("%s in edition %d", state, edition)
          .isEqualTo(MemberState.ALIVE);
      assertThat(two.viewHash()).isEqualTo(one.viewHash());
      talk(one, fromOne, two, fromTwo, 1_200 * MS, 5_000 * MS);
      assertThat(two.members().getFirst().state()).isEqualTo(MemberState.ALIVE);
      one.leave();
      deliver(fromOne, two, 5_000 * MS, fromTwo);
      assertThat(two.members().getFirst().state()).isEqualTo(MemberState.LEFT);
    }
  }

  /** However often it is said that a node is dead: it has the time to say that it is not. */
  @Test
  void nobodyIsBuriedOnTheWordOfOthers() {
    List<String> told = new ArrayList<>();
    Kept fromOne = new Kept();
    Kept fromTwo = new Kept();
    Membership one = member(1, CLUSTER, fromOne);
    Membership two = member(2, CLUSTER, fromTwo, noting(told));
    talk(one, fromOne, two, fromTwo, 0, 1_000 * MS);
    byte[] forged = news(1, 1001, MemberState.DEAD, two.members().getFirst().edition());
    for (int i = 0; i < 10; i++) {
      assertThat(hear(two, 1_000 * MS + i, forged, fromTwo)).isTrue();
    }
    assertThat(two.members().getFirst().state()).isEqualTo(MemberState.SUSPECTED);
    talk(one, fromOne, two, fromTwo, 1_000 * MS, 3_000 * MS);
    assertThat(two.members().getFirst().state()).isEqualTo(MemberState.ALIVE);
    assertThat(told).containsSubsequence("SUSPECTED 1", "CLEARED 1").doesNotContain("DIED 1");
  }

  private static MemberEvents noting(List<String> told) {
    return new MemberEvents() {
      @Override
      public void onMember(MemberEvent event) {
        told.add(event.what() + " " + event.member().id());
      }
    };
  }

  /** Who cannot say that it lives is dead when its time has passed, and no later for that word. */
  @Test
  void theDeadAreNotSuspectedLongerForWhatOthersSay() {
    Kept fromOne = new Kept();
    Kept fromTwo = new Kept();
    Membership one = member(1, CLUSTER, fromOne);
    Membership two = member(2, CLUSTER, fromTwo);
    talk(one, fromOne, two, fromTwo, 0, 1_000 * MS);
    byte[] said = news(1, 1001, MemberState.DEAD, two.members().getFirst().edition());
    for (long now = 1_000 * MS; now < 2_100 * MS; now += 5 * MS) {
      boolean _ = hear(two, now, said, fromTwo);
      long _ = two.poll(now);
    }
    assertThat(two.members().getFirst().state()).isEqualTo(MemberState.DEAD);
  }

  /** Members 1 to 3, who hear each other, and what they are told. */
  private static final class Three {
    final List<Membership> members = new ArrayList<>();
    final List<List<String>> told = new ArrayList<>();
    private final List<Kept> said = new ArrayList<>();
    private long nowNs;

    Three() {
      for (int id = 1; id <= 3; id++) {
        Kept kept = new Kept();
        List<String> events = new ArrayList<>();
        members.add(member(id, CLUSTER, kept, noting(events)));
        said.add(kept);
        told.add(events);
      }
    }

    /** So much time passes, and all hear what is for them, but for one who may have gone. */
    void talk(long ms, Membership without) {
      for (long endNs = nowNs + ms * MS; nowNs < endNs; nowNs += 5 * MS) {
        for (int from = 0; from < members.size(); from++) {
          long _ = members.get(from).poll(nowNs);
          List<byte[]> frames = List.copyOf(said.get(from).frames);
          said.get(from).frames.clear();
          for (byte[] frame : frames) {
            give(frame, members.get(from), without);
          }
        }
      }
    }

    void talk(long ms) {
      talk(ms, NOBODY);
    }

    private void give(byte[] frame, Membership from, Membership without) {
      int to = (frame[4] & 0xFF) | (frame[5] & 0xFF) << 8;
      for (int i = 0; i < members.size(); i++) {
        Membership by = members.get(i);
        boolean isMeant = to == Header.EVERYONE || to == by.id();
        if (isMeant && !by.equals(from) && !by.equals(without) && !from.equals(without)) {
          assertThat(hear(by, nowNs, frame, said.get(i))).isTrue();
        }
      }
    }

    /** Somebody makes one of them hear something. */
    void forge(int id, byte[] frame) {
      assertThat(hear(members.get(id - 1), nowNs, frame, said.get(id - 1))).isTrue();
    }

    Member known(int by, int id) {
      return members.get(by - 1).members().stream().filter(m -> m.id() == id).findFirst().get();
    }

    void checkAllKnowTheCardOfOne(String when) {
      for (int id = 1; id <= 3; id++) {
        assertThat(known(id, 1).card()).as("%s, at %d", when, id).isEqualTo(CARD);
        assertThat(members.get(id - 1).viewHash()).isEqualTo(members.getFirst().viewHash());
      }
    }
  }

  private static byte[] view(int from, long life, MemberState state, int edition) {
    Frames frames = frames(from, life);
    int _ = frames.view(List.of(entry(1, 1001, state, edition, FALSE_CARD)), 0);
    return kept(frames.finishView(2, from));
  }

  private static byte[] hello(int edition) {
    Entry entry = entry(1, 1001, MemberState.ALIVE, edition, FALSE_CARD);
    return kept(frames(1, 1001).hello(entry, 0, Header.EVERYONE));
  }

  static List<byte[]> falseCards() {
    return List.of(
        view(8, 1008, MemberState.ALIVE, 1),
        view(8, 1008, MemberState.ALIVE, 7),
        view(8, 1008, MemberState.SUSPECTED, 0),
        view(8, 1008, MemberState.DEAD, 3),
        view(1, 1001, MemberState.ALIVE, 0),
        view(1, 1001, MemberState.ALIVE, 1),
        hello(0),
        hello(1));
  }

  /** Its own word counts, which it says as soon as it hears that others hold something else. */
  @ParameterizedTest
  @MethodSource("falseCards")
  void anotherCardOfAMemberDoesNotLast(byte[] forged) {
    Three all = new Three();
    all.talk(QUIET_MS);
    all.checkAllKnowTheCardOfOne("before");
    long number = all.members.get(1).viewNumber();
    all.forge(2, forged);
    assertThat(all.members.get(1).viewNumber()).as("it is heard").isGreaterThan(number);
    all.talk(2_000);
    all.checkAllKnowTheCardOfOne("two seconds later");
    int edition = all.known(1, 1).edition();
    all.talk(10_000);
    all.checkAllKnowTheCardOfOne("in the end");
    assertThat(all.known(1, 1).edition()).as("it goes on calmly").isEqualTo(edition);
    assertThat(all.told).noneMatch(events -> events.contains("DIED 1"));
  }

  /** However often somebody makes up a card, or an edition: no more than every 200 ms. */
  @Test
  void whoIsMisrepresentedSaysHelloSoonAndNotOften() {
    Three all = new Three();
    all.talk(QUIET_MS);
    long before = all.members.getFirst().count(BusCount.HELLOS_OUT);
    for (int i = 0; i < 400; i++) {
      all.forge(2, hello(all.known(2, 1).edition() + 1));
      all.talk(5);
    }
    long said = all.members.getFirst().count(BusCount.HELLOS_OUT) - before;
    assertThat(said).as("in two seconds").isBetween(4L, 11L);
    all.talk(2_000);
    all.checkAllKnowTheCardOfOne("two seconds later");
  }

  /** Whoever is heard first may say anything. */
  @Test
  void whoMeetsAMemberByAFalseCardHearsOfTheTrueOne() {
    Three all = new Three();
    all.talk(QUIET_MS, all.members.get(1));
    all.forge(2, view(8, 1008, MemberState.ALIVE, 0));
    assertThat(all.known(2, 1).card()).isEqualTo(FALSE_CARD);
    all.talk(2_000);
    all.checkAllKnowTheCardOfOne("two seconds later");
  }

  @Test
  void nobodyHasLeftOnTheWordOfOthers() {
    Three all = new Three();
    all.talk(1_000);
    for (int id = 2; id <= 3; id++) {
      all.forge(id, news(1, 1001, MemberState.LEFT, all.known(2, 1).edition()));
      assertThat(all.known(id, 1).state()).isEqualTo(MemberState.SUSPECTED);
    }
    all.talk(3_000);
    for (int id = 2; id <= 3; id++) {
      assertThat(all.known(id, 1).state()).isEqualTo(MemberState.ALIVE);
      assertThat(all.told.get(id - 1))
          .containsSubsequence("SUSPECTED 1", "CLEARED 1")
          .doesNotContain("LEFT 1", "DIED 1");
    }
  }

  /** Who heard it from the one that leaves knows it at once, the other one after a suspicion. */
  @Test
  void thatSomebodyHasLeftReachesThoseWhoMissedIt() {
    Three all = new Three();
    all.talk(1_000);
    Membership leaves = all.members.getFirst();
    leaves.leave();
    all.talk(5, all.members.get(2));
    assertThat(all.known(2, 1).state()).isEqualTo(MemberState.LEFT);
    assertThat(all.known(3, 1).state()).isEqualTo(MemberState.ALIVE);
    all.talk(2_000, leaves);
    assertThat(all.known(3, 1).state()).isEqualTo(MemberState.LEFT);
    assertThat(all.told.get(2)).contains("LEFT 1").doesNotContain("DIED 1");
  }
}
