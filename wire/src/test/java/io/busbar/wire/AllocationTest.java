package io.busbar.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

/** The hot path allocates nothing once it is compiled. */
class AllocationTest {
  private static final int ROUNDS = 100_000;
  private static final int BYTES_MAX = 1024;

  private final AllocationMeter meter = new AllocationMeter();
  private long sink;

  /** A cold loop may allocate while it is interpreted; a hot one that does never comes to rest. */
  private void assertAllocatesNothing(Runnable hot) {
    long least = Long.MAX_VALUE;
    for (int attempt = 0; attempt < 10 && least >= BYTES_MAX; attempt++) {
      long before = meter.bytes();
      hot.run();
      least = Math.min(least, meter.bytes() - before);
    }
    long bytes = least;
    assertTrue(
        bytes < BYTES_MAX, () -> bytes + " bytes in " + ROUNDS + " rounds, after nine to warm up");
  }

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
        assertAllocatesNothing(() -> read(view, segment, 3, frame.length));
      }
    }
  }

  @Test
  void readingBlocks() {
    try (Arena arena = Arena.ofConfined()) {
      byte[] frame = Sample.ECNTL.golden();
      MemorySegment segment = place(arena, frame, 1);
      FrameView view = new FrameView();
      assertAllocatesNothing(
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
    assertAllocatesNothing(
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
      assertAllocatesNothing(() -> build(plain, source, to));
      assertAllocatesNothing(() -> build(summed, source, to));
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
    assertAllocatesNothing(
        () -> {
          for (int i = 0; i < ROUNDS; i++) {
            assertTrueCheaply(reader.feed(stream, 0, 21, count));
            assertTrueCheaply(reader.feed(stream, 21, bytes.length - 21, count));
          }
        });
  }

  @Test
  void theMeterSeesAllocation() {
    long before = meter.bytes();
    Object[] kept = new Object[64];
    for (int i = 0; i < kept.length; i++) {
      kept[i] = new byte[1024];
    }
    assertTrue(meter.bytes() - before >= kept.length * 1024L);
  }
}
