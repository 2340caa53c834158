package io.busbar.fabric.udp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.busbar.fabric.FabricException;
import io.busbar.fabric.Nic;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;

class PeerTableTest {
  private static final int FRAME_BYTES = 1472;

  private static UdpAddress address(int i) {
    return switch (i % 3) {
      case 0 -> UdpAddress.ipv4(0x0A00_0001, i);
      case 1 -> UdpAddress.ipv4(0x0A00_0000 + i, 7009);
      default -> UdpAddress.ipv6(0xFD00_0000_0000_0000L, i, 7009, i % 2 == 0 ? 0 : 4);
    };
  }

  /** Opens and closes at random, and compares every answer with a plain map's. */
  @Test
  void findsWhatIsOpenAndNothingElse() {
    int max = 64;
    Random random = new Random(7);
    PeerTable table = new PeerTable(max);
    Map<UdpAddress, Peer> open = new HashMap<>();
    for (int step = 0; step < 20_000; step++) {
      UdpAddress address = address(random.nextInt(200));
      Peer known = open.get(address);
      assertThat(table.find(address)).isSameAs(known);
      assertThat(table.find(address.toNative())).isSameAs(known);
      if (known != null) {
        table.remove(known);
        open.remove(address);
        assertThat(table.get(known.number)).isNull();
      } else if (open.size() < max) {
        Peer added = table.add(address, FRAME_BYTES);
        open.put(address, added);
        assertThat(table.get(added.number)).isSameAs(added);
      }
      assertThat(table.count()).isEqualTo(open.size());
    }
    open.forEach((address, peer) -> assertThat(table.find(address)).isSameAs(peer));
  }

  @Test
  void numbersAreGivenAgain() {
    PeerTable table = new PeerTable(3);
    List<Integer> numbers = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      numbers.add(table.add(address(i), FRAME_BYTES).number);
    }
    assertThat(numbers).containsExactly(0, 1, 2);
    table.remove(Objects.requireNonNull(table.find(address(1))));
    assertThat(table.add(address(5), FRAME_BYTES).number).isEqualTo(1);
  }

  @Test
  void fullTableRefusesByName() {
    PeerTable table = new PeerTable(1);
    table.add(address(0), FRAME_BYTES);
    assertThatThrownBy(() -> table.add(UdpAddress.parse("10.0.0.9:7"), FRAME_BYTES))
        .isInstanceOf(FabricException.class)
        .hasMessage(
            "cannot open udp:10.0.0.9:7: 1 peers are open, which is peersMax; close one, or allow"
                + " more");
  }

  @Test
  void everyoneHasItsOwnNumber() {
    PeerTable table = new PeerTable(1);
    assertThat(table.get(Nic.EVERYONE)).isNull();
    Peer everyone = new Peer(Nic.EVERYONE, UdpAddress.parse("239.0.0.1:7"), FRAME_BYTES);
    table.everyone(everyone);
    assertThat(table.get(Nic.EVERYONE)).isSameAs(everyone);
    assertThat(table.get(Nic.STRANGER)).isNull();
    assertThat(table.get(1)).isNull();
    assertThat(table.find(everyone.address)).isNull();
  }
}
