package io.busbar.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.memory.Role;
import io.busbar.wire.Format;
import io.busbar.wire.FrameBuilder;
import io.busbar.wire.Seal;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** One line a frame, a refusal, an event; nothing else changes. */
class TracingNicTest {
  private static final String FRAME = "2>3 DATA  key=";

  private final List<String> lines = new ArrayList<>();
  private long nowNs = 5_000_000;
  private final NicTrace trace = new NicTrace(() -> nowNs, lines::add);
  private final List<String> told = new ArrayList<>();
  private final EchoNic echo = new EchoNic(trace.events(new Events()));
  private final TracingNic nic = new TracingNic(echo, trace);
  private final MemorySegment bytes = MemorySegment.ofArray(new byte[300]);

  private final class Events implements NicEvents {
    @Override
    public void onPeer(int peer) {
      told.add("peer " + peer);
    }

    @Override
    public void onPeerGone(int peer, String why) {
      told.add("gone " + peer + " " + why);
    }

    @Override
    public void onProcessEnded(int peer) {
      told.add("ended " + peer);
    }

    @Override
    public void onFrameBytesMax(int peer, int max) {
      told.add("max " + peer + " " + max);
    }

    @Override
    public void onWarning(String what) {
      told.add("warning " + what);
    }
  }

  private static FrameBuilder frame() {
    FrameBuilder frame = new FrameBuilder(MemorySegment.ofArray(new byte[256]), false, Seal.NONE);
    frame.begin();
    frame.zeros(8);
    frame.finish(Format.DATA, 0, 3, 2, 1, 0, 0, 0, 0);
    return frame;
  }

  private void poll() {
    nic.poll((peer, memory, offset, length, name) -> {}, 8);
  }

  private static String words(String line) {
    return line.strip().replaceAll(" +", " ");
  }

  @Test
  void frameOfTheWireIsPrintedAsOne() {
    nowNs += 1_234_567;
    nic.transmit(3, frame());
    nowNs += 1;
    poll();
    assertThat(lines).hasSize(2);
    assertThat(lines.get(0)).startsWith("      1234.567  sent       3      40  ").contains(FRAME);
    assertThat(lines.get(1)).startsWith("      1234.568  arrived    3      40  ").contains(FRAME);
  }

  @Test
  void otherBytesArePrintedInHex() {
    bytes.set(ValueLayout.JAVA_BYTE, 100, (byte) 0xAB);
    nic.transmit(1, bytes, 100, 3);
    nic.transmit(1, bytes, 100, 17);
    assertThat(lines.get(0)).endsWith("  ab 00 00");
    assertThat(lines.get(1)).endsWith("  ab" + " 00".repeat(15) + " ...");
  }

  @Test
  void whatIsWrittenInPlaceIsPrintedWhenItLeaves() {
    long at = nic.reserve(2, 40);
    assertThat(lines).isEmpty();
    frame().copyTo(nic.transmitMemory(), at);
    nic.commit(40);
    assertThat(lines.getFirst()).contains("sent", FRAME);
    nic.reserve(2, 40);
    nic.abandon();
    assertThat(lines).hasSize(1);
  }

  @Test
  void everyoneAndStrangersHaveNames() {
    nic.transmit(Nic.EVERYONE, frame());
    nic.transmit(9, frame());
    poll();
    assertThat(words(lines.get(0))).startsWith("0.000 sent * 40 2>3");
    assertThat(words(lines.get(3))).startsWith("0.000 arrived ? echo:9 40 2>3");
  }

  @Test
  void refusalsArePrinted() {
    nic.transmit(1, bytes, 0, 257);
    nic.reserve(1, 257);
    echo.gone = 2;
    nic.transmit(2, frame());
    nic.transfer(2, 0xAB, Role.APPLICATION, 7);
    for (int i = 0; i <= EchoNic.RING_FRAMES; i++) {
      nic.transmit(1, bytes, 0, 1);
    }
    assertThat(words(lines.get(0))).startsWith("0.000 too long 1 257 00 00");
    assertThat(words(lines.get(1))).isEqualTo("0.000 too long 1 257 bytes to be written in place");
    assertThat(words(lines.get(2))).startsWith("0.000 gone 2 40 2>3");
    assertThat(words(lines.get(3))).isEqualTo("0.000 gone 2 7 bytes of buffer ab");
    assertThat(words(lines.getLast())).isEqualTo("0.000 full 1 1 00");
  }

  @Test
  void buffersGivenAwayAndClaimsRefusedArePrinted() {
    nic.transfer(1, 0xAB, Role.APPLICATION, 7);
    nic.claim(1234);
    assertThat(words(lines.get(0))).isEqualTo("0.000 given 1 7 bytes of buffer ab");
    assertThat(words(lines.get(1))).isEqualTo("0.000 no claim copy instead");
  }

  @Test
  void waysThatOpenAndCloseArePrinted() {
    nic.open(new EchoNic.Place(3));
    nic.close(3);
    nic.close();
    assertThat(lines.stream().map(TracingNicTest::words))
        .containsExactly("0.000 opened 3 echo:3", "0.000 closed 3 by us", "0.000 closed echo");
  }

  @Test
  void eventsArePrintedAndToldOn() {
    echo.events.onPeer(1);
    echo.events.onProcessEnded(1);
    echo.events.onPeerGone(1, "it died");
    echo.events.onFrameBytesMax(2, 1400);
    echo.events.onWarning("no room in the kernel");
    assertThat(told)
        .containsExactly(
            "peer 1", "ended 1", "gone 1 it died", "max 2 1400", "warning no room in the kernel");
    assertThat(lines.stream().map(TracingNicTest::words))
        .containsExactly(
            "0.000 peer 1 opened a way to us",
            "0.000 ended 1 its process has ended",
            "0.000 left 1 it died",
            "0.000 longest 2 1400 bytes",
            "0.000 warning no room in the kernel");
  }

  @Test
  void linesMayGoToAStream() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    PrintStream stream = new PrintStream(out, true, StandardCharsets.UTF_8);
    new TracingNic(echo, new NicTrace(() -> 0, stream)).transmit(1, frame());
    assertThat(out.toString(StandardCharsets.UTF_8)).contains(FRAME).endsWith("\n");
  }
}
