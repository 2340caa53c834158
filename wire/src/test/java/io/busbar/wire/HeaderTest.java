package io.busbar.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.MemorySegment;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HeaderTest {
  @ParameterizedTest
  @CsvSource({
    "0x00000000, 0x00000000,  0x00000000",
    "0x00000005, 0x00000003,  0x00000005",
    "0x00000003, 0x00000005,  0x00000003",
    "0x00000001, 0xFFFFFFFF,  0x100000001",
    "0xFFFFFFFF, 0x100000001, 0xFFFFFFFF",
    "0x00000000, 0xFFFFFFFF,  0x100000000",
    "0x7FFFFFFF, 0x500000000, 0x57FFFFFFF",
    "0x80000001, 0x500000000, 0x480000001",
    "0x80000000, 0x500000000, 0x480000000",
    "0xFFFFFFFF, 0x00000000,  -0x1",
    "0x00000000, 0x7FFFFFFF00000001, 0x7FFFFFFF00000000",
  })
  void extendChoosesTheNearest(String low, String near, String expected) {
    assertEquals(
        Long.decode(expected), Header.extend(Long.decode(low).intValue(), Long.decode(near)));
  }

  @Test
  void extendGivesBackWhateverIsClose() {
    Random random = new Random(7);
    for (int i = 0; i < 100_000; i++) {
      long near = random.nextLong() >>> (1 + random.nextInt(40));
      long exact = near + random.nextInt();
      assertEquals(exact, Header.extend((int) exact, near));
    }
  }

  @Test
  void writeCutsEveryValueToItsField() {
    MemorySegment header = MemorySegment.ofArray(new byte[Header.BYTES]);
    Header.write(header, 0, 0xF2, 0x105, 0x1_0000, 0x1_0007, 0x1_0008, 0, 0, 1L << 32, 1 << 16, 0);
    FrameView view = new FrameView();
    assertEquals(Verdict.OK, view.wrap(header, 0, Header.BYTES));
    assertEquals(new Frame.Data(new Frame.Envelope(5, 7, 8, 0, 0, 0, 0, 0), 0), Frame.of(view));
  }

  @Test
  void namesOfOptions() {
    assertEquals("-", Options.names(0));
    assertEquals("SREQ|bit7|bit13|SEAL", Options.names(0xA081));
    assertEquals("SREQ|EOM|WCLOSE|RCLOSE|END|RTN|REPAIR|CRC|SEAL", Options.names(Options.KNOWN));
  }

  @Test
  void namesOfFormats() {
    assertEquals("?0", Format.name(0));
    assertEquals("FIRST", Format.name(1));
    assertEquals("TCNTL", Format.name(6));
    assertEquals("ECHO", Format.name(7));
    assertEquals("HELLO", Format.name(8));
    assertEquals("CASTC", Format.name(15));
  }
}
