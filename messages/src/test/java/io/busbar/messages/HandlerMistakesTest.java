package io.busbar.messages;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.node.Lane;
import io.busbar.wire.Bodies;
import io.busbar.wire.Records;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a handler does wrong while it waits costs its own message, and not the one who extracts. */
@Timeout(60)
class HandlerMistakesTest extends Nodes {
  private static final int SIZE = 300_000;
  private static final int PART = 50_000;

  private final AtomicBoolean waits = new AtomicBoolean();
  private final int[] heard = new int[1];

  /** Begins a message of which a part comes, until its handler has begun. */
  private OutMessage begin(String handler) throws Exception {
    OutMessage out = nodes.get(0).begin(1, SIZE, Handler.named(handler));
    out.send(pattern(PART, 0), 0, PART);
    out.flush();
    assertThat(nodes.get(1).await(waits::get, 20 * SECOND_NS)).isTrue();
    return out;
  }

  /** Another message is handled, and what is held for the bad one goes. */
  private void checkThatItGoesOn() throws Exception {
    Messages b = nodes.get(1);
    int before = heard[0];
    nodes.get(0).send(1, Handler.named("good"), 1, 2, 3, 4);
    assertThat(b.await(() -> heard[0] > before, 20 * SECOND_NS)).isTrue();
    awaitNothingHeld(b);
  }

  private void joinTwo(String fabric) throws Exception {
    join(fabric, 2);
    Handler _ = nodes.get(1).handler("good", (_, _) -> heard[0]++);
  }

  @ParameterizedTest
  @ValueSource(strings = {"shm", "udp"})
  void rangeIsCheckedBeforeTheWait(String fabric) throws Exception {
    joinTwo(fabric);
    Messages b = nodes.get(1);
    Handler _ =
        b.handler(
            "array",
            (in, _) -> {
              waits.set(true);
              in.receive(new byte[100_000], 0, 200_000);
            });
    Handler _ =
        b.handler(
            "longs",
            (in, _) -> {
              waits.set(true);
              in.receive(new long[100], Little.LONG, 90, 20_000);
            });
    Handler _ =
        b.handler(
            "some",
            (in, _) -> {
              waits.set(true);
              in.skip(PART);
              int _ = in.receiveSome(new byte[10], 5, 6);
            });
    for (String handler : new String[] {"array", "longs", "some"}) {
      told.clear();
      waits.set(false);
      try (OutMessage out = begin(handler)) {
        assertThat(b.await(() -> !told.isEmpty(), 20 * SECOND_NS)).as(handler).isTrue();
        assertThat(told).singleElement().asString().startsWith(handler).contains("ut of bounds");
        out.send(pattern(SIZE - PART, 0), 0, SIZE - PART);
      }
      checkThatItGoesOn();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"shm", "udp"})
  void memoryThatGoesWhileItIsWaitedForIsTheHandlersMistake(String fabric) throws Exception {
    joinTwo(fabric);
    Messages b = nodes.get(1);
    Arena arena = Arena.ofShared();
    MemorySegment into = arena.allocate(SIZE);
    Handler _ =
        b.handler(
            "gone",
            (in, _) -> {
              waits.set(true);
              in.receive(into);
            });
    try (OutMessage out = begin("gone")) {
      arena.close();
      out.send(pattern(PART, 0), 0, PART);
      out.flush();
      assertThat(b.await(() -> !told.isEmpty(), 20 * SECOND_NS)).isTrue();
      assertThat(told).singleElement().asString().contains("closed");
      out.send(pattern(SIZE - 2 * PART, 0), 0, SIZE - 2L * PART);
    }
    checkThatItGoesOn();
  }

  @ParameterizedTest
  @ValueSource(strings = {"shm", "udp"})
  void conditionThatThrowsIsTheHandlersMistake(String fabric) throws Exception {
    joinTwo(fabric);
    Messages b = nodes.get(1);
    Handler _ =
        b.waitingHandler(
            "awaits",
            (in, _) -> {
              in.await(
                  () -> {
                    if (waits.getAndSet(true)) {
                      throw new IllegalStateException("on purpose");
                    }
                    return false;
                  });
            });
    nodes.get(0).send(1, Handler.named("awaits"), 1, 2, 3, 4);
    assertThat(b.await(waits::get, 20 * SECOND_NS)).isTrue();
    nodes.get(0).send(1, Handler.named("good"), 1, 2, 3, 4);
    assertThat(b.await(() -> heard[0] == 1 && !told.isEmpty(), 20 * SECOND_NS)).isTrue();
    assertThat(told).containsExactly("awaits 0 16 on purpose");
    checkThatItGoesOn();
  }

  /** Who is interrupted in a handler leaves nothing of that to the next one on its thread. */
  @ParameterizedTest
  @ValueSource(strings = "shm")
  void interruptEndsWithItsHandler(String fabric) throws Exception {
    joinTwo(fabric);
    Messages b = nodes.get(1);
    boolean[] interrupted = new boolean[2];
    int[] calls = new int[1];
    Handler _ =
        b.waitingHandler(
            "twice",
            (_, _) -> {
              interrupted[calls[0]++] = Thread.currentThread().isInterrupted();
              Thread.currentThread().interrupt();
            });
    for (int i = 1; i <= 2; i++) {
      int count = i;
      nodes.get(0).send(1, Handler.named("twice"), 1, 2, 3, 4);
      assertThat(b.await(() -> calls[0] == count, 20 * SECOND_NS)).isTrue();
    }
    assertThat(interrupted).containsExactly(false, false);
  }

  /** The START of a long message whose body has no channel: nobody of us sends such. */
  @ParameterizedTest
  @ValueSource(strings = {"shm", "udp"})
  void startOfNoBodyIsNobodysMistakeHere(String fabric) throws Exception {
    joinTwo(fabric);
    Messages a = nodes.get(0);
    Messages b = nodes.get(1);
    MemorySegment start = Arena.ofAuto().allocate(Bodies.START_BYTES, 8);
    for (int channel : new int[] {0, 17, 0xFFFF}) {
      start.set(Little.LONG, 0, 1 << 20);
      start.set(Little.LONG, Bodies.START_BODY_AT, Bodies.body(channel, 0));
      a.node().take();
      try {
        Lane lane = Objects.requireNonNull(a.node().lane(1));
        if (!lane.isEnded()) {
          int _ =
              lane.trySend(Records.header(Records.START, 0, 1, Bodies.START_BYTES), start, 0, 0);
          a.node().flush();
        }
      } finally {
        a.node().release();
      }
      int _ = b.extractOrWait(SECOND_NS / 10);
    }
    assertThat(b.held().coming()).as("bodies that are kept").isZero();
    if (fabric.equals("shm")) { // there a record is a frame, and what follows is sound
      checkThatItGoesOn();
    } else {
      assertThat(a.await(() -> told.contains("gone 1") || told.contains("gone 0"), 20 * SECOND_NS))
          .as("a stream that makes no sense ends")
          .isTrue();
    }
  }
}
