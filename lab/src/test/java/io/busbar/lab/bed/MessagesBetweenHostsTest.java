package io.busbar.lab.bed;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Fast Messages between two hosts, in both directions at once. */
@Timeout(180)
class MessagesBetweenHostsTest {
  @TempDir Path meeting;

  /** How one end is set up, and what it has to choose, as a pattern. */
  private record End(String fabrics, String choice) {}

  private void cross(int mtu, End one, End other) throws Exception {
    cross(mtu, "", one, other);
  }

  /** What a host does not let in, as nftables says it. */
  private static void close(TestHost host, String what) {
    host.run("nft", "add table netdev closed");
    String hook = "type filter hook ingress device \"%s\" priority 0;".formatted(host.deviceName());
    host.run("nft", "add chain netdev closed in { %s }".formatted(hook));
    host.run("nft", "add rule netdev closed in %s drop".formatted(what));
  }

  private void cross(int mtu, String closed, End one, End other) throws Exception {
    long bytes = Speaker.ROUNDS * (long) Arrays.stream(Speaker.LENGTHS).sum();
    try (TestBed bed = TestBed.create(2)) {
      TestHost a = bed.host(0);
      TestHost b = bed.host(1);
      a.setMtu(mtu);
      b.setMtu(mtu);
      if (!closed.isEmpty()) {
        close(b, closed);
      }
      List<HostProcess> both =
          bed.crossed(
              a,
              b,
              bytes,
              () -> {
                List<HostProcess> speakers =
                    List.of(
                        Speakers.start(a, 0, meeting, one.fabrics),
                        Speakers.start(b, 1, meeting, other.fabrics));
                for (int rank = 0; rank < 2; rank++) {
                  HostProcess speaker = speakers.get(rank);
                  assertThat(Speakers.choice(speaker))
                      .matches("choice " + (rank == 0 ? one : other).choice);
                  Speakers.awaitAllHeard(speaker);
                }
                return speakers;
              });
      both.forEach(Speakers::awaitLeft);
    }
  }

  @Test
  void overUdpAlthoughBothSeeTheSameFolderOfSharedMemory() throws Exception {
    End both = new End("shm,udp", "udp, because .*network namespace.*");
    cross(1500, both, both);
  }

  /** One of each is below, and both pass the conformance kit. */
  @Tag("long")
  @ParameterizedTest
  @ValueSource(strings = {"packet", "xdp"})
  void overRawEthernet(String fabric) throws Exception {
    End both = new End(fabric, fabric);
    cross(1500, both, both);
  }

  /** On AF_XDP a frame is in pieces then. */
  @Tag("long")
  @ParameterizedTest
  @ValueSource(strings = {"packet", "xdp"})
  void overRawEthernetInJumboFrames(String fabric) throws Exception {
    End both = new End(fabric, fabric);
    cross(9000, both, both);
  }

  /** Which of them is better depends on the machine; but it is measured, and said. */
  @Test
  void overWhatMeasuresBetter() throws Exception {
    String packet = "packet: round trip [0-9.]+ us, 16 full frames [0-9.]+ us";
    String udp = "udp: round trip [0-9.]+ us, 16 full frames [0-9.]+ us";
    End both = new End("shm,packet|udp", "(udp|packet), because .*" + packet + "; " + udp);
    cross(1500, both, both);
  }

  @Test
  void overUdpWhereNoOtherTypeOfFrameGetsThrough() throws Exception {
    End both = new End("packet|udp", "udp, because packet did not answer; udp: round trip .*");
    cross(1500, "ether type 0x88b5", both, both);
  }

  @Test
  void overRawEthernetWhereUdpDoesNotGetThrough() throws Exception {
    End both = new End("packet|udp", "packet, because packet: round trip .*; udp did not answer");
    cross(1500, "meta l4proto udp", both, both);
  }

  @Test
  void fromXdpToPacketSockets() throws Exception {
    cross(1500, new End("xdp,udp", "xdp"), new End("packet,udp", "packet"));
  }
}
