package io.busbar.lab.stack;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.messages.Handler;
import io.busbar.messages.InMessage;
import io.busbar.messages.OutMessage;
import io.busbar.messages.ResumableHandler.Progress;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Long messages and handlers that wait, where one must not hold up another. */
class LongMessagesTest {
  private static final long SECOND_NS = 1_000_000_000L;
  private static final Handler WAITS = Handler.named("waits");
  private static final Handler GO = Handler.numbered(7);
  private static final Handler BULK = Handler.numbered(8);

  private static MemorySegment bytes(int length) {
    return MemorySegment.ofArray(new byte[length]);
  }

  /** Who is blocked extracts; a condition that holds after it needs nothing else to come. */
  @Test
  void conditionThatAHandlerFulfilsIsSeenThoughTheProgramIsBlocked() throws Throwable {
    Duo[] duo = new Duo[1];
    long[] wentOnNs = new long[1];
    boolean[] go = new boolean[1];
    Duo.Play deaf =
        process -> {
          try (Duo.Talk talk = duo[0].talk(process)) {
            talk.messages.send(1, WAITS, bytes(100), 0, 100);
            talk.messages.send(1, GO, bytes(100), 0, 100);
            process.pass(2 * SECOND_NS);
            talk.extractUntil(5 * SECOND_NS);
          }
        };
    Duo.Play blocked =
        process -> {
          try (Duo.Talk talk = duo[0].talk(process)) {
            Handler _ =
                talk.messages.waitingHandler(
                    WAITS.name(),
                    (in, from) -> {
                      in.await(() -> go[0]);
                      wentOnNs[0] = duo[0].stack.schedule().nowNs();
                    });
            Handler _ = talk.messages.handler(GO.number(), (in, from) -> go[0] = true);
            for (int i = 0; i < 100; i++) {
              talk.messages.send(0, BULK, bytes(50_000), 0, 50_000);
            }
            talk.extractUntil(5 * SECOND_NS);
          }
        };
    duo[0] = new Duo(List.of(deaf), List.of(blocked));
    duo[0].run(20 * SECOND_NS);
    assertThat(wentOnNs[0]).isBetween(1L, SECOND_NS);
  }

  /** Handlers leave sixteen bodies where they are until a short message comes: it does. */
  @Test
  void recordsAreHeardThoughBodiesHaveTheCredit() throws Throwable {
    Duo[] duo = new Duo[1];
    int[] bodies = new int[1];
    boolean[] go = new boolean[1];
    Duo.Play sends =
        process -> {
          try (Duo.Talk talk = duo[0].talk(process)) {
            List<OutMessage> open = new ArrayList<>();
            for (int i = 0; i < 16; i++) {
              OutMessage out = talk.messages.begin(1, 300_000, BULK);
              out.send(bytes(60_000));
              out.flush();
              open.add(out);
            }
            talk.extractUntil(5 * SECOND_NS);
            talk.messages.send(1, GO, bytes(100), 0, 100);
            for (OutMessage out : open) {
              out.send(bytes(240_000));
              out.close();
            }
            talk.extractUntil(60 * SECOND_NS);
          }
        };
    Duo.Play leaves =
        process -> {
          try (Duo.Talk talk = duo[0].talk(process)) {
            List<InMessage> left = new ArrayList<>();
            Handler _ =
                talk.messages.resumableHandler(
                    BULK.number(),
                    (in, from) -> {
                      if (!go[0]) {
                        left.add(in);
                        return Progress.CONTINUE;
                      }
                      in.skip(in.available());
                      bodies[0] += in.remaining() == 0 ? 1 : 0;
                      return Progress.CONTINUE;
                    });
            Handler _ =
                talk.messages.handler(
                    GO.number(),
                    (in, from) -> {
                      go[0] = true;
                      left.forEach(InMessage::resume);
                    });
            talk.extractUntil(60 * SECOND_NS);
          }
        };
    duo[0] = new Duo(List.of(sends), List.of(leaves), 16L * Duo.FRAME_BYTES);
    duo[0].run(90 * SECOND_NS);
    assertThat(go[0]).isTrue();
    assertThat(bodies[0]).isEqualTo(16);
  }

  /** What a handler has sent is waited for, also if it is more than has stages of its own. */
  @Test
  void closeWaitsForAllThatAHandlerSent() throws Throwable {
    Duo[] duo = new Duo[1];
    int length = 1_500_000;
    long[] received = new long[1];
    Duo.Play asks =
        process -> {
          try (Duo.Talk talk = duo[0].talk(process)) {
            Handler _ =
                talk.messages.resumableHandler(
                    BULK.number(),
                    (in, from) -> {
                      received[0] += in.available();
                      in.skip(in.available());
                      return Progress.CONTINUE;
                    });
            talk.messages.send(1, GO, bytes(100), 0, 100);
            talk.extractUntil(20 * SECOND_NS);
          }
        };
    Duo.Play answers =
        process -> {
          Duo.Talk talk = duo[0].talk(process);
          boolean[] answered = new boolean[1];
          Handler _ =
              talk.messages.handler(
                  GO.number(),
                  (in, from) -> {
                    talk.messages.send(0, BULK, bytes(length), 0, length);
                    answered[0] = true;
                  });
          assertThat(talk.messages.await(() -> answered[0], SECOND_NS)).isTrue();
          talk.close();
          assertThat(talk.events).isEmpty();
        };
    duo[0] = new Duo(List.of(asks), List.of(answers));
    duo[0].run(30 * SECOND_NS);
    assertThat(received[0]).isEqualTo(length);
  }

  /** A handler that waits for more than the peer has credit for gives back what it has read. */
  @Test
  void whatAWaitingHandlerHasReadIsGivenBack() throws Throwable {
    Duo[] duo = new Duo[1];
    int[] framesKept = {-1};
    Duo.Play sends =
        process -> {
          try (Duo.Talk talk = duo[0].talk(process);
              OutMessage out = talk.messages.begin(1, 300_000, BULK)) {
            out.send(bytes(1_300)); // long enough to stay in its frame
            out.flush();
            talk.extractUntil(SECOND_NS);
            out.send(bytes(298_700));
          }
        };
    Duo.Play reads =
        process -> {
          try (Duo.Talk talk = duo[0].talk(process)) {
            Handler _ =
                talk.messages.handler(BULK.number(), (in, from) -> in.receive(bytes(300_000)));
            talk.extractUntil(SECOND_NS / 2);
            framesKept[0] = process.place() == null ? -1 : process.place().claims();
            talk.extractUntil(5 * SECOND_NS);
          }
        };
    duo[0] = new Duo(List.of(sends), List.of(reads));
    duo[0].run(20 * SECOND_NS);
    assertThat(framesKept[0]).isZero();
  }

  /** The last message has no bytes, waits for a frame to fill, and its sender leaves at once. */
  @Test
  void whoLeavesWaitsForAMessageWithoutBytes() throws Throwable {
    Duo[] duo = new Duo[1];
    int[] came = new int[1];
    Duo.Play leaves =
        process -> {
          try (Duo.Talk talk = duo[0].talk(process)) {
            for (int i = 0; i < 3; i++) {
              talk.messages.send(1, GO, bytes(0), 0, 0);
            }
          }
        };
    Duo.Play hears =
        process -> {
          try (Duo.Talk talk = duo[0].talk(process)) {
            Handler _ = talk.messages.handler(GO.number(), (in, from) -> came[0]++);
            talk.extractUntil(5 * SECOND_NS);
          }
        };
    duo[0] = new Duo(List.of(leaves), List.of(hears));
    duo[0].run(20 * SECOND_NS);
    assertThat(came[0]).isEqualTo(3);
  }
}
