package io.busbar.bus;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.wire.CastBlock;
import io.busbar.wire.Format;
import io.busbar.wire.Header;
import io.busbar.wire.Key;
import io.busbar.wire.Records;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Frames of broadcasts that nobody of us sends: they are counted, and change nothing. */
class BadCastsTest extends CastReading {
  @Test
  void aWelcomeIsBelievedOfAMemberAndForThisLifeAlone() {
    assertThat(hear(control(CastBlock.WELCOME, KEY, SENDER_LIFE + 1, ID, LIFE, 0))).isFalse();
    hear(control(CastBlock.WELCOME, KEY, SENDER_LIFE, ID, LIFE - 1, 0));
    hear(control(CastBlock.WELCOME, KEY, SENDER_LIFE, ID + 1, LIFE, 0));
    hear(control(CastBlock.WELCOME, Key.of(0, 0, LIFE), SENDER_LIFE, ID, LIFE, 0));
    assertThat(told).isEmpty();
    hear(control(CastBlock.WELCOME, KEY, SENDER_LIFE, ID, LIFE, 0));
    assertThat(told).containsExactly("begin 2");
    hear(data(0, 64));
    hear(data(0, 64));
    hear(data(5000, 64));
    assertThat(told).containsExactly("begin 2", "bytes 64");
    assertThat(casting.count(CastCount.DUPLICATES_IN)).isEqualTo(1);
    assertThat(casting.count(CastCount.DROP_EARLY)).isEqualTo(1);
    hear(control(CastBlock.WELCOME, KEY, SENDER_LIFE, ID, LIFE, 0));
    assertThat(told).hasSize(2);
  }

  /**
   * A number below zero would be no place to hold a frame at, and behind the highest there is no
   * room for another one: the reader would hear nothing more.
   */
  @ParameterizedTest
  @ValueSource(longs = {-5, 1L << 56, 1L << 62, Long.MAX_VALUE})
  void aWelcomeToWhereNoStreamCanBeIsCounted(long number) {
    for (int at : new int[] {16, 24}) { // the frame, and the message
      int length = control(CastBlock.WELCOME, KEY, SENDER_LIFE, ID, LIFE, 0);
      long reader = Header.BYTES + CastBlock.BYTES;
      frame.set(ValueLayout.JAVA_LONG_UNALIGNED, reader + at, number);
      assertThat(hear(length)).isFalse();
    }
    assertThat(told).isEmpty();
    assertThat(casting.count(CastCount.DROP_MALFORMED)).isEqualTo(2);
    hear(control(CastBlock.WELCOME, KEY, SENDER_LIFE, ID, LIFE, 0));
    hear(data(0, 64));
    assertThat(told).containsExactly("begin 2", "bytes 64");
  }

  @Test
  void whatIsCutOrTooShortIsCounted() {
    int whole = control(CastBlock.WELCOME, KEY, SENDER_LIFE, ID, LIFE, 0);
    for (int length = 0; length < whole; length++) {
      assertThat(hear(length)).as("%d bytes", length).isFalse();
    }
    assertThat(told).isEmpty();
    assertThat(casting.count(CastCount.DROP_MALFORMED)).isEqualTo(whole);
  }

  /** What the reader says of this node's stream: the first frame that it has not. */
  private void hearReader(int kind, long has) {
    int spans = kind == CastBlock.NAK ? 1 : 0;
    int length = CastBlock.BYTES + spans * CastBlock.SPAN_BYTES;
    long key = Key.of(0, 0, LIFE);
    Header.write(frame, 0, Format.CASTC, 0, length, ID, 2, key, SENDER_LIFE, 0, 0, 0);
    CastBlock.write(frame, Header.BYTES, kind, spans, 0, has, has + 100, 0);
    CastBlock.writeSpan(frame, Header.BYTES + CastBlock.BYTES, has, has + 1);
    assertThat(hear(Header.BYTES + length)).isTrue();
  }

  private long welcomesOfThreeSeconds() {
    long before = casting.count(CastCount.WELCOMES_OUT);
    for (int i = 0; i < 300; i++) {
      nowNs += 10 * MS;
      long _ = casting.poll(nowNs);
    }
    return casting.count(CastCount.WELCOMES_OUT) - before;
  }

  /** A reader that is taken in again may not know it, and speak of what it missed before. */
  @Test
  void aWordFromBeforeIsNoAnswerToAWelcome() {
    CastOut out = casting.open(nowNs, 0, 0, member -> true);
    long header = Records.header(Records.WHOLE, 0, 1, 8);
    MemorySegment bytes = MemorySegment.ofArray(new byte[8]);
    assertThat(casting.trySend(out, header, bytes, 0, true)).isTrue();
    long _ = casting.poll(nowNs);
    casting.onDead(nowNs, 2);
    casting.onMember(nowNs, member(2, SENDER_LIFE));
    for (int kind : new int[] {CastBlock.NAK, CastBlock.STATUS}) {
      hearReader(kind, 0);
      assertThat(welcomesOfThreeSeconds()).isPositive();
    }
    hearReader(CastBlock.STATUS, 1);
    assertThat(welcomesOfThreeSeconds()).isZero();
  }

  /** Who says that it has what was never sent frees nothing. */
  @Test
  void aStatusFromTheFutureIsNotBelieved() {
    CastOut out = casting.open(nowNs, 0, 0, member -> true);
    long header = Records.header(Records.WHOLE, 0, 1, 8);
    MemorySegment bytes = MemorySegment.ofArray(new byte[8]);
    assertThat(casting.trySend(out, header, bytes, 0, true)).isTrue();
    long _ = casting.poll(nowNs);
    Header.write(
        frame,
        0,
        Format.CASTC,
        0,
        CastBlock.BYTES,
        ID,
        2,
        Key.of(0, 0, LIFE),
        SENDER_LIFE,
        0,
        0,
        0);
    for (long has : new long[] {2, 1000, (1L << 56) - 2000}) {
      CastBlock.write(frame, Header.BYTES, CastBlock.STATUS, 0, 0, has, has + 100, 0);
      boolean _ = hear(Header.BYTES + CastBlock.BYTES);
      assertThat(out.isSettled()).isFalse();
    }
    CastBlock.write(frame, Header.BYTES, CastBlock.STATUS, 0, 0, 1, 1 << 20, 0);
    boolean _ = hear(Header.BYTES + CastBlock.BYTES);
    assertThat(out.isSettled()).as("a limit beyond all windows").isFalse();
    CastBlock.write(frame, Header.BYTES, CastBlock.STATUS, 0, 0, 1, 1001, 0);
    assertThat(hear(Header.BYTES + CastBlock.BYTES)).isTrue();
    assertThat(out.isSettled()).isTrue();
  }

  /**
   * Anybody can name streams that nobody opened; a stream of the sender's is heard all the same.
   */
  @Test
  void streamsThatAreMadeUpTakeNoRoomFromOthers() {
    for (int index = 1; index < 5_000; index++) {
      hear(control(CastBlock.POLL, Key.of(index, 0, SENDER_LIFE), SENDER_LIFE, ID, LIFE, 0));
      hear(dataOf(Key.of(index, 1, SENDER_LIFE), 0, 64));
    }
    assertThat(told).isEmpty();
    assertThat(casting.streams()).as("streams that are kept").isLessThan(20);
    hear(control(CastBlock.WELCOME, KEY, SENDER_LIFE, ID, LIFE, 0));
    hear(data(0, 64));
    assertThat(told).containsExactly("begin 2", "bytes 64");
    for (int index = 1; index < 100; index++) {
      hear(dataOf(Key.of(index, 2, SENDER_LIFE), 0, 64));
    }
    hear(data(1, 64));
    assertThat(told).containsExactly("begin 2", "bytes 64", "bytes 64");
  }

  @Test
  void noiseIsSurvived() {
    Random random = new Random(3);
    CastOut out = casting.open(nowNs, 0, 0, member -> true);
    hear(control(CastBlock.WELCOME, KEY, SENDER_LIFE, ID, LIFE, 0));
    for (int i = 0; i < 200_000; i++) {
      byte[] noise = new byte[random.nextInt(300)];
      random.nextBytes(noise);
      MemorySegment.copy(MemorySegment.ofArray(noise), 0, frame, Header.BYTES, noise.length);
      boolean isData = random.nextBoolean();
      Header.write(
          frame,
          0,
          isData ? Format.CAST : Format.CASTC,
          0,
          noise.length,
          random.nextBoolean() ? Header.EVERYONE : ID,
          2,
          random.nextBoolean() ? KEY : Key.of(0, 0, LIFE),
          isData ? random.nextInt(3000) : SENDER_LIFE,
          random.nextInt(),
          random.nextInt(4),
          0);
      if (!isData && noise.length >= CastBlock.BYTES) {
        frame.set(ValueLayout.JAVA_BYTE, Header.BYTES, (byte) (1 + random.nextInt(6)));
        frame.set(ValueLayout.JAVA_BYTE, Header.BYTES + 1, (byte) 0);
        int count = random.nextInt(4);
        frame.set(ValueLayout.JAVA_SHORT_UNALIGNED, Header.BYTES + 2, (short) count);
        long seq = random.nextBoolean() ? random.nextInt(4000) : random.nextLong() >>> 1;
        frame.set(ValueLayout.JAVA_LONG_UNALIGNED, Header.BYTES + 8, seq);
        frame.set(ValueLayout.JAVA_LONG_UNALIGNED, Header.BYTES + 16, seq);
      }
      boolean _ = hear(Header.BYTES + noise.length);
    }
    assertThat(out.isSettled()).isTrue();
    assertThat(told).noneMatch(line -> line.startsWith("end"));
    assertThat(sent).isLessThan(400_000);
  }
}
