package io.busbar.lab.bed;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.busbar.linux.HardwareAddress;
import io.busbar.linux.NativeAddress;
import io.busbar.linux.NativeSocket;
import io.busbar.linux.PollSet;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/** What is set on a cable acts, in the direction that it is set for, and ends with healing. */
@Timeout(60)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FaultsTest {
  private static final long RATE = 10_000_000;

  /** ETH_P_ALL of linux/if_ether.h. */
  private static final int EVERY_TYPE = 3;

  private final TestBed bed = TestBed.create(2);
  private final TestHost a = bed.host(0);
  private final TestHost b = bed.host(1);

  @AfterEach
  void heal() {
    bed.heal(a);
    bed.heal(b);
  }

  @AfterAll
  void close() {
    bed.close();
  }

  @Test
  void lossIsAsTold() throws Exception {
    assertThat(lossBetween(a, b)).isZero();
    bed.loss(a, 0.2);
    assertThat(lossBetween(a, b)).isBetween(0.12, 0.28);
    assertThat(lossBetween(b, a)).isBetween(0.12, 0.28);
    bed.loss(a, 0.4, 0);
    assertThat(lossBetween(a, b)).isBetween(0.32, 0.48);
    assertThat(lossBetween(b, a)).isZero();
    bed.loss(a, 0, 1);
    assertThat(lossBetween(a, b)).isZero();
    assertThat(lossBetween(b, a)).isOne();
    bed.heal(a);
    assertThat(lossBetween(b, a)).isZero();
  }

  @Test
  void pairLosesToo() throws Exception {
    try (TestBed pair = TestBed.pair()) {
      TestHost first = pair.host(0);
      TestHost second = pair.host(1);
      pair.loss(first, 0.3, 0);
      assertThat(lossBetween(first, second)).isBetween(0.22, 0.38);
      assertThat(lossBetween(second, first)).isZero();
      pair.loss(second, 1, 0);
      assertThat(lossBetween(second, first)).isOne();
      pair.heal(first);
      pair.heal(second);
      assertThat(lossBetween(first, second)).isZero();
      assertThat(lossBetween(second, first)).isZero();
    }
  }

  @Test
  void otherCableOfAPairHasTheSameFaults() throws Exception {
    try (TestBed pair = TestBed.pair();
        Mail from = Mail.of(pair.host(0));
        Mail to = Mail.of(pair.host(1))) {
      InetAddress twin = InetAddress.ofLiteral(pair.host(1).onCable(1).addressText());
      from.reaches(to, twin);
      pair.loss(pair.host(1), 0, 1);
      from.send(new byte[100], twin, to.port());
      assertThat(to.count(1, 300)).isZero();
      pair.heal(pair.host(1));
      from.reaches(to, twin);
    }
  }

  /**
   * The share of 2,000 datagrams that does not arrive; addresses are resolved on a healed cable.
   */
  private static double lossBetween(TestHost from, TestHost to) throws Exception {
    int sent = 2000;
    int arrived = 0;
    try (Mail sender = Mail.of(from);
        Mail receiver = Mail.of(to)) {
      from.run(
          "ip",
          "neighbour",
          "replace",
          to.address4().getHostAddress(),
          "lladdr",
          HardwareAddress.text(to.device().hardwareAddress()),
          "dev",
          from.deviceName());
      for (int i = 1; i <= sent; i++) {
        sender.send(new byte[100], to.address4(), receiver.port());
        if (i % 50 == 0) {
          arrived += receiver.count(i - arrived, 1);
        }
      }
      arrived += receiver.count(sent - arrived, 150);
    }
    return 1 - (double) arrived / sent;
  }

  /** Not only IP: at the switch, before any socket of the receiver could see the frame. */
  @Test
  void rawFramesAreLostToo() throws Exception {
    assertThat(rawLoss(0x88B5)).isZero();
    bed.loss(b, 0, 0.4);
    assertThat(rawLoss(0x88B5)).isBetween(0.28, 0.52);
    assertThat(rawLoss(EVERY_TYPE)).isBetween(0.28, 0.52);
    bed.loss(b, 0, 1);
    assertThat(rawLoss(EVERY_TYPE)).isOne();
  }

  /** The share of 1,000 broadcast frames that a packet socket for a type does not see. */
  private double rawLoss(int type) throws Exception {
    int frames = 1000;
    int arrived = 0;
    long marker = System.nanoTime();
    try (Arena arena = Arena.ofConfined();
        NativeSocket sender = a.call(NativeSocket::packet);
        NativeSocket receiver = b.call(NativeSocket::packet)) {
      receiver.bind(new NativeAddress().packet(b.device().index(), type, 0));
      NativeAddress to =
          new NativeAddress().packet(a.device().index(), 0x88B5, HardwareAddress.BROADCAST);
      MemorySegment frame = arena.allocate(64, 8);
      HardwareAddress.write(HardwareAddress.BROADCAST, frame, 0);
      HardwareAddress.write(a.device().hardwareAddress(), frame, 6);
      frame.set(JAVA_BYTE, 12, (byte) 0x88);
      frame.set(JAVA_BYTE, 13, (byte) 0xB5);
      frame.set(JAVA_LONG, 16, marker);
      PollSet readable = new PollSet(1);
      readable.add(receiver.descriptor(), PollSet.IN);
      MemorySegment into = arena.allocate(2000, 8);
      for (int i = 1; i <= frames; i++) {
        assertThat(sender.sendTo(frame, 0, 64, to)).isEqualTo(64);
        long quietNs = i == frames ? 150_000_000 : 1_000_000;
        while ((i % 50 == 0) && arrived < i && readable.await(quietNs) > 0) {
          int length = receiver.receive(into, 0, 2000);
          arrived += length == 64 && into.get(JAVA_LONG, 16) == marker ? 1 : 0;
        }
      }
    }
    return 1 - (double) arrived / frames;
  }

  @Test
  void rateBoundsBothDirections() throws Exception {
    bed.rate(a, RATE);
    for (boolean outward : new boolean[] {true, false}) {
      double bitsPerSecond = outward ? flood(a, b, 400) : flood(b, a, 400);
      // 62 KB may wait in the queue, and are not counted until they leave it.
      assertThat(bitsPerSecond).isBetween(0.4 * RATE, 1.25 * RATE);
    }
    bed.heal(a);
    assertThat(flood(a, b, 200)).isGreaterThan(5.0 * RATE);
  }

  /** Sends as fast as it can for so long: what arrived, in bits per second. */
  private static double flood(TestHost from, TestHost to, int ms) throws Exception {
    try (Mail sender = Mail.of(from);
        Mail receiver = Mail.of(to)) {
      sender.reaches(receiver, to.address4());
      byte[] bytes = new byte[1000];
      LinkCounters before = to.counters();
      long startNs = System.nanoTime();
      long elapsedNs;
      do {
        sender.send(bytes, to.address4(), receiver.port());
        elapsedNs = System.nanoTime() - startNs;
      } while (elapsedNs < ms * 1_000_000L);
      return to.counters().minus(before).rxBytes() * 8e9 / elapsedNs;
    }
  }

  @Test
  void interfaceGoesDownAndUp() throws Exception {
    InetAddress everywhere = InetAddress.ofLiteral("255.255.255.255");
    try (Mail from = Mail.of(a);
        Mail to = Mail.of(b)) {
      from.reaches(to, b.address4());
      a.down();
      assertThat(a.device().isUp()).isFalse();
      assertThatThrownBy(() -> from.send(new byte[1], b.address4(), to.port()))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("unreachable");
      a.up();
      assertThat(a.device().isRunning()).isTrue();
      assertThat(from.reaches(to, b.address4())).isEqualTo(a.address4());
      assertThat(from.reaches(to, b.address6())).isEqualTo(a.address6());
      from.reaches(to, everywhere);
      to.reaches(from, everywhere);
    }
  }

  @Test
  void endsOfAPairComeUpInAnyOrder() throws Exception {
    try (TestBed pair = TestBed.pair()) {
      TestHost first = pair.host(0);
      TestHost second = pair.host(1);
      first.down();
      second.down();
      first.up();
      second.up();
      try (Mail from = Mail.of(first);
          Mail to = Mail.of(second)) {
        from.reaches(to, second.address4());
        from.reaches(to, second.address6());
      }
    }
  }

  @Test
  void jumboFramesPassTheSwitch() throws Exception {
    assertThat(a.device().mtu()).isEqualTo(1500);
    try (Mail from = Mail.of(a);
        Mail to = Mail.of(b)) {
      from.reaches(to, b.address4());
      a.setMtu(9000);
      b.setMtu(9000);
      assertThat(a.device().mtu()).isEqualTo(9000);
      LinkCounters before = b.counters();
      from.send(new byte[8500], b.address4(), to.port());
      assertThat(to.count(1, 10_000)).isEqualTo(1);
      LinkCounters counted = b.counters().minus(before);
      assertThat(counted.rxBytes()).isGreaterThan(8500);
      // In frames of 1500 bytes it would be 6.
      assertThat(counted.rxPackets()).isLessThan(5);
    } finally {
      a.setMtu(1500);
      b.setMtu(1500);
    }
  }

  @Test
  void nonsenseIsRefused() {
    assertThatThrownBy(() -> bed.rate(a, 7)).hasMessageContaining("at least 8000 bit/s");
    assertThatThrownBy(() -> bed.loss(a, 1.01)).hasMessageContaining("0 to 1");
    assertThatThrownBy(() -> bed.loss(a, 0, Double.NaN)).hasMessageContaining("0 to 1");
    assertThatThrownBy(() -> a.setMtu(17))
        .isInstanceOf(TestBedException.class)
        .hasMessageStartingWith("cannot set the MTU of " + a)
        .hasMessageContaining("link set dev bed0 mtu 17");
    assertThatThrownBy(() -> TestBed.create(0)).hasMessageContaining("1 to 254 hosts");
    assertThatThrownBy(() -> TestBed.create(255)).hasMessageContaining("1 to 254 hosts");
  }
}
