package io.busbar.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.busbar.transport.TransportException.Mistake;
import io.busbar.wire.Key;
import io.busbar.wire.Records;
import java.lang.foreign.MemorySegment;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every mistake a caller can make has a name and a sentence, and changes nothing. */
class CallerMistakesTest {
  private Pair pair = Pair.listening();
  private Transport transport = pair.a.transport;
  private long stream;
  private long datagrams;
  private final MemorySegment bytes = End.pattern(100, 1);

  @BeforeEach
  void open() {
    pair = Pair.listening(builder -> builder.listenersMax(1).associationsMax(3));
    transport = pair.a.transport;
    stream = pair.open();
    datagrams = pair.a.open(pair.b, Service.DATAGRAM, 0);
    pair.run(10 * Pair.MS);
  }

  @ParameterizedTest
  @EnumSource
  void everyMistakeCanBeMade(Mistake mistake) {
    ThrowingCallable call =
        switch (mistake) {
          case UNKNOWN_ASSOCIATION -> () -> send(0, 0, 1);
          case ASSOCIATION_ENDED -> {
            pair.a.abort(stream);
            yield () -> send(stream, 0, 1);
          }
          case WRITE_CLOSED -> {
            pair.a.closeWrite(stream);
            yield () -> send(stream, 0, 1);
          }
          case WRONG_SERVICE -> () -> transport.consumed(pair.nowNs, datagrams, 1);
          case BAD_ARGUMENT -> () -> open(1, 7, 0);
          case NOT_OWNED -> () -> transport.consumed(pair.nowNs, stream, 1);
          case NO_SLOT -> {
            open(2, 7, 0);
            yield () -> open(2, 7, 0);
          }
          case TOO_MANY_OPENING -> {
            openUnanswered();
            yield () -> open(2, 7, 0);
          }
          case NOT_LISTENING -> () -> transport.stopListening(5);
        };
    pair.run(10 * Pair.MS);
    assertRefused(mistake, "", call);
  }

  private void openUnanswered() {
    pair = Pair.listening(builder -> builder.rtoNs(Pair.MS, 100 * Pair.MS));
    transport = pair.a.transport;
    pair.copies = frame -> 0;
    for (int i = 1; i < FirstSerials.WINDOW; i++) {
      open(2, 7, 0);
    }
  }

  /** The call is refused with this name and sentence, and the transport is as it was. */
  private void assertRefused(Mistake mistake, String sentence, ThrowingCallable call) {
    String before = state();
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            TransportException.class, e -> assertThat(e.mistake()).isEqualTo(mistake))
        .hasMessageContaining(sentence);
    assertThat(state()).isEqualTo(before);
  }

  private String state() {
    return transport.counters()
        + " "
        + transport.associations()
        + " "
        + transport.busyParts()
        + " "
        + transport.creditTakenBytes()
        + " "
        + transport.onTheirWayBytes(2)
        + " "
        + pair.a.events
        + pair.a.released;
  }

  private void open(int peer, int proto, int statusEvery) {
    transport.open(pair.nowNs, peer, proto, Service.STREAM, 1, 80, statusEvery, 0);
  }

  private boolean send(long association, long at, int length) {
    return transport.trySend(pair.nowNs, association, bytes, at, length, 1, false);
  }

  private boolean sendRecord(long association, long header) {
    return transport.trySendRecord(pair.nowNs, association, header, bytes, 0, 1);
  }

  @Test
  void aHandleThatNamesNothing() {
    long stranger = Key.of(9, 9, 9);
    String sentence = Key.text(stranger) + " names no association of node 1";
    assertRefused(Mistake.UNKNOWN_ASSOCIATION, sentence, () -> send(stranger, 0, 1));
    assertRefused(
        Mistake.UNKNOWN_ASSOCIATION, sentence, () -> transport.closeWrite(pair.nowNs, stranger));
    assertRefused(
        Mistake.UNKNOWN_ASSOCIATION, sentence, () -> transport.closeRead(pair.nowNs, stranger));
    assertRefused(
        Mistake.UNKNOWN_ASSOCIATION, sentence, () -> transport.abort(pair.nowNs, stranger));
    assertRefused(
        Mistake.UNKNOWN_ASSOCIATION, sentence, () -> transport.flush(pair.nowNs, stranger));
    assertRefused(
        Mistake.UNKNOWN_ASSOCIATION, sentence, () -> transport.consumed(pair.nowNs, stranger, 0));
  }

  @Test
  void theKeyOfThePeerIsNotAHandle() {
    assertRefused(
        Mistake.UNKNOWN_ASSOCIATION,
        "names no association",
        () -> transport.abort(pair.nowNs, pair.b.accepted()));
  }

  @Test
  void anAssociationThatHasEnded() {
    pair.a.abort(stream);
    pair.run(10 * Pair.MS);
    assertRefused(Mistake.ASSOCIATION_ENDED, "has ended", () -> send(stream, 0, 1));
    assertRefused(
        Mistake.ASSOCIATION_ENDED, "has ended", () -> transport.abort(pair.nowNs, stream));
  }

  @Test
  void aHandleThatLingeredAndIsForgotten() {
    pair.a.abort(stream);
    pair.run(2_000 * Pair.MS);
    assertRefused(Mistake.UNKNOWN_ASSOCIATION, "names no association", () -> send(stream, 0, 1));
  }

  @Test
  void aStreamClosedForWriting() {
    pair.a.closeWrite(stream);
    pair.run(10 * Pair.MS);
    assertRefused(Mistake.WRITE_CLOSED, "is closed for writing", () -> send(stream, 0, 1));
    long header = Records.header(Records.WHOLE, 0, 0, 10);
    assertRefused(Mistake.WRITE_CLOSED, "is closed for writing", () -> sendRecord(stream, header));
  }

  @Test
  void datagramsClosedForWriting() {
    pair.a.closeWrite(datagrams);
    assertThatThrownBy(() -> send(datagrams, 0, 1))
        .isInstanceOfSatisfying(
            TransportException.class, e -> assertThat(e.mistake()).isEqualTo(Mistake.WRITE_CLOSED));
  }

  @Test
  void recordsAndCreditsBelongToStreams() {
    long header = Records.header(Records.WHOLE, 0, 0, 10);
    assertRefused(Mistake.WRONG_SERVICE, "carries datagrams", () -> sendRecord(datagrams, header));
    assertRefused(
        Mistake.WRONG_SERVICE,
        "carries datagrams",
        () -> transport.consumed(pair.nowNs, datagrams, 1));
  }

  @Test
  void bytesThatDoNotLieInTheSegment() {
    assertRefused(Mistake.BAD_ARGUMENT, "101 bytes at 0 do not lie in", () -> send(stream, 0, 101));
    assertRefused(Mistake.BAD_ARGUMENT, "1 bytes at 100 do not lie in", () -> send(stream, 100, 1));
    assertRefused(Mistake.BAD_ARGUMENT, "-1 bytes at 0", () -> send(stream, 0, -1));
    assertRefused(Mistake.BAD_ARGUMENT, "1 bytes at -1", () -> send(stream, -1, 1));
  }

  @Test
  void nothingToSend() {
    assertRefused(Mistake.BAD_ARGUMENT, "nothing to send", () -> send(stream, 0, 0));
    assertRefused(Mistake.BAD_ARGUMENT, "nothing to send", () -> send(datagrams, 0, 0));
  }

  @Test
  void aRecordHeaderThatIsNone() {
    long kindless = Records.header(0, 0, 0, 10);
    assertRefused(Mistake.BAD_ARGUMENT, "is no record header", () -> sendRecord(stream, kindless));
    long longer = Records.header(Records.WHOLE, 0, 0, 101);
    assertRefused(Mistake.BAD_ARGUMENT, "101 bytes at 0", () -> sendRecord(stream, longer));
  }

  @Test
  void aDatagramThatIsTooLong() {
    int most = transport.datagramBytesMax();
    MemorySegment longer = End.pattern(most + 1, 1);
    assertRefused(
        Mistake.BAD_ARGUMENT,
        "the most is " + most,
        () -> transport.trySend(pair.nowNs, datagrams, longer, 0, most + 1, 1, true));
  }

  @Test
  void peersProtosAndNumbersThatCannotBe() {
    assertRefused(Mistake.BAD_ARGUMENT, "node 1 cannot be a peer", () -> open(1, 7, 0));
    assertRefused(Mistake.BAD_ARGUMENT, "node 65535 cannot", () -> open(65_535, 7, 0));
    assertRefused(Mistake.BAD_ARGUMENT, "node -1 cannot", () -> open(-1, 7, 0));
    assertRefused(Mistake.BAD_ARGUMENT, "proto is 256", () -> open(2, 256, 0));
    assertRefused(Mistake.BAD_ARGUMENT, "statusEvery is -1", () -> open(2, 7, -1));
    assertRefused(Mistake.BAD_ARGUMENT, "statusEvery is 65536", () -> open(2, 7, 65_536));
  }

  @Test
  void moreGivenBackThanIsHeld() {
    pair.a.consumes = false;
    assertRefused(
        Mistake.NOT_OWNED,
        "1 bytes of association",
        () -> transport.consumed(pair.nowNs, stream, 1));
    pair.b.send(pair.b.accepted(), 50, 1);
    pair.run(10 * Pair.MS);
    assertRefused(
        Mistake.NOT_OWNED, "50 are held", () -> transport.consumed(pair.nowNs, stream, 51));
    assertRefused(
        Mistake.NOT_OWNED, "50 are held", () -> transport.consumed(pair.nowNs, stream, -1));
    transport.consumed(pair.nowNs, stream, 50);
  }

  @Test
  void moreAssociationsThanSlots() {
    pair.a.open(pair.b);
    pair.run(10 * Pair.MS);
    assertRefused(Mistake.NO_SLOT, "all 3 associations are in use", () -> open(2, 7, 0));
  }

  @Test
  void moreListenersThanTheBound() {
    transport.listen(Criteria.port(7, 80));
    assertRefused(
        Mistake.NO_SLOT, "1 contexts listen already", () -> transport.listen(Criteria.port(7, 81)));
  }

  @Test
  void moreUnansweredThanThePeerRemembers() {
    openUnanswered();
    String before = state();
    assertThatThrownBy(() -> open(2, 7, 0))
        .isInstanceOfSatisfying(
            TransportException.class,
            e -> assertThat(e.mistake()).isEqualTo(Mistake.TOO_MANY_OPENING))
        .hasMessageContaining("1023 associations to node 2");
    assertThat(state()).isEqualTo(before);
  }

  @Test
  void aContextThatDoesNotListen() {
    assertRefused(
        Mistake.NOT_LISTENING, "context 5 does not listen", () -> transport.stopListening(5));
    int context = transport.listen(Criteria.port(7, 80));
    assertThat(transport.contextState(context)).isEqualTo(ContextState.LISTENING);
    transport.stopListening(context);
    assertRefused(Mistake.NOT_LISTENING, "does not listen", () -> transport.stopListening(context));
  }
}
