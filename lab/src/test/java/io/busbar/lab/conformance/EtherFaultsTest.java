package io.busbar.lab.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.busbar.fabric.FabricException;
import io.busbar.fabric.Nic;
import io.busbar.fabric.NicCount;
import io.busbar.fabric.ether.EtherAddress;
import io.busbar.fabric.ether.EtherConfig;
import io.busbar.fabric.ether.EtherConfig.Program;
import io.busbar.lab.bed.HostProcess;
import io.busbar.lab.bed.TestHost;
import io.busbar.lab.conformance.EtherSegment.Node;
import io.busbar.linux.DeviceDriver;
import io.busbar.linux.HardwareAddress;
import io.busbar.linux.NetworkDevice;
import io.busbar.wire.Incarnation;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What happens to interfaces on a real segment, and what others put there. */
@Timeout(120)
class EtherFaultsTest {
  private static final Duration LIMIT = Duration.ofSeconds(30);

  private final EtherSegment segment = new EtherSegment(2);

  @AfterEach
  void close() {
    segment.close();
  }

  private Node node(String fabric, int host, int id) {
    return segment.add(host, segment.config(fabric, host, id));
  }

  private static void talk(Node one, Node other) {
    String word = "word " + one.heard.size();
    assertThat(one.say(one.open(other), word)).isEqualTo(Nic.DONE);
    EtherAddress from = (EtherAddress) one.nic.address();
    int _ = other.open(one);
    assertThat(other.hears(from.node() + ":" + word)).as("%s", other.heard).isTrue();
    other.heard.clear();
  }

  @Test
  void othersOnTheInterfaceGoOnBesideTheProgram() throws Exception {
    Node a = segment.xdp(0, 1);
    Node b = segment.xdp(1, 2);
    Node sibling = segment.packet(1, 3);
    int _ = sibling.open(a);
    talk(a, b);
    talk(a, sibling);
    a.say(Nic.EVERYONE, "all");
    assertThat(b.hears("1:all")).isTrue();
    assertThat(sibling.hears("1:all")).isTrue();
    talk(b, a);
    assertThat(overTcp()).isEqualTo(1 << 20);
  }

  /** A megabyte from one host to the other. */
  private int overTcp() throws Exception {
    TestHost from = segment.bed.host(0);
    TestHost to = segment.bed.host(1);
    try (ServerSocket server = to.call(() -> new ServerSocket(0, 1, to.address4()));
        Socket client = from.call(() -> new Socket(to.address4(), server.getLocalPort()))) {
      Thread writer =
          Thread.ofPlatform()
              .start(
                  () -> {
                    try {
                      client.getOutputStream().write(new byte[1 << 20]);
                      client.shutdownOutput();
                    } catch (IOException e) {
                      throw new UncheckedIOException(e);
                    }
                  });
      try (Socket accepted = server.accept()) {
        accepted.setSoTimeout(10_000);
        int bytes = accepted.getInputStream().readAllBytes().length;
        writer.join();
        return bytes;
      }
    }
  }

  @Test
  void aSecondProgramIsRefusedAndTheFirstGoesOn() {
    Node a = segment.packet(0, 1);
    Node b = segment.xdp(1, 2);
    assertThatThrownBy(() -> segment.xdp(1, 3))
        .isInstanceOf(FabricException.class)
        .hasMessageContaining(segment.bed.host(1).deviceName());
    talk(a, b);
    talk(b, a);
  }

  @ParameterizedTest
  @EnumSource(
      value = Program.class,
      names = {"BEST", "DRIVER"})
  void whatIsBehindAnInterfaceIsSeen(Program where) throws Exception {
    TestHost host = segment.bed.host(0);
    NetworkDevice device = host.device();
    DeviceDriver before = host.call(() -> DeviceDriver.of(device));
    assertThat(before.name()).isEqualTo("veth");
    assertThat(before.receiveQueues()).isPositive();
    assertThat(before.transmitQueues()).isPositive();
    assertThat(before.program()).isZero();
    Node a = segment.add(0, segment.config("xdp", 0, 1).with(where));
    DeviceDriver with = host.call(() -> DeviceDriver.of(device));
    assertThat(with.program()).isPositive();
    assertThat(with.programInDriver()).isEqualTo(where == Program.DRIVER);
    segment.close(a);
    assertThat(host.call(() -> DeviceDriver.of(device))).isEqualTo(before);
  }

  @Test
  void theProgramGoesWithItsOwner() throws Exception {
    TestHost host = segment.bed.host(0);
    Node a = segment.xdp(0, 1);
    assertThat(programs(host)).isTrue();
    segment.close(a);
    assertThat(programs(host)).isFalse();
    try (HostProcess process =
        host.java(List.of("-Xmx64m"), XdpHolder.class, List.of(host.deviceName()))) {
      process.awaitLine(line -> line.equals("attached"), LIMIT);
      assertThat(programs(host)).isTrue();
      process.kill();
      int _ = process.awaitExit(LIMIT);
    }
    long deadline = System.nanoTime() + LIMIT.toNanos();
    while (programs(host) && System.nanoTime() < deadline) {
      Thread.onSpinWait();
    }
    assertThat(programs(host)).isFalse();
  }

  private static boolean programs(TestHost host) {
    return host.run("ip", "link", "show", "dev", host.deviceName()).contains("xdp");
  }

  @ParameterizedTest
  @ValueSource(strings = {"packet", "xdp"})
  void anInterfaceThatWasOffGoesOn(String fabric) {
    Node a = node(fabric, 0, 1);
    Node b = node(fabric, 1, 2);
    talk(a, b);
    a.host.down();
    int peer = a.open(b);
    for (int i = 0; i < 8; i++) {
      long _ = a.say(peer, "lost");
      a.listen();
    }
    a.host.up();
    assertThat(a.warned).isNotEmpty();
    b.listen();
    b.heard.clear();
    talk(a, b);
    talk(b, a);
  }

  @ParameterizedTest
  @ValueSource(strings = {"packet", "xdp"})
  void anotherNameAndAnotherMtuAreNoticed(String fabric) {
    Node a = node(fabric, 0, 1);
    Node b = node(fabric, 1, 2);
    talk(a, b);
    String device = a.host.deviceName();
    a.host.run("ip", "link", "set", "dev", device, "down");
    a.host.run("ip", "link", "set", "dev", device, "name", "other0");
    a.host.run("ip", "link", "set", "dev", "other0", "up");
    a.lookLong();
    a.host.run("ip", "link", "set", "dev", "other0", "mtu", "1000");
    a.lookLong();
    assertThat(a.ether.frameBytesMax(Nic.EVERYONE)).isEqualTo(1000);
    assertThat(a.lengths).contains(1000);
    assertThat(a.nic.reserve(Nic.EVERYONE, 1000)).isEqualTo(Nic.TOO_LONG);
    talk(b, a);
    talk(a, b);
  }

  @ParameterizedTest
  @ValueSource(strings = {"packet", "xdp"})
  void whatFindsNoRoomIsLostAndCounted(String fabric) {
    EtherConfig config = segment.config(fabric, 1, 2);
    Node a = segment.packet(0, 1);
    Node b = segment.add(1, config.withFrames(16, 32, 8));
    int peer = a.open(b);
    int _ = b.open(a);
    for (int i = 0; i < 200; i++) {
      assertThat(a.say(peer, "flood")).isEqualTo(Nic.DONE);
    }
    b.lookLong();
    assertThat(b.heard).isNotEmpty().hasSizeLessThan(200);
    assertThat(b.heard.size() + b.count(NicCount.LOST_ARRIVING)).isEqualTo(200);
    b.heard.clear();
    talk(a, b);
  }

  @ParameterizedTest
  @ValueSource(strings = {"packet", "xdp"})
  void anUnknownHardwareAddressIsLearned(String fabric) {
    Node a = node(fabric, 0, 1);
    Node b = node(fabric, 1, 2);
    int peer = a.nic.open(EtherAddress.parse("ether:?/2"));
    int _ = b.open(a);
    a.say(peer, "to whom it concerns");
    assertThat(b.hears("1:to whom it concerns")).isTrue();
    talk(b, a);
    assertThat(a.nic.address(peer)).isEqualTo(b.nic.address());
    talk(a, b);
  }

  @ParameterizedTest
  @ValueSource(strings = {"packet", "xdp"})
  void whoClaimsAMembersIdIsAStranger(String fabric) {
    Node a = node(fabric, 0, 1);
    Node b = node(fabric, 1, 2);
    talk(a, b);
    long liar = 0x0200_0000_0666L;
    segment.inject(0, EtherSegment.frame(EtherSegment.hardware(b), liar, 2, 1, -1, "I am 1"));
    assertThat(b.hears("stranger:I am 1")).isTrue();
    assertThat(b.nic.address(b.open(a))).isEqualTo(a.nic.address());
    talk(b, a);
  }

  @ParameterizedTest
  @ValueSource(strings = {"packet", "xdp"})
  void aPriorityTagIsTolerated(String fabric) {
    Node a = node(fabric, 0, 1);
    Node b = node(fabric, 1, 2);
    talk(a, b);
    long to = EtherSegment.hardware(b);
    segment.inject(0, EtherSegment.frame(to, EtherSegment.hardware(a), 2, 1, 0x6000, "tagged"));
    assertThat(b.hears("1:tagged")).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"packet", "xdp"})
  void framesForOthersAndOfFormerLivesAreNotHeard(String fabric) {
    Node a = node(fabric, 0, 1);
    long life = 0x1234_5678_9ABC_DEF0L;
    EtherConfig config = segment.config(fabric, 1, 2);
    Node b = segment.add(1, config.of(life));
    int _ = b.open(a);
    long from = EtherSegment.hardware(a);
    segment.inject(0, EtherSegment.frame(HardwareAddress.BROADCAST, from, 7, 1, -1, "to 7"));
    byte[] former = EtherSegment.frame(EtherSegment.hardware(b), from, 2, 1, -1, "former");
    former[14 + 30] = 0x20; // RTN: the key is one of the receiver's
    segment.inject(0, former);
    byte[] own = EtherSegment.frame(EtherSegment.hardware(b), from, 2, 1, -1, "own");
    own[14 + 30] = 0x20;
    int bits = Incarnation.keyBits(life);
    own[14 + 13] = (byte) bits;
    own[14 + 14] = (byte) (bits >>> 8);
    own[14 + 15] = (byte) (bits >>> 16);
    segment.inject(0, own);
    assertThat(b.hears("1:own")).isTrue();
    talk(a, b);
    assertThat(b.heard).doesNotContain("1:to 7", "1:former");
    assertThat(b.count(NicCount.FRAMES_RECEIVED)).isEqualTo(2);
  }

  /** Frames that are cut, or of any bytes, are counted or handed up; none harms what follows. */
  @ParameterizedTest
  @ValueSource(strings = {"packet", "xdp"})
  void anyBytesAreBorne(String fabric) {
    Node a = node(fabric, 0, 1);
    Node b = node(fabric, 1, 2);
    int _ = b.ether.open(a.ether.address());
    Random random = new Random(7);
    for (int i = 0; i < 300; i++) {
      byte[] frame =
          EtherSegment.frame(
              EtherSegment.hardware(b), EtherSegment.hardware(a), 2, 1, -1, "x".repeat(i % 90));
      for (int k = random.nextInt(4); k >= 0; k--) {
        frame[18 + random.nextInt(frame.length - 18)] = (byte) random.nextInt();
      }
      int length = i % 3 == 0 ? 14 + random.nextInt(frame.length - 14) : frame.length;
      segment.inject(0, Arrays.copyOf(frame, length));
      int _ =
          b.ether.poll(
              (peer, memory, offset, bytes, name) -> assertThat(bytes).isGreaterThanOrEqualTo(32),
              64);
    }
    talk(a, b);
    talk(b, a);
  }
}
