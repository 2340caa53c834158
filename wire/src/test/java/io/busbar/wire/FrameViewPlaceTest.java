package io.busbar.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A frame reads the same wherever it lies, and nothing outside it is read. */
class FrameViewPlaceTest {
  private static final int OFFSETS = 17;

  /** The segment ends with the frame: an access behind it throws. Before it lies {@code poison}. */
  private static void readAtEnd(
      MemorySegment room, byte[] frame, int offset, int poison, Sample s) {
    MemorySegment exact = room.asSlice(0, offset + (long) frame.length);
    exact.fill((byte) poison);
    MemorySegment.copy(MemorySegment.ofArray(frame), 0, exact, offset, frame.length);
    FrameView view = new FrameView();
    assertEquals(Verdict.OK, view.wrap(exact.asReadOnly(), offset, frame.length));
    assertEquals(s.expected(), Frame.of(view));
    assertEquals(s.line(), FramePrinter.line(view));
    assertEquals(offset, view.at());
    assertEquals(offset + 32, view.payloadAt());
  }

  @ParameterizedTest
  @EnumSource
  void onTheHeap(Sample sample) {
    byte[] frame = sample.golden();
    MemorySegment room = MemorySegment.ofArray(new byte[OFFSETS + frame.length]);
    for (int offset = 0; offset < OFFSETS; offset++) {
      readAtEnd(room, frame, offset, 0x00, sample);
      readAtEnd(room, frame, offset, 0xFF, sample);
    }
  }

  @ParameterizedTest
  @EnumSource
  void offTheHeap(Sample sample) {
    byte[] frame = sample.golden();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment room = arena.allocate(OFFSETS + frame.length);
      for (int offset = 0; offset < OFFSETS; offset++) {
        readAtEnd(room, frame, offset, 0x00, sample);
        readAtEnd(room, frame, offset, 0xFF, sample);
      }
    }
  }

  /** What lies behind the bytes that came must not decide anything, not even by its absence. */
  @ParameterizedTest
  @EnumSource
  void bytesBehindThoseAvailableAreNotRead(Sample sample) {
    byte[] frame = sample.golden();
    MemorySegment whole = MemorySegment.ofArray(frame);
    FrameView view = new FrameView();
    for (int available = 0; available < frame.length; available++) {
      MemorySegment exact = whole.asSlice(0, available);
      assertEquals(view.wrap(whole, 0, available), view.wrap(exact, 0, available));
    }
  }

  @Test
  void oneViewServesManyFrames() {
    FrameView view = new FrameView();
    for (int round = 0; round < 2; round++) {
      for (Sample sample : Sample.values()) {
        byte[] frame = sample.golden();
        assertEquals(Verdict.OK, view.wrap(MemorySegment.ofArray(frame), 0, frame.length));
        assertEquals(sample.expected(), Frame.of(view));
      }
    }
  }

  @Test
  void lengthOfTheLargestPayloadIsUnsigned() {
    byte[] frame = new byte[Header.BYTES + Header.PAYLOAD_BYTES_MAX];
    MemorySegment segment = MemorySegment.ofArray(frame);
    Header.write(segment, 0, Format.DATA, 255, 0xFFFF, 0xFFFE, 0xFFFE, -1, 0, -1, 0xFFFF, 0);
    FrameView view = new FrameView();
    assertEquals(Verdict.OK, view.wrap(segment, 0, frame.length));
    assertEquals(0xFFFF, view.length());
    assertEquals(0xFFFF, view.dataLength());
    assertEquals(255, view.proto());
    assertEquals(0xFFFE, view.to());
    assertEquals(0xFFFE, view.from());
    assertEquals(-1, view.key());
    assertEquals(-1, view.rseqLow());
    assertEquals(Header.CREDIT_BYTES_MAX, view.creditBytes());
  }
}
