package io.busbar.mpi;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A rank that receives nothing keeps what others send within a quota, and loses nothing. */
@Timeout(120)
class KeptBytesTest extends Ranks {
  private static final int RANKS = 3;
  private static final int COUNT = 1_200;
  private static final int TAG = 5;
  private static final int LAST_TAG = 6;
  private static final int ALL_BYTES_MAX = 64 << 20;
  private static final int EACH_BYTES_MAX = 1 << 20;

  /** Ints of a message: short ones of all lengths, and some that are asked for. */
  private static int length(int rank, int i) {
    return i % 40 == 39 ? 20_000 : 2 + (i * 31 + rank * 7) % 1_000;
  }

  private static long shortBytes(int rank) {
    long sum = 0;
    for (int i = 0; i < COUNT; i++) {
      long bytes = 4L * length(rank, i);
      sum += bytes <= Mail.SHORT_BYTES_MAX ? bytes : 0;
    }
    return sum;
  }

  @ParameterizedTest
  @ValueSource(strings = {"shm", "udp"})
  void whatNobodyAskedForIsBounded(String fabric) throws Exception {
    run(
        RANKS,
        fabric,
        world -> {
          if (world.rank() == 0) {
            keep(world);
            takeAll(world);
          } else {
            flood(world);
          }
        });
  }

  private static void flood(Communicator world) {
    List<Request> all = new ArrayList<>();
    for (int i = 0; i < COUNT; i++) {
      int[] message = new int[length(world.rank(), i)];
      message[0] = i;
      message[message.length - 1] = i;
      all.add(world.startSend(message, 0, message.length, Datatype.INT, 0, TAG, false));
    }
    all.add(world.startSend(new int[0], 0, 0, Datatype.INT, 0, LAST_TAG, false));
    all.forEach(Request::await);
    all.forEach(sent -> assertThat(sent.error()).isNull());
  }

  /** Takes what comes until the envelopes of all are there, which come in order. */
  private static void keep(Communicator world) {
    for (int from = 1; from < RANKS; from++) {
      assertThat(shortBytes(from)).as("enough to overflow").isGreaterThan(EACH_BYTES_MAX * 3 / 2);
      world.receive(new int[0], 0, 0, Datatype.INT, from, LAST_TAG, null);
    }
    for (int from = 1; from < RANKS; from++) {
      assertThat(world.world().holdings().keptBytes(from))
          .as("bytes kept of rank %d", from)
          .isBetween(EACH_BYTES_MAX / 2L, (long) EACH_BYTES_MAX);
    }
  }

  private static void takeAll(Communicator world) {
    int[] next = new int[RANKS];
    int[] into = new int[20_000];
    Status status = new Status();
    for (int i = 0; i < (RANKS - 1) * COUNT; i++) {
      world.receive(into, 0, into.length, Datatype.INT, Communicator.ANY, TAG, status);
      int from = status.source();
      int length = length(from, next[from]);
      assertThat(status.count(Datatype.INT)).isEqualTo(length);
      assertThat(into[0]).as("from rank %d", from).isEqualTo(next[from]);
      assertThat(into[length - 1]).isEqualTo(next[from]);
      next[from]++;
    }
    assertThat(next).containsExactly(0, COUNT, COUNT);
    for (int from = 1; from < RANKS; from++) {
      assertThat(world.world().holdings().keptBytes(from)).isZero();
    }
  }

  /** All together, and each; from a thousand ranks on there is a least that each needs. */
  @Test
  void quotasAddUp() {
    for (int size = 1; size <= 1 + ALL_BYTES_MAX / (64 << 10); size++) {
      assertThat(Mail.creditBytes(size, MpiConfig.CREDIT_BYTES_MAX) * (size - 1))
          .isBetween(0L, (long) ALL_BYTES_MAX);
      assertThat(Mail.creditBytes(size, MpiConfig.CREDIT_BYTES_MAX))
          .isBetween(64L << 10, (long) EACH_BYTES_MAX);
    }
    assertThat(Mail.creditBytes(2, MpiConfig.CREDIT_BYTES_MAX)).isEqualTo(EACH_BYTES_MAX);
    assertThat(Mail.creditBytes(129, MpiConfig.CREDIT_BYTES_MAX)).isEqualTo(ALL_BYTES_MAX / 128);
    assertThat(Mail.creditBytes(10_000, MpiConfig.CREDIT_BYTES_MAX)).isEqualTo(64 << 10);
  }
}
