package io.busbar.fabric.udp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.busbar.linux.NetworkDevice;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class UdpAddressTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "udp:10.0.0.1:7009",
        "udp:0.0.0.0:0",
        "udp:255.255.255.255:65535",
        "udp:[fd00::1]:7009",
        "udp:[::]:0",
        "udp:[::1]:1",
        "udp:[1::]:1",
        "udp:[2001:db8:0:1:1:1:1:1]:80",
        "udp:[2001:db8::1:0:0:1]:80",
        "udp:[1:0:0:2::3]:80",
        "udp:[ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff]:9",
        "udp:[fe80::1%3]:7009"
      })
  void textIsReadBack(String text) {
    UdpAddress address = UdpAddress.parse(text);
    assertThat(address.text()).isEqualTo(text);
    assertThat(address).hasToString(text);
    assertThat(UdpAddress.parse(text.substring("udp:".length()))).isEqualTo(address);
    assertThat(UdpAddress.of(address.toNative())).isEqualTo(address);
    assertThat(address.is(address.toNative())).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "[FD00:0:0:0:0:0:0:1]:5, udp:[fd00::1]:5",
    "[0:0:0:0:0:0:0:0]:5, udp:[::]:5",
    "[1:0:0:0:2:0:0:0]:5, udp:[1::2:0:0:0]:5"
  })
  void ipv6HasOneText(String text, String canonical) {
    assertThat(UdpAddress.parse(text).text()).isEqualTo(canonical);
  }

  @Test
  void interfaceMayBeNamed() {
    int lo = NetworkDevice.of("lo").index();
    assertThat(UdpAddress.parse("udp:[fe80::1%lo]:5").scope()).isEqualTo(lo);
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '"',
      value = {
        "udp:10.0.0.1, the port is missing",
        "udp:[fd00::1], the port is missing",
        "10.0.0.1:, '' is no port from 0 to 65535",
        "10.0.0.1:65536, '65536' is no port from 0 to 65535",
        "10.0.0.1:-1, '-1' is no port from 0 to 65535",
        "10.0.0:7, '10.0.0' is no IPv4 address",
        "10.0.0.256:7, 256 is more than 255",
        "10.0.0.01:7, '10.0.0.01' is no IPv4 address",
        "localhost:7, names are not looked up",
        "fd00::1:7, an IPv6 address stands in brackets",
        "[fd00::1::2]:7, 'fd00::1::2' is no IPv6 address",
        "[10.0.0.1]:7, is no IPv6 address",
        "[::ffff:10.0.0.1]:7, write an IPv4 address without brackets",
        "[fe80::1%nowhere0]:7, there is no interface 'nowhere0' here"
      })
  void mistakesAreNamed(String text, String why) {
    assertThatThrownBy(() -> UdpAddress.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("'%s' is no UDP address: ", text)
        .hasMessageContaining(why)
        .hasMessageEndingWith("; write udp:10.0.0.1:7009 or udp:[fd00::1]:7009");
  }

  @Test
  void kindsOfAddresses() {
    assertThat(UdpAddress.parse("239.1.2.3:1").isMulticast()).isTrue();
    assertThat(UdpAddress.parse("240.0.0.1:1").isMulticast()).isFalse();
    assertThat(UdpAddress.parse("223.255.255.255:1").isMulticast()).isFalse();
    assertThat(UdpAddress.parse("[ff02::1]:1").isMulticast()).isTrue();
    assertThat(UdpAddress.parse("[fe80::1]:1").isLinkLocal()).isTrue();
    assertThat(UdpAddress.parse("[fec0::1]:1").isLinkLocal()).isFalse();
    assertThat(UdpAddress.ANY_IPV4.isAny()).isTrue();
    assertThat(UdpAddress.ANY_IPV6.isAny()).isTrue();
    assertThat(UdpAddress.ANY_IPV6.isIpv4()).isFalse();
    assertThat(UdpAddress.parse("10.0.0.1:1").isIpv4()).isTrue();
  }

  @Test
  void groupsOfOneLinkAreTiedToAnInterface() {
    assertThat(UdpAddress.parse("[ff02::1]:1").on(3)).hasToString("udp:[ff02::1%3]:1");
    assertThat(UdpAddress.parse("[ff02::1%4]:1").on(3)).hasToString("udp:[ff02::1%4]:1");
    assertThat(UdpAddress.parse("[ff05::1]:1").on(3)).hasToString("udp:[ff05::1]:1");
    assertThat(UdpAddress.parse("239.0.0.1:1").on(3)).hasToString("udp:239.0.0.1:1");
  }

  @Test
  void differentAddressesAreDifferent() {
    UdpAddress address = UdpAddress.parse("10.0.0.1:7");
    assertThat(address.is(UdpAddress.parse("10.0.0.2:7").toNative())).isFalse();
    assertThat(address.is(UdpAddress.parse("10.0.0.1:8").toNative())).isFalse();
    assertThat(address.is(UdpAddress.parse("[fd00::1]:7").toNative())).isFalse();
    assertThat(address.withPort(8)).isEqualTo(UdpAddress.parse("10.0.0.1:8"));
    assertThat(address.isSameHost(address.withPort(8))).isTrue();
  }

  @Test
  void partsHaveBounds() {
    assertThatThrownBy(() -> UdpAddress.ipv4(1, 65536))
        .hasMessage("port 65536; allowed: 0 to 65535");
    assertThatThrownBy(() -> UdpAddress.ipv6(1, 1, 1, -1))
        .hasMessage("interface number -1; allowed: 0 and more");
    assertThatThrownBy(() -> new UdpAddress(0, UdpAddress.lowOf(1), 1, 2))
        .hasMessage("an IPv4 address is not tied to an interface");
  }
}
