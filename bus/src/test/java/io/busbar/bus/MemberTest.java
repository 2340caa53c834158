package io.busbar.bus;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.wire.MemberCard;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What a card says, in words. */
class MemberTest {
  private static List<String> fabrics(String... addresses) {
    MemberCard card = new MemberCard("n", "h", List.of(addresses), Map.of());
    return new Member(1, 2, 3, MemberState.ALIVE, card).fabrics();
  }

  @Test
  void eachKindOfAddressIsAFabric() {
    assertThat(fabrics("shm:1:2", "ether:02:00:00:00:00:01/7", "udp:10.0.0.1:1", "udp:[::1]:1"))
        .containsExactly("shm", "ether", "udp");
    assertThat(fabrics()).isEmpty();
  }

  /** Anybody can write a card. */
  @Test
  void whatIsNoAddressIsNoFabric() {
    assertThat(fabrics("", "udp", ":7", "udp:x")).containsExactly("udp");
  }
}
