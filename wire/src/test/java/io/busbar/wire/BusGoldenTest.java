package io.busbar.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The golden vectors of the bus were written from docs/wire/bus.md, not by this code. */
class BusGoldenTest {
  private static FrameView viewOf(BusSample sample) {
    byte[] bytes = sample.golden();
    FrameView view = new FrameView();
    assertEquals(Verdict.OK, view.wrap(MemorySegment.ofArray(bytes), 0, bytes.length));
    return view;
  }

  @ParameterizedTest
  @EnumSource
  void emitterYieldsTheGoldenBytes(BusSample sample) {
    HexFormat hex = HexFormat.ofDelimiter(" ");
    assertEquals(hex.formatHex(sample.golden()), hex.formatHex(sample.emitted()));
  }

  @ParameterizedTest
  @EnumSource
  void whatIsReadIsWhatTheTextSays(BusSample sample) {
    FrameView view = viewOf(sample);
    assertEquals(Verdict.OK, BusText.check(view));
    assertEquals(sample.text(), BusText.of(view));
  }

  @Test
  void thereIsASampleOfEachFormatAndKind() {
    assertEquals(
        IntStream.rangeClosed(Format.BUS, Format.CASTC).boxed().collect(Collectors.toSet()),
        Arrays.stream(BusSample.values()).map(s -> viewOf(s).format()).collect(Collectors.toSet()));
    assertEquals(
        IntStream.rangeClosed(CastBlock.STATUS, CastBlock.JOIN).boxed().toList(),
        Arrays.stream(BusSample.values())
            .map(BusGoldenTest::viewOf)
            .filter(view -> view.format() == Format.CASTC)
            .map(CastBlock::kind)
            .sorted()
            .toList());
  }
}
