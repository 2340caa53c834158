package io.busbar.messages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.busbar.messages.MessageException.Mistake;
import java.lang.foreign.MemorySegment;
import java.util.function.Consumer;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a listener throws, and what it may do while it is told something. */
@Timeout(60)
class ListenerTest extends Nodes {
  private static final int LONG = 200_000;

  /** What node 1 does when it is told of an unknown handler, or of one that failed. */
  private volatile Consumer<Messages> reaction = _ -> {};

  private final int[] heard = new int[1];

  @Override
  MessageEvents events(int self) {
    MessageEvents others = super.events(self);
    return new MessageEvents() {
      @Override
      public void onHandlerFailed(Handler handler, int from, long bytes, Throwable why) {
        others.onHandlerFailed(handler, from, bytes, why);
        reaction.accept(nodes.get(self));
      }

      @Override
      public void onUnknownHandler(int number, int from, long bytes) {
        others.onUnknownHandler(number, from, bytes);
        reaction.accept(nodes.get(self));
      }

      @Override
      public void onUndelivered(int node, long bytes) {
        others.onUndelivered(node, bytes);
      }

      @Override
      public void onNodeGone(int node, String why) {
        others.onNodeGone(node, why);
      }
    };
  }

  private void joinTwo(String fabric) throws Exception {
    join(fabric, 2);
    Messages b = nodes.get(1);
    for (String name : new String[] {"bad", "worse"}) {
      MessageHandler fails =
          (_, _) -> {
            throw new IllegalStateException(name);
          };
      Handler _ = name.equals("bad") ? b.handler(name, fails) : b.waitingHandler(name, fails);
    }
    Handler _ =
        b.resumableHandler(
            "worst",
            (_, _) -> {
              throw new IllegalStateException("worst");
            });
    Handler _ = b.handler("good", (_, _) -> heard[0]++);
  }

  private static void throwOnPurpose(Messages fm) {
    throw new UnsupportedOperationException("told by node " + fm.node().id());
  }

  /** On the extractor's thread and on a handler's, of short messages and of long ones. */
  @ParameterizedTest
  @ValueSource(strings = {"shm", "udp"})
  void whatItThrowsIsThrownByExtractAndCostsNothing(String fabric) throws Exception {
    joinTwo(fabric);
    Messages a = nodes.get(0);
    Messages b = nodes.get(1);
    reaction = ListenerTest::throwOnPurpose;
    MemorySegment bytes = pattern(LONG, 0);
    for (String name : new String[] {"bad", "worse", "worst"}) {
      for (int length : new int[] {10, LONG}) {
        told.clear();
        int before = heard[0];
        a.send(1, Handler.named(name), bytes, 0, length);
        a.send(1, Handler.named("good"), 1, 2, 3, 4);
        assertThatThrownBy(() -> b.await(() -> false, 20 * SECOND_NS))
            .isInstanceOf(UnsupportedOperationException.class)
            .hasMessage("told by node 1");
        assertThat(told).containsExactly("%s 0 %d %s".formatted(name, length, name));
        assertThat(b.await(() -> heard[0] == before + 1, 20 * SECOND_NS)).isTrue();
        awaitNothingHeld(b);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"shm", "udp"})
  void itMayNotExtract(String fabric) throws Exception {
    joinTwo(fabric);
    Messages a = nodes.get(0);
    Messages b = nodes.get(1);
    reaction = Messages::extract;
    for (long length : new long[] {10, LONG}) {
      told.clear();
      int before = heard[0];
      a.send(1, Handler.named("nobody"), pattern(LONG, 0), 0, length);
      a.send(1, Handler.named("good"), 1, 2, 3, 4);
      a.send(1, Handler.named("good"), 1, 2, 3, 4);
      assertThatThrownBy(() -> b.await(() -> false, 20 * SECOND_NS))
          .isInstanceOfSatisfying(
              MessageException.class, e -> assertThat(e.mistake()).isEqualTo(Mistake.WRONG_PLACE));
      assertThat(told).containsExactly("unknown %d 0 %d".formatted(number(), length));
      assertThat(b.await(() -> heard[0] == before + 2, 20 * SECOND_NS)).isTrue();
    }
  }

  private static int number() {
    return Handler.named("nobody").number();
  }

  /** It sends as a handler does: what cannot leave is kept, and nothing is extracted meanwhile. */
  @ParameterizedTest
  @ValueSource(strings = {"shm", "udp"})
  void itMaySend(String fabric) throws Exception {
    joinTwo(fabric);
    Messages a = nodes.get(0);
    Messages b = nodes.get(1);
    int count = 300; // 3 MB: more than there is room for
    int[] answers = new int[1];
    Handler answer = a.handler("answer", (_, _) -> answers[0]++);
    MemorySegment bytes = pattern(10_000, 0);
    reaction =
        fm -> {
          for (int i = 0; i < count; i++) {
            fm.send(0, answer, bytes, 0, 10_000);
          }
        };
    a.send(1, Handler.named("nobody"), 1, 2, 3, 4);
    a.send(1, Handler.named("good"), 1, 2, 3, 4);
    b.patience(5 * SECOND_NS);
    assertThat(b.await(() -> !told.isEmpty(), 20 * SECOND_NS)).isTrue();
    assertThat(told).containsExactly("unknown %d 0 16".formatted(number()));
    assertThat(a.await(() -> answers[0] == count, 20 * SECOND_NS)).isTrue();
    assertThat(b.await(() -> heard[0] == 1, 20 * SECOND_NS)).isTrue();
  }
}
