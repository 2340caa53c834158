package io.busbar.bus;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.wire.CastBlock;
import io.busbar.wire.Format;
import io.busbar.wire.FrameBuilder;
import io.busbar.wire.Header;
import io.busbar.wire.Key;
import io.busbar.wire.MemberCard;
import io.busbar.wire.Records;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Frames of broadcasts that nobody of us sends: they are counted, and change nothing. */
class BadCastsTest implements CastSink, CastUser {
  private static final int ID = 1;
  private static final long LIFE = 1001;
  private static final long SENDER_LIFE = 1002;
  private static final long MS = 1_000_000;
  private static final long KEY = Key.of(0, 0, SENDER_LIFE);

  private final List<String> told = new ArrayList<>();
  private final Casting casting =
      new Casting(new CastConfig(ID, LIFE, 1, 1472, CastConfig.PACE_NS), this, this);
  private final MemorySegment frame = MemorySegment.ofArray(new byte[1472]);
  private long nowNs = MS;
  private int sent;

  BadCastsTest() {
    casting.onMember(nowNs, member(2, SENDER_LIFE));
  }

  private static Member member(int id, long life) {
    MemberCard card = new MemberCard("n", "h", List.of(), Map.of());
    return new Member(id, life, 0, MemberState.ALIVE, card);
  }

  @Override
  public boolean toAll(FrameBuilder built) {
    sent++;
    return true;
  }

  @Override
  public void to(int id, FrameBuilder built) {
    sent++;
  }

  @Override
  public void onBegin(CastIn in, long message) {
    told.add("begin " + in.sender());
  }

  @Override
  public void onBytes(CastIn in, MemorySegment memory, long at, int length) {
    told.add("bytes " + length);
    casting.done(nowNs, in, length);
  }

  @Override
  public void onGap(CastIn in, long message) {
    told.add("gap " + message);
  }

  @Override
  public void onEvicted(CastIn in) {
    told.add("evicted by " + in.sender());
  }

  @Override
  public void onEnd(CastIn in) {
    told.add("end " + in.sender());
  }

  @Override
  public void onEvicted(CastOut out, int reader) {
    told.add("evicted " + reader);
  }

  @Override
  public void onRoom(CastOut out) {}

  private boolean hear(int length) {
    nowNs += MS / 10;
    boolean used = casting.onFrame(nowNs, frame, 0, length);
    for (int i = 0; i < 100 && casting.dueNs() <= nowNs; i++) {
      long _ = casting.poll(nowNs);
    }
    return used;
  }

  /** A frame of the sender's about a stream, with one reader: this node. */
  private int control(int kind, long key, long senderLife, int reader, long life, long start) {
    int length = CastBlock.BYTES + CastBlock.READER_BYTES;
    Header.write(frame, 0, Format.CASTC, 0, length, Header.EVERYONE, 2, key, senderLife, 0, 0, 0);
    CastBlock.write(frame, Header.BYTES, kind, 1, 7, start, start, 0);
    CastBlock.writeReader(frame, Header.BYTES + CastBlock.BYTES, reader, life, start, start);
    return Header.BYTES + length;
  }

  private int data(long seq, int bytes) {
    Header.write(
        frame, 0, Format.CAST, 0, bytes, Header.EVERYONE, 2, KEY, seq, 0, CastBlock.NOBODY, 0);
    return Header.BYTES + bytes;
  }

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
    for (long has : new long[] {2, 1000, Long.MAX_VALUE - 2000}) {
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
