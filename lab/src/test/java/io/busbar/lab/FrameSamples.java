package io.busbar.lab;

import io.busbar.wire.ControlBlock;
import io.busbar.wire.DiagBlock;
import io.busbar.wire.Diagnosis;
import io.busbar.wire.FirstBlock;
import io.busbar.wire.Format;
import io.busbar.wire.FrameBuilder;
import io.busbar.wire.Header;
import io.busbar.wire.Options;
import io.busbar.wire.Seal;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.SplittableRandom;

/** Sound frames of every format, from a seed; each field may have any value that it is allowed. */
final class FrameSamples {
  /** What a seal of these frames looks like: a counter of 7, and a tag of 16 bytes of 0xAB. */
  private static final Seal SEAL =
      new Seal() {
        @Override
        public boolean active() {
          return true;
        }

        @Override
        public void seal(MemorySegment frame, long at, int length) {
          frame.asSlice(at + length, BYTES).fill((byte) 0xAB);
          frame.asSlice(at + length, COUNTER_BYTES).fill((byte) 0);
          frame.set(ValueLayout.JAVA_BYTE, at + length, (byte) 7);
        }

        @Override
        public boolean open(MemorySegment frame, long at, int length) {
          return false;
        }
      };

  private final SplittableRandom random;

  FrameSamples(long seed) {
    random = new SplittableRandom(seed);
  }

  private long positive() {
    return random.nextLong() >>> 1 >>> random.nextInt(60);
  }

  private int options(int format) {
    int allowed = Options.KNOWN & ~(Options.CRC | Options.SEAL);
    allowed &=
        switch (format) {
          case Format.FIRST -> ~(Options.RTN | Options.END);
          case Format.CNTL, Format.ECNTL, Format.DIAG, Format.ECHO ->
              ~(Options.EOM | Options.REPAIR);
          case Format.CAST -> Options.REPAIR;
          default -> format >= Format.BUS ? 0 : -1;
        };
    return random.nextInt() & allowed;
  }

  /** A frame of a format, with or without guards. */
  byte[] frame(int format, boolean crc, boolean sealed) {
    MemorySegment scratch = MemorySegment.ofArray(new byte[4096]);
    FrameBuilder out = new FrameBuilder(scratch, crc, sealed ? SEAL : Seal.NONE);
    out.begin();
    switch (format) {
      case Format.FIRST -> first(out);
      case Format.CNTL -> control(out, 0);
      case Format.ECNTL -> control(out, 1 + random.nextInt(10));
      case Format.DIAG -> diag(out);
      case Format.DATA, Format.ECHO, Format.CAST -> data(out, 300);
      default -> new BusSamples(random, out).payload(format);
    }
    out.finish(
        format,
        random.nextInt(256),
        format >= Format.BUS ? Header.EVERYONE : random.nextInt(Header.EVERYONE),
        random.nextInt(Header.EVERYONE),
        random.nextLong(),
        1 + (positive() >>> 17),
        random.nextLong(),
        random.nextInt(0x10000),
        options(format));
    byte[] frame = new byte[out.frameBytes()];
    out.copyTo(MemorySegment.ofArray(frame), 0);
    return frame;
  }

  private void data(FrameBuilder out, int most) {
    byte[] bytes = new byte[random.nextInt(most)];
    random.nextBytes(bytes);
    out.bytes(MemorySegment.ofArray(bytes), 0, bytes.length);
  }

  private void first(FrameBuilder out) {
    FirstBlock.write(
        scratch(out),
        out.reserve(FirstBlock.BYTES),
        2,
        256 + random.nextInt(100_000),
        random.nextLong(),
        1 + positive(),
        random.nextLong(),
        1 + (positive() >>> 1),
        random.nextInt(),
        random.nextInt(),
        random.nextInt() >>> 1,
        1 + random.nextInt(0xFFFF),
        random.nextLong());
    data(out, 100);
  }

  private static MemorySegment scratch(FrameBuilder out) {
    return out.scratch();
  }

  private void control(FrameBuilder out, int spans) {
    long rseq = positive() >>> 4;
    long at = out.reserve(ControlBlock.BYTES + spans * ControlBlock.SPAN_BYTES);
    ControlBlock.write(
        scratch(out),
        at,
        rseq,
        rseq + (positive() >>> 4),
        random.nextLong(),
        random.nextInt(),
        random.nextInt(),
        random.nextInt() >>> 1,
        random.nextInt() >>> 1,
        positive());
    long edge = rseq;
    for (int i = 0; i < spans; i++) {
      long from = edge + 1 + random.nextInt(1000);
      edge = from + 1 + random.nextInt(1000);
      ControlBlock.writeSpan(scratch(out), at, i, from, edge);
    }
  }

  private void diag(FrameBuilder out) {
    Diagnosis[] all = Diagnosis.values();
    DiagBlock.write(
        scratch(out),
        out.reserve(DiagBlock.BYTES),
        all[random.nextInt(all.length)],
        random.nextInt(),
        random.nextLong(),
        1 + positive(),
        random.nextLong(),
        random.nextLong());
  }
}
