package io.busbar.fabric.shm;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.wire.RingSlot;
import io.busbar.wire.SharedSegment;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Both ends of a ring against a queue, in plain memory. */
@Timeout(60)
class RingTest {
  private static final int RING_BYTES = 4096;
  private static final int CAPACITY = RING_BYTES / RingSlot.UNIT_BYTES;
  private static final int INLINE_MAX = RING_BYTES / 4 - RingSlot.WORD_BYTES;

  /** What was published and not taken yet. */
  private record Sent(int kind, int length, long seed) {}

  private final MemorySegment memory =
      Arena.ofAuto().allocate(SharedSegment.RING_SLOTS + RING_BYTES, 4096);
  private final ArrayDeque<Sent> onTheWay = new ArrayDeque<>();

  private RingOut out = new RingOut(memory, 0, RING_BYTES, 0);
  private RingIn in = new RingIn(memory, 0, RING_BYTES, 0);

  private void begin(long unit) {
    memory.fill((byte) 0);
    memory.set(ValueLayout.JAVA_LONG, SharedSegment.RING_HEAD, unit);
    out = new RingOut(memory, 0, RING_BYTES, unit);
    in = new RingIn(memory, 0, RING_BYTES, unit);
    onTheWay.clear();
  }

  /** Every unit that is written begins with a word that would be a sound frame there, a lap on. */
  private void fillWithLies(long at, int length) {
    for (long i = at; i < at + length; i++) {
      memory.set(ValueLayout.JAVA_BYTE, i, (byte) 0xFF);
    }
    long unit = out.tail() + CAPACITY;
    for (long i = at - RingSlot.WORD_BYTES; i + 8 <= at + length; i += RingSlot.UNIT_BYTES) {
      if (i >= at) {
        memory.set(ValueLayout.JAVA_LONG, i, RingSlot.word(RingSlot.INLINE, 8, unit));
      }
      unit++;
    }
  }

  private static byte byteOf(long seed, int i) {
    return (byte) (seed * 31 + i * 7L);
  }

  private void send(SplittableRandom random) {
    if (random.nextInt(4) == 0) {
      int kind = RingSlot.GIVEN + random.nextInt(3);
      if (out.makeRoom(RingOut.REFERENCE_BYTES)) {
        Sent sent = new Sent(kind, 1 + random.nextInt(1 << 20), random.nextLong());
        out.publishReference(kind, sent.seed, sent.length);
        onTheWay.add(sent);
      }
      return;
    }
    int reserved = 1 + random.nextInt(random.nextBoolean() ? 120 : INLINE_MAX);
    if (!out.makeRoom(reserved)) {
      return;
    }
    long at = out.reserve(reserved);
    fillWithLies(at, reserved);
    if (random.nextInt(8) == 0) {
      out.abandon();
      return;
    }
    Sent sent = new Sent(RingSlot.INLINE, 1 + random.nextInt(reserved), random.nextLong());
    for (int i = 0; i < sent.length; i++) {
      memory.set(ValueLayout.JAVA_BYTE, at + i, byteOf(sent.seed, i));
    }
    out.publishInline(sent.length);
    onTheWay.add(sent);
  }

  private void takeOne() {
    long word = in.next();
    while (word != 0 && RingSlot.kind(word) == RingSlot.PAD) {
      assertThat(in.isSound(word)).isTrue();
      in.take(word);
      word = in.next();
    }
    Sent expected = onTheWay.poll();
    if (expected == null) {
      assertThat(word).isZero();
      return;
    }
    assertThat(in.isSound(word)).isTrue();
    assertThat(RingSlot.kind(word)).isEqualTo(expected.kind);
    assertThat(RingSlot.length(word)).isEqualTo(expected.length);
    if (expected.kind == RingSlot.INLINE) {
      for (int i = 0; i < expected.length; i++) {
        byte found = memory.get(ValueLayout.JAVA_BYTE, in.frameAt() + i);
        if (found != byteOf(expected.seed, i)) {
          throw new AssertionError("byte %d of %d is wrong".formatted(i, expected.length));
        }
      }
    } else {
      assertThat(in.reference()).isEqualTo(expected.seed);
    }
    in.take(word);
  }

  /** Counters that begin where a serial, an int and the unit of a ticket end. */
  @ParameterizedTest
  @ValueSource(
      longs = {0, 1, (1 << 24) - 40, (1L << 31) - 40, (1L << 32) - 40, (1L << 46) - 40, 1L << 61})
  void whatIsPublishedArrivesOnceInOrder(long unit) {
    SplittableRandom random = new SplittableRandom(unit + 5);
    begin(unit);
    long published = 0;
    for (int round = 0; round < 4_000; round++) {
      boolean lags = round / 500 % 2 == 1;
      for (int i = random.nextInt(6); i > 0; i--) {
        send(random);
      }
      for (int i = random.nextInt(lags ? 2 : 9); i > 0; i--) {
        takeOne();
      }
      if (random.nextBoolean()) {
        in.tell();
      }
      published = out.tail() - unit;
    }
    while (!onTheWay.isEmpty()) {
      takeOne();
    }
    takeOne();
    in.tell();
    assertThat(published).isGreaterThan(20L * CAPACITY);
    assertThat(out.hasPassed(out.tail())).isTrue();
    assertThat(out.isBroken()).isFalse();
  }

  /** Frames of one length find first words of the last lap, and nothing is zeroed. */
  @Test
  void whatWasPublishedInTheLastLapIsNothingNew() {
    begin(0);
    for (int i = 0; i < 5 * CAPACITY; i++) {
      assertThat(in.next()).isZero();
      assertThat(out.makeRoom(100)).isTrue();
      out.reserve(100);
      assertThat(in.next()).isZero();
      out.publishInline(100);
      assertThat(in.isSound(in.next())).isTrue();
      in.take(in.next());
      in.tell();
    }
    for (int unit = 0; unit < CAPACITY; unit += 2) {
      long at = SharedSegment.RING_SLOTS + (long) unit * RingSlot.UNIT_BYTES;
      assertThat(memory.get(ValueLayout.JAVA_LONG, at)).as("unit %d", unit).isNotZero();
    }
  }

  /** A word of neither this lap nor the last is no frame, and no rest of one. */
  @Test
  void wordOfAnotherLapIsNoticed() {
    begin(2 * CAPACITY);
    long at = SharedSegment.RING_SLOTS;
    memory.set(ValueLayout.JAVA_LONG, at, RingSlot.word(RingSlot.INLINE, 8, CAPACITY));
    assertThat(in.next()).isZero();
    memory.set(ValueLayout.JAVA_LONG, at, RingSlot.word(RingSlot.INLINE, 8, 0));
    assertThat(in.next()).isNotZero();
    assertThat(in.isSound(in.next())).isFalse();
    memory.set(ValueLayout.JAVA_LONG, at, RingSlot.word(0, 8, CAPACITY));
    assertThat(in.isSound(in.next())).isFalse();
  }

  @Test
  void fullIsFullUntilTheHeadIsTold() {
    for (int i = 0; i < CAPACITY; i++) {
      assertThat(out.makeRoom(8)).isTrue();
      out.reserve(8);
      out.publishInline(8);
    }
    assertThat(out.makeRoom(8)).isFalse();
    in.take(in.next());
    assertThat(out.makeRoom(8)).isFalse();
    in.tell();
    assertThat(out.makeRoom(8)).isTrue();
    assertThat(out.hasPassed(1)).isTrue();
    assertThat(out.hasPassed(2)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(longs = {-1, 65, Long.MIN_VALUE, Long.MAX_VALUE})
  void headThatCannotBeTrueIsNoticed(long head) {
    for (int i = 0; i < CAPACITY; i++) {
      assertThat(out.makeRoom(8)).isTrue();
      out.reserve(8);
      out.publishInline(8);
    }
    memory.set(ValueLayout.JAVA_LONG, SharedSegment.RING_HEAD, head);
    assertThat(out.makeRoom(8)).isFalse();
    assertThat(out.hasPassed(1)).isFalse();
    assertThat(out.isBroken()).isTrue();
  }

  @Test
  void headThatGoesBackIsNoticed() {
    for (int i = 0; i < 3; i++) {
      assertThat(out.makeRoom(8)).isTrue();
      out.reserve(8);
      out.publishInline(8);
    }
    memory.set(ValueLayout.JAVA_LONG, SharedSegment.RING_HEAD, 2);
    assertThat(out.hasPassed(2)).isTrue();
    memory.set(ValueLayout.JAVA_LONG, SharedSegment.RING_HEAD, 1);
    assertThat(out.hasPassed(3)).isFalse();
    assertThat(out.isBroken()).isTrue();
  }

  @Test
  void wordsThatCannotBeTrueAreRefused() {
    begin(CAPACITY + 60);
    long unit = CAPACITY + 60;
    assertThat(in.isSound(RingSlot.word(RingSlot.INLINE, 4 * 64 - 8, unit))).isTrue();
    assertThat(in.isSound(RingSlot.word(RingSlot.INLINE, 4 * 64 - 7, unit))).isFalse();
    assertThat(in.isSound(RingSlot.word(RingSlot.INLINE, 0, unit))).isFalse();
    assertThat(in.isSound(RingSlot.word(RingSlot.INLINE, -1, unit))).isFalse();
    assertThat(in.isSound(RingSlot.word(RingSlot.INLINE, Integer.MAX_VALUE, unit))).isFalse();
    assertThat(in.isSound(RingSlot.word(RingSlot.INLINE, 8, unit + 1))).isFalse();
    assertThat(in.isSound(RingSlot.word(RingSlot.PAD, 4, unit))).isTrue();
    assertThat(in.isSound(RingSlot.word(RingSlot.PAD, 3, unit))).isFalse();
    assertThat(in.isSound(RingSlot.word(0, 8, unit))).isFalse();
    assertThat(in.isSound(RingSlot.word(6, 8, unit))).isFalse();
    assertThat(in.isSound(RingSlot.word(RingSlot.ACROSS, Integer.MIN_VALUE, unit))).isFalse();
    begin(2 * CAPACITY);
    assertThat(in.isSound(RingSlot.word(RingSlot.PAD, CAPACITY, 2 * CAPACITY))).isFalse();
  }

  /** Forbidden: a frame whose bytes are not those of its number, a number that is missing. */
  @Test
  void twoThreadsAgree() throws InterruptedException {
    int frames = 200_000;
    begin((1 << 24) - 100);
    Thread sender =
        Thread.ofPlatform()
            .start(
                () -> {
                  SplittableRandom random = new SplittableRandom(3);
                  Patience patience = new Patience();
                  for (long i = 0; i < frames; ) {
                    int words = 1 + random.nextInt(30);
                    if (out.makeRoom(words * 8)) {
                      long at = out.reserve(words * 8);
                      for (int w = 0; w < words; w++) {
                        memory.set(ValueLayout.JAVA_LONG, at + w * 8L, i);
                      }
                      out.publishInline(words * 8);
                      i++;
                    } else {
                      patience.pause();
                    }
                  }
                });
    long wrong = 0;
    Patience patience = new Patience();
    for (long i = 0; i < frames; ) {
      long word = in.next();
      if (word == 0) {
        in.tell();
        patience.pause();
        continue;
      }
      if (!in.isSound(word)) {
        sender.interrupt();
        throw new AssertionError("%x is no frame".formatted(word));
      }
      if (RingSlot.kind(word) == RingSlot.INLINE) {
        for (int w = 0; w < RingSlot.length(word); w += 8) {
          wrong += memory.get(ValueLayout.JAVA_LONG, in.frameAt() + w) == i ? 0 : 1;
        }
        i++;
      }
      in.take(word);
    }
    sender.join();
    assertThat(wrong).isZero();
    assertThat(in.next()).isZero();
  }
}
