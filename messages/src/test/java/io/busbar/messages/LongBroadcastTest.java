package io.busbar.messages;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.node.NodeConfig;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A long message to everyone, and short ones of the same sender that need not wait for its end. */
@Timeout(60)
class LongBroadcastTest extends Segment {
  private static final int LONG_BYTES = 32 << 20;

  @ParameterizedTest
  @ValueSource(strings = {"shm,udp", "udp"})
  void shortOnesGoBetweenThePiecesOfALongOne(String fabrics) throws Exception {
    NodeConfig config = config("long", segment().expecting(2), fabrics.split(",", -1));
    List<Guest> both = joinAtOnce(List.of(config, config));
    Guest speaks = both.getFirst();
    Guest hears = both.getLast();
    Handler take = Handler.named("take");
    Handler _ =
        hears.messages.handler(
            "take",
            (in, from) -> {
              in.receive(new byte[1000]);
              hears.told.add("BEGINS");
              byte[] piece = new byte[1 << 20];
              for (int left = LONG_BYTES - 1000; left > 0; left -= piece.length) {
                in.receive(piece, 0, Math.min(left, piece.length));
              }
              hears.told.add("ENDS after " + hears.heard.get());
            });
    Future<?> sender =
        pool.submit(
            () ->
                speaks.messages.send(
                    Messages.EVERYONE,
                    take,
                    MemorySegment.ofArray(new byte[LONG_BYTES]),
                    0,
                    LONG_BYTES));
    awaitThat("it begins", () -> hears.knows("BEGINS"));
    long slowestNs = 0;
    int said = 0;
    while (!sender.isDone()) {
      long startNs = System.nanoTime();
      speaks.messages.send(Messages.EVERYONE, HEAR, 1, 2, 3, 4);
      int expected = ++said;
      awaitThat("a short one", () -> hears.heard.get() == expected);
      slowestNs = Math.max(slowestNs, System.nanoTime() - startNs);
    }
    awaitThat("the end", () -> hears.told.stream().anyMatch(event -> event.startsWith("ENDS")));
    System.out.printf(
        "%s: %d short ones beside %d MB, the slowest after %d ms%n",
        fabrics, said, LONG_BYTES >> 20, slowestNs / 1_000_000);
    assertThat(hears.told)
        .as("some were heard before the long one was")
        .noneMatch("ENDS after 0"::equals);
  }
}
