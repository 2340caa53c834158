package io.busbar.bus;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.wire.CastBlock;
import io.busbar.wire.Header;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A sender whose carriers take longer frames than those of the node that reads it. */
class LongerFramesTest extends CastReading {
  private static final int OWN_BYTES = 1440;
  private final List<byte[]> heard = new ArrayList<>();

  @Override
  public void onBytes(CastIn in, MemorySegment memory, long at, int length) {
    heard.add(memory.asSlice(at, length).toArray(ValueLayout.JAVA_BYTE));
    casting.done(nowNs, in, length);
  }

  private void say(long seq, int bytes) {
    int length = data(seq, bytes);
    frame.asSlice(Header.BYTES, bytes).fill((byte) seq);
    assertThat(hear(length)).isTrue();
  }

  private void checkHeard(int... lengths) {
    assertThat(heard).hasSize(lengths.length);
    for (int i = 0; i < lengths.length; i++) {
      byte[] expected = new byte[lengths[i]];
      Arrays.fill(expected, (byte) i);
      assertThat(heard.get(i)).as("frame %d", i).isEqualTo(expected);
    }
  }

  /** The last one of a chunk, too, behind which there is no memory. */
  @Test
  void theyAreHeldBesideOthersUntilTheirTurnComes() {
    hear(control(CastBlock.WELCOME, KEY, SENDER_LIFE, ID, LIFE, 0));
    int[] lengths = new int[66];
    for (int seq = lengths.length - 1; seq >= 0; seq--) {
      lengths[seq] = seq % 3 == 0 ? 8000 : seq % 3 == 1 ? OWN_BYTES : 64;
      say(seq, lengths[seq]);
    }
    checkHeard(lengths);
  }

  /** As much is held as would be of frames of the own length; what does not fit comes again. */
  @Test
  void theyTakeNoMoreMemoryThanOthers() {
    hear(control(CastBlock.WELCOME, KEY, SENDER_LIFE, ID, LIFE, 0));
    int fit = CastConfig.WINDOW_MAX * OWN_BYTES / 65_000;
    int sent = 2 * fit;
    for (int seq = 1; seq <= sent; seq++) {
      say(seq, 65_000);
    }
    assertThat(casting.count(CastCount.DROP_EARLY)).isEqualTo(sent - fit);
    for (int seq = 0; seq <= sent; seq++) {
      say(seq, 65_000);
    }
    assertThat(heard).hasSize(sent + 1);
  }
}
