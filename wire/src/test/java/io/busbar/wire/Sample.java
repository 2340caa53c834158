package io.busbar.wire;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Locale;

/** One frame of each format: how it is emitted, and what it should be parsed as. */
enum Sample {
  FIRST {
    @Override
    void emit(FrameBuilder out) {
      long at = out.reserve(FirstBlock.BYTES);
      FirstBlock.write(
          out.scratch(),
          at,
          2,
          1500,
          ClusterName.hash("a"),
          0x0123_4567_89AB_CDEFL,
          0xFEDC_BA98_7654_3210L,
          3,
          0x8000_0001,
          7,
          10_000,
          32,
          0x0A21_7261_6273_7562L);
      out.bytes(MemorySegment.ofArray("abc".getBytes(UTF_8)), 0, 3);
      int options = Options.SREQ | Options.EOM | Options.WCLOSE;
      out.finish(Format.FIRST, 1, 2, 1, OTHER_KEY, 0, 0, 64, options);
    }
  },

  DATA {
    @Override
    void emit(FrameBuilder out) {
      out.bytes(MemorySegment.ofArray("hello".getBytes(UTF_8)), 0, 5);
      int options = Options.SREQ | Options.EOM | Options.RTN;
      out.finish(Format.DATA, 7, 258, 3, KEY, 0x1_0000_0010L, 0x7_89AB_CDEFL, 0x1234, options);
    }
  },

  CNTL {
    @Override
    void emit(FrameBuilder out) {
      long rseq = (1L << 32) + 3840;
      long alloc = (1L << 32) + 65_536;
      long newest = (1L << 32) + 3584;
      long at = out.reserve(ControlBlock.BYTES);
      ControlBlock.write(out.scratch(), at, rseq, alloc, OTHER_KEY, 9, -2, 1_000_000, 50, newest);
      int options = Options.RCLOSE | Options.RTN;
      out.finish(Format.CNTL, 0, 1, 2, KEY, 8192, rseq, 0, options);
    }
  },

  ECNTL {
    @Override
    void emit(FrameBuilder out) {
      long at = out.reserve(ControlBlock.BYTES + 3 * ControlBlock.SPAN_BYTES);
      ControlBlock.write(out.scratch(), at, 100, 16_777_060, 1, 0, 5, 0, 0, 700);
      ControlBlock.writeSpan(out.scratch(), at, 0, 200, 300);
      ControlBlock.writeSpan(out.scratch(), at, 1, 400, 401);
      ControlBlock.writeSpan(out.scratch(), at, 2, 600, 700);
      out.finish(Format.ECNTL, 255, 65_534, 0, 0, 0, 100, 0xFFFF, Options.RTN);
    }
  },

  DIAG {
    @Override
    void emit(FrameBuilder out) {
      long at = out.reserve(DiagBlock.BYTES);
      DiagBlock.write(
          out.scratch(),
          at,
          Diagnosis.WRONG_INCARNATION,
          -5,
          ClusterName.hash("foobar"),
          0x0123_4567_89AB_CDEFL,
          Incarnation.UNKNOWN,
          0x1122_3344_5566_7788L);
      out.finish(Format.DIAG, 3, 5, 6, KEY, 0, 0, 0, Options.END | Options.RTN);
    }
  },

  ECHO {
    @Override
    void emit(FrameBuilder out) {
      out.zeros(3);
      out.finish(Format.ECHO, 0, 7, 8, OTHER_KEY, 77, 0, 0, Options.RTN);
    }
  },

  CRC {
    @Override
    void emit(FrameBuilder out) {
      out.bytes(MemorySegment.ofArray("ok".getBytes(UTF_8)), 0, 2);
      out.finish(Format.DATA, 0, 2, 1, OTHER_KEY, 1000, 0, 1, Options.REPAIR);
    }
  };

  static final long KEY = 0xABCD_EF01_0200_0A0BL;
  static final long OTHER_KEY = 0x00C0_DE00_0100_0005L;

  /** Puts the frame into a builder on which {@code begin} was called. */
  abstract void emit(FrameBuilder out);

  Frame expected() {
    return switch (this) {
      case FIRST ->
          new Frame.First(
              new Frame.Envelope(1, 2, 1, OTHER_KEY, 0, 0, 16384, 0x0007),
              2,
              1500,
              0xAF63_DC4C_8601_EC8CL,
              0x0123_4567_89AB_CDEFL,
              0xFEDC_BA98_7654_3210L,
              3,
              0x8000_0001,
              7,
              10_000,
              32,
              0x0A21_7261_6273_7562L,
              3);
      case DATA ->
          new Frame.Data(
              new Frame.Envelope(7, 258, 3, KEY, 0x1_0000_0010L, 0x89AB_CDEF, 1_192_960, 0x0023),
              5);
      case CNTL ->
          new Frame.Control(
              new Frame.Envelope(0, 1, 2, KEY, 8192, 3840, 0, 0x0028),
              (1L << 32) + 3840,
              (1L << 32) + 65_536,
              OTHER_KEY,
              9,
              -2,
              1_000_000,
              50,
              (1L << 32) + 3584,
              List.of());
      case ECNTL ->
          new Frame.Control(
              new Frame.Envelope(255, 65_534, 0, 0, 0, 100, 16_776_960, 0x0020),
              100,
              16_777_060,
              1,
              0,
              5,
              0,
              0,
              700,
              List.of(
                  new Frame.Span(200, 300), new Frame.Span(400, 401), new Frame.Span(600, 700)));
      case DIAG ->
          new Frame.Diag(
              new Frame.Envelope(3, 5, 6, KEY, 0, 0, 0, 0x0030),
              Diagnosis.WRONG_INCARNATION,
              1,
              1,
              -5,
              0x8594_4171_F739_67E8L,
              0x0123_4567_89AB_CDEFL,
              0,
              0x1122_3344_5566_7788L);
      case ECHO ->
          new Frame.Other(new Frame.Envelope(0, 7, 8, OTHER_KEY, 77, 0, 0, 0x0020), Format.ECHO, 3);
      case CRC -> new Frame.Data(new Frame.Envelope(0, 2, 1, OTHER_KEY, 1000, 0, 256, 0x4040), 2);
    };
  }

  /** The golden bytes, a fresh copy. */
  byte[] golden() {
    return Golden.bytes(fileName());
  }

  /** The line that the printer should yield. */
  String line() {
    return Golden.text(fileName());
  }

  private String fileName() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** What the builder makes of it. */
  byte[] emitted() {
    FrameBuilder out =
        new FrameBuilder(MemorySegment.ofArray(new byte[2048]), this == CRC, Seal.NONE);
    out.begin();
    emit(out);
    byte[] frame = new byte[out.frameBytes()];
    out.copyTo(MemorySegment.ofArray(frame), 0);
    return frame;
  }
}
