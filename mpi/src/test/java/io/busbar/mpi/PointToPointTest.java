package io.busbar.mpi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages of all lengths and kinds from rank to rank. */
@Timeout(120)
class PointToPointTest extends Ranks {
  private static int[] numbers(int length, int seed) {
    return new Random(seed).ints(length).toArray();
  }

  @ParameterizedTest
  @ValueSource(strings = {"shm", "udp"})
  void allLengthsArrive(String fabric) throws Exception {
    int[] lengths = {0, 1, 7, 1000, 8_000, 8_192, 20_000, 300_000, 2_000_000};
    run(
        2,
        fabric,
        world -> {
          for (int length : lengths) {
            if (world.rank() == 0) {
              world.send(numbers(length, length), 0, length, Datatype.INT, 1, 5, false);
            } else {
              int[] into = new int[length];
              Status status = new Status();
              world.receive(into, 0, length, Datatype.INT, 0, 5, status);
              assertThat(into).isEqualTo(numbers(length, length));
              assertThat(status.count(Datatype.INT)).isEqualTo(length);
            }
          }
        });
  }

  @Test
  void tagsAndSourcesSelect() throws Exception {
    run(
        3,
        world -> {
          if (world.rank() > 0) {
            for (int tag = 0; tag < 3; tag++) {
              int[] value = {10 * world.rank() + tag};
              world.send(value, 0, 1, Datatype.INT, 0, tag, false);
            }
          } else {
            int[] in = new int[1];
            Status status = new Status();
            world.receive(in, 0, 1, Datatype.INT, 2, 2, status);
            assertThat(in[0]).isEqualTo(22);
            world.receive(in, 0, 1, Datatype.INT, Communicator.ANY, 1, status);
            assertThat(in[0]).isEqualTo(10 * status.source() + 1);
            world.receive(in, 0, 1, Datatype.INT, 1, Communicator.ANY, status);
            assertThat(in[0]).isEqualTo(10); // the first that it sent
            for (int i = 0; i < 3; i++) {
              world.receive(in, 0, 1, Datatype.INT, Communicator.ANY, Communicator.ANY, status);
              assertThat(in[0]).isEqualTo(10 * status.source() + status.tag());
            }
          }
        });
  }

  /** Far more than the credit, none of it asked for: the payloads stay with their sender. */
  @ParameterizedTest
  @ValueSource(strings = {"shm", "udp"})
  void manyOutstandingSendsNeitherBlockNorFillMemory(String fabric) throws Exception {
    int count = 3_000;
    run(
        2,
        fabric,
        world -> {
          if (world.rank() == 0) {
            List<Request> sent = new ArrayList<>();
            for (int i = 0; i < count; i++) {
              byte[] message = new byte[1_000 + i];
              Arrays.fill(message, (byte) i);
              sent.add(world.startSend(message, 0, message.length, Datatype.BYTE, 1, i, false));
            }
            world.send(new int[] {count}, 0, 1, Datatype.INT, 1, count, false);
            sent.forEach(Request::await);
          } else {
            int[] all = new int[1];
            world.receive(all, 0, 1, Datatype.INT, 0, count, null);
            for (int i = count - 1; i >= 0; i--) {
              byte[] into = new byte[1_000 + count];
              Status status = new Status();
              world.receive(into, 0, into.length, Datatype.BYTE, 0, i, status);
              assertThat(status.bytes()).isEqualTo(1_000 + i);
              assertThat(into[0]).isEqualTo((byte) i);
              assertThat(into[999 + i]).isEqualTo((byte) i);
            }
          }
        });
  }

  /** Nothing overtakes, whatever its length. */
  @ParameterizedTest
  @ValueSource(strings = {"shm", "udp"})
  void orderIsKept(String fabric) throws Exception {
    Random random = new Random(7);
    int[] lengths = random.ints(300, 0, 60_000).map(n -> n % 3 == 0 ? n : n % 100).toArray();
    run(
        2,
        fabric,
        world -> {
          for (int i = 0; i < lengths.length; i++) {
            int[] memory = new int[lengths[i] / 4 + 1];
            if (world.rank() == 0) {
              memory[0] = i;
              world.send(memory, 0, memory.length, Datatype.INT, 1, 3, false);
            } else {
              world.receive(memory, 0, memory.length, Datatype.INT, 0, 3, null);
              assertThat(memory[0]).isEqualTo(i);
            }
          }
        });
  }

  @ParameterizedTest
  @ValueSource(strings = {"shm", "udp"})
  void allFloodAll(String fabric) throws Exception {
    run(
        4,
        fabric,
        world -> {
          List<Request> all = new ArrayList<>();
          List<int[]> into = new ArrayList<>();
          for (int other = 0; other < 4; other++) {
            for (int i = 0; i < 20; i++) {
              int length = i % 4 == 0 ? 100_000 : 1 + i;
              int[] out = numbers(length, 100 * world.rank() + 10_000 * other + i);
              all.add(world.startSend(out, 0, length, Datatype.INT, other, i, false));
            }
          }
          for (int other = 0; other < 4; other++) {
            for (int i = 19; i >= 0; i--) {
              int length = i % 4 == 0 ? 100_000 : 1 + i;
              int[] in = new int[length];
              into.add(in);
              all.add(world.startReceive(in, 0, length, Datatype.INT, other, i));
            }
          }
          all.forEach(Request::await);
          int next = 0;
          for (int other = 0; other < 4; other++) {
            for (int i = 19; i >= 0; i--) {
              int[] in = into.get(next++);
              int[] right = numbers(in.length, 100 * other + 10_000 * world.rank() + i);
              assertThat(in).isEqualTo(right);
            }
          }
        });
  }

  @Test
  void tooLongIsAnErrorOfTheReceive() throws Exception {
    for (int length : new int[] {10, 100_000}) {
      run(
          2,
          world -> {
            if (world.rank() == 0) {
              world.send(numbers(length, 1), 0, length, Datatype.INT, 1, 0, false);
              world.send(new int[] {4}, 0, 1, Datatype.INT, 1, 0, false);
            } else {
              int[] into = new int[length / 2];
              assertThatThrownBy(
                      () -> world.receive(into, 0, into.length, Datatype.INT, 0, 0, null))
                  .isInstanceOfSatisfying(
                      MpiError.class, e -> assertThat(e.kind()).isEqualTo(MpiError.Kind.TRUNCATE))
                  .hasMessage(
                      "a message of %d bytes from rank 0 with tag 0, and there is room for %d"
                          .formatted(4 * length, 4 * into.length));
              assertThat(into).isEqualTo(Arrays.copyOf(numbers(length, 1), length / 2));
              world.receive(into, 0, 1, Datatype.INT, 0, 0, null);
              assertThat(into[0]).isEqualTo(4);
            }
          });
    }
  }

  @Test
  void synchronousSendWaitsForItsReceive() throws Exception {
    run(
        2,
        world -> {
          int[] word = {1};
          if (world.rank() == 0) {
            Request sent = world.startSend(word, 0, 1, Datatype.INT, 1, 0, true);
            world.send(word, 0, 1, Datatype.INT, 1, 1, false);
            world.receive(word, 0, 1, Datatype.INT, 1, 2, null);
            assertThat(sent.test()).isFalse(); // tag 0 was not asked for yet
            world.send(word, 0, 1, Datatype.INT, 1, 3, false);
            sent.await();
          } else {
            world.receive(word, 0, 1, Datatype.INT, 0, 1, null);
            world.send(word, 0, 1, Datatype.INT, 0, 2, false);
            world.receive(word, 0, 1, Datatype.INT, 0, 3, null);
            world.receive(word, 0, 1, Datatype.INT, 0, 0, null);
          }
        });
  }

  @Test
  void probesLookAndLeave() throws Exception {
    run(
        2,
        world -> {
          if (world.rank() == 0) {
            world.send(numbers(50_000, 3), 0, 50_000, Datatype.INT, 1, 9, false);
          } else {
            Status status = new Status();
            world.probe(Communicator.ANY, Communicator.ANY, status);
            assertThat(status.tag()).isEqualTo(9);
            int[] into = new int[status.count(Datatype.INT)];
            world.receive(into, 0, into.length, Datatype.INT, status.source(), 9, status);
            assertThat(into).isEqualTo(numbers(50_000, 3));
            assertThat(world.tryProbe(Communicator.ANY, Communicator.ANY, status)).isFalse();
          }
        });
  }

  @Test
  void objectsAndDerivedTypes() throws Exception {
    Datatype column = Datatype.vector(4, 1, 5 * 4, Datatype.INT);
    run(
        2,
        world -> {
          if (world.rank() == 0) {
            int[] matrix = new int[20];
            Arrays.setAll(matrix, i -> i);
            world.send(matrix, 2 * 4, 1, column, 1, 0, false);
            Object[] things = {"a", List.of(1, 2), new int[] {3}, null};
            world.send(things, 1, 3, Datatype.OBJECT, 1, 1, false);
          } else {
            int[] row = new int[4];
            world.receive(row, 0, 4, Datatype.INT, 0, 0, null);
            assertThat(row).containsExactly(2, 7, 12, 17);
            Object[] into = new Object[5];
            Status status = new Status();
            world.receive(into, 0, 5, Datatype.OBJECT, 0, 1, status);
            assertThat(status.count(Datatype.OBJECT)).isEqualTo(3);
            assertThat(into[0]).isEqualTo(List.of(1, 2));
            assertThat((int[]) into[1]).containsExactly(3);
          }
        });
  }

  @Test
  void threadsOfOneRankTalkAtOnce() throws Exception {
    run(
        2,
        world -> {
          List<Thread> threads = new ArrayList<>();
          List<Throwable> failed = new ArrayList<>();
          for (int t = 0; t < 4; t++) {
            int tag = t;
            threads.add(
                Thread.ofPlatform()
                    .uncaughtExceptionHandler((_, e) -> failed.add(e))
                    .start(() -> pingPong(world, tag)));
          }
          for (Thread thread : threads) {
            thread.join();
          }
          assertThat(failed).isEmpty();
        });
  }

  /** Short ones, some whose payload follows, some that are asked for: nothing overtakes. */
  @ParameterizedTest
  @ValueSource(strings = {"shm", "udp"})
  void threadsThatReceiveInManyWaysKeepTheOrder(String fabric) throws Exception {
    run(
        2,
        fabric,
        world -> {
          List<Throwable> failed = Collections.synchronizedList(new ArrayList<>());
          List<Thread> threads = new ArrayList<>();
          for (int t = 0; t < 3; t++) {
            int tag = t;
            Runnable side = world.rank() == 0 ? () -> stream(world, tag) : () -> drain(world, tag);
            threads.add(
                Thread.ofPlatform().uncaughtExceptionHandler((_, e) -> failed.add(e)).start(side));
          }
          for (Thread thread : threads) {
            thread.join();
          }
          assertThat(failed).isEmpty();
        });
  }

  private static final int STREAM_MESSAGES = 400;

  /** Lengths in ints of the messages of a stream. */
  private static int[] lengths(int tag) {
    int[] some = {1, 4, 300, 9_000, 20_000, 70_000};
    return new Random(tag).ints(STREAM_MESSAGES, 0, some.length).map(i -> some[i]).toArray();
  }

  private static void stream(Communicator world, int tag) {
    int[] lengths = lengths(tag);
    List<Request> open = new ArrayList<>();
    for (int i = 0; i < lengths.length; i++) {
      int[] out = new int[lengths[i]];
      Arrays.fill(out, i);
      if (i % 3 == 0) {
        open.add(world.startSend(out, 0, out.length, Datatype.INT, 1, tag, false));
      } else {
        world.send(out, 0, out.length, Datatype.INT, 1, tag, false);
      }
    }
    open.forEach(Request::await);
  }

  private static void drain(Communicator world, int tag) {
    int[] lengths = lengths(tag);
    for (int i = 0; i < lengths.length; i++) {
      int[] in = new int[lengths[i]];
      Status status = new Status();
      switch (i % 5) {
        case 0 -> world.startReceive(in, 0, in.length, Datatype.INT, 0, tag).await();
        case 1 -> {
          world.probe(0, tag, status);
          assertThat(status.count(Datatype.INT)).as("length of %d", i).isEqualTo(in.length);
          world.receive(in, 0, in.length, Datatype.INT, 0, tag, null);
        }
        default -> world.receive(in, 0, in.length, Datatype.INT, Communicator.ANY, tag, null);
      }
      int number = i;
      assertThat(in).as("message %d with tag %d", i, tag).containsOnly(number);
    }
  }

  private static void pingPong(Communicator world, int tag) {
    int[] ball = new int[1];
    int other = 1 - world.rank();
    for (int i = 0; i < 500; i++) {
      if (world.rank() == 0) {
        ball[0] = i;
        world.send(ball, 0, 1, Datatype.INT, other, tag, false);
        world.receive(ball, 0, 1, Datatype.INT, other, tag, null);
        assertThat(ball[0]).isEqualTo(i + 1);
      } else {
        world.receive(ball, 0, 1, Datatype.INT, other, tag, null);
        assertThat(ball[0]).isEqualTo(i);
        ball[0]++;
        world.send(ball, 0, 1, Datatype.INT, other, tag, false);
      }
    }
  }

  /**
   * Who sends faster than the other one receives waits for credit; it does not ask for each message
   * by itself, which takes a round trip. Only while nothing is compiled it may.
   */
  @ParameterizedTest
  @ValueSource(strings = {"shm", "udp"})
  void aFloodIsNotAskedFor(String fabric) throws Exception {
    int count = 40_000;
    long[] answers = new long[2];
    run(
        2,
        fabric,
        world -> {
          byte[] message = new byte[1_000];
          for (int i = 0; i < count; i++) {
            if (world.rank() == 0) {
              message[0] = (byte) i;
              world.send(message, 0, message.length, Datatype.BYTE, 1, 3, false);
              continue;
            }
            if (i == count / 2) {
              answers[0] = sent(1, 0);
            }
            world.receive(message, 0, message.length, Datatype.BYTE, 0, 3, null);
            assertThat(message[0]).isEqualTo((byte) i);
          }
          if (world.rank() == 1) {
            answers[1] = sent(1, 0);
          }
        });
    assertThat(answers[1] - answers[0])
        .as("messages of the receiver for the second half")
        .isBetween(1L, count / 20L);
  }

  /** A program that sends before anybody receives waits for credit once, not for each message. */
  @Test
  void sendsBeforeAnyReceiveDoNotWaitEach() throws Exception {
    int count = 5_000;
    run(
        2,
        world -> {
          byte[] message = new byte[1_000];
          int other = 1 - world.rank();
          long start = System.nanoTime();
          for (int i = 0; i < count; i++) {
            world.send(message, 0, message.length, Datatype.BYTE, other, 3, false);
          }
          assertThat(System.nanoTime() - start).isLessThan(4_000_000_000L); // 5,000 times 2 ms
          for (int i = 0; i < count; i++) {
            world.receive(message, 0, message.length, Datatype.BYTE, other, 3, null);
          }
        });
  }
}
