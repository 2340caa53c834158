package io.busbar.cli;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What processes say to each other is in the files that {@code --capture} asks for. */
@Timeout(60)
class RunCaptureTest extends RunCase {
  private static final String PROGRAM =
      """
      import io.busbar.messages.*;
      import io.busbar.node.NodeConfig;
      import java.lang.foreign.MemorySegment;
      import java.nio.file.*;

      int heard;

      void main() throws Exception {
        NodeConfig config = NodeConfig.defaults();
        for (String fabric : new String[] {"udp", "shm"}) {
          Path folder = Files.createDirectories(Path.of(System.getenv("BUSBAR_MEETING"), fabric));
          NodeConfig own = config.as(config.rank(), 2, folder).withFabrics(fabric);
          try (Messages fm = Messages.join(own, MessageEvents.NONE)) {
            Handler words = fm.handler("words", (in, from) -> heard += in.receiveRest().length);
            byte[] text = "this is node %d over %s".formatted(config.rank(), fabric).getBytes();
            heard = 0;
            fm.send(1 - config.rank(), words, MemorySegment.ofArray(text), 0, text.length);
            if (!fm.await(() -> heard == text.length, 30_000_000_000L)) {
              throw new IllegalStateException("nothing came");
            }
          }
        }
      }
      """;

  /** The frames of a capture, with an Ethernet header each. */
  private static List<String> frames(Path file) throws IOException {
    ByteBuffer in = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN);
    List<String> frames = new ArrayList<>();
    in.position(24);
    while (in.hasRemaining()) {
      byte[] bytes = new byte[in.getInt(in.position() + 8)];
      in.position(in.position() + 16).get(bytes);
      frames.add(new String(bytes, ISO_8859_1));
    }
    return frames;
  }

  @Test
  void bothEndsHaveBothMessages() throws Exception {
    Path captures = folder().resolve("made/here");
    Path file = source("Words.java", PROGRAM);
    assertThat(run("-n", 2, "--capture", captures, file)).as(err()).isZero();
    for (String fabric : List.of("udp", "shm")) {
      for (int rank = 0; rank < 2; rank++) {
        List<String> frames = frames(captures.resolve("rank-%d-%s.pcap".formatted(rank, fabric)));
        for (int from = 0; from < 2; from++) {
          String text = "this is node %d over %s".formatted(from, fabric);
          assertThat(frames).as("%s %d", fabric, rank).anyMatch(frame -> frame.contains(text));
        }
      }
    }
    try (var files = Files.list(captures)) {
      assertThat(files).hasSize(4);
    }
  }

  @Test
  void helpTeaches() {
    assertThat(Main.run("run", "--help")).isZero();
    assertThat(out()).contains("--capture=FOLDER").contains("lua_script:docs/wire/busbar.lua");
  }
}
