package mpi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.nio.IntBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** When sends are over, when their memory may be changed, and what an interrupt leaves. */
@Timeout(60)
class ModesTest extends Worlds {
  private static final int LONG = 250_000;

  private static void word(Comm world, int to, int tag) {
    world.Send(new int[] {tag}, 0, 1, MPI.INT, to, tag);
  }

  private static void awaitWord(Comm world, int from, int tag) {
    Status _ = world.Recv(new int[1], 0, 1, MPI.INT, from, tag);
  }

  private static int[] filled(int length, int value) {
    int[] made = new int[length];
    Arrays.fill(made, value);
    return made;
  }

  // In step.

  /** A synchronous send of each kind, to rank 1 with tag 5. */
  enum Step {
    S_SEND_UPPER,
    S_SEND_LOWER,
    ISSEND,
    IS_SEND,
    SSEND_INIT,
    S_SEND_INIT;

    Request begin(Comm on, int length) {
      int[] array = filled(length, 7);
      IntBuffer buffer = MPI.newIntBuffer(length).put(0, array);
      return switch (this) {
        case ISSEND -> on.Issend(array, 0, length, MPI.INT, 1, 5);
        case IS_SEND -> on.isSend(buffer, length, MPI.INT, 1, 5);
        case SSEND_INIT -> begun(on.Ssend_init(array, 0, length, MPI.INT, 1, 5));
        case S_SEND_INIT -> begun(on.sSendInit(buffer, length, MPI.INT, 1, 5));
        default -> throw new IllegalStateException("waits");
      };
    }

    private static Request begun(Prequest request) {
      request.start();
      return request;
    }

    /** Whether the send waits itself. */
    boolean waits() {
      return this == S_SEND_UPPER || this == S_SEND_LOWER;
    }

    void send(Comm on, int length) {
      int[] array = filled(length, 7);
      if (this == S_SEND_UPPER) {
        on.Ssend(array, 0, length, MPI.INT, 1, 5);
      } else {
        on.sSend(array, length, MPI.INT, 1, 5);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void sendsInStepAreOverWhenTheirReceivesHaveBegun(Step step) throws Exception {
    play(
        2,
        world -> {
          for (int length : new int[] {1, LONG}) {
            if (world.Rank() == 0) {
              sendInStep(world, step, length);
            } else {
              Status _ = world.Probe(0, 5); // it is there, and not received
              word(world, 0, 1);
              awaitWord(world, 0, 2);
              int[] in = new int[length];
              Status _ = world.Recv(in, 0, length, MPI.INT, 0, 5);
              assertThat(in).isEqualTo(filled(length, 7));
            }
          }
        });
  }

  private static void sendInStep(Comm world, Step step, int length) throws Exception {
    if (step.waits()) {
      Thread sends = Thread.ofPlatform().start(() -> step.send(world, length));
      awaitWord(world, 1, 1);
      assertThat(sends.join(java.time.Duration.ofMillis(50))).as("it has returned").isFalse();
      word(world, 1, 2);
      sends.join();
    } else {
      Request sent = step.begin(world, length);
      awaitWord(world, 1, 1);
      assertThat(sent.test()).as("it is over").isFalse();
      word(world, 1, 2);
      sent.waitFor();
    }
  }

  // Memory.

  /** A send of each kind in upper case that returns at once, from an array that is changed then. */
  enum Leaving {
    ISEND,
    ISSEND,
    IRSEND,
    IBSEND,
    SEND_INIT,
    SSEND_INIT,
    RSEND_INIT,
    BSEND_INIT;

    Request begin(Comm on, int[] array, int to) {
      int n = array.length;
      return switch (this) {
        case ISEND -> on.Isend(array, 0, n, MPI.INT, to, 5);
        case ISSEND -> on.Issend(array, 0, n, MPI.INT, to, 5);
        case IRSEND -> on.Irsend(array, 0, n, MPI.INT, to, 5);
        case IBSEND -> on.Ibsend(array, 0, n, MPI.INT, to, 5);
        case SEND_INIT -> begun(on.Send_init(array, 0, n, MPI.INT, to, 5));
        case SSEND_INIT -> begun(on.Ssend_init(array, 0, n, MPI.INT, to, 5));
        case RSEND_INIT -> begun(on.Rsend_init(array, 0, n, MPI.INT, to, 5));
        case BSEND_INIT -> begun(on.Bsend_init(array, 0, n, MPI.INT, to, 5));
      };
    }

    private static Request begun(Prequest request) {
      request.Start();
      return request;
    }
  }

  /** Programs of MPJ Express fill one array again and again, and wait for nothing. */
  @ParameterizedTest
  @EnumSource
  void arraysMayBeChangedAtOnceInUpperCase(Leaving kind) throws Exception {
    int rounds = 2;
    int ranks = 4;
    CountDownLatch receive = new CountDownLatch(1);
    play(
        ranks,
        world -> {
          int[] array = new int[LONG]; // 1 MB
          if (world.Rank() == 0) {
            List<Request> sent = new ArrayList<>();
            for (int round = 0; round < rounds; round++) {
              for (int to = 1; to < ranks; to++) {
                Arrays.fill(array, 10 * round + to);
                Request one = kind.begin(world, array, to);
                if (round == 0) {
                  one.Free();
                } else {
                  sent.add(one);
                }
              }
            }
            Arrays.fill(array, -1);
            receive.countDown();
            Status[] _ = Request.Waitall(sent.toArray(Request[]::new));
          } else {
            receive.await();
            for (int round = 0; round < rounds; round++) {
              Status _ = world.Recv(array, 0, LONG, MPI.INT, 0, 5);
              assertThat(array).isEqualTo(filled(LONG, 10 * round + world.Rank()));
            }
          }
        });
  }

  /** The buffer is the program's promise not to change it, and is not copied. */
  @Test
  void longPayloadsStayInTheirBuffersInLowerCase() throws Exception {
    CountDownLatch receive = new CountDownLatch(1);
    play(
        2,
        world -> {
          IntBuffer buffer = MPI.newIntBuffer(LONG);
          if (world.Rank() == 0) {
            Request sent = world.iSend(buffer, LONG, MPI.INT, 1, 5);
            buffer.put(LONG - 1, 7);
            receive.countDown();
            sent.waitFor();
          } else {
            receive.await();
            Status _ = world.recv(buffer, LONG, MPI.INT, 0, 5);
            assertThat(buffer.get(LONG - 1)).isEqualTo(7);
          }
        });
  }

  // Cancel.

  @Test
  void sendsThatNobodyReceivesAreCancelled() throws Exception {
    play(
        2,
        world -> {
          if (world.Rank() == 0) {
            Request[] all = {
              world.Isend(new int[LONG], 0, LONG, MPI.INT, 1, 5),
              world.Issend(new int[1], 0, 1, MPI.INT, 1, 5),
              world.iSend(MPI.newIntBuffer(LONG), LONG, MPI.INT, 1, 5),
              world.isSend(MPI.newIntBuffer(1), 1, MPI.INT, 1, 5)
            };
            for (Request one : all) {
              one.Cancel();
              assertThat(one.Wait().Test_cancelled()).isTrue();
            }
            Request over = world.Ibsend(new int[1], 0, 1, MPI.INT, 1, 6);
            over.Cancel();
            assertThat(over.Wait().Test_cancelled()).isFalse();
          } else {
            awaitWord(world, 0, 6);
            assertThat(world.Iprobe(0, 5)).isNull();
          }
        });
  }

  // Interrupts.

  private static Throwable interrupted(Runnable call, CountDownLatch when) throws Exception {
    FutureTask<Throwable> task = new FutureTask<>(() -> catchThrowable(call::run));
    Thread thread = Thread.ofPlatform().start(task);
    when.await();
    thread.interrupt();
    return task.get();
  }

  @Test
  void anInterruptedExchangeLeavesNoReceiveBehind() throws Exception {
    for (boolean replaces : new boolean[] {false, true}) {
      CountDownLatch sent = new CountDownLatch(1);
      play(
          2,
          world -> {
            int[] in = {3};
            int[] array = {4};
            if (world.Rank() == 0) {
              Runnable exchange =
                  replaces
                      ? () -> world.Sendrecv_replace(array, 0, 1, MPI.INT, 1, 5, 1, 6)
                      : () -> world.sendRecv(in, 1, MPI.INT, 1, 5, array, 1, MPI.INT, 1, 6);
              Throwable why = interrupted(exchange, sent);
              assertThat(why).isInstanceOf(MPIException.class).hasMessageContaining("interrupted");
              word(world, 1, 7);
              awaitWord(world, 1, 6);
              assertThat(array).containsExactly(4);
            } else {
              awaitWord(world, 0, 5);
              sent.countDown();
              awaitWord(world, 0, 7);
              word(world, 0, 6);
            }
          });
    }
  }

  /** Neither half of it has happened; what waited to be received is called back. */
  @Test
  void anInterruptedReplacementSendsNothing() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    play(
        2,
        world -> {
          if (world.Rank() == 0) {
            int[] array = filled(LONG, 3);
            Runnable exchange = () -> world.Sendrecv_replace(array, 0, LONG, MPI.INT, 1, 5, 1, 6);
            assertThat(interrupted(exchange, begun)).isInstanceOf(MPIException.class);
            word(world, 1, 7);
          } else {
            Status _ = world.Probe(0, 5);
            begun.countDown();
            awaitWord(world, 0, 7);
            assertThat(world.Iprobe(0, 5)).isNull();
          }
        });
  }

  /** What has been received stays, and the copy that is sent goes on. */
  @Test
  void aReplacementThatHasReceivedIsNotInterrupted() throws Exception {
    CountDownLatch received = new CountDownLatch(1);
    play(
        2,
        world -> {
          int[] array = filled(LONG, 3 + world.Rank());
          if (world.Rank() == 0) {
            Runnable exchange = () -> world.Sendrecv_replace(array, 0, LONG, MPI.INT, 1, 5, 1, 6);
            assertThat(interrupted(exchange, received)).isNull();
            assertThat(array).isEqualTo(filled(LONG, 4));
            Arrays.fill(array, 0);
            word(world, 1, 7);
          } else {
            world.Ssend(array, 0, LONG, MPI.INT, 0, 6); // it has been received
            received.countDown();
            awaitWord(world, 0, 7);
            Status _ = world.Recv(array, 0, LONG, MPI.INT, 0, 5);
            assertThat(array).isEqualTo(filled(LONG, 3));
          }
        });
  }

  /** What was taken by a probe can be received by nobody else. */
  @Test
  void aMessageThatWasTakenIsReceivedWhateverInterrupts() throws Exception {
    CountDownLatch taken = new CountDownLatch(1);
    CountDownLatch interrupt = new CountDownLatch(1);
    play(
        2,
        world -> {
          if (world.Rank() == 0) {
            int[] in = new int[LONG];
            Message message = new Message();
            Status _ = message.mProbe(1, 5, world);
            taken.countDown();
            Runnable receive = () -> message.mRecv(in, LONG, MPI.INT);
            assertThat(interrupted(receive, interrupt)).isNull();
            assertThat(in).isEqualTo(filled(LONG, 7));
          } else {
            IntBuffer out = MPI.newIntBuffer(LONG).put(0, filled(LONG, 7));
            Request sent = world.iSend(out, LONG, MPI.INT, 0, 5);
            taken.await();
            interrupt.countDown();
            Thread.sleep(20); // it is interrupted while nobody sends
            sent.waitFor();
          }
        });
  }
}
