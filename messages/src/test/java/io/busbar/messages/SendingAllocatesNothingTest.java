package io.busbar.messages;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.messages.ResumableHandler.Progress;
import io.busbar.testkit.AllocationMeter;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a message of 64 bytes costs the heap, at its sender and at its receiver. */
@Timeout(120)
class SendingAllocatesNothingTest extends Nodes {
  private static final int BYTES = 64;
  private static final int ROUNDS = 10_000;
  private static final int ATTEMPTS = 100;
  private static final long PATIENCE_NS = 30_000_000_000L;

  private volatile boolean over;
  private volatile boolean measured;

  /** A message to and fro: both threads send and extract, or the one that asks waits. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whatIsSentAtOnceCostsNothingAtEitherEnd(boolean waits) throws Exception {
    join("shm", 2);
    Messages a = nodes.get(0);
    Messages b = nodes.get(1);
    long[] answers = new long[1];
    long[] wanted = new long[1];
    BooleanSupplier enough = () -> answers[0] >= wanted[0];
    MemorySegment into = pattern(BYTES, 0);
    MemorySegment back = pattern(BYTES, 1);
    Handler answer =
        a.handler(
            "answer",
            (in, from) -> {
              in.receive(into, 0, BYTES);
              answers[0]++;
            });
    Handler ask =
        b.handler(
            "ask",
            (in, from) -> {
              in.receive(back, 0, BYTES);
              b.send(from, answer, back, 0, BYTES);
            });
    Future<Long> other = threads.submit(() -> leastOfTheOther(b));
    MemorySegment message = pattern(BYTES, 2);
    Runnable talk =
        () -> {
          for (int i = 0; i < ROUNDS; i++) {
            wanted[0]++;
            a.send(1, ask, message, 0, BYTES);
            while (!enough.getAsBoolean()) {
              int _ = waits ? await(a, enough) : a.extract();
            }
          }
        };
    new AllocationMeter().assertLoopAllocatesNothing(talk);
    for (int attempt = 0; attempt < ATTEMPTS && !measured; attempt++) {
      talk.run(); // the other one may need longer to get warm
    }
    over = true;
    assertThat(other.get(30, TimeUnit.SECONDS))
        .as("bytes of the other thread for %d messages", ROUNDS)
        .isLessThanOrEqualTo(1024);
  }

  private static int await(Messages fm, BooleanSupplier enough) {
    try {
      return fm.await(enough, PATIENCE_NS) ? 1 : 0;
    } catch (InterruptedException e) {
      throw new IllegalStateException("interrupted while waiting", e);
    }
  }

  /** The least that the other thread allocates for as many messages. */
  private long leastOfTheOther(Messages b) {
    AllocationMeter meter = new AllocationMeter();
    long least = Long.MAX_VALUE;
    while (!over) {
      long before = meter.bytes();
      int count = 0;
      while (count < ROUNDS && !over) {
        count += b.extract();
      }
      if (count >= ROUNDS) {
        least = Math.min(least, meter.bytes() - before);
        measured = least <= 1024;
      }
    }
    return least;
  }

  /** Called once, because all is there: of a message that was put aside, or kept where it came. */
  @ParameterizedTest
  @ValueSource(ints = {BYTES, 4_000})
  void resumableHandlerThatIsCalledOnceCostsNothing(int bytes) throws Exception {
    join("shm", 2);
    Messages a = nodes.get(0);
    Messages b = nodes.get(1);
    MemorySegment into = pattern(bytes, 0);
    int[] called = new int[1];
    Handler take =
        b.resumableHandler(
            "take",
            (in, _) -> {
              called[0]++;
              in.receive(into, 0, in.available());
              return Progress.DONE;
            });
    MemorySegment message = pattern(bytes, 2);
    int[] sent = new int[1];
    Runnable talk =
        () -> {
          a.send(1, take, message, 0, bytes);
          sent[0]++;
          while (called[0] < sent[0]) {
            int _ = b.extract();
          }
        };
    if (bytes == BYTES) {
      new AllocationMeter().assertAllocatesNothing(talk);
    } else {
      new AllocationMeter().assertAllocatesHardly(talk); // the carrier does, once in a while
    }
    assertThat(called[0]).as("once a message").isEqualTo(sent[0]);
    assertThat(into.mismatch(message)).isEqualTo(-1);
  }

  /** Its sender's object, and nothing besides. */
  @Test
  void messageInPiecesCostsOneSmallObject() throws Exception {
    join("shm", 2);
    Messages a = nodes.get(0);
    Messages b = nodes.get(1);
    Handler take = b.handler("take", (in, from) -> in.skip(BYTES));
    MemorySegment message = pattern(BYTES, 2);
    AllocationMeter meter = new AllocationMeter();
    long least = Long.MAX_VALUE;
    for (int attempt = 0; attempt < ATTEMPTS && least > 64L * ROUNDS; attempt++) {
      long before = meter.bytes();
      for (int i = 0; i < ROUNDS; i++) {
        try (OutMessage out = a.begin(1, BYTES, take)) {
          out.send(message, 0, BYTES / 2);
          out.send(message, BYTES / 2, BYTES / 2);
        }
        int _ = b.extract();
      }
      least = Math.min(least, meter.bytes() - before);
    }
    System.out.println("bytes a message in pieces: " + (double) least / ROUNDS);
    assertThat(least / ROUNDS).as("bytes a message").isLessThanOrEqualTo(64);
  }
}
