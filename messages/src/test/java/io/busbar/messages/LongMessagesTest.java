package io.busbar.messages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.busbar.messages.MessageException.Mistake;
import io.busbar.messages.ResumableHandler.Progress;
import io.busbar.node.Lane;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages in pieces, longer than a record, and handlers that wait for the rest. */
@Timeout(60)
class LongMessagesTest extends Nodes {
  private static final int MEGABYTE = 1 << 20;

  private static boolean isPattern(byte[] bytes, int seed) {
    for (int i = 0; i < bytes.length; i++) {
      if (bytes[i] != (byte) (i * 7 + seed)) {
        return false;
      }
    }
    return true;
  }

  @ParameterizedTest
  @ValueSource(strings = {"shm", "udp"})
  void longMessagesOfAllLengthsArriveOnceAndInOrder(String fabric) throws Exception {
    join(fabric, 2);
    Messages a = nodes.get(0);
    Messages b = nodes.get(1);
    List<Integer> begun = new ArrayList<>();
    int[] heard = new int[1];
    Handler take = Handler.named("take");
    b.handler(
        "take",
        (in, from) -> {
          int number = begun.size();
          begun.add((int) in.length());
          assertThat(isPattern(in.receiveRest(), number)).isTrue();
          heard[0]++;
        });
    int[] lengths = {65_536, 65_537, 1, 200_000, MEGABYTE, 0, 3 * MEGABYTE + 5, 100_000, 16};
    Future<?> sender =
        threads.submit(
            () -> {
              for (int i = 0; i < lengths.length; i++) {
                a.send(1, take, pattern(lengths[i], i), 0, lengths[i]);
              }
              return 0;
            });
    assertThat(b.await(() -> heard[0] == lengths.length, 30 * SECOND_NS)).isTrue();
    sender.get();
    assertThat(told).isEmpty();
    assertThat(begun).containsExactlyElementsOf(Arrays.stream(lengths).boxed().toList());
  }

  /** D8, D12: pieces from all kinds of memory; the receiver takes others. */
  @ParameterizedTest
  @ValueSource(strings = {"shm", "udp"})
  void piecesNeedNotMatch(String fabric) throws Exception {
    join(fabric, 2);
    Messages a = nodes.get(0);
    Messages b = nodes.get(1);
    int[] sizes = {1_000, 400_000};
    List<byte[]> heard = new ArrayList<>();
    b.handler(
        "take",
        (in, from) -> {
          byte[] all = new byte[(int) in.length()];
          for (int at = 0; at < all.length; ) {
            int piece = Math.min(1 + at / 2, all.length - at);
            in.receive(all, at, piece);
            at += piece;
          }
          heard.add(all);
        });
    Future<?> sender =
        threads.submit(
            () -> {
              for (int size : sizes) {
                MemorySegment all = pattern(size, 3);
                byte[] copy = all.asSlice(0, size).toArray(java.lang.foreign.ValueLayout.JAVA_BYTE);
                try (OutMessage out = a.begin(1, size, Handler.named("take"))) {
                  out.send(all, 0, 10);
                  out.send(copy, 10, 7);
                  out.send(ByteBuffer.wrap(copy, 17, 13));
                  out.send(ByteBuffer.allocateDirect(20).put(copy, 30, 20).flip());
                  out.send(new byte[0]);
                  out.send(all, 50, size - 50L);
                }
              }
              return 0;
            });
    assertThat(b.await(() -> heard.size() == sizes.length, 30 * SECOND_NS)).isTrue();
    sender.get();
    assertThat(heard).allMatch(bytes -> isPattern(bytes, 3));
  }

  @ParameterizedTest
  @ValueSource(strings = {"shm", "udp"})
  void sizeNeedNotBeKnown(String fabric) throws Exception {
    join(fabric, 2);
    Messages a = nodes.get(0);
    Messages b = nodes.get(1);
    int[] sizes = {0, 10, 300_000};
    List<byte[]> heard = new ArrayList<>();
    b.handler(
        "take",
        (in, from) -> {
          byte[] all = new byte[400_000];
          int at = 0;
          for (int n = in.receiveSome(all, 0, 5_000); n >= 0; n = in.receiveSome(all, at, 5_000)) {
            at += n;
          }
          assertThat(in.remaining()).isZero();
          heard.add(Arrays.copyOf(all, at));
        });
    Future<?> sender =
        threads.submit(
            () -> {
              for (int size : sizes) {
                try (OutMessage out = a.begin(1, Messages.SIZE_UNKNOWN, Handler.named("take"))) {
                  for (int at = 0; at < size; at += 1_000) {
                    out.send(pattern(size, 5), at, Math.min(1_000, size - at));
                  }
                }
              }
              return 0;
            });
    assertThat(b.await(() -> heard.size() == sizes.length, 30 * SECOND_NS)).isTrue();
    sender.get();
    assertThat(heard).allMatch(bytes -> isPattern(bytes, 5));
    assertThat(heard).extracting(bytes -> bytes.length).containsExactly(0, 10, 300_000);
    assertThat(told).isEmpty();
  }

  /** D15 to D17: the handler of a long message runs before its end has been sent. */
  @ParameterizedTest
  @ValueSource(strings = {"shm", "udp"})
  void handlingOverlapsArrivalAndShortOnesPass(String fabric) throws Exception {
    join(fabric, 2);
    Messages a = nodes.get(0);
    Messages b = nodes.get(1);
    List<String> order = new ArrayList<>();
    b.handler(
        "long",
        (in, from) -> {
          order.add("begins");
          byte[] half = new byte[MEGABYTE / 2];
          in.receive(half);
          order.add("half");
          in.receive(half);
          order.add("ends");
        });
    b.handler("short", (in, from) -> order.add("short"));
    MemorySegment half = pattern(MEGABYTE / 2, 1);
    try (OutMessage out = a.begin(1, MEGABYTE, Handler.named("long"))) {
      Future<?> first = threads.submit(() -> sendFrom(out, half));
      assertThat(b.await(() -> order.contains("half"), 30 * SECOND_NS)).isTrue();
      first.get();
      a.send(1, Handler.named("short"), half, 0, 8);
      assertThat(b.await(() -> order.contains("short"), 30 * SECOND_NS)).isTrue();
      Future<?> second = threads.submit(() -> sendFrom(out, half));
      assertThat(b.await(() -> second.isDone() || order.contains("ends"), 30 * SECOND_NS)).isTrue();
      second.get();
    }
    assertThat(b.await(() -> order.contains("ends"), 30 * SECOND_NS)).isTrue();
    assertThat(order).containsExactly("begins", "half", "short", "ends");
  }

  private static int sendFrom(OutMessage out, MemorySegment bytes) {
    out.send(bytes);
    return 0;
  }

  /** Handlers start in the order in which messages began, whatever ends first. */
  @ParameterizedTest
  @ValueSource(strings = {"shm", "udp"})
  void handlersStartInTheOrderInWhichMessagesBegan(String fabric) throws Exception {
    join(fabric, 2);
    Messages a = nodes.get(0);
    Messages b = nodes.get(1);
    List<String> started = new ArrayList<>();
    int[] ended = new int[1];
    for (String name : List.of("first", "second", "third")) {
      b.handler(
          name,
          (in, from) -> {
            started.add(name);
            byte[] _ = in.receiveRest();
            ended[0]++;
          });
    }
    byte[] ten = new byte[10];
    OutMessage first = a.begin(1, 10, Handler.named("first"));
    OutMessage second = a.begin(1, 10, Handler.named("second"));
    second.send(ten);
    second.close();
    a.send(1, Handler.named("third"), MemorySegment.ofArray(ten), 0, 10);
    first.send(ten);
    first.close();
    assertThat(b.await(() -> ended[0] == 3, 30 * SECOND_NS)).isTrue();
    assertThat(started).containsExactly("first", "second", "third");
  }

  /** D14: a handler that waits for a buffer stops its own message, and no other. */
  @ParameterizedTest
  @ValueSource(strings = {"shm", "udp"})
  void handlerThatWaitsStopsOnlyItsOwnMessage(String fabric) throws Exception {
    join(fabric, 2);
    Messages a = nodes.get(0);
    Messages b = nodes.get(1);
    List<String> order = new ArrayList<>();
    InMessage[] waiting = new InMessage[1];
    byte[][] buffer = new byte[1][];
    b.resumableHandler(
        "resumable",
        (in, from) -> {
          waiting[0] = in;
          if (buffer[0] == null) {
            return Progress.CONTINUE;
          }
          int bytes = (int) Math.min(in.available(), in.remaining());
          int at = (int) (in.length() - in.remaining());
          in.receive(buffer[0], at, bytes);
          if (in.remaining() == 0) {
            order.add("resumable");
          }
          return Progress.CONTINUE;
        });
    boolean[] free = new boolean[1];
    b.waitingHandler(
        "waiting",
        (in, from) -> {
          in.await(() -> free[0]);
          assertThat(isPattern(in.receiveRest(), 2)).isTrue();
          order.add("waiting " + in.length());
        });
    b.handler(
        "other",
        (in, from) -> {
          assertThat(isPattern(in.receiveRest(), 4)).isTrue();
          order.add("other");
        });
    Future<?> stopped =
        threads.submit(
            () -> {
              a.send(1, Handler.named("waiting"), pattern(100, 2), 0, 100);
              a.send(1, Handler.named("resumable"), pattern(100, 1), 0, 100);
              a.send(1, Handler.named("waiting"), pattern(MEGABYTE, 2), 0, MEGABYTE);
              return 0;
            });
    Future<?> going =
        threads.submit(
            () -> {
              for (int i = 0; i < 5; i++) {
                a.send(1, Handler.named("other"), pattern(2 * MEGABYTE, 4), 0, 2 * MEGABYTE);
              }
              return 0;
            });
    assertThat(b.await(() -> order.size() == 5 && waiting[0] != null, 30 * SECOND_NS))
        .as("%s %s %s", order, waiting[0], told)
        .isTrue();
    going.get();
    assertThat(order).containsOnly("other");
    buffer[0] = new byte[100];
    waiting[0].resume();
    assertThat(b.await(() -> order.size() == 6, 30 * SECOND_NS)).isTrue();
    assertThat(isPattern(buffer[0], 1)).isTrue();
    free[0] = true;
    assertThat(b.await(() -> order.size() == 8, 30 * SECOND_NS)).isTrue();
    stopped.get();
    assertThat(order.subList(5, 8)).containsExactly("resumable", "waiting 100", "waiting 1048576");
    assertThat(told).isEmpty();
  }

  /** Returning early discards the rest, and its sender need not send it. */
  @ParameterizedTest
  @ValueSource(strings = {"shm", "udp"})
  void returningEarlyDiscardsTheRest(String fabric) throws Exception {
    join(fabric, 2);
    Messages a = nodes.get(0);
    Messages b = nodes.get(1);
    int[] heard = new int[2];
    b.handler(
        "early",
        (in, from) -> {
          assertThat(in.receiveInt()).isEqualTo(1);
          heard[0]++;
        });
    b.handler(
        "bad",
        (in, from) -> {
          in.skip(70_000);
          throw new IllegalStateException("on purpose");
        });
    b.handler(
        "good",
        (in, from) -> {
          assertThat(isPattern(in.receiveRest(), 0)).isTrue();
          heard[1]++;
        });
    MemorySegment bytes = pattern(3 * MEGABYTE, 0);
    bytes.set(Little.INT, 0, 1);
    int rounds = 40;
    Future<?> sender =
        threads.submit(
            () -> {
              for (int i = 0; i < rounds; i++) {
                a.send(1, Handler.named("early"), bytes, 0, bytes.byteSize());
                a.send(1, Handler.named("bad"), bytes, 0, 200_000);
                a.send(1, Handler.named("nobody"), bytes, 0, 200_000);
                a.send(1, Handler.named("good"), pattern(150_000, 0), 0, 150_000);
              }
              return 0;
            });
    assertThat(b.await(() -> heard[1] == rounds, 30 * SECOND_NS)).isTrue();
    sender.get();
    assertThat(heard[0]).isEqualTo(rounds);
    assertThat(told).hasSize(2 * rounds);
    assertThat(told).contains("bad 0 200000 on purpose");
  }

  @ParameterizedTest
  @ValueSource(strings = {"shm", "udp"})
  void wrongSizesAreRefusedByName(String fabric) throws Exception {
    join(fabric, 2);
    Messages a = nodes.get(0);
    Messages b = nodes.get(1);
    List<String> heard = new ArrayList<>();
    b.handler("take", (in, from) -> heard.add("all " + in.receiveRest().length));
    Handler take = Handler.named("take");
    OutMessage exceeding = a.begin(1, 10, take);
    exceeding.send(new byte[8]);
    assertThatThrownBy(() -> exceeding.send(new byte[3]))
        .isInstanceOfSatisfying(
            MessageException.class, e -> assertThat(e.mistake()).isEqualTo(Mistake.SIZE_EXCEEDED));
    exceeding.send(new byte[2]); // nothing of the piece was taken
    exceeding.close();
    exceeding.close();
    assertThatThrownBy(() -> exceeding.send(new byte[1]))
        .isInstanceOfSatisfying(
            MessageException.class, e -> assertThat(e.mistake()).isEqualTo(Mistake.AFTER_END));
    for (int size : new int[] {20, 2 * MEGABYTE}) {
      OutMessage undershot = a.begin(1, size, take);
      undershot.send(new byte[10]);
      assertThatThrownBy(undershot::close)
          .isInstanceOfSatisfying(
              MessageException.class,
              e -> assertThat(e.mistake()).isEqualTo(Mistake.SIZE_UNDERSHOT));
    }
    OutMessage abandoned = a.begin(1, Messages.SIZE_UNKNOWN, take);
    abandoned.send(new byte[100_000]);
    abandoned.abandon();
    a.send(1, take, MemorySegment.ofArray(new byte[5]), 0, 5);
    assertThat(b.await(() -> heard.contains("all 5") && told.size() == 2, 30 * SECOND_NS)).isTrue();
    assertThat(heard).containsExactly("all 10", "all 5");
    assertThat(told).allMatch(text -> text.contains("broke the message off"));
  }

  /** Whoever leaves in the middle breaks its messages off; handlers learn it inside receive. */
  @ParameterizedTest
  @ValueSource(strings = {"shm", "udp"})
  void whoLeavesInTheMiddleBreaksItsMessageOff(String fabric) throws Exception {
    join(fabric, 2);
    Messages a = nodes.get(0);
    Messages b = nodes.get(1);
    boolean[] begun = new boolean[2];
    b.handler(
        "blocking",
        (in, from) -> {
          begun[0] = true;
          in.receive(new byte[MEGABYTE]);
        });
    b.resumableHandler(
        "resumable",
        (in, from) -> {
          begun[1] = true;
          return Progress.CONTINUE;
        });
    OutMessage one = a.begin(1, MEGABYTE, Handler.named("blocking"));
    OutMessage two = a.begin(1, MEGABYTE, Handler.named("resumable"));
    one.send(new byte[100_000]);
    two.send(new byte[100_000]);
    assertThat(b.await(() -> begun[0] && begun[1], 30 * SECOND_NS)).isTrue();
    a.close();
    assertThat(b.await(() -> told.size() >= 3, 30 * SECOND_NS)).isTrue();
    assertThat(told).contains("gone 0");
    assertThat(told).anyMatch(text -> text.startsWith("blocking 0 1048576 "));
    assertThat(told).anyMatch(text -> text.startsWith("resumable 0 1048576 "));
  }

  /** Nothing can be received at any time: before something has come, in between, at the end. */
  @ParameterizedTest
  @ValueSource(strings = {"shm", "udp"})
  void nothingCanAlwaysBeReceived(String fabric) throws Exception {
    join(fabric, 2);
    Messages a = nodes.get(0);
    Messages b = nodes.get(1);
    int length = 240_000; // what flow control lets go before anybody extracts
    byte[] all = new byte[length];
    int[] got = new int[1];
    b.resumableHandler(
        "take",
        (in, from) -> {
          in.receive(all, got[0], 0);
          in.receive(MemorySegment.ofArray(all), got[0], 0);
          int now = (int) in.available();
          in.receive(all, got[0], now);
          in.receive(MemorySegment.ofArray(all), got[0], 0);
          in.receive(new byte[0]);
          got[0] += now;
          return got[0] == length ? Progress.DONE : Progress.CONTINUE;
        });
    MemorySegment sent = pattern(length, 1);
    for (int round = 0; round < 2; round++) { // the second one meets what the first one has left
      got[0] = 0;
      try (OutMessage out = a.begin(1, length, Handler.named("take"))) {
        for (int i = 0; i < 4; i++) {
          int before = i * length / 4;
          out.send(sent, before, length / 4);
          out.flush();
          assertThat(b.await(() -> got[0] > before || !told.isEmpty(), 30 * SECOND_NS)).isTrue();
        }
      }
      assertThat(b.await(() -> got[0] == length || !told.isEmpty(), 30 * SECOND_NS)).isTrue();
      assertThat(told).isEmpty();
      assertThat(MemorySegment.ofArray(all).mismatch(sent)).isEqualTo(-1);
    }
  }

  /** Many blocking handlers in progress, one running at any instant. */
  @ParameterizedTest
  @ValueSource(strings = {"shm", "udp"})
  void manyBlockingHandlersTakeTurns(String fabric) throws Exception {
    join(fabric, 3);
    Messages b = nodes.get(2);
    int perNode = 8;
    AtomicInteger running = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    AtomicInteger inProgress = new AtomicInteger();
    AtomicInteger mostInProgress = new AtomicInteger();
    AtomicInteger heard = new AtomicInteger();
    b.handler(
        "take",
        (in, from) -> {
          runAlone(running, most);
          int now = inProgress.incrementAndGet();
          int _ = mostInProgress.accumulateAndGet(now, Math::max);
          byte[] piece = new byte[200_000];
          for (int i = 0; i < 10; i++) {
            in.receive(piece);
            runAlone(running, most);
          }
          int _ = inProgress.decrementAndGet();
          int _ = heard.incrementAndGet();
        });
    b.handler("short", (_, _) -> runAlone(running, most));
    List<Future<?>> senders = new ArrayList<>();
    for (int rank = 0; rank < 2; rank++) {
      Messages a = nodes.get(rank);
      senders.add(
          threads.submit(
              () -> {
                List<OutMessage> open = new ArrayList<>();
                for (int i = 0; i < perNode; i++) {
                  open.add(a.begin(2, 2_000_000, Handler.named("take")));
                }
                for (int piece = 0; piece < 10; piece++) {
                  for (OutMessage out : open) {
                    out.send(new byte[200_000]);
                  }
                  a.send(2, Handler.named("short"), 1, 2, 3, 4);
                }
                open.forEach(OutMessage::close);
              }));
    }
    assertThat(b.await(() -> heard.get() == 2 * perNode, 30 * SECOND_NS)).isTrue();
    for (Future<?> sender : senders) {
      sender.get();
    }
    assertThat(most.get()).as("handlers that ran at once").isEqualTo(1);
    assertThat(mostInProgress.get()).isGreaterThan(1);
    assertThat(told).isEmpty();
  }

  /** Long enough for any other handler that may run to be met here. */
  private static void runAlone(AtomicInteger running, AtomicInteger most) {
    int now = running.incrementAndGet();
    int _ = most.accumulateAndGet(now, Math::max);
    for (int i = 0; i < 5; i++) {
      LockSupport.parkNanos(100_000);
      int _ = most.accumulateAndGet(running.get(), Math::max);
    }
    int _ = running.decrementAndGet();
  }

  /** Handlers that send long messages do not wait; past the bound they are refused by name. */
  @ParameterizedTest
  @ValueSource(strings = {"shm", "udp"})
  void handlersSendLongMessages(String fabric) throws Exception {
    join(fabric, 2);
    Messages a = nodes.get(0);
    Messages b = nodes.get(1);
    int[] heard = new int[1];
    List<String> refused = new ArrayList<>();
    Handler back =
        a.handler(
            "back",
            (in, from) -> {
              assertThat(isPattern(in.receiveRest(), 9)).isTrue();
              heard[0]++;
            });
    MemorySegment answer = pattern(MEGABYTE, 9);
    b.handler(
        "ask",
        (in, from) -> {
          try {
            b.send(from, back, answer, 0, MEGABYTE);
          } catch (MessageException e) {
            refused.add(e.mistake().name());
          }
        });
    for (int i = 0; i < 3; i++) {
      a.send(1, Handler.named("ask"), 0, 0, 0, 0);
    }
    Future<Boolean> answering = threads.submit(() -> b.await(() -> heard[0] == 3, 30 * SECOND_NS));
    assertThat(a.await(() -> heard[0] == 3, 30 * SECOND_NS)).isTrue();
    b.wake();
    assertThat(answering.get()).isTrue();
    assertThat(refused).isEmpty();
    for (int i = 0; i < 60; i++) {
      a.send(1, Handler.named("ask"), 0, 0, 0, 0);
    }
    long startNs = System.nanoTime();
    while (refused.isEmpty() && System.nanoTime() - startNs < 20 * SECOND_NS) {
      int _ = b.extract();
    }
    assertThat(refused).contains("TOO_MUCH_DEFERRED");
  }

  /** D10: a limit holds for long messages, too. */
  @ParameterizedTest
  @ValueSource(strings = {"shm", "udp"})
  void extractHonoursItsLimit(String fabric) throws Exception {
    join(fabric, 2);
    Messages a = nodes.get(0);
    Messages b = nodes.get(1);
    long[] got = new long[2];
    b.resumableHandler(
        "take",
        (in, from) -> {
          long bytes = in.available();
          got[0] += bytes;
          got[1] = Math.max(got[1], bytes);
          in.skip(bytes);
          return Progress.CONTINUE;
        });
    Future<?> sender =
        threads.submit(
            () -> {
              a.send(1, Handler.named("take"), pattern(500_000, 0), 0, 500_000);
              return 0;
            });
    long startNs = System.nanoTime();
    while (got[0] < 500_000 && System.nanoTime() - startNs < 30 * SECOND_NS) {
      int _ = b.extract(1_000);
    }
    sender.get();
    assertThat(got[0]).isEqualTo(500_000);
    assertThat(got[1]).isLessThanOrEqualTo(1_000);
  }

  /** The receiver wants none of sixteen messages; the end of one makes room for another's start. */
  @ParameterizedTest
  @ValueSource(strings = {"shm", "udp"})
  void whoWaitsForAChannelIsToldWhenASenderEnds(String fabric) throws Exception {
    join(fabric, 2);
    Messages a = nodes.get(0);
    Messages b = nodes.get(1);
    int[] refused = new int[1];
    Handler refuse = Handler.named("refuse");
    b.handler("refuse", (in, from) -> refused[0]++);
    List<OutMessage> open = new ArrayList<>();
    for (int i = 0; i < 16; i++) {
      OutMessage out = a.begin(1, 200_000, refuse);
      out.send(new byte[100]);
      out.flush();
      open.add(out);
    }
    assertThat(b.await(() -> refused[0] == 16, 30 * SECOND_NS)).isTrue();
    a.patience(20 * SECOND_NS);
    Future<?> another =
        threads.submit(
            () -> {
              a.send(1, refuse, pattern(100_000, 1), 0, 100_000);
              return 0;
            });
    while (a.held().begun() < 17) {
      Thread.onSpinWait();
    }
    assertThat(b.await(() -> refused[0] == 17, SECOND_NS / 5)).isFalse();
    for (OutMessage out : open) {
      out.send(new byte[199_900]);
      out.close();
    }
    another.get();
    assertThat(b.await(() -> refused[0] == 17, 30 * SECOND_NS)).isTrue();
  }

  /** Elements may be described by the layouts that a program has at hand: bytes lie anywhere. */
  @ParameterizedTest
  @ValueSource(strings = {"shm", "udp"})
  void arraysAreFilledByAnyLayout(String fabric) throws Exception {
    join(fabric, 2);
    int[] lengths = {3, 500, 30_000};
    List<long[]> heard = new ArrayList<>();
    Handler take =
        nodes
            .get(1)
            .handler(
                "take",
                (in, _) -> {
                  byte[] odd = new byte[3];
                  in.receive(odd);
                  long[] longs = new long[(int) (in.remaining() / Long.BYTES)];
                  in.receive(longs, ValueLayout.JAVA_LONG, 0, longs.length);
                  heard.add(longs);
                });
    for (int length : lengths) {
      MemorySegment bytes = Arena.ofAuto().allocate(3 + 8L * length);
      for (int i = 0; i < length; i++) {
        bytes.set(ValueLayout.JAVA_LONG_UNALIGNED, 3 + 8L * i, i);
      }
      nodes.get(0).send(1, take, bytes, 0, bytes.byteSize());
    }
    assertThat(nodes.get(1).await(() -> heard.size() == lengths.length, 20 * SECOND_NS))
        .as("%s", told)
        .isTrue();
    for (int k = 0; k < lengths.length; k++) {
      assertThat(heard.get(k)).hasSize(lengths[k]);
      for (int i = 0; i < lengths[k]; i++) {
        assertThat(heard.get(k)[i]).isEqualTo(i);
      }
    }
  }

  /**
   * Two nodes extract nothing, of as many long messages as they can be sent at once. What is kept
   * for them are buffers of the sender's, and a third node is served all the same.
   */
  @Test
  void whoTakesNothingLeavesRoomForOthers() throws Exception {
    join("shm", 4);
    Messages a = nodes.get(0);
    Handler take = Handler.named("take");
    AtomicInteger done = new AtomicInteger();
    for (Messages to : nodes.subList(1, 4)) {
      to.handler(
          "take",
          (in, from) -> {
            assertThat(isPattern(in.receiveRest(), 1)).isTrue();
            done.incrementAndGet();
          });
    }
    MemorySegment bytes = pattern(MEGABYTE, 1);
    List<Future<?>> all = new ArrayList<>();
    for (int i = 0; i < 2 * Lane.CHANNELS; i++) {
      int to = 1 + i % 2;
      all.add(
          threads.submit(
              () -> {
                a.send(to, take, bytes, 0, MEGABYTE);
                return 0;
              }));
    }
    for (long before = -1, sent = 0;
        sent != before; ) { // until they have all that they can be sent
      before = sent;
      TimeUnit.MILLISECONDS.sleep(300);
      sent = bytesTo(a, 1) + bytesTo(a, 2);
    }
    all.add(threads.submit(() -> nodes.get(3).await(() -> done.get() == 1, 20 * SECOND_NS)));
    a.patience(5 * SECOND_NS);
    a.send(3, take, bytes, 0, 10_000);
    awaitThat("the third one is served", 5, () -> done.get() == 1);
    for (Messages to : nodes.subList(1, 3)) {
      all.add(threads.submit(() -> to.await(() -> done.get() == 33, 20 * SECOND_NS)));
    }
    for (Future<?> one : all) {
      one.get();
    }
    assertThat(done.get()).isEqualTo(33);
  }

  private static long bytesTo(Messages from, int node) {
    from.node().take();
    try {
      return Objects.requireNonNull(from.node().lane(node)).bytesOut();
    } finally {
      from.node().release();
    }
  }
}
