package io.busbar.messages;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sixteen nodes in a ring, each of which floods its neighbour before it extracts anything. */
@Timeout(120)
class RingFloodTest extends Nodes {
  private static final int SIZE = 16;
  private static final int COUNT = 300;
  private static final int LONG_EVERY = 50;

  @ParameterizedTest
  @ValueSource(strings = {"shm", "udp"})
  void ringThatFloodsItselfDoesNotStandStill(String fabric) throws Exception {
    join(fabric, SIZE);
    long startNs = System.nanoTime();
    int[] heard = new int[SIZE];
    MemorySegment bytes = pattern(200_000, 3);
    List<Future<Boolean>> floods = new ArrayList<>();
    for (int rank = 0; rank < SIZE; rank++) {
      int self = rank;
      Messages fm = nodes.get(rank);
      Handler take =
          fm.handler(
              "take",
              (in, from) -> {
                assertThat(from).isEqualTo((self + SIZE - 1) % SIZE);
                byte[] all = in.receiveRest();
                assertThat(all[all.length - 1]).isEqualTo((byte) ((all.length - 1) * 7 + 3));
                heard[self]++;
              });
      floods.add(
          threads.submit(
              () -> {
                for (int i = 0; i < COUNT; i++) {
                  fm.send((self + 1) % SIZE, take, bytes, 0, i % LONG_EVERY == 7 ? 200_000 : 5_000);
                }
                return fm.await(() -> heard[self] == COUNT, 60 * SECOND_NS);
              }));
    }
    for (Future<Boolean> flood : floods) {
      assertThat(flood.get(60, TimeUnit.SECONDS)).isTrue();
    }
    assertThat(told).isEmpty();
    System.out.printf(
        "%s: a ring of %d in %d ms%n", fabric, SIZE, (System.nanoTime() - startNs) / 1_000_000);
  }
}
