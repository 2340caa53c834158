package io.busbar.messages;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.node.Lane;
import io.busbar.wire.Bodies;
import io.busbar.wire.Records;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import java.util.concurrent.Future;
import java.util.function.ToIntFunction;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A peer starts bodies that it may not start, or sends pieces of such: nobody of us does. It is
 * gone for who hears that, no handler waits for it, and others are served.
 */
@Timeout(60)
class BadBodiesTest extends Nodes {
  private static final int LONG = 100_000;
  private static final int PIECE = 20_000;
  private static final Handler TAKE = Handler.named("take");
  private static final long START =
      Records.header(Records.START, 0, TAKE.number(), Bodies.START_BYTES);

  private int begun;
  private int done;

  /** Node 0 is bad, node 1 hears it, node 2 is good. */
  private void joinThree(String fabric) throws Exception {
    join(fabric, 3);
    Handler _ =
        nodes
            .get(1)
            .handler(
                "take",
                (in, _) -> {
                  begun++;
                  byte[] _ = in.receiveRest();
                  done++;
                });
  }

  private int bad(ToIntFunction<Lane> what) {
    Messages a = nodes.getFirst();
    a.node().take();
    try {
      Lane lane = Objects.requireNonNull(a.node().lane(1));
      int result = lane.isEnded() ? Lane.REFUSED : what.applyAsInt(lane);
      a.node().flush();
      return result;
    } finally {
      a.node().release();
    }
  }

  private static MemorySegment start(long body) {
    MemorySegment start = Arena.ofAuto().allocate(Bodies.START_BYTES, 8);
    start.set(Little.LONG, 0, LONG);
    start.set(Little.LONG, Bodies.START_BODY_AT, body);
    return start;
  }

  private void sendStart(long body) {
    int _ = bad(lane -> lane.trySend(START, start(body), 0, 0));
  }

  private void sendLong(int from) throws Exception {
    int before = done;
    Future<?> sending =
        threads.submit(() -> nodes.get(from).send(1, TAKE, pattern(LONG, 1), 0, LONG));
    assertThat(nodes.get(1).await(() -> done > before, 20 * SECOND_NS)).isTrue();
    Object _ = sending.get();
  }

  /**
   * Handlers that had begun are over, nothing is left of the bad one, and the good one is heard.
   */
  private void checkThatItIsExpelled() throws Exception {
    Messages b = nodes.get(1);
    assertThat(b.await(() -> toldGone.contains("1 0"), 20 * SECOND_NS)).as("%s", b.held()).isTrue();
    awaitNothingHeld(b);
    sendLong(2);
    awaitNothingHeld(b);
    assertThat(toldGone).doesNotContain("1 2", "2 1");
  }

  @ParameterizedTest
  @ValueSource(strings = {"shm", "udp"})
  void bodyThatStartsTwice(String fabric) throws Exception {
    joinThree(fabric);
    sendStart(Bodies.body(1, 0));
    assertThat(nodes.get(1).await(() -> begun == 1, 20 * SECOND_NS)).isTrue();
    sendStart(Bodies.body(1, 0));
    checkThatItIsExpelled();
    assertThat(begun).isEqualTo(2); // the second one is the good one's
  }

  @ParameterizedTest
  @ValueSource(strings = {"shm", "udp"})
  void bodyThatIsOver(String fabric) throws Exception {
    joinThree(fabric);
    sendLong(0);
    awaitNothingHeld(nodes.get(1));
    sendStart(Bodies.body(1, 0));
    checkThatItIsExpelled();
    assertThat(begun).isEqualTo(2);
  }

  @ParameterizedTest
  @ValueSource(strings = {"shm", "udp"})
  void bodyOfWhichTheFormerWasNotSent(String fabric) throws Exception {
    joinThree(fabric);
    sendStart(Bodies.body(1, 1));
    checkThatItIsExpelled();
    assertThat(begun).isEqualTo(1);
  }

  /** Ends of bodies that never start; each would be remembered until its START. */
  @ParameterizedTest
  @ValueSource(strings = {"shm", "udp"})
  void endsOfBodiesThatNeverStart(String fabric) throws Exception {
    joinThree(fabric);
    Messages b = nodes.get(1);
    int most = 0;
    for (int i = 0; i < 200 && !toldGone.contains("1 0"); i++) {
      int channel = 1 + i % Lane.CHANNELS;
      int _ =
          bad(
              lane ->
                  lane.trySendBody(
                      Bodies.body(channel, 0), Bodies.LAST, MemorySegment.NULL, 0, 0, 0));
      int _ = b.extractOrWait(SECOND_NS / 1_000);
      most = Math.max(most, b.held().coming());
    }
    assertThat(most).as("bodies that are remembered").isLessThanOrEqualTo(Lane.CHANNELS);
    checkThatItIsExpelled();
  }

  /** A broadcast that starts twice goes on as the one that it is, and nobody is expelled for it. */
  @ParameterizedTest
  @ValueSource(strings = {"shm", "udp"})
  void broadcastThatStartsTwice(String fabric) throws Exception {
    joinThree(fabric);
    Messages a = nodes.getFirst();
    Messages b = nodes.get(1);
    long body = Bodies.body(1, 0);
    cast(lane -> lane.trySend(START, start(body), 0, 0));
    assertThat(b.await(() -> begun == 1, 20 * SECOND_NS)).isTrue();
    cast(lane -> lane.trySend(START, start(body), 0, 0));
    MemorySegment piece = pattern(PIECE, 1);
    for (int sent = 0; sent < LONG; sent += PIECE) {
      int flags = sent + PIECE < LONG ? 0 : Bodies.LAST;
      cast(lane -> lane.trySendBody(body, flags, piece, 0, PIECE, 0));
    }
    assertThat(b.await(() -> done == 1 || !told.isEmpty(), 20 * SECOND_NS)).isTrue();
    a.send(1, Handler.named("nobody"), 1, 2, 3, 4);
    assertThat(b.await(() -> !told.isEmpty(), 20 * SECOND_NS)).isTrue();
    assertThat(told).allMatch(one -> one.startsWith("unknown"));
    assertThat(begun).isEqualTo(1);
    awaitNothingHeld(b);
  }

  /** Node 0 says something to all. */
  private void cast(ToIntFunction<Lane> what) {
    Messages a = nodes.getFirst();
    a.node().take();
    try {
      Lane lane = Objects.requireNonNull(a.node().broadcast(""));
      while (what.applyAsInt(lane) == Lane.REFUSED) {
        boolean _ = a.node().work();
      }
      a.node().flush();
    } finally {
      a.node().release();
    }
  }
}
