package io.busbar.lab;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.busbar.wire.Frame;
import io.busbar.wire.FramePrinter;
import io.busbar.wire.FrameView;
import io.busbar.wire.Seal;
import io.busbar.wire.Verdict;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Tag;

/**
 * Any bytes get a verdict, and what is accepted can be read. Neither depends on what lies before or
 * behind the frame; behind it, in the first segment, lies nothing.
 */
@Tag("fuzz")
class FrameParserFuzz {
  private static final int ODD = 7;

  @FuzzTest
  void judges(byte[] input) {
    for (boolean crc : new boolean[] {false, true}) {
      String bare = read(input, 0, (byte) 0x00, crc);
      assertThat(read(input, 100, (byte) 0xFF, crc)).isEqualTo(bare);
    }
  }

  private static String read(byte[] input, int behind, byte around, boolean crc) {
    MemorySegment segment = MemorySegment.ofArray(new byte[ODD + input.length + behind]);
    segment.fill(around);
    MemorySegment.copy(input, 0, segment, ValueLayout.JAVA_BYTE, ODD, input.length);
    FrameView view = new FrameView(crc, Seal.NONE);
    Verdict verdict = view.wrap(segment, ODD, input.length);
    if (!verdict.ok()) {
      return verdict.toString();
    }
    long end = view.dataAt() + view.dataLength();
    assertThat(view.dataAt()).isGreaterThan(ODD);
    assertThat(end).isLessThanOrEqualTo(ODD + input.length);
    return Frame.of(view) + " " + FramePrinter.line(view);
  }
}
