package io.busbar.mpi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** MPI is begun and ended again and again; ranks need not do it at the same moment. */
@Timeout(120)
class EpochsTest extends Ranks {
  private static final int EPOCHS = 150;
  private static final int LONG_INTS = 20_000;

  /** How many epochs each rank has begun and sent its messages in. */
  private final AtomicIntegerArray begun = new AtomicIntegerArray(3);

  private void awaitBegun(int rank, int count) throws InterruptedException {
    long startNs = System.nanoTime();
    while (begun.get(rank) < count) {
      assertThat(System.nanoTime() - startNs)
          .as("ns for rank %d", rank)
          .isLessThan(60_000_000_000L);
      TimeUnit.MICROSECONDS.sleep(50);
    }
  }

  private static int[] word(int epoch, int rank) {
    return new int[] {10 * epoch + rank};
  }

  /**
   * Rank 0 sends and waits for nobody, so that its messages come before the epoch that they belong
   * to; of the other two one is at times behind it, and the last behind both. In every tenth epoch
   * all meet, on a communicator of that epoch.
   */
  @ParameterizedTest
  @ValueSource(strings = {"shm", "udp"})
  void messagesStayInTheirEpochs(String fabric) throws Exception {
    runWorlds(
        3,
        fabric,
        world -> {
          for (int epoch = 0; epoch < EPOCHS; epoch++) {
            Communicator all = world.begin();
            boolean meets = epoch % 10 == 9;
            boolean isLast = epoch == EPOCHS - 1;
            for (int to = world.rank() + 1; to < 3; to++) {
              all.send(word(epoch, world.rank()), 0, 1, Datatype.INT, to, 0, false);
            }
            begun.set(world.rank(), epoch + 1);
            int ahead = isLast || meets ? epoch + 1 : epoch + 2;
            if (world.rank() == 1 && epoch % 2 == 0) {
              awaitBegun(0, ahead);
            } else if (world.rank() == 2 && epoch % 3 == 0) {
              awaitBegun(1, ahead);
              awaitBegun(0, ahead);
            }
            hear(all, epoch);
            if (meets) {
              meet(all, epoch);
            }
            world.end();
          }
        });
  }

  /** One message from each lower rank, in any order, and no other. */
  private static void hear(Communicator all, int epoch) {
    boolean[] from = new boolean[3];
    int[] in = new int[1];
    Status status = new Status();
    for (int i = 0; i < all.rank(); i++) {
      all.receive(in, 0, 1, Datatype.INT, Communicator.ANY, Communicator.ANY, status);
      assertThat(in).as("in epoch %d", epoch).isEqualTo(word(epoch, status.source()));
      assertThat(from[status.source()]).isFalse();
      from[status.source()] = true;
    }
  }

  private static void meet(Communicator all, int epoch) {
    Communicator mine = all.duplicate();
    int[] sum = new int[1];
    mine.collectives().allReduce(word(epoch, 1), 0, sum, 0, 1, Datatype.INT, Operation.SUM);
    assertThat(sum[0]).isEqualTo(3 * (10 * epoch + 1));
    int[] ints = new int[LONG_INTS]; // asked for
    if (mine.rank() == 2) {
      ints[LONG_INTS - 1] = epoch;
      mine.send(ints, 0, LONG_INTS, Datatype.INT, 0, 1, false);
    } else if (mine.rank() == 0) {
      mine.receive(ints, 0, LONG_INTS, Datatype.INT, 2, 1, null);
      assertThat(ints[LONG_INTS - 1]).isEqualTo(epoch);
    }
  }

  /** What was finalised with an epoch that is still to come here was finalised with this one. */
  @ParameterizedTest
  @ValueSource(strings = {"shm", "udp"})
  void whoEndsEpochsAheadHasNotFailed(String fabric) throws Exception {
    CountDownLatch told = new CountDownLatch(1);
    runWorlds(
        3,
        fabric,
        world -> {
          Communicator all = world.begin();
          int[] in = new int[1];
          if (world.rank() == 1) {
            for (int epoch = 0; epoch < 3; epoch++) {
              world.end();
              Communicator _ = world.begin();
            }
          } else if (world.rank() == 2) {
            assertThat(told.await(60, TimeUnit.SECONDS)).isTrue();
            all.send(word(0, 2), 0, 1, Datatype.INT, 0, 0, false);
          } else {
            Request any = all.startReceive(in, 0, 1, Datatype.INT, Communicator.ANY, 0);
            String why = "";
            while (!why.contains("has finalised and ended")) { // first that it has finalised
              MpiError error =
                  catchThrowableOfType(
                      MpiError.class,
                      () -> all.receive(new int[1], 0, 1, Datatype.INT, 1, 1, null));
              assertThat(error.kind()).isEqualTo(MpiError.Kind.PROC_FAILED);
              why = String.valueOf(error.getMessage());
              assertThat(why).contains("has finalised");
              boolean _ = any.test();
            }
            assertThat(any.test()).isFalse();
            told.countDown();
            any.await();
            assertThat(any.error()).isNull();
            assertThat(in).isEqualTo(word(0, 2));
          }
          world.end();
        });
  }

  /**
   * In another order on each rank; what is made of one is never taken for what is made of other.
   */
  @Test
  void communicatorsMadeAtOnceAreApart() throws Exception {
    run(
        3,
        world -> {
          Communicator one = world.duplicate();
          Communicator other = world.duplicate();
          for (int i = 0; i < 30; i++) {
            boolean isFirst = (world.rank() + i) % 2 == 0;
            AtomicReference<Communicator> made = new AtomicReference<>();
            AtomicReference<Communicator> too = new AtomicReference<>();
            Request first = (isFirst ? one : other).startDuplicate((isFirst ? made : too)::set);
            Request second = (isFirst ? other : one).startDuplicate((isFirst ? too : made)::set);
            Collectives.finish(List.of(first, second));
            Communicator ofOne = Objects.requireNonNull(made.get());
            Communicator ofOther = Objects.requireNonNull(too.get());
            assertThat(ofOne.compare(ofOther)).isEqualTo(Group.Likeness.CONGRUENT);
            int[] contexts = {ofOne.collectiveContext(), ofOther.collectiveContext()};
            int[] highest = new int[2];
            world.collectives().allReduce(contexts, 0, highest, 0, 2, Datatype.INT, Operation.MAX);
            assertThat(contexts).isEqualTo(highest);
          }
        });
  }

  /** Threads that wait still do not keep the process alive. */
  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void waitsEndWhenAllHaveFinalised(int ranks) throws Exception {
    CountDownLatch finalised = new CountDownLatch(ranks);
    runWorlds(
        ranks,
        "shm",
        world -> {
          Communicator all = world.begin();
          List<FutureTask<@Nullable MpiError>> waits =
              List.of(
                  receiving(all, Communicator.ANY),
                  receiving(all, all.rank()),
                  receiving(world.self(), Communicator.ANY),
                  waiting(() -> all.probe(Communicator.ANY, 0, new Status())));
          TimeUnit.MILLISECONDS.sleep(50); // the last one waits then, or is too late
          world.end();
          finalised.countDown();
          for (FutureTask<@Nullable MpiError> wait : waits) {
            MpiError error = Objects.requireNonNull(wait.get(20, TimeUnit.SECONDS));
            assertThat(error).hasMessageContaining("finalised");
          }
          assertThat(finalised.await(20, TimeUnit.SECONDS)).isTrue();
        });
  }

  /** Who begins again leaves nobody waiting in what is over. */
  @Test
  void waitsEndWhenAnotherEpochBegins() throws Exception {
    CountDownLatch told = new CountDownLatch(1);
    runWorlds(
        2,
        "shm",
        world -> {
          Communicator all = world.begin();
          if (world.rank() == 0) {
            FutureTask<@Nullable MpiError> wait = receiving(all, Communicator.ANY);
            world.end();
            assertThat(wait.isDone()).as("rank 1 may send still").isFalse();
            Communicator _ = world.begin();
            MpiError error = Objects.requireNonNull(wait.get(20, TimeUnit.SECONDS));
            assertThat(error).hasMessageContaining("finalised");
            told.countDown();
          } else {
            assertThat(told.await(40, TimeUnit.SECONDS)).isTrue();
          }
          world.end();
        });
  }

  private static FutureTask<@Nullable MpiError> receiving(Communicator in, int source) {
    Request asked = in.startReceive(new int[1], 0, 1, Datatype.INT, source, 0);
    return waiting(() -> Collectives.finish(asked));
  }

  /** What a thread of its own is told that waits in vain. */
  private static FutureTask<@Nullable MpiError> waiting(Runnable call) {
    FutureTask<@Nullable MpiError> wait =
        new FutureTask<>(() -> catchThrowableOfType(MpiError.class, call::run));
    Thread _ = Thread.ofPlatform().daemon().start(wait);
    return wait;
  }
}
