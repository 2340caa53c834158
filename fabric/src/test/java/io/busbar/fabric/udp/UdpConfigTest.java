package io.busbar.fabric.udp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class UdpConfigTest {
  private static void refuses(UdpConfig.Builder builder, String message) {
    assertThatThrownBy(builder::build)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("udp config: " + message);
  }

  private static UdpConfig.Builder builder() {
    return UdpConfig.builder();
  }

  @Test
  void defaultsNeedNoPrivilegeAndNoNeighbours() {
    UdpConfig config = UdpConfig.defaults();
    assertThat(config.bind()).isEqualTo(UdpAddress.ANY_IPV4);
    assertThat(config.hasEveryone()).isFalse();
    assertThat(config.gso()).isEqualTo(Offload.AUTO);
    assertThat(config.gro()).isEqualTo(Offload.AUTO);
  }

  @Test
  void everyoneIsAnAddressThatAllCanHear() {
    refuses(
        builder().everyone(UdpAddress.parse("[ff02::1]:7")),
        "everyone is udp:[ff02::1]:7, and bind udp:0.0.0.0:0");
    refuses(
        builder().everyone(UdpAddress.parse("239.0.0.1:0")),
        "everyone is udp:239.0.0.1:0: it needs the port that all share");
    refuses(
        builder().bind(UdpAddress.ANY_IPV6).everyone(UdpAddress.parse("[fd00::1]:7")),
        "everyone is udp:[fd00::1]:7: IPv6 has groups (ff00::/8) and no broadcast");
    refuses(
        builder().bind(UdpAddress.parse("239.0.0.1:7")),
        "bind is udp:239.0.0.1:7: a group goes to everyone");
    assertThat(builder().everyone(UdpAddress.parse("255.255.255.255:7")).build().hasEveryone())
        .isTrue();
  }

  @Test
  void sizesHaveBounds() {
    refuses(builder().hops(256), "hops is 256; allowed: 0 to 255");
    refuses(builder().buffers(1, 4096), "receiveBufferBytes is 1; allowed: 4096 to 1073741824");
    refuses(builder().buffers(4096, 1), "sendBufferBytes is 1; allowed: 4096 to 1073741824");
    refuses(builder().chunks(65537, 1, 1), "chunkBytes is 65537; allowed: 256 to 65536");
    refuses(builder().chunks(65536, 0, 1), "chunks is 0; allowed: 1 to 1024");
    refuses(builder().chunks(65536, 1, -1), "claimsMax is -1; allowed: 0 to 1048576");
    refuses(builder().transmit(65535, 1), "transmitBytes is 65535; allowed: 65536 to 1073741824");
    refuses(builder().transmit(65536, 0), "transmitFrames is 0; allowed: 1 to 1048576");
    refuses(builder().inPlaceBytesMin(0), "inPlaceBytesMin is 0; allowed: 1 to 2147483647");
    refuses(builder().peers(0, 0), "peersMax is 0; allowed: 1 to 1048576");
    refuses(builder().peers(4, 5), "shortcutsMax is 5; allowed: 0 to 4");
    refuses(
        builder().chunks(2048, 1, 1).offloads(Offload.AUTO, Offload.ON),
        "gro is ON with chunks of 2048 bytes: glued datagrams need 65536");
  }
}
