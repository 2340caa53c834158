package io.busbar.messages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.busbar.messages.MessageException.Mistake;
import io.busbar.node.Lane;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * All channels of a lane carry long messages, whose handlers wait until a short one comes: nothing
 * that waits for a channel keeps that one from coming.
 */
@Timeout(60)
class CrowdedLaneTest extends Nodes {
  private static final int LONG = 200_000;
  private static final Handler GO = Handler.named("go");
  private static final Handler HOLD = Handler.named("hold");

  private final List<OutMessage> open = new ArrayList<>();
  private final List<String> order = new ArrayList<>();
  private int held;
  private int done;
  private boolean go;

  private void joinTwo(String fabric) throws Exception {
    join(fabric, 2);
    nodes.get(0).patience(10 * SECOND_NS);
    Messages b = nodes.get(1);
    Handler _ = b.handler(GO.name(), (_, _) -> go = true);
    Handler _ =
        b.waitingHandler(
            HOLD.name(),
            (in, _) -> {
              held++;
              in.await(() -> go);
              byte[] _ = in.receiveRest();
              done++;
            });
    for (String name : List.of("first", "second", "third")) {
      Handler _ =
          b.handler(
              name,
              (in, _) -> {
                order.add(name);
                byte[] _ = in.receiveRest();
                done++;
              });
    }
  }

  /** Node 0 has begun as many long messages as there are channels, and node 1 holds them. */
  private void crowd(String fabric) throws Exception {
    joinTwo(fabric);
    for (int i = 0; i < Lane.CHANNELS; i++) {
      OutMessage out = nodes.get(0).begin(1, LONG, HOLD);
      out.send(pattern(100, 1));
      out.flush();
      open.add(out);
    }
    assertThat(nodes.get(1).await(() -> held == Lane.CHANNELS, 20 * SECOND_NS)).isTrue();
  }

  private static void end(OutMessage out) {
    out.send(pattern(LONG - 100, 1));
    out.close();
  }

  /** Another one of node 0 waits for a channel. */
  private Future<?> another(int waiting, Callable<Void> what) throws Exception {
    Future<?> waits = threads.submit(what);
    awaitThat("it waits", 10, () -> nodes.get(0).held().waiting() == waiting);
    return waits;
  }

  /** A short one goes meanwhile, and then everything ends. */
  private void goOn(Future<?>... waiting) throws Exception {
    Messages b = nodes.get(1);
    nodes.get(0).send(1, GO, 1, 2, 3, 4);
    assertThat(b.await(() -> go, 20 * SECOND_NS)).isTrue();
    Future<?> ending = threads.submit(() -> open.forEach(CrowdedLaneTest::end));
    int all = Lane.CHANNELS + waiting.length;
    assertThat(b.await(() -> done == all, 20 * SECOND_NS)).as("%d done", done).isTrue();
    Object _ = ending.get();
    for (Future<?> one : waiting) {
      Object _ = one.get(20, TimeUnit.SECONDS);
    }
    awaitNothingHeld(b);
    awaitNothingHeld(nodes.get(0));
    assertThat(told).isEmpty();
  }

  private Void sendLong(Handler to) {
    nodes.get(0).send(1, to, pattern(LONG, 1), 0, LONG);
    return null;
  }

  @ParameterizedTest
  @ValueSource(strings = {"shm", "udp"})
  void shortOnesPassALongOneThatWaitsForAChannel(String fabric) throws Exception {
    crowd(fabric);
    goOn(another(1, () -> sendLong(HOLD)));
  }

  /** It was begun without a size, and so before the short one, and turns out to be long. */
  @ParameterizedTest
  @ValueSource(strings = {"shm", "udp"})
  void shortOnesPassOneThatGrewLong(String fabric) throws Exception {
    crowd(fabric);
    goOn(
        another(
            1,
            () -> {
              try (OutMessage out = nodes.get(0).begin(1, Messages.SIZE_UNKNOWN, HOLD)) {
                out.send(pattern(LONG, 1));
              }
              return null;
            }));
  }

  /** It is short, and shall leave before its end. */
  @ParameterizedTest
  @ValueSource(strings = {"shm", "udp"})
  void shortOnesPassOneThatIsFlushed(String fabric) throws Exception {
    crowd(fabric);
    goOn(
        another(
            1,
            () -> {
              try (OutMessage out = nodes.get(0).begin(1, 1_000, HOLD)) {
                out.send(pattern(500, 1));
                out.flush();
                out.send(pattern(500, 1));
              }
              return null;
            }));
  }

  /** A handler says more than there are channels for, and then what they all wait for. */
  @ParameterizedTest
  @ValueSource(strings = {"shm", "udp"})
  void shortOnesPassWhatAHandlerSent(String fabric) throws Exception {
    joinTwo(fabric);
    Messages a = nodes.get(0);
    int crowd = Lane.CHANNELS + 4;
    Handler talk =
        a.handler(
            "talk",
            (_, from) -> {
              for (int i = 0; i < crowd; i++) {
                a.send(from, HOLD, pattern(100_000, 1), 0, 100_000);
              }
              try (OutMessage grows = a.begin(from, Messages.SIZE_UNKNOWN, HOLD)) {
                grows.send(pattern(LONG, 1));
              }
              a.send(from, GO, 1, 2, 3, 4);
            });
    nodes.get(1).send(0, talk, 1, 2, 3, 4);
    Future<Boolean> talking = threads.submit(() -> a.await(() -> done > crowd, 20 * SECOND_NS));
    assertThat(nodes.get(1).await(() -> done > crowd, 20 * SECOND_NS)).as("%d", done).isTrue();
    a.wake();
    assertThat(talking.get()).isTrue();
    awaitNothingHeld(a);
    assertThat(told).isEmpty();
  }

  /** A short one that has begun keeps its place, also when what is later needs it to start. */
  @ParameterizedTest
  @ValueSource(strings = {"shm", "udp"})
  void openShortOneKeepsItsPlace(String fabric) throws Exception {
    crowd(fabric);
    Messages a = nodes.get(0);
    OutMessage first = a.begin(1, 10, Handler.named("first"));
    first.send(new byte[10]);
    Future<?> second =
        threads.submit(() -> a.send(1, Handler.named("second"), pattern(10, 0), 0, 10));
    assertThat(a.trySend(1, Handler.named("third"), pattern(10, 0), 0, 10)).isFalse();
    assertThatThrownBy(() -> second.get(100, TimeUnit.MILLISECONDS))
        .isInstanceOf(TimeoutException.class);
    first.close();
    Object _ = second.get(5, TimeUnit.SECONDS); // it hears of that, though nothing came
    a.send(1, Handler.named("third"), pattern(10, 0), 0, 10);
    assertThat(nodes.get(1).await(() -> order.size() == 3, 20 * SECOND_NS)).isTrue();
    assertThat(order).containsExactly("first", "second", "third");
  }

  /** A handler begins two, and ends the later one first; both are short. */
  @ParameterizedTest
  @ValueSource(strings = {"shm", "udp"})
  void shortOnesOfAHandlerKeepTheirPlaces(String fabric) throws Exception {
    crowd(fabric);
    Messages a = nodes.get(0);
    Handler talk =
        a.handler(
            "talk",
            (_, from) -> {
              OutMessage first = a.begin(from, 10, Handler.named("first"));
              OutMessage second = a.begin(from, 10, Handler.named("second"));
              first.send(new byte[5]);
              second.send(new byte[10]);
              second.close();
              a.send(from, Handler.named("third"), 1, 2, 3, 4);
              first.send(new byte[5]);
              first.close();
              order.add("said");
            });
    nodes.get(1).send(0, talk, 1, 2, 3, 4);
    assertThat(a.await(() -> order.contains("said"), 20 * SECOND_NS)).isTrue();
    assertThat(nodes.get(1).await(() -> order.size() == 4, 20 * SECOND_NS)).isTrue();
    assertThat(order).containsExactly("said", "first", "second", "third");
  }

  /** Who asked first has the next channel; who gives up is not waited for; who tries has none. */
  @ParameterizedTest
  @ValueSource(strings = {"shm", "udp"})
  void channelsGoToWhoAskedFirst(String fabric) throws Exception {
    crowd(fabric);
    Messages a = nodes.get(0);
    Messages b = nodes.get(1);
    Thread[] impatient = new Thread[1];
    Future<?> givesUp =
        another(
            1,
            () -> {
              impatient[0] = Thread.currentThread();
              return sendLong(Handler.named("third"));
            });
    Future<?> first = another(2, () -> sendLong(Handler.named("first")));
    Future<?> second = another(3, () -> sendLong(Handler.named("second")));
    impatient[0].interrupt();
    assertThatThrownBy(givesUp::get)
        .cause()
        .isInstanceOfSatisfying(
            MessageException.class, e -> assertThat(e.mistake()).isEqualTo(Mistake.TIMED_OUT));
    awaitThat("two wait", 10, () -> a.held().waiting() == 2);
    assertThat(a.tryBegin(1, LONG, HOLD)).isNull();
    go = true;
    Future<?> ending = threads.submit(() -> end(open.removeFirst()));
    assertThat(b.await(() -> order.size() == 2, 20 * SECOND_NS)).isTrue();
    Object _ = ending.get();
    Object _ = first.get();
    Object _ = second.get();
    assertThat(order).containsExactly("first", "second");
    open.forEach(OutMessage::abandon);
  }
}
