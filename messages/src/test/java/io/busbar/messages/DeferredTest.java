package io.busbar.messages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What handlers send and has to wait: in order, and counted only if it waits. */
@Timeout(60)
class DeferredTest extends Nodes {
  private static final int LENGTH = 10_000;

  /** Node 1 runs this in a handler, while node 0 takes nothing. */
  private void inHandler(MessageHandler what) throws Exception {
    Messages b = nodes.get(1);
    boolean[] done = new boolean[1];
    Handler run =
        b.handler(
            "run",
            (in, from) -> {
              what.onMessage(in, from);
              done[0] = true;
            });
    nodes.get(0).send(1, run, 1, 2, 3, 4);
    assertThat(b.await(() -> done[0] || !told.isEmpty(), 20 * SECOND_NS)).isTrue();
    assertThat(told).isEmpty();
  }

  /** Bytes that cannot be read, and who writes none, leave nothing behind in the count. */
  @ParameterizedTest
  @ValueSource(strings = {"shm", "udp"})
  void whatCannotBeCopiedIsNotCounted(String fabric) throws Exception {
    join(fabric, 2);
    Messages a = nodes.get(0);
    Messages b = nodes.get(1);
    int[] heard = new int[1];
    Handler take = a.handler("take", (_, _) -> heard[0]++);
    MemorySegment good = pattern(LENGTH, 0);
    Arena arena = Arena.ofConfined();
    MemorySegment closed = arena.allocate(LENGTH);
    arena.close();
    int[] sent = new int[1];
    inHandler(
        (_, from) -> {
          while (b.trySend(from, take, good, 0, LENGTH)) {
            sent[0]++;
          }
          b.send(from, take, good, 0, LENGTH); // waits, and so do the others
          sent[0]++;
          for (int i = 0; i < 1_000; i++) { // more than may wait, if they counted
            assertThatThrownBy(() -> b.send(from, take, closed, 0, LENGTH))
                .isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(
                    () ->
                        b.send(
                            from,
                            take,
                            LENGTH,
                            (_, _) -> {
                              throw new UnsupportedOperationException();
                            }))
                .isInstanceOf(UnsupportedOperationException.class);
          }
        });
    assertThat(a.await(() -> heard[0] == sent[0], 20 * SECOND_NS)).isTrue();
    awaitNothingHeld(b);
  }

  /** Of two that have begun the first one starts first, though it ends first, too. */
  @ParameterizedTest
  @ValueSource(strings = {"shm", "udp"})
  void whatBeganFirstStartsFirst(String fabric) throws Exception {
    join(fabric, 2);
    Messages a = nodes.get(0);
    Messages b = nodes.get(1);
    List<String> heard = new ArrayList<>();
    Handler fill = a.handler("fill", (_, _) -> {});
    Handler first = a.handler("first", (_, _) -> heard.add("first"));
    Handler second = a.handler("second", (_, _) -> heard.add("second"));
    MemorySegment some = pattern(LENGTH, 0);
    inHandler(
        (_, from) -> {
          while (b.trySend(from, fill, some, 0, LENGTH)) {
            heard.clear();
          }
          b.send(from, fill, some, 0, LENGTH); // waits, and so do the others
          OutMessage one = b.begin(from, 10, first);
          OutMessage two = b.begin(from, 10, second);
          one.send(some, 0, 10);
          two.send(some, 0, 10);
          one.close();
          two.close();
        });
    assertThat(a.await(() -> heard.size() == 2, 20 * SECOND_NS)).isTrue();
    assertThat(heard).containsExactly("first", "second");
  }

  /** A buffer that is given outside the handler goes behind the pieces that wait. */
  @ParameterizedTest
  @ValueSource(strings = {"shm", "udp"})
  void bufferDoesNotOvertakePieces(String fabric) throws Exception {
    join(fabric, 2);
    Messages a = nodes.get(0);
    Messages b = nodes.get(1);
    List<byte[]> heard = new ArrayList<>();
    Handler take = a.handler("take", (in, _) -> heard.add(in.receiveRest()));
    int pieces = 200;
    int last = 8;
    MemorySegment piece = pattern(LENGTH, 0);
    OutMessage[] out = new OutMessage[1];
    inHandler(
        (_, from) -> {
          OutMessage begun = b.begin(from, (long) pieces * LENGTH + last, take);
          for (int i = 0; i < pieces; i++) {
            begun.send(piece, 0, LENGTH);
          }
          begun.flush();
          out[0] = begun;
        });
    MessageBuffer buffer = b.buffer(last);
    buffer.memory().fill((byte) 99);
    var giving =
        threads.submit(
            () -> {
              out[0].give(buffer, last);
              out[0].close();
            });
    Thread.sleep(100); // nothing is taken meanwhile
    assertThat(a.await(() -> heard.size() == 1, 20 * SECOND_NS)).isTrue();
    Object _ = giving.get();
    byte[] all = heard.getFirst();
    for (int i = 0; i < pieces * LENGTH; i++) {
      if (all[i] != (byte) (i % LENGTH * 7)) {
        throw new AssertionError("byte %d is %d".formatted(i, all[i]));
      }
    }
    assertThat(all[pieces * LENGTH]).isEqualTo((byte) 99);
  }
}
