package io.busbar.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/**
 * A frame with every fault at once. As they are mended one by one, the objections come in the order
 * of the steps in docs/wire/guards.md.
 */
class VerdictOrderTest {
  /** In the order of the steps; the seventh, a missing checksum, is the view's doing. */
  private static final List<Consumer<FrameBytes>> FAULTS =
      List.of(
          b -> b.resize(Header.BYTES - 1),
          b -> b.u8(0, b.u8(0) | 0xF0),
          b -> b.u16(30, b.u16(30) | 0x2000),
          b -> b.u16(2, 0xFFFF),
          b -> b.u16(6, 0xFFFF),
          b -> b.u16(30, b.u16(30) | Options.SEAL),
          b -> {},
          b -> b.u8(0, (b.u8(0) & 0xF0) | Format.TCNTL),
          b -> b.u16(30, b.u16(30) | Options.EOM),
          b -> b.u16(4, 0xFFFF),
          b -> b.i64(16, -1),
          b -> b.i32(Header.BYTES + ControlBlock.HELD_AT, -1));

  @Test
  void objectionsComeInTheOrderOfTheSteps() {
    List<String> steps =
        new WireDoc("guards.md").table("step", "looked at", "verdicts").all("verdicts");
    assertEquals(FAULTS.size(), steps.size());
    for (int step = 0; step < steps.size(); step++) {
      FrameBytes frame = new FrameBytes(Sample.CNTL.golden());
      frame.resize(frame.size() + Seal.BYTES);
      for (int fault = FAULTS.size() - 1; fault >= step; fault--) {
        FAULTS.get(fault).accept(frame);
      }
      Verdict expected = Verdict.valueOf(steps.get(step).replaceFirst(" .*", ""));
      FrameView view = new FrameView(step <= 6, Seal.NONE);
      assertEquals(expected, view.wrap(frame.segment(), 0, frame.size()), "step " + (step + 1));
    }
  }
}
