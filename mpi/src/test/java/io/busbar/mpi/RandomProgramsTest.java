package io.busbar.mpi;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Valid programs that nobody would write: exchanges and collectives drawn from a seed, on
 * communicators that are made on the way. Every rank draws the same program, and so knows what it
 * has to get.
 */
@Timeout(300)
class RandomProgramsTest extends Ranks {
  private static final int PHASES = 25;

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6})
  void seeds(long seed) throws Exception {
    one(seed, "shm");
  }

  @Tag("long")
  @ParameterizedTest
  @CsvSource({"shm, 100", "udp, 40", "shm+udp/udp/shm+udp, 40"})
  void manySeeds(String fabric, int count) throws Exception {
    for (int seed = 1000; seed < 1000 + count; seed++) {
      one(seed, fabric);
    }
  }

  private void one(long seed, String fabric) throws Exception {
    int ranks = 2 + new Random(seed).nextInt(5);
    try {
      run(ranks, fabric.replace('+', ','), world -> new Play(seed, world).run());
    } catch (AssertionError e) {
      throw new AssertionError("seed %d on %d ranks over %s".formatted(seed, ranks, fabric), e);
    }
  }

  /** One rank's part. */
  private static final class Play {
    private final Random shared;
    private final Random own;
    private final List<Communicator> all = new ArrayList<>();

    Play(long seed, Communicator world) {
      shared = new Random(seed);
      own = new Random(31 * seed + world.rank());
      all.add(world);
    }

    void run() {
      for (int phase = 0; phase < PHASES; phase++) {
        Communicator on = all.get(shared.nextInt(all.size()));
        int salt = shared.nextInt();
        switch (shared.nextInt(8)) {
          case 0, 1, 2 -> exchange(on, salt);
          case 3 -> farm(on, salt);
          case 4, 5 -> collectives(on, salt);
          case 6 -> many(on, salt);
          default -> make(on);
        }
      }
    }

    /** Lengths of all kinds: within a frame, whole, asked for. */
    private static int length(Random random) {
      return switch (random.nextInt(5)) {
        case 0 -> 0;
        case 1 -> random.nextInt(20);
        case 2 -> random.nextInt(2_000);
        case 3 -> random.nextInt(20_000);
        default -> random.nextInt(100_000);
      };
    }

    private static int[] content(int salt, int from, int to, int i, int length) {
      return new Random(salt + 7L * from + 1_000L * to + 100_000L * i).ints(length).toArray();
    }

    /** Every rank has receives in any order, then sends of any mode in any order. */
    private void exchange(Communicator on, int salt) {
      Random random = new Random(salt);
      int n = on.size();
      List<Request> requests = new ArrayList<>();
      List<Runnable> receives = new ArrayList<>();
      List<Runnable> sends = new ArrayList<>();
      List<Runnable> checks = new ArrayList<>();
      int count = random.nextInt(3 * n);
      for (int i = 0; i < count; i++) {
        int from = random.nextInt(n);
        int to = random.nextInt(n);
        int length = length(random);
        int mode = random.nextInt(3);
        int tag = i;
        if (to == on.rank()) {
          int[] in = new int[length + own.nextInt(3)];
          receives.add(
              () -> requests.add(on.startReceive(in, 0, in.length, Datatype.INT, from, tag)));
          int[] right = content(salt, from, to, i, length);
          checks.add(() -> assertThat(Arrays.copyOf(in, length)).isEqualTo(right));
        }
        if (from == on.rank()) {
          int[] out = content(salt, from, to, i, length);
          sends.add(() -> send(on, out, to, tag, mode, requests));
        }
      }
      Collections.shuffle(receives, own);
      Collections.shuffle(sends, own);
      receives.forEach(Runnable::run);
      sends.forEach(Runnable::run);
      Collections.shuffle(requests, own);
      requests.forEach(Request::await);
      checks.forEach(Runnable::run);
    }

    private static void send(
        Communicator on, int[] out, int to, int tag, int mode, List<Request> requests) {
      switch (mode) {
        case 0 -> on.send(out, 0, out.length, Datatype.INT, to, tag, false);
        case 1 -> requests.add(on.startSend(out, 0, out.length, Datatype.INT, to, tag, false));
        default -> requests.add(on.startSend(out, 0, out.length, Datatype.INT, to, tag, true));
      }
    }

    /**
     * One rank takes from anybody; those of each come in their order. Later ones have other tags.
     */
    private void farm(Communicator on, int salt) {
      Random random = new Random(salt);
      int n = on.size();
      int master = random.nextInt(n);
      int each = random.nextInt(6);
      int tag = 1_000 + (salt & 0xFFFFF);
      if (on.rank() != master) {
        for (int i = 0; i < each; i++) {
          int[] word = new int[1 + length(new Random(salt + i + on.rank()))];
          word[0] = i;
          on.send(word, 0, word.length, Datatype.INT, master, tag, false);
        }
        return;
      }
      int[] next = new int[n];
      Status status = new Status();
      for (int i = 0; i < each * (n - 1); i++) {
        if (own.nextBoolean()) {
          on.probe(Communicator.ANY, tag, status);
        }
        int[] in = new int[100_001];
        on.receive(in, 0, in.length, Datatype.INT, Communicator.ANY, tag, status);
        assertThat(in[0]).isEqualTo(next[status.source()]++);
      }
    }

    private void collectives(Communicator on, int salt) {
      Random random = new Random(salt);
      int n = on.size();
      int length = 1 + length(random);
      int root = random.nextInt(n);
      long[] mine = new Random(salt + on.rank()).longs(length).toArray();
      long[] sum = new long[length];
      long[] upTo = new long[length];
      for (int r = 0; r < n; r++) {
        long[] theirs = new Random(salt + r).longs(length).toArray();
        for (int i = 0; i < length; i++) {
          sum[i] += theirs[i];
          upTo[i] += r <= on.rank() ? theirs[i] : 0;
        }
      }
      long[] in = new long[length];
      switch (random.nextInt(4)) {
        case 0 -> {
          on.collectives().allReduce(mine, 0, in, 0, length, Datatype.LONG, Operation.SUM);
          assertThat(in).isEqualTo(sum);
        }
        case 1 -> {
          on.collectives().reduce(mine, 0, in, 0, length, Datatype.LONG, Operation.SUM, root);
          assertThat(in).isEqualTo(on.rank() == root ? sum : new long[length]);
        }
        case 2 -> {
          on.collectives().scan(mine, 0, in, 0, length, Datatype.LONG, Operation.SUM, false);
          assertThat(in).isEqualTo(upTo);
        }
        default -> {
          on.collectives().broadcast(mine, 0, length, Datatype.LONG, root);
          assertThat(mine).isEqualTo(new Random(salt + root).longs(length).toArray());
        }
      }
    }

    /** Collectives that are not waited for, with messages between. */
    private void many(Communicator on, int salt) {
      List<Request> requests = new ArrayList<>();
      List<int[]> sums = new ArrayList<>();
      for (int i = 0; i < 5; i++) {
        int[] mine = {i + on.rank()};
        int[] sum = new int[1];
        sums.add(sum);
        requests.add(
            on.start("sum", c -> c.allReduce(mine, 0, sum, 0, 1, Datatype.INT, Operation.SUM)));
      }
      exchange(on, salt);
      Collections.shuffle(requests, own);
      requests.forEach(Request::await);
      int ranks = IntStream.range(0, on.size()).sum();
      for (int i = 0; i < 5; i++) {
        assertThat(sums.get(i)[0]).isEqualTo(i * on.size() + ranks);
      }
    }

    /** Another communicator; only those that all ranks are in are used by all. */
    private void make(Communicator on) {
      if (all.size() > 4) {
        all.remove(all.size() - 1).free();
      } else if (on.equals(all.getFirst())) {
        all.add(
            shared.nextBoolean()
                ? on.duplicate()
                : Objects.requireNonNull(on.split(0, -on.rank())));
      }
    }
  }
}
