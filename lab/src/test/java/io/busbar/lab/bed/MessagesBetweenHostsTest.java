package io.busbar.lab.bed;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
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
  private static final Duration LIMIT = Duration.ofSeconds(90);
  private static final List<String> SMALL = List.of("-Xmx64m", "-XX:+UseSerialGC");

  @TempDir Path meeting;

  /** How one end is set up, and what it has to choose, as a pattern. */
  private record End(String fabrics, String choice) {}

  private HostProcess speaker(TestHost host, int rank, End end) {
    String address = host.address4().getHostAddress();
    List<String> arguments =
        List.of(Integer.toString(rank), meeting.toString(), address, end.fabrics);
    return host.java(SMALL, Speaker.class, arguments);
  }

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
    int count = Speaker.ROUNDS * Speaker.LENGTHS.length;
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
                List<HostProcess> speakers = List.of(speaker(a, 0, one), speaker(b, 1, other));
                for (int rank = 0; rank < 2; rank++) {
                  HostProcess speaker = speakers.get(rank);
                  assertThat(speaker.awaitLine(line -> line.startsWith("choice "), LIMIT))
                      .matches("choice " + (rank == 0 ? one : other).choice);
                  assertThat(speaker.awaitLine(line -> line.startsWith("heard "), LIMIT))
                      .isEqualTo("heard %d all true fault none".formatted(count));
                }
                return speakers;
              });
      for (HostProcess speaker : both) {
        assertThat(speaker.awaitExit(LIMIT)).as(speaker.output()).isZero();
        assertThat(speaker.output()).endsWith("left").doesNotContain("undelivered");
      }
    }
  }

  @Test
  void overUdpAlthoughBothSeeTheSameFolderOfSharedMemory() throws Exception {
    End both = new End("shm,udp", "udp, because .*network namespace.*");
    cross(1500, both, both);
  }

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
