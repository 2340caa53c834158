package io.busbar.mpi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Broadcasts of all ranks go by the bus, and mean what they mean without it; so do barriers. */
@Timeout(60)
class BusTest extends Ranks {
  private static final int SHORT_BYTES = 1 << 10;
  private static final int CAST_CREDIT_BYTES = 4 << 20;
  private static final int MAIL_CREDIT_BYTES = 1 << 20;

  /** Messages that all ranks have sent to all at once. */
  private final AtomicLong casts = new AtomicLong();

  private void runCounted(int ranks, String fabric, Program program) throws Exception {
    runWorlds(
        ranks,
        fabric,
        world -> {
          program.run(world.begin());
          world.end();
          casts.addAndGet(world.casts());
        });
  }

  private static byte[] content(int root, int round, int length) {
    byte[] bytes = new byte[length];
    for (int i = 0; i < length; i++) {
      bytes[i] = (byte) (31 * root + 7 * round + i);
    }
    return bytes;
  }

  private static void broadcast(Communicator on, int root, int round, int length) {
    byte[] right = content(root, round, length);
    byte[] mine = on.rank() == root ? right.clone() : new byte[length];
    on.collectives().broadcast(mine, 0, length, Datatype.BYTE, root);
    assertThat(mine).as("root %d, round %d", root, round).isEqualTo(right);
  }

  @ParameterizedTest
  @ValueSource(ints = {3, 4, 7, 8})
  void shortBroadcastsGoByTheBusFromAnyRoot(int ranks) throws Exception {
    int[] lengths = {0, 1, 8, SHORT_BYTES, 2_000};
    runCounted(
        ranks,
        "shm",
        world -> {
          for (int round = 0; round < lengths.length; round++) {
            for (int root = 0; root < ranks; root++) {
              broadcast(world, root, round, lengths[round]);
            }
          }
        });
    assertThat(casts).hasValue((long) lengths.length * ranks);
  }

  @Test
  void whatIsNotForAllOrNotShortGoesByTheTree() throws Exception {
    runCounted(
        4,
        "shm",
        world -> {
          broadcast(world, 1, 0, 100_000);
          broadcast(world, 2, 0, 10_000); // of one host: fewer copies
          Communicator some = world.split(world.rank() == 3 ? 1 : 0, 0);
          if (some != null) {
            broadcast(some, 0, 1, SHORT_BYTES);
          }
          Object[] word = {world.rank() == 2 ? "objects" : ""};
          world.collectives().broadcast(word, 0, 1, Datatype.OBJECT, 2);
          assertThat(word).containsExactly("objects");
        });
    assertThat(casts).hasValue(0);
  }

  /** To tell each by himself is no better than a tree. */
  @ParameterizedTest
  @ValueSource(strings = {"udp", "shm/udp,shm"})
  void choiceIsTheSameForAll(String fabrics) throws Exception {
    boolean isShared = fabrics.startsWith("shm");
    runCounted(
        4,
        fabrics.replace("udp,shm", "shm,udp"),
        world -> {
          for (int root = 0; root < 4; root++) {
            broadcast(world, root, 0, SHORT_BYTES);
          }
          world.collectives().barrier();
        });
    assertThat(casts).hasValue(isShared ? 4 : 0);
  }

  @ParameterizedTest
  @ValueSource(ints = {3, 4, 7, 8})
  void nobodyLeavesABarrierBeforeAllHaveCome(int ranks) throws Exception {
    AtomicInteger came = new AtomicInteger();
    int rounds = 50;
    runCounted(
        ranks,
        "shm",
        world -> {
          for (int round = 1; round <= rounds; round++) {
            if (round % 10 == world.rank()) {
              TimeUnit.MILLISECONDS.sleep(1);
            }
            int _ = came.incrementAndGet();
            world.collectives().barrier();
            assertThat(came.get()).as("round %d", round).isGreaterThanOrEqualTo(round * ranks);
          }
        });
    assertThat(casts).as("of one host: by the tree").hasValue(0);
  }

  /** A rank that waits for something else keeps what is within the credit, and loses nothing. */
  @Test
  void rootIsAheadOfASlowRankWithinItsCredit() throws Exception {
    int rounds = 6_000;
    int goesAt = 4_300; // past the credit of casts, within that of messages to one
    runCounted(
        4,
        "shm",
        world -> {
          world.collectives().barrier(); // all find out about the bus
          if (world.rank() == 2) {
            world.receive(new byte[1], 0, 1, Datatype.BYTE, 1, 5, null);
            Holdings holdings = world.world().holdings();
            assertThat(holdings.keptCastBytes(0))
                .isBetween(CAST_CREDIT_BYTES / 2L, (long) CAST_CREDIT_BYTES);
            assertThat(holdings.keptBytes(0)).isBetween(1L, (long) MAIL_CREDIT_BYTES);
          }
          for (int round = 0; round < rounds; round++) {
            broadcast(world, 0, round, SHORT_BYTES);
            if (world.rank() == 1 && round == goesAt) {
              world.send(new byte[1], 0, 1, Datatype.BYTE, 2, 5, false);
            }
          }
        });
    assertThat(casts).hasValueBetween(goesAt / 2L, rounds - 100L);
  }

  /** A rank that is not in MPI holds the root back, and gets all of it when it comes. */
  @Test
  void rankThatComputesGetsAllWhenItComes() throws Exception {
    runCounted(
        4,
        "shm",
        world -> {
          broadcast(world, 3, 0, 8);
          if (world.rank() == 1) {
            TimeUnit.MILLISECONDS.sleep(300);
          }
          for (int round = 0; round < 2_000; round++) {
            broadcast(world, 0, round, SHORT_BYTES);
          }
        });
    assertThat(casts.get()).isPositive();
  }

  /** Sends that nobody has received use up the credit of messages, and not that of broadcasts. */
  @Test
  void unreceivedMessagesDoNotHoldBroadcastsBack() throws Exception {
    int count = 2_000;
    runCounted(
        3,
        "shm",
        world -> {
          List<Request> sent = new ArrayList<>();
          byte[] bytes = new byte[SHORT_BYTES];
          for (int i = 0; world.rank() == 0 && i < count; i++) {
            sent.add(world.startSend(bytes, 0, bytes.length, Datatype.BYTE, 1, i, false));
          }
          broadcast(world, 0, 1, SHORT_BYTES);
          world.collectives().barrier();
          for (int i = count - 1; world.rank() == 1 && i >= 0; i--) {
            world.receive(bytes, 0, bytes.length, Datatype.BYTE, 0, i, null);
          }
          sent.forEach(Request::await);
        });
    assertThat(casts).hasValue(1);
  }

  /** Broadcasts that nobody waits for, of two threads, each with a communicator of its own. */
  @Test
  void threadsBroadcastAtOnce() throws Exception {
    runCounted(
        4,
        "shm",
        world -> {
          Communicator[] each = {world.duplicate(), world.duplicate()};
          try (ExecutorService threads = Executors.newCachedThreadPool()) {
            List<Future<?>> all = new ArrayList<>();
            for (Communicator on : each) {
              all.add(threads.submit(() -> several(on)));
            }
            for (Future<?> one : all) {
              Object _ = one.get();
            }
          }
        });
    assertThat(casts.get()).isGreaterThanOrEqualTo(2 * 200);
  }

  private static void several(Communicator on) {
    for (int round = 0; round < 100; round++) {
      byte[] early = on.rank() == 1 ? content(1, round, 64) : new byte[64];
      Request request = on.start("bcast", calls -> calls.broadcast(early, 0, 64, Datatype.BYTE, 1));
      broadcast(on, round % 4, round, SHORT_BYTES);
      on.collectives().barrier();
      request.await();
      assertThat(request.error()).isNull();
      assertThat(early).isEqualTo(content(1, round, 64));
    }
  }

  /** The last broadcast of an epoch is not overtaken by its end, nor mistaken for a later one. */
  @Test
  void rootMayFinaliseAtOnce() throws Exception {
    int epochs = 100;
    runWorlds(
        3,
        "shm",
        world -> {
          for (int epoch = 0; epoch < epochs; epoch++) {
            Communicator all = world.begin();
            if (epoch == 0) {
              all.collectives().barrier();
            }
            broadcast(all, epoch % 3, epoch, epoch % 2 == 0 ? 8 : SHORT_BYTES);
            world.end();
          }
          casts.addAndGet(world.casts());
        });
    assertThat(casts).hasValue(epochs);
  }

  /** A rank that ends in the middle is an error of the others, who end then; nobody waits on. */
  @ParameterizedTest
  @ValueSource(ints = {0, 2})
  void endOfARankIsAnErrorOfTheOthers(int whose) throws Exception {
    int ranks = 4;
    AtomicInteger know = new AtomicInteger();
    runWorlds(
        ranks,
        "shm",
        world -> {
          Communicator all = world.begin();
          for (int round = 0; round < 20; round++) {
            broadcast(all, round % ranks, round, SHORT_BYTES);
          }
          if (world.rank() == whose) {
            return; // without an end of MPI
          }
          MpiError error =
              catchThrowableOfType(
                  MpiError.class,
                  () -> {
                    for (int round = 0; round < 1_000_000; round++) {
                      broadcast(all, round % ranks, round, SHORT_BYTES);
                      all.collectives().barrier();
                    }
                  });
          assertThat(error.kind()).isEqualTo(MpiError.Kind.PROC_FAILED);
          int _ = know.incrementAndGet();
        });
    assertThat(know).hasValue(ranks - 1);
  }

  @Test
  void messageThatIsTooLongIsAnError() throws Exception {
    runCounted(
        3,
        "shm",
        world -> {
          byte[] bytes = new byte[world.rank() == 0 ? 100 : 60];
          Arrays.fill(bytes, (byte) (world.rank() == 0 ? 1 : 0));
          MpiError error =
              catchThrowableOfType(
                  MpiError.class,
                  () -> world.collectives().broadcast(bytes, 0, bytes.length, Datatype.BYTE, 0));
          if (world.rank() != 0) {
            assertThat(error.kind()).isEqualTo(MpiError.Kind.TRUNCATE);
            assertThat(error)
                .hasMessage("rank 0 gave 100 bytes to this collective, and there is room for 60");
            assertThat(bytes).containsOnly(1);
          }
        });
    assertThat(casts).hasValue(1);
  }
}
