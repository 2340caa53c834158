package io.busbar.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.wire.Options;
import io.busbar.wire.RecordReader;
import io.busbar.wire.Records;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** When frames leave, how full, and which ask for status. */
class BatchingTest {
  private static final class Reader implements RecordReader.Sink {
    final RecordReader reader = new RecordReader();
    final List<Long> headers = new ArrayList<>();
    final ByteArrayOutputStream payload = new ByteArrayOutputStream();

    @Override
    public void onRecord(long header) {
      headers.add(header);
    }

    @Override
    public void onBytes(MemorySegment segment, long at, int length, boolean last) {
      payload.writeBytes(segment.asSlice(at, length).toArray(ValueLayout.JAVA_BYTE));
    }
  }

  /** How long answers wait for data. */
  private static final long HOLD_NS = 25 * Pair.US;

  private final Pair pair = Pair.listening();
  private final Reader read = new Reader();

  private long sendRecord(long association, int handler, int length) {
    long header = Records.header(Records.WHOLE, handler & 0xFF, handler, length);
    MemorySegment payload = End.pattern(length, handler);
    assertThat(pair.a.transport.trySendRecord(pair.nowNs, association, header, payload, 0, handler))
        .isTrue();
    return header;
  }

  private void readBack() {
    byte[] stream = pair.b.bytes.toByteArray();
    assertThat(read.reader.feed(MemorySegment.ofArray(stream), 0, stream.length, read)).isTrue();
    assertThat(read.reader.isAtBoundary()).isTrue();
  }

  @Test
  void recordsComeBackAsTheyWereGiven() {
    long association = pair.open();
    SplittableRandom random = new SplittableRandom(11);
    List<Long> headers = new ArrayList<>();
    ByteArrayOutputStream expected = new ByteArrayOutputStream();
    for (int i = 0; i < 300; i++) {
      int length = random.nextInt(4) == 0 ? random.nextInt(5_000) : random.nextInt(60);
      headers.add(sendRecord(association, i, length));
      expected.writeBytes(End.patternBytes(length, i));
    }
    pair.lose(5, frame -> frame.isData() && frame.seq() > 20_000);
    pair.run(50 * Pair.MS);
    readBack();

    assertThat(read.headers).isEqualTo(headers);
    assertThat(read.payload.toByteArray()).isEqualTo(expected.toByteArray());
    assertThat(pair.a.released).hasSize(300);
  }

  @Test
  void manySmallRecordsShareAFrame() {
    long association = pair.open();
    for (int i = 0; i < 100; i++) {
      sendRecord(association, i, 8);
    }
    pair.run(10 * Pair.MS);
    readBack();

    assertThat(read.headers).hasSize(100);
    assertThat(pair.count(Sent::isData)).isLessThanOrEqualTo(3);
  }

  @Test
  void aLoneRecordLeavesAtOnce() {
    long association = pair.open();
    sendRecord(association, 1, 8);
    pair.run(0);

    assertThat(pair.count(Sent::isData)).isEqualTo(1);
    assertThat(pair.sent).noneMatch(frame -> frame.has(Options.SREQ));
  }

  /** Two leave: the first without a question, so that its answer may take a while. */
  private long leaveTwo() {
    long association = pair.open();
    sendRecord(association, 1, 8);
    pair.run(0);
    sendRecord(association, 2, 8);
    pair.run(0);
    assertThat(pair.sent).extracting(frame -> frame.has(Options.SREQ)).containsExactly(false, true);
    return association;
  }

  @Test
  void aThirdRecordWaitsForTheAcknowledgementOfTheSecond() {
    long association = leaveTwo();
    sendRecord(association, 3, 8);
    pair.run(2 * Pair.DELAY_NS + HOLD_NS - 1);
    assertThat(pair.count(Sent::isData)).isEqualTo(2);
    pair.run(1);

    assertThat(pair.count(Sent::isData)).isEqualTo(3);
  }

  @Test
  void everyEighthLoneRecordAsks() {
    long association = pair.open();
    for (int i = 0; i < 32; i++) {
      sendRecord(association, i, 8);
      pair.run(10 * Pair.MS);
    }

    assertThat(pair.count(Sent::isData)).isEqualTo(32);
    assertThat(pair.count(frame -> frame.isData() && frame.has(Options.SREQ))).isEqualTo(4);
  }

  @Test
  void aFlushDoesNotWait() {
    long association = leaveTwo();
    sendRecord(association, 3, 8);
    pair.a.transport.flush(pair.nowNs, association);
    pair.run(0);

    assertThat(pair.count(Sent::isData)).isEqualTo(3);
    assertThat(pair.sent.getLast().has(Options.SREQ)).isTrue();
  }

  @Test
  void nobodyWaitsLongerThanTheFillTime() {
    pair.delayNs = frame -> 150 * Pair.US;
    long association = leaveTwo();
    sendRecord(association, 3, 8);
    pair.run(99 * Pair.US);
    assertThat(pair.count(Sent::isData)).isEqualTo(2);
    pair.run(Pair.US);

    assertThat(pair.count(Sent::isData)).isEqualTo(3);
  }

  @Test
  void statusEveryFrameWhenTheUserSaysSo() {
    pair.open();
    long association = pair.a.open(pair.b, Service.STREAM, 1);
    pair.a.send(association, 50_000, 1);
    pair.run(20 * Pair.MS);

    assertThat(pair.sentBy(pair.a).stream().filter(Sent::isData))
        .hasSizeGreaterThan(30)
        .allMatch(frame -> frame.has(Options.SREQ));
  }

  @Test
  void aBurstAsksAtItsEnd() {
    long association = pair.open();
    pair.a.send(association, 100_000, 1);
    pair.run(20 * Pair.MS);

    List<Sent> data = pair.sentBy(pair.a).stream().filter(Sent::isData).toList();
    assertThat(data.getLast().has(Options.SREQ)).isTrue();
    assertThat(data).anyMatch(frame -> !frame.has(Options.SREQ));
  }

  @Test
  void answersRideOnDataThatGoesBack() {
    long association = pair.open();
    pair.b.duringBytes = accepted -> pair.b.send(accepted, 64, 1);
    for (int i = 0; i < 100; i++) {
      pair.a.send(association, 64, i);
      pair.run(100 * Pair.US);
    }

    assertThat(pair.b.count(Count.BYTES_DELIVERED)).isEqualTo(6_400);
    assertThat(pair.count(frame -> frame.from() == 2 && frame.isStatus())).isLessThan(10);
  }

  /** An association on which three answers rode on echoes; nobody echoes from now on. */
  private long openWithEchoes() {
    long association = pair.open();
    pair.b.duringBytes = accepted -> pair.b.send(accepted, 64, 1);
    for (int i = 0; i < 3; i++) {
      pair.a.send(association, 64, 1);
      pair.run(Pair.MS);
    }
    pair.b.duringBytes = accepted -> {};
    pair.sent.clear();
    return association;
  }

  /** Nothing goes back for a while; then data does, and the answer with it. */
  private void assertThatAnAnswerRides(long association) {
    pair.a.send(association, 64, 2);
    pair.run(Pair.DELAY_NS + 10 * Pair.US);
    assertThat(pair.sentBy(pair.b)).isEmpty();
    pair.b.send(pair.b.accepted(), 64, 2);
    pair.run(40 * Pair.US);

    assertThat(pair.sentBy(pair.b)).hasSize(1).allMatch(Sent::isData);
  }

  @Test
  void anAnswerWaitsForDataWhereTheLastOneRode() {
    long association = openWithEchoes();
    assertThatAnAnswerRides(association);
    assertThat(pair.a.released).hasSize(4);
  }

  /** What was given up at rest is granted again with the first bytes; that is no hurry, either. */
  @Test
  void newsOfRoomAfterARestRidesOnDataToo() {
    long association = openWithEchoes();
    pair.run(1_000 * Pair.MS);
    pair.sent.clear();
    assertThatAnAnswerRides(association);
    pair.sent.clear();
    pair.a.send(association, 10_000, 3);
    pair.run(0);
    assertThat(pair.count(Sent::isData)).as("frames that the new room allows").isEqualTo(7);
  }

  @Test
  void anAnswerThatFindsNoDataLeavesAlone() {
    long association = openWithEchoes();
    pair.a.send(association, 64, 2);
    pair.run(Pair.DELAY_NS + 24 * Pair.US);
    assertThat(pair.sentBy(pair.b)).isEmpty();
    pair.run(Pair.US);

    assertThat(pair.sentBy(pair.b)).hasSize(1).allMatch(Sent::isStatus);
  }

  @Test
  void aCreditThatEndsInTheMiddleOfAFrameMakesNoShortFrames() {
    Pair odd = Pair.listening(builder -> builder.windowBytesMax(10_000));
    long association = odd.open();
    odd.a.send(association, 500_000, 1);
    odd.run(100 * Pair.MS);

    assertThat(odd.b.bytes.toByteArray()).isEqualTo(End.patternBytes(500_000, 1));
    assertThat(odd.b.pieces.stream().filter(length -> length < 1_440).count()).isEqualTo(1);
    assertThat(odd.a.count(Count.TIMEOUTS)).isZero();
  }

  @Test
  void theFirstAnswerOfAFullFrameLeavesWhole() {
    pair.open();
    pair.b.send(pair.b.accepted(), 1_440, 1);
    pair.run(Pair.DELAY_NS);

    assertThat(pair.a.pieces).containsExactly(1_440);
  }

  @Test
  void associationsOfOnePathTakeTurns() {
    pair.open();
    long first = pair.a.open(pair.b);
    long second = pair.a.open(pair.b);
    pair.run(5 * Pair.MS);
    pair.sent.clear();
    pair.a.send(first, 200_000, 1);
    pair.a.send(second, 200_000, 2);
    pair.run(Pair.MS);

    long[] bytes = new long[2];
    for (Sent frame : pair.sentBy(pair.a).subList(0, 40)) {
      int which = frame.frame().envelope().key() == pair.b.accepted.get(1) ? 0 : 1;
      bytes[which] += frame.dataBytes();
    }
    assertThat((double) bytes[0] / bytes[1]).isBetween(0.7, 1.4);
  }

  @Test
  void aTransferWithoutLossNeedsNoTimerAndNoRepair() {
    long association = pair.open();
    long repairs = pair.a.count(Count.REPAIRS_OUT);
    int piece = 100_000;
    int[] left = {100};
    pair.a.duringRelease =
        buffer -> {
          if (left[0]-- > 0) {
            pair.a.send(association, piece, 1);
          }
        };
    for (int i = 0; i < 5; i++) {
      pair.a.send(association, piece, 1);
    }
    pair.run(2_000 * Pair.MS);

    assertThat(pair.b.bytes.size()).isEqualTo(105 * piece);
    assertThat(pair.a.count(Count.TIMEOUTS)).isZero();
    assertThat(pair.a.count(Count.REPAIRS_OUT)).isEqualTo(repairs);
    assertThat(pair.b.transport.counters().dropped()).isEqualTo(1);
    assertThat(pair.b.count(Count.DROP_WRONG_INCARNATION)).isEqualTo(1);
  }

  @Test
  void aSlowerPathWithoutLossNeedsNoTimerEither() {
    long association = pair.open();
    long[] freeNs = {0};
    pair.delayNs =
        frame -> {
          if (frame.from() == 2) {
            return Pair.DELAY_NS;
          }
          freeNs[0] = Math.max(freeNs[0], pair.nowNs) + frame.bytes().length * 8L;
          return freeNs[0] - pair.nowNs + Pair.DELAY_NS;
        };
    pair.a.send(association, 5_000_000, 1);
    pair.run(60 * Pair.MS);

    assertThat(pair.b.bytes.toByteArray()).isEqualTo(End.patternBytes(5_000_000, 1));
    assertThat(pair.a.count(Count.TIMEOUTS)).isZero();
    assertThat(pair.a.count(Count.REPAIRS_OUT)).isZero();
  }
}
