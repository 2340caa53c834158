package io.busbar.mpi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Who is interrupted while it waits gets an error, and has sent and received nothing; or, if it is
 * too late for that, it goes on, and stays interrupted.
 */
@Timeout(60)
class InterruptsTest extends Ranks {
  private static final int LONG = 1_000_000;

  /** A call on a thread of its own; the error that it ended with, or null. */
  private static FutureTask<MpiError> begin(ThrowingCallable call, AtomicInteger interrupted) {
    FutureTask<MpiError> task =
        new FutureTask<>(
            () -> {
              MpiError why = catchThrowableOfType(MpiError.class, call);
              interrupted.addAndGet(Thread.currentThread().isInterrupted() ? 1 : 0);
              return why;
            });
    return task;
  }

  private static int[] sevens(int length) {
    int[] all = new int[length];
    Arrays.fill(all, 7);
    return all;
  }

  private static void await(BooleanSupplier holds) {
    while (!holds.getAsBoolean()) {
      Thread.onSpinWait();
    }
  }

  private static void word(Communicator world, int to, int tag) {
    world.send(new int[] {tag}, 0, 1, Datatype.INT, to, tag, false);
  }

  private static int awaitWord(Communicator world, int from, int tag) {
    int[] in = new int[1];
    world.receive(in, 0, 1, Datatype.INT, from, tag, null);
    return in[0];
  }

  private static int posted(Communicator world) {
    return world.mail().matching().incomplete().values().stream().mapToInt(i -> i).sum();
  }

  /** Runs a call until something holds, interrupts it then, and has its error. */
  private static MpiError interrupt(ThrowingCallable call, BooleanSupplier when) throws Exception {
    AtomicInteger interrupted = new AtomicInteger();
    FutureTask<MpiError> task = begin(call, interrupted);
    Thread thread = Thread.ofPlatform().start(task);
    await(() -> when.getAsBoolean() || task.isDone());
    thread.interrupt();
    MpiError why = task.get();
    assertThat(interrupted.get()).as("the thread stays interrupted").isOne();
    return why;
  }

  private static void isInterrupt(MpiError why) {
    assertThat(why).hasMessageContaining("interrupted");
    assertThat(why.kind()).isEqualTo(MpiError.Kind.OTHER);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, LONG})
  void theNextReceiveGetsTheMessage(int length) throws Exception {
    run(
        2,
        world -> {
          int[] data = new int[length];
          if (world.rank() == 0) {
            int[] dead = new int[length];
            isInterrupt(
                interrupt(
                    () -> world.receive(dead, 0, length, Datatype.INT, 1, 5, null),
                    () -> posted(world) == 1));
            isInterrupt(
                interrupt(
                    () -> world.receive(dead, 0, length, Datatype.INT, Communicator.ANY, 5, null),
                    () -> posted(world) == 1));
            word(world, 1, 6);
            world.receive(data, 0, length, Datatype.INT, 1, 5, null);
            assertThat(data).isEqualTo(sevens(data.length));
            assertThat(dead).isEqualTo(new int[length]);
          } else {
            int _ = awaitWord(world, 0, 6);
            Arrays.fill(data, 7);
            world.send(data, 0, length, Datatype.INT, 0, 5, false);
          }
        });
  }

  @Test
  void whoIsInterruptedBeforeGetsWhatIsThere() throws Exception {
    run(
        2,
        world -> {
          if (world.rank() == 0) {
            Status status = new Status();
            world.probe(1, 5, status);
            Thread.currentThread().interrupt();
            assertThat(awaitWord(world, 1, 5)).isEqualTo(5);
            assertThat(world.tryProbe(1, 6, status)).isFalse();
            Request never = world.startReceive(new int[1], 0, 1, Datatype.INT, 1, 6);
            assertThat(never.test()).isFalse();
            Request soon = world.startReceive(new int[1], 0, 1, Datatype.INT, 1, 8);
            word(world, 1, 8);
            await(soon::test);
            isInterrupt(catchThrowableOfType(MpiError.class, never::await));
            assertThat(Thread.interrupted()).isTrue();
            assertThat(posted(world)).as("a request of the program's goes on").isOne();
            word(world, 1, 7);
            never.await();
          } else {
            word(world, 0, 5);
            int _ = awaitWord(world, 0, 8);
            word(world, 0, 8);
            int _ = awaitWord(world, 0, 7);
            word(world, 0, 6);
          }
        });
  }

  @Test
  void whatHasBegunToComeIsReceived() throws Exception {
    CountDownLatch sends = new CountDownLatch(1);
    run(
        2,
        world -> {
          int[] data = new int[LONG];
          if (world.rank() == 0) {
            AtomicInteger interrupted = new AtomicInteger();
            FutureTask<MpiError> receive =
                begin(() -> world.receive(data, 0, LONG, Datatype.INT, 1, 5, null), interrupted);
            Thread thread = Thread.ofPlatform().start(receive);
            await(() -> world.world().holdings().named() == 1); // it has asked for the payload
            thread.interrupt();
            thread.join(50);
            assertThat(receive.isDone()).isFalse();
            sends.countDown();
            assertThat(receive.get()).isNull();
            assertThat(interrupted.get()).isOne();
            assertThat(data).isEqualTo(sevens(data.length));
          } else {
            Arrays.fill(data, 7);
            Request sent = world.startSend(data, 0, LONG, Datatype.INT, 0, 5, false);
            sends.await(); // and does nothing for it
            sent.await();
          }
        });
  }

  @Test
  void theNextProbeFindsTheMessage() throws Exception {
    run(
        2,
        world -> {
          if (world.rank() == 0) {
            AtomicInteger begun = new AtomicInteger();
            isInterrupt(
                interrupt(
                    () -> {
                      begun.set(1);
                      world.probe(1, 5, new Status());
                    },
                    () -> begun.get() == 1));
            word(world, 1, 6);
            world.probe(1, 5, new Status());
            assertThat(awaitWord(world, 1, 5)).isEqualTo(5);
          } else {
            int _ = awaitWord(world, 0, 6);
            word(world, 0, 5);
          }
        });
  }

  /** The receiver hears of it: nothing is left there. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void sendsAreCalledBack(boolean sync) throws Exception {
    int length = sync ? 100 : LONG;
    run(
        2,
        world -> {
          Holdings holdings = world.world().holdings();
          if (world.rank() == 0) {
            int[] data = new int[length];
            isInterrupt(
                interrupt(
                    () -> world.send(data, 0, length, Datatype.INT, 1, 5, sync),
                    () -> holdings.named() == 1));
            assertThat(holdings.named()).isZero();
            Arrays.fill(data, 7);
            word(world, 1, 6);
            world.send(data, 0, length, Datatype.INT, 1, 5, sync);
          } else {
            int _ = awaitWord(world, 0, 6);
            assertThat(holdings.kept()).isLessThan(2);
            int[] in = new int[length];
            world.receive(in, 0, length, Datatype.INT, 0, 5, null);
            assertThat(in).isEqualTo(sevens(length));
            assertThat(world.tryProbe(0, 5, new Status())).isFalse();
          }
        });
  }

  @Test
  void sendsThatAreAskedForLeave() throws Exception {
    CountDownLatch receives = new CountDownLatch(1);
    run(
        2,
        world -> {
          int[] data = new int[LONG];
          if (world.rank() == 0) {
            Arrays.fill(data, 7);
            AtomicInteger interrupted = new AtomicInteger();
            FutureTask<MpiError> send =
                begin(() -> world.send(data, 0, LONG, Datatype.INT, 1, 5, false), interrupted);
            Thread thread = Thread.ofPlatform().start(send);
            await(() -> world.world().holdings().named() == 1);
            receives.countDown();
            thread.interrupt(); // it may be heard there first, or not
            MpiError why = send.get();
            word(world, 1, why == null ? 6 : 8);
            assertThat(interrupted.get()).isOne();
          } else {
            receives.await();
            Request came = world.startReceive(data, 0, LONG, Datatype.INT, 0, 5);
            int[] told = new int[1];
            Status status = new Status();
            world.receive(told, 0, 1, Datatype.INT, 0, Communicator.ANY, status);
            if (told[0] == 6) {
              came.await();
              assertThat(data).isEqualTo(sevens(data.length));
            } else {
              came.cancel();
              came.await();
              assertThat(came.isCancelled()).isTrue();
              assertThat(data).isEqualTo(new int[LONG]);
            }
          }
        });
  }

  /** Wherever a thread that sends is interrupted, what it was told is so. */
  @ParameterizedTest
  @ValueSource(ints = {1, 30, 200, 1_000, Integer.MAX_VALUE})
  void everySendThatReturnsIsReceivedAndNoOther(int enough) throws Exception {
    CountDownLatch ended = new CountDownLatch(1);
    run(
        2,
        world -> {
          if (world.rank() == 0) {
            AtomicInteger sent = new AtomicInteger();
            BooleanSupplier stands = standsStill(sent);
            isInterrupt(
                interrupt(
                    () -> flood(world, sent), () -> sent.get() >= enough || stands.getAsBoolean()));
            ended.countDown();
            world.send(new int[] {sent.get()}, 0, 1, Datatype.INT, 1, 6, false);
          } else {
            ended.await();
            int count = awaitWord(world, 0, 6);
            for (int i = 0; i < count; i++) {
              assertThat(drain(world)).isEqualTo(i);
            }
            assertThat(world.tryProbe(0, 5, new Status())).isFalse();
          }
        });
  }

  /** Whether a thread sends no more, because what is kept for it has its bound. */
  private static BooleanSupplier standsStill(AtomicInteger sent) {
    int[] last = {0};
    long[] since = {System.nanoTime()};
    return () -> {
      long now = System.nanoTime();
      if (last[0] != sent.get()) {
        last[0] = sent.get();
        since[0] = now;
      }
      return now - since[0] > 200_000_000;
    };
  }

  private static final int FLOOD_LENGTH = 5_000;

  private static void flood(Communicator world, AtomicInteger sent) {
    int[] data = new int[FLOOD_LENGTH];
    while (true) {
      data[0] = sent.get();
      world.send(data, 0, FLOOD_LENGTH, Datatype.INT, 1, 5, false);
      int _ = sent.incrementAndGet();
    }
  }

  private static int drain(Communicator world) {
    int[] data = new int[FLOOD_LENGTH];
    world.receive(data, 0, FLOOD_LENGTH, Datatype.INT, 0, 5, null);
    return data[0];
  }

  /** A collective that was given up writes nothing later. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void collectivesGiveTheProgramsMemoryBack(boolean forAll) throws Exception {
    CountDownLatch over = new CountDownLatch(1);
    run(
        2,
        world -> {
          int[] all = new int[2];
          if (world.rank() == 0) {
            isInterrupt(interrupt(() -> gather(world, all, forAll), () -> receives(world) == 1));
            over.countDown();
            int _ = awaitWord(world, 1, 6);
            assertThat(all).containsExactly(1, 0);
            assertThat(world.world().holdings().kept()).isOne();
          } else {
            over.await();
            gather(world, all, forAll);
            word(world, 0, 6);
          }
        });
  }

  private static void gather(Communicator world, int[] all, boolean forAll) {
    int[] mine = {world.rank() + 1};
    if (forAll) {
      world.collectives().allGather(mine, 0, 1, Datatype.INT, all, 0, 1, Datatype.INT);
    } else {
      world.collectives().gather(mine, 0, 1, Datatype.INT, all, 0, 1, Datatype.INT, 0);
    }
  }

  /** What was not sent to all is not waited for by those who hear that there is no more. */
  @Test
  void anInterruptedBroadcastIsNotCounted() throws Exception {
    CountDownLatch ended = new CountDownLatch(1);
    CountDownLatch heard = new CountDownLatch(2);
    runWorlds(
        3,
        "shm",
        world -> {
          Communicator all = world.begin();
          byte[] data = new byte[1_000];
          all.collectives().broadcast(data, 0, 1, Datatype.BYTE, 0);
          if (all.rank() == 0) {
            AtomicInteger sent = new AtomicInteger();
            BooleanSupplier stands = standsStill(sent);
            isInterrupt(
                interrupt(
                    () -> {
                      while (true) {
                        all.collectives().broadcast(data, 0, data.length, Datatype.BYTE, 0);
                        int _ = sent.incrementAndGet();
                      }
                    },
                    stands));
            world.end();
            ended.countDown();
            heard.await(); // its node is there as long
          } else {
            ended.await();
            MpiError why = catchThrowableOfType(MpiError.class, () -> awaitWord(all, 0, 6));
            assertThat(why).hasMessageContaining("has finalised");
            heard.countDown();
            world.end();
          }
        });
  }

  /** Receives of collectives that wait. */
  private static int receives(Communicator world) {
    return world.mail().matching().isEmpty(world.collectiveContext()) ? 0 : 1;
  }
}
