package io.busbar.lab;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.transport.Count;
import io.busbar.wire.Format;
import io.busbar.wire.FrameView;
import io.busbar.wire.Seal;
import io.busbar.wire.Verdict;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A frame that fails a check is counted by its reason, and changes nothing. */
class BadInputTest {
  private static final int ROUNDS = 3_000;

  private final LivePair live = new LivePair();
  private final SplittableRandom random = new SplittableRandom(4711);
  private final FrameView judge = new FrameView(true, Seal.NONE);

  /** Injects a frame; exactly the one reason may rise, and an answer may leave. */
  private void injectExpecting(int node, byte[] frame, Count reason) {
    LivePair.State before = live.state(node);
    Map<Count, Long> expected = live.counts(node);
    expected.merge(Count.FRAMES_IN, 1L, Long::sum);
    expected.merge(reason, 1L, Long::sum);
    live.inject(node, frame);
    Map<Count, Long> counts = live.counts(node);
    long answers = answersOf(counts) - answersOf(expected);
    assertThat(answers).isBetween(0L, 1L);
    expected.merge(Count.DIAGS_OUT, answers, Long::sum);
    expected.merge(Count.FRAMES_OUT, answers, Long::sum);
    assertThat(counts).isEqualTo(expected);
    assertThat(live.state(node)).isEqualTo(before);
  }

  private static long answersOf(Map<Count, Long> counts) {
    return counts.getOrDefault(Count.DIAGS_OUT, 0L);
  }

  /** The transfer ends as if nothing had been injected. */
  private void assertUnharmed() {
    live.finish();
    assertThat(live.a.bytes).isEqualTo(LivePair.BYTES);
    assertThat(live.b.bytes).isEqualTo(LivePair.BYTES);
    assertThat(live.a.told).endsWith("ended DISSOLVED").contains("read end", "opened");
    assertThat(live.b.told).endsWith("ended DISSOLVED").contains("read end");
    assertThat(live.state(0).associations() + live.state(1).associations()).isZero();
  }

  private Count judged(byte[] frame) {
    Verdict verdict = judge.wrap(MemorySegment.ofArray(frame), 0, frame.length);
    assertThat(verdict).as("noise that is a frame").isNotEqualTo(Verdict.OK);
    return Count.valueOf("DROP_" + verdict);
  }

  @Test
  void noiseChangesNothing() {
    Set<Count> reasons = EnumSet.noneOf(Count.class);
    for (int i = 0; i < ROUNDS; i++) {
      byte[] noise = new byte[random.nextInt(200)];
      random.nextBytes(noise);
      if (noise.length > 31 && random.nextInt(4) > 0) {
        noise[0] = (byte) (0x10 | (noise[0] & 0xF));
        noise[3] = 0;
        noise[30] &= 0x7F;
        noise[31] = (byte) (noise[31] & 0xC0);
      }
      reasons.add(judged(noise));
      injectExpecting(random.nextInt(2), noise, judged(noise));
      live.step(i % 50 == 0 ? 1 : 0);
    }
    assertThat(reasons)
        .contains(
            Count.DROP_TRUNCATED,
            Count.DROP_VERSION,
            Count.DROP_CRC_MISSING,
            Count.DROP_CRC_WRONG,
            Count.DROP_SEAL_UNEXPECTED);
    assertUnharmed();
  }

  @Test
  void damagedFramesChangeNothing() {
    Map<Count, Integer> reasons = new EnumMap<>(Count.class);
    for (int i = 0; i < ROUNDS; i++) {
      byte[] damaged = live.sent.get(random.nextInt(live.sent.size())).clone();
      for (int flips = 1 + random.nextInt(3); flips > 0; flips--) {
        int within = random.nextBoolean() ? damaged.length : 32;
        damaged[random.nextInt(within)] ^= (byte) (1 + random.nextInt(255));
      }
      boolean whole = live.sent.stream().anyMatch(frame -> Arrays.equals(frame, damaged));
      if (!whole) {
        reasons.merge(judged(damaged), 1, Integer::sum);
        injectExpecting(random.nextInt(2), damaged, judged(damaged));
      }
      live.step(i % 30 == 0 ? 1 : 0);
    }
    assertThat(reasons)
        .containsKeys(
            Count.DROP_CRC_WRONG,
            Count.DROP_CRC_MISSING,
            Count.DROP_OPTIONS,
            Count.DROP_TRUNCATED,
            Count.DROP_VERSION);
    assertUnharmed();
  }

  @Test
  void framesCutShortChangeNothing() {
    live.toTheMiddle();
    byte[] whole = live.newest(Format.DATA, 1);
    for (int length = 0; length < whole.length; length++) {
      injectExpecting(1, Arrays.copyOf(whole, length), Count.DROP_TRUNCATED);
    }
    assertUnharmed();
  }

  @ParameterizedTest
  @EnumSource
  void forgedFrameChangesNothing(Forgery forgery) {
    live.toTheMiddle();
    for (int i = 0; i < 5; i++) {
      injectExpecting(forgery.target(), forgery.forge(live), forgery.reason);
      live.step(7);
    }
    assertUnharmed();
  }

  /** The forgeries really reach every check that a sound checksum lets through. */
  @Test
  void everyReasonButThoseOfMemoryAndOrderIsForged() {
    Set<Count> reasons = EnumSet.noneOf(Count.class);
    for (Forgery forgery : Forgery.values()) {
      reasons.add(forgery.reason);
    }
    Set<Count> missing = EnumSet.noneOf(Count.class);
    for (Count count : Count.values()) {
      if (count.name().startsWith("DROP_") && !reasons.contains(count)) {
        missing.add(count);
      }
    }
    assertThat(missing)
        .containsExactlyInAnyOrder(
            Count.DROP_TRUNCATED,
            Count.DROP_CRC_WRONG,
            Count.DROP_SEAL_WRONG,
            Count.DROP_DUPLICATE,
            Count.DROP_OVER_CREDIT,
            Count.DROP_NO_BUDGET,
            Count.DROP_NO_STORE,
            Count.DROP_TOO_MANY_GAPS,
            Count.DROP_READ_CLOSED,
            Count.DROP_PAST_END,
            Count.DROP_OLD_SERIAL);
  }
}
