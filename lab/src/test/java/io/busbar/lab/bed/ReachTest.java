package io.busbar.lab.bed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.busbar.linux.NetworkDevice;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.StandardSocketOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Hosts reach each other, and nothing else, with the sockets of {@code java.net}. */
@Timeout(60)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ReachTest {
  private final TestBed bed = TestBed.create(3);
  private final TestHost a = bed.host(0);
  private final TestHost b = bed.host(1);
  private final TestHost c = bed.host(2);

  @BeforeAll
  void namesDiffer() {
    Set<Object> names = new HashSet<>();
    for (TestHost host : bed.hosts()) {
      names.addAll(List.of(host.name(), host.address4(), host.address6(), host.deviceName()));
    }
    assertThat(names).hasSize(12);
  }

  @AfterAll
  void close() {
    bed.close();
  }

  @Test
  void unicast() throws Exception {
    try (Mail from = Mail.of(a);
        Mail to = Mail.of(b)) {
      assertThat(from.reaches(to, b.address4())).isEqualTo(a.address4());
      assertThat(from.reaches(to, b.address6())).isEqualTo(a.address6());
      assertThat(to.reaches(from, a.address4())).isEqualTo(b.address4());
      assertThat(to.reaches(from, a.address6())).isEqualTo(b.address6());
    }
  }

  @Test
  void broadcast() throws Exception {
    InetAddress net =
        InetAddress.ofLiteral(a.address4().getHostAddress().replaceAll("\\d+$", "255"));
    InetAddress everywhere = InetAddress.ofLiteral("255.255.255.255");
    try (Mail from = Mail.of(a);
        Mail b1 = Mail.of(b);
        Mail c1 = Mail.of(c)) {
      for (Mail to : List.of(b1, c1)) {
        assertThat(from.reaches(to, net)).isEqualTo(a.address4());
        assertThat(from.reaches(to, everywhere)).isEqualTo(a.address4());
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"239.1.2.3", "ff15::b5"})
  void multicast(String literal) throws Exception {
    InetAddress group = InetAddress.ofLiteral(literal);
    try (Mail from = Mail.of(a);
        Mail member = Mail.of(b);
        Mail other = Mail.of(c)) {
      a.call(
          () ->
              from.socket()
                  .setOption(
                      StandardSocketOptions.IP_MULTICAST_IF,
                      NetworkInterface.getByName(a.deviceName())));
      b.call(
          () -> {
            NetworkInterface device = NetworkInterface.getByName(b.deviceName());
            member.socket().joinGroup(new InetSocketAddress(group, 0), device);
            return device;
          });
      assertThat(from.reaches(member, group)).isIn(a.address4(), a.address6());
      from.send(new byte[9], group, other.port());
      from.reaches(other, c.address4());
      assertThat(other.count(1, 50)).isZero();
    }
  }

  @Test
  void bedsAreApart() throws Exception {
    try (TestBed second = TestBed.create(2);
        Mail from = Mail.of(a);
        Mail stranger = Mail.of(second.host(1));
        Mail neighbour = Mail.of(second.host(0))) {
      assertThat(second.host(0).deviceName()).isEqualTo(a.deviceName());
      for (InetAddress away : List.of(second.host(1).address4(), second.host(1).address6())) {
        assertThatThrownBy(() -> from.send(new byte[1], away, stranger.port()))
            .isInstanceOf(IOException.class)
            .hasMessageContaining("unreachable");
        neighbour.reaches(stranger, away);
      }
    }
  }

  @Test
  void machineItselfIsNotTouched() throws Exception {
    Path mine = Path.of("/proc/thread-self/ns/net");
    Path home = Files.readSymbolicLink(mine);
    assertThat(a.call(() -> Files.readSymbolicLink(mine))).isNotEqualTo(home);
    assertThat(Files.readSymbolicLink(mine)).isEqualTo(home);
    assertThatThrownBy(() -> NetworkDevice.of(a.deviceName())).hasMessageContaining("ENODEV");
    assertThat(a.device().isRunning()).isTrue();
    assertThat(a.device().hardwareAddress()).isNotEqualTo(b.device().hardwareAddress());
  }

  @Test
  void pairIsJoinedWithoutASwitch() throws Exception {
    try (TestBed pair = TestBed.pair();
        Mail from = Mail.of(pair.host(0));
        Mail to = Mail.of(pair.host(1))) {
      assertThat(pair.hosts()).hasSize(2);
      from.reaches(to, pair.host(1).address4());
      from.reaches(to, pair.host(1).address6());
      from.reaches(to, InetAddress.ofLiteral("255.255.255.255"));
      assertThat(pair.host(0).run("ip", "-o", "link"))
          .contains("link-netns " + pair.host(1).name())
          .doesNotContain("bridge");
    }
  }

  @Test
  void otherCableOfAPairIsCountedByItself() throws Exception {
    try (TestBed pair = TestBed.pair();
        Mail from = Mail.of(pair.host(0));
        Mail to = Mail.of(pair.host(1))) {
      Host twin = pair.host(0).onCable(1);
      Host other = pair.host(1).onCable(1);
      assertThat(twin.name()).isEqualTo(pair.host(0).name());
      assertThat(twin.deviceName()).isNotEqualTo(pair.host(0).deviceName());
      long sentBefore = pair.host(0).sentBytes();
      long twinBefore = twin.sentBytes();
      from.reaches(to, InetAddress.ofLiteral(other.addressText()));
      assertThat(twin.sentBytes()).isGreaterThan(twinBefore);
      assertThat(pair.host(0).sentBytes()).isEqualTo(sentBefore);
    }
  }

  @Test
  void whoHasOneCableIsItsOwnTwin() {
    assertThat(a.onCable(1)).isSameAs(a);
  }

  @Test
  void whatCrossesIsCounted() throws Exception {
    try (Mail from = Mail.of(a);
        Mail to = Mail.of(b)) {
      from.reaches(to, b.address4());
      LinkCounters before = b.counters();
      boolean sent =
          bed.crossed(
              a,
              b,
              50_000,
              () -> {
                for (int i = 0; i < 50; i++) {
                  from.send(new byte[1000], b.address4(), to.port());
                }
                return true;
              });
      assertThat(sent).isTrue();
      LinkCounters counted = b.counters().minus(before);
      assertThat(counted.rxBytes()).isBetween(50L * 1042, 50L * 1042 + 2000);
      assertThat(counted.rxPackets()).isBetween(50L, 60L);
      assertThat(counted.txBytes()).isLessThan(2000);
      // A way around the wire: the host talks to itself.
      assertThatThrownBy(() -> bed.crossed(a, b, 1000, () -> from.reaches(from, a.address4())))
          .isInstanceOf(AssertionError.class)
          .hasMessageMatching(
              "at least 1000 bytes had to cross the wire from %s to %s; \\d+ left, \\d+ arrived"
                  .formatted(a, b));
      // Over the wire, but to another host.
      assertThatThrownBy(
              () ->
                  bed.crossed(
                      a,
                      c,
                      1000,
                      () -> {
                        from.send(new byte[1200], b.address4(), to.port());
                        return true;
                      }))
          .isInstanceOf(AssertionError.class);
    }
  }
}
