package io.busbar.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Whatever bytes come, a view answers with a verdict, and what it accepts can be read. */
class HostileBytesTest {
  private static final int MUTATIONS = 200_000;
  private static final long SEED = 0xB05BA4L;

  /** Wraps exactly these bytes and, when they are accepted, reads all that can be read. */
  private static Verdict judge(FrameView view, byte[] bytes, boolean print) {
    Verdict verdict = view.wrap(MemorySegment.ofArray(bytes), 0, bytes.length);
    if (verdict.ok()) {
      assertNotNull(Frame.of(view));
      int dataLength = view.dataLength();
      assertTrue(dataLength >= 0 && view.dataAt() + dataLength <= bytes.length);
      if (print) {
        assertTrue(FramePrinter.line(view).length() > 10);
      }
    }
    return verdict;
  }

  @ParameterizedTest
  @EnumSource
  void everyPrefixIsTruncated(Sample sample) {
    byte[] whole = sample.golden();
    FrameView view = new FrameView();
    for (int length = 0; length < whole.length; length++) {
      assertEquals(Verdict.TRUNCATED, judge(view, Arrays.copyOf(whole, length), true));
    }
  }

  @ParameterizedTest
  @EnumSource
  void everySingleBitFlipIsJudged(Sample sample) {
    byte[] whole = sample.golden();
    FrameView view = new FrameView();
    for (int bit = 0; bit < whole.length * 8; bit++) {
      byte[] flipped = whole.clone();
      flipped[bit >> 3] ^= (byte) (1 << (bit & 7));
      assertNotNull(judge(view, flipped, true));
    }
  }

  @Test
  void aChecksumFindsEverySingleBitFlip() {
    byte[] whole = Sample.CRC.golden();
    FrameView view = new FrameView(true, Seal.NONE);
    for (int bit = 0; bit < whole.length * 8; bit++) {
      byte[] flipped = whole.clone();
      flipped[bit >> 3] ^= (byte) (1 << (bit & 7));
      int at = bit;
      assertTrue(!judge(view, flipped, false).ok(), () -> "bit " + at + " went unnoticed");
    }
  }

  @Test
  void mutationsAreJudged() {
    Random random = new Random(SEED);
    List<byte[]> frames = Arrays.stream(Sample.values()).map(Sample::golden).toList();
    List<FrameView> views =
        List.of(
            new FrameView(),
            new FrameView(true, Seal.NONE),
            new FrameView(false, new XorSeal()),
            new FrameView(true, new XorSeal()));
    Set<Verdict> seen = EnumSet.noneOf(Verdict.class);
    for (int i = 0; i < MUTATIONS; i++) {
      byte[] mutant = mutate(frames.get(random.nextInt(frames.size())), random);
      FrameView view = views.get(Math.max(0, random.nextInt(8) - 4));
      seen.add(judge(view, mutant, (i & 15) == 0));
    }
    assertEquals(EnumSet.allOf(Verdict.class), seen);
  }

  static byte[] mutate(byte[] frame, Random random) {
    int size = random.nextInt(4) == 0 ? random.nextInt(frame.length + 40) : frame.length;
    byte[] mutant = Arrays.copyOf(frame, size);
    for (int changes = random.nextInt(4); changes > 0 && size > 0; changes--) {
      int at = random.nextInt(random.nextBoolean() ? size : Math.min(size, Header.BYTES));
      switch (random.nextInt(4)) {
        case 0 -> mutant[at] = (byte) random.nextInt();
        case 1 -> mutant[at] ^= (byte) (1 << random.nextInt(8));
        case 2 -> mutant[at] = (byte) (random.nextBoolean() ? 0xFF : 0);
        default -> Arrays.fill(mutant, at, Math.min(size, at + 8), (byte) random.nextInt(-1, 2));
      }
    }
    return mutant;
  }

  @Test
  void noiseIsJudged() {
    Random random = new Random(SEED);
    FrameView view = new FrameView();
    int accepted = 0;
    for (int i = 0; i < MUTATIONS; i++) {
      byte[] noise = new byte[random.nextInt(160)];
      random.nextBytes(noise);
      if (noise.length > Header.OPTIONS_AT + 1) {
        noise[0] = (byte) (Header.VERSION << 4 | (noise[0] & 0xF));
        noise[Header.LENGTH_AT + 1] = 0;
        noise[Header.OPTIONS_AT + 1] = 0;
      }
      accepted += judge(view, noise, (i & 15) == 0).ok() ? 1 : 0;
    }
    assertTrue(accepted > 1000, "only " + accepted + " accepted: the noise tests nothing");
  }
}
