package io.busbar.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every reason for which a frame is refused, each with the smallest change that earns it. */
class VerdictTest {
  private static final int BLOCK = Header.BYTES;

  /** A valid frame, a change, a view, and what the view says. */
  record Case(
      String what, Verdict verdict, Sample sample, Consumer<FrameBytes> change, FrameView view) {
    Case(String what, Verdict verdict, Sample sample, Consumer<FrameBytes> change) {
      this(what, verdict, sample, change, new FrameView());
    }

    @Override
    public String toString() {
      return verdict + ": " + sample + " " + what;
    }
  }

  static Stream<Case> cases() {
    return Stream.of(accepted(), header(), guards(), formats(), first(), control(), diag())
        .flatMap(s -> s);
  }

  private static Stream<Case> accepted() {
    return Stream.concat(
        Arrays.stream(Sample.values()).map(s -> new Case("as it is", Verdict.OK, s, b -> {})),
        Stream.of(
            new Case("padded", Verdict.OK, Sample.DATA, b -> b.resize(60)),
            new Case("empty", Verdict.OK, Sample.DATA, b -> b.length(0)),
            new Case("without data", Verdict.OK, Sample.FIRST, b -> b.length(FirstBlock.BYTES)),
            new Case("with REPAIR", Verdict.OK, Sample.FIRST, b -> b.u16(30, Options.REPAIR)),
            new Case("of the bus, to all", Verdict.OK, Sample.DATA, b -> bus(b, 8)),
            new Case("of the bus, last", Verdict.OK, Sample.DATA, b -> bus(b, 15)),
            new Case("64 spans", Verdict.OK, Sample.ECNTL, b -> spans(b, 64)),
            new Case("to unknown", Verdict.OK, Sample.FIRST, b -> b.i64(BLOCK + 24, 0)),
            new Case("speaks 0..9", Verdict.OK, Sample.FIRST, b -> b.u16(BLOCK, 0x0900)),
            new Case("speaks 2..3", Verdict.OK, Sample.DIAG, b -> b.u16(BLOCK + 2, 0x0302)),
            new Case("ends at the last number", Verdict.OK, Sample.DATA, b -> seq(b, 5))));
  }

  private static Stream<Case> header() {
    return Stream.of(
        new Case("no bytes", Verdict.TRUNCATED, Sample.DATA, b -> b.resize(0)),
        new Case("31 bytes", Verdict.TRUNCATED, Sample.DATA, b -> b.resize(31)),
        new Case("one byte short", Verdict.TRUNCATED, Sample.DATA, b -> b.resize(36)),
        new Case("without its checksum", Verdict.TRUNCATED, Sample.CRC, b -> b.resize(37)),
        new Case("without its seal", Verdict.TRUNCATED, Sample.DATA, b -> sealed(b, 23)),
        new Case("version 0", Verdict.VERSION, Sample.DATA, b -> b.u8(0, 0x02)),
        new Case("version 2", Verdict.VERSION, Sample.DATA, b -> b.u8(0, 0x22)),
        new Case("bit 7", Verdict.OPTIONS, Sample.DATA, b -> b.u16(30, 0x0080)),
        new Case("bit 13", Verdict.OPTIONS, Sample.DATA, b -> b.u16(30, 0x2000)),
        new Case("from everyone", Verdict.NODES, Sample.DATA, b -> b.u16(6, 0xFFFF)),
        new Case(
            "bus, from everyone",
            Verdict.NODES,
            Sample.DATA,
            b -> {
              bus(b, 8);
              b.u16(6, 0xFFFF);
            }));
  }

  private static Stream<Case> guards() {
    FrameView strict = new FrameView(true, Seal.NONE);
    FrameView sealing = new FrameView(false, new XorSeal());
    return Stream.of(
        new Case("not summed", Verdict.CRC_MISSING, Sample.DATA, b -> {}, strict),
        new Case("summed", Verdict.OK, Sample.CRC, b -> {}, strict),
        new Case("header bit", Verdict.CRC_WRONG, Sample.CRC, b -> b.u8(1, 1)),
        new Case("options bit", Verdict.CRC_WRONG, Sample.CRC, b -> b.u8(30, 0)),
        new Case("payload bit", Verdict.CRC_WRONG, Sample.CRC, b -> b.u8(33, 'j')),
        new Case("sum bit", Verdict.CRC_WRONG, Sample.CRC, b -> b.u8(37, 0)),
        new Case("sealed", Verdict.SEAL_UNEXPECTED, Sample.DATA, b -> sealed(b, 24)),
        new Case("unsealed", Verdict.SEAL_UNEXPECTED, Sample.DATA, b -> {}, sealing),
        new Case("forged", Verdict.SEAL_WRONG, Sample.DATA, b -> sealed(b, 24), sealing));
  }

  private static Stream<Case> formats() {
    Stream<Case> unknown =
        Stream.of(0, Format.TCNTL)
            .flatMap(
                f ->
                    Stream.of(
                        new Case("format " + f, Verdict.FORMAT, Sample.DATA, b -> b.u8(0, 16 | f)),
                        new Case("to all, " + f, Verdict.FORMAT, Sample.DATA, b -> bus(b, f))));
    Stream<Case> toAll =
        Arrays.stream(Sample.values())
            .filter(s -> s != Sample.CRC)
            .map(s -> new Case("to everyone", Verdict.NODES, s, b -> b.u16(4, 0xFFFF)));
    Stream<Case> negative =
        Arrays.stream(Sample.values())
            .filter(s -> s != Sample.CRC)
            .map(s -> new Case("seq -1", Verdict.SEQUENCE, s, b -> b.i64(16, -1)));
    Stream<Case> options =
        Stream.of(
            option(Sample.FIRST, Options.RTN),
            option(Sample.FIRST, Options.END),
            option(Sample.CNTL, Options.EOM),
            option(Sample.CNTL, Options.REPAIR),
            option(Sample.ECNTL, Options.EOM),
            option(Sample.ECNTL, Options.REPAIR),
            option(Sample.DIAG, Options.EOM),
            option(Sample.DIAG, Options.REPAIR),
            option(Sample.ECHO, Options.EOM),
            option(Sample.ECHO, Options.REPAIR));
    Stream<Case> edge =
        Stream.of(new Case("ends past all", Verdict.SEQUENCE, Sample.DATA, b -> seq(b, 4)));
    return Stream.of(unknown, toAll, negative, options, edge).flatMap(s -> s);
  }

  private static Case option(Sample sample, int bit) {
    return new Case(Options.names(bit), Verdict.OPTIONS, sample, b -> b.u16(30, bit));
  }

  private static Stream<Case> first() {
    return Stream.of(
        block("short", Sample.FIRST, b -> b.length(FirstBlock.BYTES - 1)),
        block("empty", Sample.FIRST, b -> b.length(0)),
        block("speaks 2..2", Sample.FIRST, b -> b.u16(BLOCK, 0x0202)),
        block("speaks 0..0", Sample.FIRST, b -> b.u16(BLOCK, 0x0000)),
        block("7 words", Sample.FIRST, b -> b.u8(BLOCK + 3, 7)),
        block("frames of 96", Sample.FIRST, b -> b.i32(BLOCK + 4, 96)),
        block("negative frames", Sample.FIRST, b -> b.i32(BLOCK + 4, -1)),
        block("lifeless", Sample.FIRST, b -> b.i64(BLOCK + 16, 0)),
        block("serial 0", Sample.FIRST, b -> b.i64(BLOCK + 32, 0)),
        block("serial -1", Sample.FIRST, b -> b.i64(BLOCK + 32, -1)),
        block("ack delay -1", Sample.FIRST, b -> b.i32(BLOCK + 48, -1)),
        block("status every 0", Sample.FIRST, b -> b.u16(BLOCK + 52, 0)),
        block("reserved set", Sample.FIRST, b -> b.u16(BLOCK + 54, 0x8000)));
  }

  private static Stream<Case> control() {
    Stream<Case> blocks =
        Stream.of(Sample.CNTL, Sample.ECNTL)
            .flatMap(
                s ->
                    Stream.of(
                        block("short", s, b -> b.length(ControlBlock.BYTES - 1)),
                        block("held -1", s, b -> b.i32(BLOCK + 32, -1)),
                        block("ack delay -1", s, b -> b.i32(BLOCK + 36, -1)),
                        sequence("rseq -1", s, b -> b.i64(BLOCK, -1)),
                        sequence("alloc below rseq", s, b -> b.i64(BLOCK + 8, 99)),
                        sequence("newest -1", s, b -> b.i64(BLOCK + 40, -1))));
    Stream<Case> spans =
        Stream.of(
            block("CNTL too long", Sample.CNTL, b -> b.length(ControlBlock.BYTES + 16)),
            block("no span", Sample.ECNTL, b -> b.length(ControlBlock.BYTES)),
            spans("half a span", b -> b.length(ControlBlock.BYTES + 8)),
            spans("two and a bit", b -> b.length(ControlBlock.BYTES + 33)),
            spans("65", b -> spans(b, 65)),
            spans("touching rseq", b -> b.i64(BLOCK + 48, 100)),
            spans("negative", b -> b.i64(BLOCK + 48, -1)),
            spans("empty", b -> b.i64(BLOCK + 56, 200)),
            spans("backwards", b -> b.i64(BLOCK + 56, 199)),
            spans("touching", b -> b.i64(BLOCK + 64, 300)),
            spans("overlapping", b -> b.i64(BLOCK + 64, 250)),
            spans("out of order", b -> b.i64(BLOCK + 80, 350)));
    return Stream.concat(blocks, spans);
  }

  private static Stream<Case> diag() {
    return Stream.of(
        block("short", Sample.DIAG, b -> b.length(DiagBlock.BYTES - 1)),
        block("long", Sample.DIAG, b -> b.length(DiagBlock.BYTES + 1)),
        block("code 0", Sample.DIAG, b -> b.u16(BLOCK, 0)),
        block("code 9", Sample.DIAG, b -> b.u16(BLOCK, 9)),
        block("code 0xFFFF", Sample.DIAG, b -> b.u16(BLOCK, 0xFFFF)),
        block("versions reversed", Sample.DIAG, b -> b.u16(BLOCK + 2, 0x0102)),
        block("lifeless", Sample.DIAG, b -> b.i64(BLOCK + 16, 0)));
  }

  private static Case block(String what, Sample sample, Consumer<FrameBytes> change) {
    return new Case(what, Verdict.BLOCK, sample, change);
  }

  private static Case sequence(String what, Sample sample, Consumer<FrameBytes> change) {
    return new Case(what, Verdict.SEQUENCE, sample, change);
  }

  private static Case spans(String what, Consumer<FrameBytes> change) {
    return new Case(what, Verdict.SPANS, Sample.ECNTL, change);
  }

  private static void bus(FrameBytes b, int format) {
    b.u8(0, 16 | format);
    b.u16(4, 0xFFFF);
  }

  private static void sealed(FrameBytes b, int sealFrameBytes) {
    b.u16(30, Options.SEAL);
    b.resize(37 + sealFrameBytes);
  }

  /** Puts the frame {@code room} bytes before the last number. */
  private static void seq(FrameBytes b, int room) {
    b.i64(16, Long.MAX_VALUE - room);
  }

  private static void spans(FrameBytes b, int count) {
    b.length(ControlBlock.BYTES + count * ControlBlock.SPAN_BYTES);
    for (int i = 0; i < count; i++) {
      b.i64(BLOCK + 48 + 16 * i, 200 + 10 * i);
      b.i64(BLOCK + 56 + 16 * i, 205 + 10 * i);
    }
  }

  @ParameterizedTest
  @MethodSource("cases")
  void isReturnedForItsReason(Case c) {
    FrameBytes bytes = new FrameBytes(c.sample().golden());
    c.change().accept(bytes);
    assertEquals(c.verdict(), c.view().wrap(bytes.segment(), 0, bytes.size()));
  }

  @Test
  void everyVerdictHasACase() {
    Set<Verdict> seen = cases().map(Case::verdict).collect(Collectors.toSet());
    assertEquals(EnumSet.allOf(Verdict.class), seen);
  }

  @Test
  void fieldsThatNoVersionMovesAreReadableAfterVersion() {
    FrameBytes bytes = new FrameBytes(Sample.DATA.golden());
    bytes.u8(0, 0xF5);
    FrameView view = new FrameView();
    assertEquals(Verdict.VERSION, view.wrap(bytes.segment(), 0, bytes.size()));
    assertEquals(15, view.version());
    assertEquals(Format.DIAG, view.format());
    assertEquals(258, view.to());
    assertEquals(3, view.from());
    assertEquals(Sample.KEY, view.key());
  }
}
