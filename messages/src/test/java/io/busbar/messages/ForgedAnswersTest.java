package io.busbar.messages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.busbar.node.NodeException;
import io.busbar.wire.BusBlock;
import io.busbar.wire.Format;
import io.busbar.wire.FrameView;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.DatagramPacket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.MulticastSocket;
import java.net.NetworkInterface;
import java.net.SocketTimeoutException;
import java.util.Arrays;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Somebody on the segment says of every id that he has it. */
@Timeout(60)
class ForgedAnswersTest extends Segment {
  private static final int FRAME_BYTES = 2048;
  private static final int PAYLOAD_AT = 32;
  private static final int CARD_AT = PAYLOAD_AT + BusBlock.BYTES;

  private volatile boolean isOver;

  @Test
  void whoGetsNoIdSaysSoAndMakesNoStorm() throws Exception {
    Future<Integer> claims = pool.submit(this::answerAll);
    long startNs = System.nanoTime();
    assertThatThrownBy(() -> Messages.join(config("none", segment(), "udp"), MessageEvents.NONE))
        .isInstanceOf(NodeException.class)
        .hasMessageContaining("no id was free in cluster none for 10 s: give this node one");
    assertThat(System.nanoTime() - startNs).isBetween(10 * SECOND_NS, 20 * SECOND_NS);
    isOver = true;
    assertThat(claims.get()).as("hellos that claimed an id").isBetween(8, 60);
  }

  /** Answers each claim with an earlier life that has the id; how many there were. */
  private int answerAll() throws IOException {
    InetSocketAddress all = new InetSocketAddress(InetAddress.ofLiteral("239.255.70.9"), port);
    NetworkInterface loopback =
        NetworkInterface.getByInetAddress(InetAddress.ofLiteral("127.0.0.1"));
    FrameView heard = new FrameView();
    DatagramPacket packet = new DatagramPacket(new byte[FRAME_BYTES], FRAME_BYTES);
    int claims = 0;
    try (MulticastSocket forger = new MulticastSocket(port)) {
      forger.joinGroup(all, loopback);
      forger.setSoTimeout(100);
      while (!isOver) {
        packet.setLength(FRAME_BYTES);
        try {
          forger.receive(packet);
        } catch (SocketTimeoutException e) {
          continue; // nobody speaks now
        }
        MemorySegment frame = MemorySegment.ofArray(packet.getData());
        boolean isHello =
            heard.wrap(frame, 0, packet.getLength()).ok() && heard.format() == Format.HELLO;
        if (isHello && BusBlock.has(heard, BusBlock.CLAIMS)) {
          claims++;
          byte[] answer = answer(Arrays.copyOf(packet.getData(), packet.getLength()));
          forger.send(new DatagramPacket(answer, answer.length, packet.getSocketAddress()));
        }
      }
    }
    return claims;
  }

  /** The same words from somebody who lives for longer, and claims nothing. */
  private static byte[] answer(byte[] claim) {
    MemorySegment frame = MemorySegment.ofArray(claim);
    frame.set(ValueLayout.JAVA_LONG_UNALIGNED, 16, 1);
    frame.set(ValueLayout.JAVA_INT_UNALIGNED, PAYLOAD_AT + 12, 0);
    frame.set(ValueLayout.JAVA_LONG_UNALIGNED, CARD_AT + 8, 1);
    return claim;
  }
}
