package io.busbar.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.busbar.testkit.AllocationMeter;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

/** The hot path allocates nothing once it is compiled. */
class AllocationTest {
  private static final int ROUNDS = 100_000;

  private final AllocationMeter meter = new AllocationMeter();
  private long sink;

  private void read(FrameView view, MemorySegment frame, int at, int length) {
    for (int i = 0; i < ROUNDS; i++) {
      assertTrueCheaply(view.wrap(frame, at, length).ok());
      sink += view.key() + view.seq() + view.rseqLow() + view.creditBytes() + view.options();
      sink += view.dataAt() + view.dataLength() + view.to() + view.from() + view.proto();
    }
  }

  private static void assertTrueCheaply(boolean condition) {
    if (!condition) {
      throw new AssertionError("the frame was refused");
    }
  }

  private static MemorySegment place(Arena arena, byte[] frame, int at) {
    MemorySegment segment = arena.allocate(at + frame.length);
    MemorySegment.copy(MemorySegment.ofArray(frame), 0, segment, at, frame.length);
    return segment;
  }

  @Test
  void readingAnyFormat() {
    try (Arena arena = Arena.ofConfined()) {
      for (Sample sample : Sample.values()) {
        byte[] frame = sample.golden();
        MemorySegment segment = place(arena, frame, 3);
        FrameView view = new FrameView();
        meter.assertLoopAllocatesNothing(() -> read(view, segment, 3, frame.length));
      }
    }
  }

  @Test
  void readingBlocks() {
    try (Arena arena = Arena.ofConfined()) {
      byte[] frame = Sample.ECNTL.golden();
      MemorySegment segment = place(arena, frame, 1);
      FrameView view = new FrameView();
      meter.assertLoopAllocatesNothing(
          () -> {
            for (int i = 0; i < ROUNDS; i++) {
              assertTrueCheaply(view.wrap(segment, 1, frame.length).ok());
              sink += ControlBlock.rseq(view) + ControlBlock.alloc(view) + ControlBlock.sync(view);
              for (int span = 0; span < ControlBlock.spans(view); span++) {
                sink += ControlBlock.spanFrom(view, span) + ControlBlock.spanTo(view, span);
              }
            }
          });
    }
  }

  @Test
  void refusingAFrame() {
    byte[] frame = Sample.FIRST.golden();
    frame[Header.BYTES + FirstBlock.WORDS_AT] = 0;
    MemorySegment segment = MemorySegment.ofArray(frame);
    FrameView view = new FrameView();
    meter.assertLoopAllocatesNothing(
        () -> {
          for (int i = 0; i < ROUNDS; i++) {
            sink += view.wrap(segment, 0, frame.length).ok() ? 1 : 2;
          }
        });
    assertEquals(Verdict.BLOCK, view.wrap(segment, 0, frame.length));
  }

  private void build(FrameBuilder out, MemorySegment source, MemorySegment to) {
    for (int i = 0; i < ROUNDS; i++) {
      out.begin();
      out.word(Records.header(Records.WHOLE, 0, 1, 60), 0, 8);
      out.bytes(source, 0, 60);
      out.zeros(4);
      out.bytes(source, 0, 512);
      out.finish(Format.DATA, 1, 2, 3, 4, i, 6, 7, Options.EOM);
      out.copyTo(to, 1);
      sink += out.frameBytes();
    }
  }

  @Test
  void building() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment source = arena.allocate(1024);
      MemorySegment to = arena.allocate(2048);
      FrameBuilder plain = new FrameBuilder(arena.allocate(2048), false, Seal.NONE);
      FrameBuilder summed = new FrameBuilder(arena.allocate(2048), true, Seal.NONE);
      meter.assertLoopAllocatesNothing(() -> build(plain, source, to));
      meter.assertLoopAllocatesNothing(() -> build(summed, source, to));
    }
  }

  /** Adds up lengths; one object for the whole stream. */
  private final class Count implements RecordReader.Sink {
    @Override
    public void onRecord(long header) {
      sink += Records.length(header);
    }

    @Override
    public void onBytes(MemorySegment segment, long at, int length, boolean last) {
      sink += length;
    }
  }

  @Test
  void readingRecords() {
    byte[] bytes = Golden.bytes("records");
    MemorySegment stream = MemorySegment.ofArray(bytes);
    RecordReader reader = new RecordReader();
    Count count = new Count();
    meter.assertLoopAllocatesNothing(
        () -> {
          for (int i = 0; i < ROUNDS; i++) {
            assertTrueCheaply(reader.feed(stream, 0, 21, count));
            assertTrueCheaply(reader.feed(stream, 21, bytes.length - 21, count));
          }
        });
  }
}
