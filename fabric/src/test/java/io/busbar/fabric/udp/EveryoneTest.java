package io.busbar.fabric.udp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.busbar.fabric.FabricException;
import io.busbar.fabric.Nic;
import io.busbar.fabric.NicCapability;
import io.busbar.linux.PollSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Frames to all, on the loopback: a group, and a broadcast address. */
class EveryoneTest {
  private static final long SECOND_NS = 1_000_000_000;

  private static UdpNic nic(UdpAddress bind, UdpAddress everyone) {
    UdpConfig config = Ends.config().bind(bind).device("lo").everyone(everyone).build();
    return new UdpNic(config, new Recorder());
  }

  /** A port that no other test, and hardly another process, shares at this moment. */
  private static UdpAddress withFreePort(UdpAddress group) {
    try (UdpNic free = new UdpNic(Ends.config().build(), new Recorder())) {
      return group.withPort(free.address().port());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"239.192.30.7:1", "127.255.255.255:1"})
  void allHearItButTheSender(String everyoneText) {
    UdpAddress bind = Ends.LOOPBACK4;
    UdpAddress everyone = withFreePort(UdpAddress.parse(everyoneText));
    try (UdpNic one = nic(bind, everyone);
        UdpNic two = nic(bind, everyone);
        UdpNic three = nic(bind, everyone)) {
      int oneAtTwo = two.open(one.address());
      assertThat(one.capabilities()).contains(NicCapability.BROADCAST);
      assertThat(one.frameBytesMax(Nic.EVERYONE)).isGreaterThan(1000);
      List<byte[]> frames = Frames.of(100, 600, 600, 600, 50);
      Frames.transmit(one, Nic.EVERYONE, frames.subList(0, 1));
      assertThat(one.flush()).isZero();
      Frames.transmit(one, Nic.EVERYONE, frames.subList(1, 5));
      assertThat(one.flush()).isZero();
      Inbox atTwo = new Inbox();
      atTwo.await(two, 5);
      assertThat(atTwo.frames).containsExactlyElementsOf(frames);
      assertThat(atTwo.peers).containsOnly(oneAtTwo);
      Inbox atThree = new Inbox();
      atThree.await(three, 5);
      assertThat(atThree.frames).containsExactlyElementsOf(frames);
      assertThat(atThree.peers).containsOnly(Nic.STRANGER);
      Inbox atOne = new Inbox();
      for (int i = 0; i < 64; i++) {
        assertThat(one.poll(atOne, 64)).isZero();
      }
    }
  }

  @Test
  void unicastStaysBesideIt() {
    UdpAddress everyone = withFreePort(UdpAddress.parse("239.192.30.8:1"));
    try (UdpNic one = nic(Ends.LOOPBACK4, everyone);
        UdpNic two = nic(Ends.LOOPBACK4, everyone)) {
      int toTwo = one.open(two.address());
      Frames.transmit(one, toTwo, Frames.of(100));
      Frames.transmit(one, Nic.EVERYONE, Frames.of(200));
      Frames.transmit(one, toTwo, Frames.of(300));
      assertThat(one.flush()).isZero();
      Inbox inbox = new Inbox();
      inbox.await(two, 3);
      assertThat(inbox.frames)
          .extracting(frame -> frame.length)
          .containsExactlyInAnyOrder(100, 200, 300);
    }
  }

  @Test
  void sleeperIsWokenAndFindsItAtOnce() {
    UdpAddress everyone = withFreePort(UdpAddress.parse("239.192.30.9:1"));
    try (UdpNic one = nic(Ends.LOOPBACK4, everyone);
        UdpNic two = nic(Ends.LOOPBACK4, everyone)) {
      PollSet set = new PollSet(2);
      two.listen(set);
      assertThat(set.count()).isEqualTo(2);
      assertThat(two.arm()).isTrue();
      Frames.transmit(one, Nic.EVERYONE, Frames.of(200));
      assertThat(one.flush()).isZero();
      assertThat(set.await(SECOND_NS)).isEqualTo(1);
      two.disarm();
      assertThat(two.poll(new Inbox(), 10)).isEqualTo(1);
    }
  }

  @Test
  void groupsThatCannotBeHeardAreExplained() {
    assertThatThrownBy(() -> nic(Ends.LOOPBACK4, UdpAddress.parse("198.51.100.7:7")))
        .isInstanceOf(FabricException.class)
        .hasMessageContaining("cannot hear udp:198.51.100.7:7")
        .hasMessageContaining("EADDRNOTAVAIL");
  }

  @Test
  void everyoneIsNoPeer() {
    UdpAddress everyone = withFreePort(UdpAddress.parse("239.192.30.10:1"));
    try (UdpNic one = nic(Ends.LOOPBACK4, everyone)) {
      assertThat(one.address(Nic.EVERYONE)).isEqualTo(everyone);
      assertThatThrownBy(() -> one.close(Nic.EVERYONE))
          .hasMessage("everyone is no peer that can be closed");
    }
  }
}
