package io.busbar.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

/** The loopback, which every machine has. */
class DeviceTest {
  private static final int LOOPBACK = 0x7F00_0001;

  @Test
  void addressesOfTheLoopback() {
    assertThat(DeviceAddress.all())
        .filteredOn(DeviceAddress::isLoopback)
        .allMatch(DeviceAddress::isUp)
        .allMatch(DeviceAddress::isRunning)
        .allMatch(found -> found.device().equals("lo"))
        .anyMatch(found -> found.address().isIpv4() && found.address().ipv4() == LOOPBACK)
        .anyMatch(found -> found.address().isIpv6() && found.address().ipv6Low() == 1);
  }

  @Test
  void deviceIsLookedAtAgainAndAgain() {
    try (NativeSocket socket = NativeSocket.udp4()) {
      DeviceWatch watch = new DeviceWatch("lo");
      NetworkDevice lo = NetworkDevice.of("lo");
      for (int i = 0; i < 3; i++) {
        assertThat(watch.mtu(socket)).isEqualTo(lo.mtu()).isPositive();
        assertThat(watch.index(socket)).isEqualTo(lo.index()).isPositive();
      }
      assertThat(new DeviceWatch("nowhere0").mtu(socket)).isEqualTo(-Errno.ENODEV);
      assertThat(new DeviceWatch("nowhere0").index(socket)).isEqualTo(-Errno.ENODEV);
    }
  }

  @Test
  void namesHaveABound() {
    assertThatThrownBy(() -> new DeviceWatch("a-name-of-17-byte"))
        .hasMessage("an interface's name has 1 to 15 bytes, and 'a-name-of-17-byte' has 17");
    assertThatThrownBy(() -> NetworkDevice.of("")).hasMessageContaining("and '' has 0");
    assertThatThrownBy(() -> NetworkDevice.of("nowhere0"))
        .hasMessageStartingWith("cannot find the index of interface nowhere0: ioctl: ENODEV");
  }
}
