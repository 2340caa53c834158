package io.busbar.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Whatever bytes come, a frame of the bus gets a verdict, and what is accepted can be read. */
class BusHostileBytesTest {
  private static final int MUTATIONS = 200_000;
  private static final long SEED = 0xB05BA4L;

  /** Wraps exactly these bytes and, when they are accepted, reads all that can be read. */
  private static Verdict judge(FrameView view, byte[] bytes) {
    Verdict verdict = view.wrap(MemorySegment.ofArray(bytes), 0, bytes.length);
    if (!verdict.ok() || view.format() < Format.BUS) {
      return verdict;
    }
    Verdict checked = BusText.check(view);
    if (checked.ok()) {
      assertTrue(BusText.of(view).length() > 10);
    }
    return checked;
  }

  @ParameterizedTest
  @EnumSource
  void everyPrefixIsTruncated(BusSample sample) {
    byte[] whole = sample.golden();
    FrameView view = new FrameView();
    for (int length = 0; length < whole.length; length++) {
      assertEquals(Verdict.TRUNCATED, judge(view, Arrays.copyOf(whole, length)));
    }
  }

  /** The header may announce fewer bytes than the block says there are. */
  @ParameterizedTest
  @EnumSource
  void everyShorterPayloadIsJudged(BusSample sample) {
    FrameView view = new FrameView();
    for (int length = sample.golden().length - Header.BYTES; length >= 0; length--) {
      FrameBytes bytes = new FrameBytes(sample.golden());
      bytes.length(length);
      assertNotNull(judge(view, bytes.segment().toArray(ValueLayout.JAVA_BYTE)));
    }
  }

  @ParameterizedTest
  @EnumSource
  void everySingleBitFlipIsJudged(BusSample sample) {
    byte[] whole = sample.golden();
    FrameView view = new FrameView();
    for (int bit = 0; bit < whole.length * 8; bit++) {
      byte[] flipped = whole.clone();
      flipped[bit >> 3] ^= (byte) (1 << (bit & 7));
      assertNotNull(judge(view, flipped));
    }
  }

  @Test
  void mutationsAreJudged() {
    Random random = new Random(SEED);
    List<byte[]> frames = Arrays.stream(BusSample.values()).map(BusSample::golden).toList();
    FrameView view = new FrameView();
    int accepted = 0;
    for (int i = 0; i < MUTATIONS; i++) {
      byte[] frame = frames.get(random.nextInt(frames.size()));
      accepted += judge(view, HostileBytesTest.mutate(frame, random)).ok() ? 1 : 0;
    }
    assertTrue(accepted > MUTATIONS / 10 && accepted < MUTATIONS, accepted + " accepted");
  }
}
