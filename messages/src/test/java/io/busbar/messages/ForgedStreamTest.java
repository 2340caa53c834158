package io.busbar.messages;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.node.NodeConfig;
import io.busbar.wire.CastBlock;
import io.busbar.wire.Format;
import io.busbar.wire.FrameView;
import io.busbar.wire.Header;
import java.lang.foreign.MemorySegment;
import java.net.DatagramPacket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.MulticastSocket;
import java.net.NetworkInterface;
import java.net.StandardSocketOptions;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Somebody on the segment puts bytes into a stream that are no records. */
@Timeout(60)
class ForgedStreamTest extends Segment {
  private static final int FRAME_BYTES = 2048;
  private static final int NONSENSE_BYTES = 64;

  @Test
  void whoHearsNonsenseIsToldAndHearsWhatFollows() throws Exception {
    NodeConfig config = config("forged", segment().expecting(2), "udp");
    List<Guest> both = joinAtOnce(List.of(config, config));
    Guest speaker = both.getFirst();
    Guest reader = both.getLast();
    InetSocketAddress all = new InetSocketAddress(InetAddress.ofLiteral("239.255.70.9"), port);
    NetworkInterface loopback =
        NetworkInterface.getByInetAddress(InetAddress.ofLiteral("127.0.0.1"));
    try (MulticastSocket forger = new MulticastSocket(port)) {
      forger.setOption(StandardSocketOptions.IP_MULTICAST_IF, loopback);
      forger.joinGroup(all, loopback);
      forger.setSoTimeout(20_000);
      speaker.say(Messages.EVERYONE);
      byte[] forged = nonsenseBehind(forger, speaker.id());
      awaitThat("the first", () -> reader.heard.get() == 1);
      forger.send(new DatagramPacket(forged, forged.length, all));
    }
    awaitThat(
        "it is told",
        () -> reader.told.stream().anyMatch(e -> e.startsWith("EVICTED " + speaker.id())));
    int before = reader.heard.get();
    awaitThat(
        "it hears what follows",
        () -> {
          speaker.say(Messages.EVERYONE);
          return reader.heard.get() > before;
        });
    assertThat(reader.told).noneMatch(event -> event.startsWith("DIED"));
  }

  /** A frame that seems to follow the next one that this sender says. */
  private static byte[] nonsenseBehind(MulticastSocket ear, int sender) throws Exception {
    DatagramPacket packet = new DatagramPacket(new byte[FRAME_BYTES], FRAME_BYTES);
    FrameView heard = new FrameView();
    do {
      packet.setLength(FRAME_BYTES);
      ear.receive(packet);
    } while (!heard.wrap(MemorySegment.ofArray(packet.getData()), 0, packet.getLength()).ok()
        || heard.format() != Format.CAST
        || heard.from() != sender);
    byte[] bytes = new byte[Header.BYTES + NONSENSE_BYTES];
    Arrays.fill(bytes, (byte) 0xFF);
    Header.write(
        MemorySegment.ofArray(bytes),
        0,
        Format.CAST,
        0,
        NONSENSE_BYTES,
        Header.EVERYONE,
        sender,
        heard.key(),
        heard.seq() + 1,
        heard.rseqLow(),
        CastBlock.NOBODY,
        0);
    return bytes;
  }
}
