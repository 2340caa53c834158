package io.busbar.messages;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.node.NodeConfig;
import io.busbar.node.stat.NodeSnapshot;
import io.busbar.node.stat.StatReader;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is said to all leaves once by the UDP group, however many members there are. */
@Timeout(60)
class OneDatagramTest extends Segment {
  private static final int READERS = 3;
  private static final int MESSAGES = 2_000;
  private static final int BYTES = 1_400; // one in a frame

  private static long shown(Guest of, String counter) {
    Path file = Path.of(of.messages.node().counters());
    return StatReader.read(file) instanceof NodeSnapshot shown
        ? shown.counters().getOrDefault(counter, 0L)
        : 0;
  }

  private static long castFrames(Guest of) {
    return shown(of, "cast.data-out") + shown(of, "cast.repairs-out");
  }

  @Test
  void threeReadersAreOneDatagram() throws Exception {
    NodeConfig config = config("once", segment().expecting(READERS + 1), "udp");
    List<Guest> all = joinAtOnce(Collections.nCopies(READERS + 1, config));
    Guest speaker = all.getFirst();
    long before = shown(speaker, "udp.frames-sent");
    MemorySegment message = MemorySegment.ofArray(new byte[BYTES]);
    for (int i = 0; i < MESSAGES; i++) {
      speaker.messages.send(Messages.EVERYONE, HEAR, message, 0, BYTES);
    }
    for (Guest reader : all.subList(1, all.size())) {
      awaitThat("all is heard", () -> reader.heard.get() == MESSAGES);
    }
    awaitThat("that is shown", () -> castFrames(speaker) >= MESSAGES);
    long frames = castFrames(speaker);
    long sent = shown(speaker, "udp.frames-sent") - before;
    System.out.printf("%d frames of a stream to %d: %d datagrams%n", frames, READERS, sent);
    assertThat(sent).isBetween((long) MESSAGES, frames * 3 / 2);
  }
}
