package io.busbar.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A capture is whole up to its last flush, is bounded, and fails without harm. */
class PcapFileTest {
  private static final long NOW_NS = 1_700_000_000_123_456_789L;
  private static final int FRAME = 16 + 14 + 100;

  private static final OutputStream FULL =
      new OutputStream() {
        @Override
        public void write(int one) throws IOException {
          throw new IOException("No space left on device");
        }
      };

  @TempDir Path folder;

  private final List<String> told = new ArrayList<>();
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final byte[] bytes = new byte[300_000];

  private PcapFile file(long bytesMax) {
    return new PcapFile(out, "c.pcap", bytesMax, told::add);
  }

  private void write(PcapFile file, int length) {
    file.begin(NOW_NS, 0x88B5, 0x0102_0304_0506L, 0xA1B2_C3D4_E5F6L);
    file.add(MemorySegment.ofArray(bytes), 0, length);
    file.end();
  }

  private List<PcapReading.Captured> frames() {
    return PcapReading.of(out.toByteArray());
  }

  @Test
  void frameIsGatheredFromItsParts() throws IOException {
    Path path = folder.resolve("c.pcap");
    try (PcapFile file = new PcapFile(path, 1000, told::add)) {
      file.begin(NOW_NS, 0x88B5, 0x0102_0304_0506L, 0xA1B2_C3D4_E5F6L);
      file.add(MemorySegment.ofArray(new byte[] {0, 1, 2, 3}), 1, 2);
      file.add(MemorySegment.ofArray(new byte[] {9}), 0, 1);
      file.end();
      assertThat(Files.readAllBytes(path)).hasSize(24);
    }
    PcapReading.Captured one = PcapReading.of(Files.readAllBytes(path)).getFirst();
    assertThat(one.epochNs()).isEqualTo(NOW_NS);
    assertThat(one.ethernet()).isEqualTo("010203040506" + "a1b2c3d4e5f6" + "88b5");
    assertThat(one.bytes()).containsExactly(1, 2, 9);
    assertThat(one.length()).isEqualTo(3);
  }

  @Test
  void whatIsNotEndedWasNeverThere() {
    PcapFile file = file(1 << 20);
    file.begin(NOW_NS, 1, 2, 3);
    file.add(MemorySegment.ofArray(bytes), 0, 50);
    write(file, 100);
    file.begin(NOW_NS, 1, 2, 3);
    file.close();
    assertThat(frames()).hasSize(1);
    assertThat(frames().getFirst().bytes()).hasSize(100);
    assertThat(file.frames()).isEqualTo(1);
  }

  @Test
  void tooLongAFrameIsCutAndSaysSo() {
    PcapFile file = file(1 << 20);
    write(file, 300_000);
    write(file, 7);
    file.flush();
    assertThat(frames().get(0).bytes()).hasSize(262_144 - 14);
    assertThat(frames().get(0).length()).isEqualTo(300_000);
    assertThat(frames().get(1).bytes()).hasSize(7);
  }

  @Test
  void fullBufferGoesOutInWholeFrames() {
    PcapFile file = file(Long.MAX_VALUE);
    int written = 0;
    while (out.size() == 0) {
      write(file, 1000);
      written++;
    }
    assertThat(frames()).hasSize(written - 1); // the last one found no room before
    assertThat(out.size()).isBetween(200_000, 600_000);
    file.close();
    assertThat(frames()).hasSize(written);
  }

  @Test
  void limitEndsTheCaptureAndIsToldOnce() {
    PcapFile file = file(24 + 3 * FRAME);
    for (int i = 0; i < 10; i++) {
      write(file, 100);
    }
    assertThat(told)
        .containsExactly("the capture c.pcap has ended: it has reached its limit of 414 bytes");
    assertThat(frames()).hasSize(3);
    assertThat(file.frames()).isEqualTo(3);
    assertThat(file.leftOut()).isEqualTo(7);
    file.close();
    assertThat(out.size()).isEqualTo(24 + 3 * FRAME);
  }

  @Test
  void failureEndsTheCaptureAndIsToldOnce() {
    PcapFile file = new PcapFile(FULL, "c.pcap", Long.MAX_VALUE, told::add);
    write(file, 100);
    write(file, 100);
    file.flush();
    write(file, 100);
    file.flush();
    file.close();
    assertThat(told)
        .containsExactly(
            "the capture c.pcap has ended: it cannot be written: No space left on device");
    assertThat(file.frames()).isZero();
    assertThat(file.leftOut()).isEqualTo(3);
  }

  @Test
  void failureAtTheLimitIsToldOnce() {
    PcapFile file = new PcapFile(FULL, "c.pcap", 24 + FRAME, told::add);
    write(file, 100);
    write(file, 100);
    assertThat(told).hasSize(1).first().asString().endsWith("No space left on device");
    assertThat(file.leftOut()).isEqualTo(2);
  }

  @Test
  void fileThatCannotBeMadeIsRefused() {
    assertThatThrownBy(() -> new PcapFile(folder.resolve("no/c.pcap"), 1000, told::add))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("no/c.pcap");
    assertThatThrownBy(() -> new PcapFile(Path.of("/dev/full"), 1000, told::add))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("/dev/full");
  }

  @Test
  void interruptedThreadGoesOnCapturing() throws IOException {
    Path path = folder.resolve("c.pcap");
    PcapFile file = new PcapFile(path, 1000, told::add);
    Thread.currentThread().interrupt();
    try {
      write(file, 100);
      file.flush();
    } finally {
      assertThat(Thread.interrupted()).isTrue();
    }
    assertThat(PcapReading.of(Files.readAllBytes(path))).hasSize(1);
    file.close();
    assertThat(told).isEmpty();
  }
}
