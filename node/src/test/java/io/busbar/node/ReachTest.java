package io.busbar.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.fabric.NicAddress;
import io.busbar.fabric.NicEvents;
import io.busbar.fabric.udp.UdpAddress;
import io.busbar.fabric.udp.UdpConfig;
import io.busbar.fabric.udp.UdpNic;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Who is told by himself what is for all. */
class ReachTest {
  private static final long LIFE = 7;
  private static final List<NicAddress> HERE = List.of(UdpAddress.parse("127.3.0.9:7009"));
  private static final List<NicAddress> ELSEWHERE = List.of(UdpAddress.parse("10.1.2.3:7009"));
  private static final UdpAddress GROUP = UdpAddress.parse("239.255.70.9:17009");

  private static Reach reach(boolean hasGroup, boolean hasSeeds) {
    UdpConfig.Builder config = UdpConfig.builder().bind(UdpAddress.parse("127.0.0.1:0"));
    try (UdpNic nic =
        new UdpNic((hasGroup ? config.everyone(GROUP) : config).build(), NicEvents.NONE)) {
      return new Reach(nic, hasSeeds);
    }
  }

  @Test
  void withoutSeedsTheGroupReachesWhoIsInTheSameNet() {
    Reach reach = reach(true, false);
    reach.meet(1, LIFE, HERE);
    reach.meet(2, LIFE, ELSEWHERE);
    assertThat(reach.isApart(1)).isFalse();
    assertThat(reach.isApart(2)).isTrue();
    assertThat(reach.hear(2, LIFE - 1, true)).as("a word of another life").isFalse();
    assertThat(reach.hear(2, LIFE, true)).as("routers pass it on").isTrue();
    assertThat(reach.isApart(2)).isFalse();
    reach.meet(2, LIFE + 1, ELSEWHERE);
    assertThat(reach.isApart(2)).as("another life").isTrue();
  }

  @Test
  void whoTellsWhatIsForAllByItselfIsToldSo() {
    Reach reach = reach(true, false);
    reach.meet(1, LIFE, HERE);
    assertThat(reach.hear(1, LIFE, false)).isTrue();
    assertThat(reach.isApart(1)).isTrue();
    assertThat(reach.hear(1, LIFE, true)).as("it does both").isTrue();
    assertThat(reach.isApart(1)).isFalse();
  }

  @Test
  void withSeedsTheGroupHasToShowItself() {
    Reach reach = reach(true, true);
    assertThat(reach.isApart(1)).as("who is not known").isTrue();
    reach.meet(1, LIFE, HERE);
    assertThat(reach.isApart(1)).isTrue();
    assertThat(reach.hear(1, LIFE, true)).isTrue();
    assertThat(reach.isApart(1)).isFalse();
    reach.forget(1);
    assertThat(reach.isApart(1)).isTrue();
  }

  @Test
  void withoutAGroupAllAreToldByThemselves() {
    Reach reach = reach(false, true);
    reach.meet(1, LIFE, HERE);
    assertThat(reach.hear(1, LIFE, true)).isFalse();
    assertThat(reach.isApart(1)).isTrue();
  }
}
