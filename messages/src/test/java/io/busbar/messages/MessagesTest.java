package io.busbar.messages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.busbar.messages.MessageException.Mistake;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Two nodes in one process, over each carrier. */
@Timeout(60)
class MessagesTest extends Nodes {
  @ParameterizedTest
  @ValueSource(strings = {"shm", "udp"})
  void messagesOfAllLengthsArriveOnceAndInOrder(String fabric) throws Exception {
    join(fabric, 2);
    Messages a = nodes.get(0);
    Messages b = nodes.get(1);
    assertThat(a.node().choices()).containsEntry(1, fabric);
    List<Integer> heard = new ArrayList<>();
    Handler sent = a.handler("take", (in, from) -> {});
    b.handler(
        "take",
        (in, from) -> {
          int number = in.receiveInt();
          byte[] rest = new byte[(int) in.remaining()];
          in.receive(rest);
          for (int i = 0; i < rest.length; i++) {
            if (rest[i] != (byte) ((i + 4) * 7 + number)) {
              throw new AssertionError("byte %d of message %d is wrong".formatted(i, number));
            }
          }
          heard.add(number);
        });
    int count = 300;
    Future<?> sender =
        threads.submit(
            () -> {
              for (int i = 0; i < count; i++) {
                int length = 4 + (int) ((long) i * i * 7919 % (Messages.WHOLE_BYTES_MAX - 4));
                MemorySegment bytes = pattern(length, i);
                bytes.set(Little.INT, 0, i);
                a.send(1, sent, bytes, 0, length);
              }
              return 0;
            });
    assertThat(b.await(() -> heard.size() == count, 30 * SECOND_NS)).isTrue();
    sender.get();
    for (int i = 0; i < count; i++) {
      assertThat(heard.get(i)).isEqualTo(i);
    }
    assertThat(told).isEmpty();
  }

  /** Also inside handlers, where what cannot leave is kept. */
  @ParameterizedTest
  @ValueSource(strings = {"shm", "udp"})
  void messagesAreWrittenWhereTheyLeaveFrom(String fabric) throws Exception {
    join(fabric, 2);
    Messages a = nodes.get(0);
    Messages b = nodes.get(1);
    int length = 20_000;
    int count = 400;
    List<Integer> heard = new ArrayList<>();
    Handler back =
        a.handler(
            "back",
            (in, from) -> {
              int number = in.receiveInt();
              byte[] rest = in.receiveRest();
              assertThat(rest).hasSize(length - 4).containsOnly((byte) number);
              heard.add(number);
            });
    int[] asked = new int[1];
    Handler ask =
        b.handler(
            "ask",
            (in, from) -> {
              int number = in.receiveInt();
              byte filler = in.receiveRest()[0];
              assertThat(filler).isEqualTo((byte) number);
              b.send(from, back, length, (into, at) -> write(into, at, length, number));
              asked[0]++;
            });
    Future<Boolean> other = threads.submit(() -> b.await(() -> asked[0] == count, 30 * SECOND_NS));
    for (int i = 0; i < count; i++) {
      int number = i;
      if (i % 2 == 0) {
        a.send(1, ask, length, (into, at) -> write(into, at, length, number));
      } else {
        while (!a.trySend(1, ask, length, (into, at) -> write(into, at, length, number))) {
          int _ = a.extract();
        }
      }
    }
    assertThat(a.await(() -> heard.size() == count, 30 * SECOND_NS)).isTrue();
    assertThat(other.get()).isTrue();
    for (int i = 0; i < count; i++) {
      assertThat(heard.get(i)).isEqualTo(i);
    }
    assertThatThrownBy(
            () -> a.send(1, ask, Messages.WHOLE_BYTES_MAX + 1, (into, at) -> into.fill((byte) 0)))
        .hasMessageContaining("allowed, in one piece");
    assertThat(told).isEmpty();
  }

  /** Answers that cannot leave are kept within a bound; past half of it questions wait, too. */
  @ParameterizedTest
  @ValueSource(strings = {"shm", "udp"})
  void questionsWaitWhileAnswersCannotLeave(String fabric) throws Exception {
    join(fabric, 2);
    Messages a = nodes.get(0);
    Messages b = nodes.get(1);
    int count = 600;
    int length = 20_000;
    MemorySegment answer = Arena.ofAuto().allocate(length, 8);
    AtomicInteger asked = new AtomicInteger();
    int[] heard = new int[1];
    Handler back = a.handler("back", (_, _) -> heard[0]++);
    Handler ask =
        b.handler(
            "ask",
            (_, from) -> {
              b.send(from, back, answer, 0, length);
              asked.incrementAndGet();
            });
    Future<Boolean> other =
        threads.submit(() -> b.await(() -> asked.get() == count, 30 * SECOND_NS));
    for (int i = 0; i < count; i++) {
      a.send(1, ask, i, 0, 0, 0);
    }
    Thread.sleep(100); // all have come, and nobody takes the answers
    assertThat(asked.get()).isLessThan(count);
    assertThat(a.await(() -> heard[0] == count || !told.isEmpty(), 30 * SECOND_NS)).isTrue();
    assertThat(told).isEmpty();
    assertThat(other.get()).isTrue();
  }

  private static void write(MemorySegment into, long at, int length, int number) {
    into.set(Little.INT, at, number);
    into.asSlice(at + 4, length - 4).fill((byte) number);
  }

  @ParameterizedTest
  @ValueSource(strings = {"shm", "udp"})
  void fourWordsGoToAndFro(String fabric) throws Exception {
    join(fabric, 2);
    int rounds = 2_000;
    int[] last = new int[2];
    for (int rank = 0; rank < 2; rank++) {
      int self = rank;
      Messages fm = nodes.get(rank);
      Handler[] pong = new Handler[1];
      pong[0] =
          fm.handler(
              7,
              (in, from) -> {
                int number = in.receiveInt();
                last[self] = number;
                if (number < rounds) {
                  fm.send(from, pong[0], number + 1, 2, 3, 4);
                }
              });
    }
    nodes.get(0).send(1, Handler.numbered(7), 1, 2, 3, 4);
    Future<Boolean> other =
        threads.submit(() -> nodes.get(1).await(() -> last[1] >= rounds - 1, 30 * SECOND_NS));
    assertThat(nodes.get(0).await(() -> last[0] >= rounds - 1, 30 * SECOND_NS)).isTrue();
    assertThat(other.get()).isTrue();
  }

  /** D2: nobody extracts, so the sender stops; nothing is lost. */
  @ParameterizedTest
  @ValueSource(strings = {"shm", "udp"})
  void receiverThatDoesNotExtractStopsTheSender(String fabric) throws Exception {
    join(fabric, 2);
    Messages a = nodes.get(0);
    Messages b = nodes.get(1);
    MemorySegment bytes = pattern(10_000, 0);
    int[] heard = new int[1];
    Handler take = a.handler("take", (in, from) -> {});
    b.handler("take", (in, from) -> heard[0]++);
    int sent = 0;
    long startNs = System.nanoTime();
    long refusedSinceNs = startNs;
    while (System.nanoTime() - refusedSinceNs < SECOND_NS / 2) {
      if (a.trySend(1, take, bytes, 0, 10_000)) {
        sent++;
        refusedSinceNs = System.nanoTime();
      }
      assertThat(sent).as("messages that nobody takes").isLessThan(20_000);
      int _ = a.extract();
    }
    int all = sent;
    assertThat(b.await(() -> heard[0] == all, 30 * SECOND_NS)).isTrue();
    a.send(1, take, bytes, 0, 10_000);
    assertThat(b.await(() -> heard[0] == all + 1, 30 * SECOND_NS)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"shm", "udp"})
  void twoThatFloodEachOtherDoNotStandStill(String fabric) throws Exception {
    join(fabric, 2);
    int count = 3_000;
    int[] heard = new int[2];
    List<Future<Boolean>> floods = new ArrayList<>();
    for (int rank = 0; rank < 2; rank++) {
      int self = rank;
      Messages fm = nodes.get(rank);
      Handler take = fm.handler("take", (in, from) -> heard[self]++);
      MemorySegment bytes = pattern(5_000, rank);
      floods.add(
          threads.submit(
              () -> {
                for (int i = 0; i < count; i++) {
                  fm.send(1 - self, take, bytes, 0, 5_000);
                }
                return fm.await(() -> heard[self] == count, 30 * SECOND_NS);
              }));
    }
    for (Future<Boolean> flood : floods) {
      assertThat(flood.get()).isTrue();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"shm", "udp"})
  void whatWasSentBeforeTheEndArrives(String fabric) throws Exception {
    join(fabric, 2);
    Messages a = nodes.get(0);
    Messages b = nodes.get(1);
    int[] heard = new int[1];
    Handler take = a.handler("take", (in, from) -> {});
    b.handler("take", (in, from) -> heard[0]++);
    MemorySegment bytes = pattern(3_000, 1);
    for (int i = 0; i < 50; i++) {
      a.send(1, take, bytes, 0, 3_000);
    }
    a.close();
    a.close();
    assertThat(b.await(() -> heard[0] == 50, 10 * SECOND_NS)).isTrue();
    assertThat(told).doesNotContain("undelivered 1");
  }

  /** Virtual threads send and wait as others do. */
  @ParameterizedTest
  @ValueSource(strings = {"shm", "udp"})
  void virtualThreadsTalk(String fabric) throws Exception {
    join(fabric, 2);
    int count = 200;
    int[] heard = new int[2];
    List<Future<Boolean>> talks = new ArrayList<>();
    try (ExecutorService virtual = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int rank = 0; rank < 2; rank++) {
        int self = rank;
        Messages fm = nodes.get(rank);
        Handler take = fm.handler("take", (in, from) -> heard[self]++);
        MemorySegment bytes = pattern(2_000, rank);
        talks.add(
            virtual.submit(
                () -> {
                  for (int i = 0; i < count; i++) {
                    fm.send(1 - self, take, bytes, 0, 2_000);
                  }
                  return fm.await(() -> heard[self] == count, 30 * SECOND_NS);
                }));
      }
      for (Future<Boolean> talk : talks) {
        assertThat(talk.get()).isTrue();
      }
    }
  }

  /** Who only tries to send, and never extracts, gets through when there is room. */
  @ParameterizedTest
  @ValueSource(strings = {"shm", "udp"})
  void whoOnlyTriesGetsThrough(String fabric) throws Exception {
    join(fabric, 2);
    Messages a = nodes.get(0);
    Messages b = nodes.get(1);
    int count = 2_000;
    int[] heard = new int[1];
    Handler take = a.handler("take", (in, from) -> {});
    b.handler("take", (in, from) -> heard[0]++);
    MemorySegment bytes = pattern(5_000, 0);
    Future<?> sender =
        threads.submit(
            () -> {
              for (int i = 0; i < count; i++) {
                while (!a.trySend(1, take, bytes, 0, 5_000)) {
                  Thread.onSpinWait();
                }
              }
              return 0;
            });
    assertThat(b.await(() -> heard[0] == count, 30 * SECOND_NS)).isTrue();
    sender.get();
  }

  @ParameterizedTest
  @ValueSource(strings = {"shm", "udp"})
  void badRangeHarmsNobody(String fabric) throws Exception {
    join(fabric, 2);
    Messages a = nodes.get(0);
    boolean[] done = new boolean[1];
    Handler take = a.handler("take", (in, from) -> {});
    nodes.get(1).handler("take", (in, from) -> done[0] = true);
    MemorySegment bytes = pattern(100, 0);
    assertThatThrownBy(() -> a.send(1, take, bytes, 50, 51))
        .isInstanceOf(IndexOutOfBoundsException.class);
    Arena gone = Arena.ofConfined();
    MemorySegment closed = gone.allocate(100);
    gone.close();
    assertThatThrownBy(() -> a.send(1, take, closed, 0, 100))
        .isInstanceOf(IllegalStateException.class);
    a.send(1, take, bytes, 0, 100);
    assertThat(nodes.get(1).await(() -> done[0], 10 * SECOND_NS)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"shm", "udp"})
  void closedIsSaidToThoseWhoGoOn(String fabric) throws Exception {
    join(fabric, 2);
    Messages a = nodes.get(0);
    Handler take = a.handler("take", (in, from) -> {});
    Future<Integer> waiting = threads.submit(() -> a.extractOrWait(30 * SECOND_NS));
    Thread.sleep(50);
    a.close();
    assertThatThrownBy(waiting::get).hasCauseInstanceOf(MessageException.class);
    assertThatThrownBy(() -> a.send(1, take, pattern(8, 0), 0, 8))
        .isInstanceOf(MessageException.class)
        .hasMessageContaining("closed");
    assertThatThrownBy(a::extract).isInstanceOf(MessageException.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"shm", "udp"})
  void mistakesCostOnlyTheirOwnMessage(String fabric) throws Exception {
    join(fabric, 2);
    Messages a = nodes.get(0);
    Messages b = nodes.get(1);
    MemorySegment bytes = pattern(100, 1);
    Handler bad = a.handler("bad", (in, from) -> {});
    Handler nobody = a.handler(99, (in, from) -> {});
    Handler greedy = a.handler("greedy", (in, from) -> {});
    Handler good = a.handler("good", (in, from) -> {});
    boolean[] done = new boolean[1];
    b.handler(
        "bad",
        (in, from) -> {
          throw new IllegalStateException("on purpose");
        });
    b.handler("greedy", (in, from) -> in.skip(101));
    b.handler("good", (in, from) -> done[0] = true);
    for (Handler handler : List.of(bad, nobody, greedy, good)) {
      a.send(1, handler, bytes, 0, 100);
    }
    assertThat(b.await(() -> done[0], 10 * SECOND_NS)).isTrue();
    assertThat(told)
        .containsExactly(
            "bad 0 100 on purpose",
            "unknown 99 0 100",
            "greedy 0 100 101 bytes were asked for, and 100 of the message's 100 remain");
    assertThatThrownBy(() -> a.trySend(1, good, bytes, 0, Messages.WHOLE_BYTES_MAX + 1))
        .isInstanceOfSatisfying(
            MessageException.class, e -> assertThat(e.mistake()).isEqualTo(Mistake.TOO_LONG));
    assertThatThrownBy(() -> a.send(2, good, bytes, 0, 1))
        .isInstanceOfSatisfying(
            MessageException.class, e -> assertThat(e.mistake()).isEqualTo(Mistake.UNKNOWN_NODE));
    assertThatThrownBy(() -> a.handler("good", (in, from) -> {}))
        .isInstanceOfSatisfying(
            MessageException.class, e -> assertThat(e.mistake()).isEqualTo(Mistake.HANDLER_TAKEN));
  }

  /** A sender waits for room as long as it said, and an interrupt ends the wait, too. */
  @ParameterizedTest
  @ValueSource(strings = {"shm", "udp"})
  void patienceOfASenderEnds(String fabric) throws Exception {
    join(fabric, 2);
    Messages a = nodes.get(0);
    MemorySegment bytes = pattern(50_000, 0);
    Handler take = Handler.named("take");
    a.patience(SECOND_NS / 5);
    assertThatThrownBy(
            () -> {
              for (int i = 0; i < 10_000; i++) {
                a.send(1, take, bytes, 0, 50_000);
              }
            })
        .isInstanceOfSatisfying(
            MessageException.class, e -> assertThat(e.mistake()).isEqualTo(Mistake.TIMED_OUT));
    a.patience(Long.MAX_VALUE);
    Thread sender = Thread.currentThread();
    Future<?> interrupting =
        threads.submit(
            () -> {
              while (!isWaitingForRoom(sender)) {
                Thread.onSpinWait();
              }
              sender.interrupt();
            });
    assertThatThrownBy(() -> a.send(1, take, bytes, 0, 50_000))
        .isInstanceOfSatisfying(
            MessageException.class, e -> assertThat(e.mistake()).isEqualTo(Mistake.TIMED_OUT));
    assertThat(Thread.interrupted()).isTrue();
    interrupting.get();
    Messages b = nodes.get(1);
    Future<Boolean> taken =
        threads.submit(() -> b.await(() -> toldGone.contains("1 0"), 20 * SECOND_NS));
    a.close(); // what was sent is taken meanwhile, so that this need not wait
    assertThat(taken.get()).isTrue();
    assertThat(told).doesNotContain("undelivered 1");
  }

  private static boolean isWaitingForRoom(Thread thread) {
    for (StackTraceElement frame : thread.getStackTrace()) {
      if (frame.getMethodName().equals("awaitRoom")) {
        return true;
      }
    }
    return false;
  }
}
