package io.busbar.bus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.busbar.wire.BusBlock;
import io.busbar.wire.Format;
import io.busbar.wire.FrameView;
import io.busbar.wire.Header;
import io.busbar.wire.MemberCard;
import java.lang.foreign.MemorySegment;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** How an id is claimed where others have it, or say so. */
class ClaimTest extends BusHearing {
  private static final MemberCard CARD = new MemberCard("n", "h", List.of(), Map.of());
  private static final long LIFE = 2_000;

  private final Kept said = new Kept();

  private static BusConfig claiming(int membersMax) {
    return new BusConfig(
        CLUSTER, BusConfig.CLAIM, LIFE, id -> CARD, 5, 1472, membersMax, BusConfig.Times.DEFAULT);
  }

  /** Somebody has an id, and has had it for longer than anybody else. */
  private static byte[] answer(int id) {
    Entry owner = entry(id, 1, MemberState.ALIVE, 0, CARD);
    return kept(frames(id, 1).hello(owner, 0, Header.EVERYONE));
  }

  /** What it claims in the frames that it has said since; empty when it said nothing. */
  private Set<Integer> claimed() {
    Set<Integer> ids = new HashSet<>();
    FrameView view = new FrameView();
    for (byte[] frame : said.frames) {
      assertThat(view.wrap(MemorySegment.ofArray(frame), 0, frame.length).ok()).isTrue();
      if (view.format() == Format.HELLO && BusBlock.has(view, BusBlock.CLAIMS)) {
        ids.add(view.from());
      }
    }
    said.frames.clear();
    return ids;
  }

  /** It goes on more and more slowly, and is there soon when that has ended. */
  @Test
  void whoIsRefusedEveryIdDoesNotClaimInAStorm() {
    Membership joins = new Membership(claiming(64), said, MemberEvents.NONE);
    joins.start(0);
    long now = 0;
    for (; now < 10_000 * MS; now += MS) {
      long _ = joins.poll(now);
      for (int id : claimed()) {
        boolean _ = hear(joins, now, answer(id), said);
      }
    }
    assertThat(joins.isMember()).isFalse();
    assertThat(joins.count(BusCount.HELLOS_OUT)).as("in ten seconds").isBetween(10L, 25L);
    for (long endNs = now + 2_000 * MS; now < endNs; now += MS) {
      long _ = joins.poll(now);
    }
    assertThat(joins.isMember()).isTrue();
  }

  /** Parts that start together draw the same id now and then. */
  @Test
  void whoIsRefusedOnceClaimsAnotherOneAtOnce() {
    Membership joins = new Membership(claiming(64), said, MemberEvents.NONE);
    joins.start(0);
    long _ = joins.poll(0);
    int first = joins.id();
    assertThat(claimed()).containsExactly(first);
    boolean _ = hear(joins, MS, answer(first), said);
    long _ = joins.poll(MS);
    assertThat(joins.id()).isNotEqualTo(first);
    assertThat(claimed()).containsExactly(joins.id());
    for (long now = MS; now <= 101 * MS; now += MS) {
      long _ = joins.poll(now);
    }
    assertThat(joins.isMember()).isTrue();
  }

  /** Nobody else has it: it is found, and not drawn for ever. */
  @Test
  void theLastIdThatIsLeftIsClaimed() {
    Membership joins = new Membership(claiming(BusConfig.ID_MAX), said, MemberEvents.NONE);
    joins.start(0);
    int free = 40_000;
    for (int i = 0; i <= 2 * BusConfig.ID_MAX; i++) { // who has what it claims is heard later
      int id = i % (BusConfig.ID_MAX + 1);
      if (id != free) {
        boolean _ = hear(joins, MS, answer(id), said);
      }
    }
    assertThat(joins.members()).hasSize(BusConfig.ID_MAX);
    assertThat(joins.id()).isEqualTo(free);
  }

  @Test
  void aViewOfAllIdsIsRefused() {
    assertThatThrownBy(() -> claiming(BusConfig.ID_MAX + 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("membersMax is 65535; allowed: 1 to 65534");
  }
}
