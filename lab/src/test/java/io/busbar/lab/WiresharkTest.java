package io.busbar.lab;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.fabric.CapturingNic;
import io.busbar.fabric.FrameReceiver;
import io.busbar.fabric.PcapFile;
import io.busbar.wire.BusBlock;
import io.busbar.wire.CastBlock;
import io.busbar.wire.Format;
import io.busbar.wire.Frame;
import io.busbar.wire.FrameView;
import io.busbar.wire.Options;
import io.busbar.wire.Verdict;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Wireshark, with our script, reads frames as we do: what they hold, and what is wrong with them.
 */
@Timeout(60)
class WiresharkTest {
  private static final int[] FORMATS = {
    Format.FIRST,
    Format.DATA,
    Format.CNTL,
    Format.ECNTL,
    Format.DIAG,
    Format.ECHO,
    Format.HELLO,
    Format.SYNC,
    Format.VIEW,
    Format.NEWS,
    Format.PROBE,
    Format.ANSWER,
    Format.CAST,
    Format.CASTC
  };
  private static final int IP = 0x0800;
  private static final int ROUNDS = 12;
  private static final int MUTANTS = 1000;

  @TempDir Path folder;

  private final FrameSamples samples = new FrameSamples(7);
  private final SplittableRandom random = new SplittableRandom(11);

  @BeforeAll
  static void tshark() throws InterruptedException {
    Tshark.need();
  }

  private PcapFile file() throws IOException {
    return new PcapFile(folder.resolve("c.pcap"), PcapFile.BYTES_MAX, why -> {});
  }

  private static void write(PcapFile file, int etherType, byte[] frame) {
    file.begin(0, etherType, 0x02BB_0000_0001L, 0x02BB_0000_0002L);
    file.add(MemorySegment.ofArray(frame), 0, frame.length);
    file.end();
  }

  private List<byte[]> soundFrames() {
    List<byte[]> frames = new ArrayList<>();
    for (int i = 0; i < ROUNDS; i++) {
      for (int format : FORMATS) {
        frames.add(samples.frame(format, i % 3 == 1, false));
      }
    }
    return frames;
  }

  /** The frames of {@code wire}'s golden vectors. */
  private static List<byte[]> goldenFrames() throws IOException {
    Path folder = Path.of("wire", "src", "test", "resources", "golden");
    List<byte[]> frames = new ArrayList<>();
    try (Stream<Path> files = Files.list(Tshark.inRepository(folder))) {
      for (Path file : files.filter(WiresharkTest::isFrame).sorted().toList()) {
        String hex = Files.readString(file).replaceAll("#.*", "").replaceAll("\\s", "");
        frames.add(HexFormat.of().parseHex(hex));
      }
    }
    return frames;
  }

  private static boolean isFrame(Path file) {
    String name = file.getFileName().toString();
    boolean isPart = name.equals("records.hex") || name.startsWith("mpi"); // of what frames carry
    return name.endsWith(".hex") && !isPart;
  }

  @Test
  void goldenFramesAreReadAsWeDo() throws Exception {
    List<byte[]> frames = goldenFrames();
    assertThat(frames.stream().map(frame -> frame[0] & 0xF).distinct().count())
        .isEqualTo(FORMATS.length);
    exchange(frames);
    compare(frames);
  }

  /** Through interfaces: those that were sent at one end, and those that came at the other. */
  private void exchange(List<byte[]> frames) throws IOException {
    Schedule schedule = new Schedule();
    LinkSpec link = new LinkSpec(10_000_000_000L, 10_000, 100, 256);
    Faults faults = new Faults(new SplittableRandom(1), 2);
    Network network = new Network(schedule, link, faults, true, 2, 4096);
    SimNic far = new SimNic(network, 1, 4, () -> {});
    FrameReceiver quiet = (peer, memory, offset, length, frame) -> {};
    try (CapturingNic near =
        new CapturingNic(new SimNic(network, 0, 4, () -> {}), file(), () -> schedule.nowNs())) {
      int there = near.open(new SimAddress(1));
      int back = far.open(new SimAddress(0));
      for (byte[] frame : frames) {
        MemorySegment bytes = MemorySegment.ofArray(frame);
        assertThat(near.transmit(there, bytes, 0, frame.length)).isGreaterThanOrEqualTo(0);
        near.flush();
        schedule.runUntil(schedule.nowNs() + 1_000_000);
        far.transmit(back, bytes, 0, frame.length);
        far.flush();
        far.poll(quiet, 8);
        schedule.runUntil(schedule.nowNs() + 1_000_000);
        assertThat(near.poll(quiet, 8)).isEqualTo(1);
      }
    }
  }

  @Test
  void everyFieldIsReadAsItWasWritten() throws Exception {
    List<byte[]> frames = soundFrames();
    exchange(frames);
    List<Map<String, String>> rows = compare(frames);
    Frame.Envelope first = fields(frames.getFirst()).frame().envelope();
    assertThat(rows.getFirst())
        .containsEntry(
            "eth.src", "02:bb:00:00:%02x:%02x".formatted(first.from() >> 8, first.from() & 0xFF))
        .containsEntry(
            "eth.dst", "02:bb:00:00:%02x:%02x".formatted(first.to() >> 8, first.to() & 0xFF));
    assertThat(rows.get(1)).containsEntry("frame.time_relative", "0.002000000");
  }

  /** Compares what tshark says of frames, each there twice, with what we read. */
  private List<Map<String, String>> compare(List<byte[]> frames) throws Exception {
    List<WiresharkFields> expected = frames.stream().map(WiresharkTest::fields).toList();
    TreeSet<String> names = new TreeSet<>();
    expected.forEach(one -> names.addAll(one.values().keySet()));
    names.addAll(List.of("frame.time_relative", "eth.src", "eth.dst"));
    List<Map<String, String>> rows =
        Tshark.read(folder.resolve("c.pcap"), names.toArray(String[]::new));
    assertThat(rows).hasSize(2 * frames.size());
    for (int i = 0; i < rows.size(); i++) {
      Map<String, String> row = rows.get(i);
      expected
          .get(i / 2)
          .values()
          .forEach(
              (name, value) ->
                  assertThat(row.get(name)).as("%s of %s", name, row).isEqualTo(value));
      assertThat(Tshark.isRefused(row)).isFalse();
    }
    return rows;
  }

  private static WiresharkFields fields(byte[] frame) {
    FrameView view = new FrameView();
    assertThat(view.wrap(MemorySegment.ofArray(frame), 0, frame.length)).isEqualTo(Verdict.OK);
    return WiresharkFields.of(Frame.of(view), view);
  }

  private byte[] mutant(byte[] frame) {
    byte[] mutant = frame.clone();
    switch (random.nextInt(6)) {
      case 0 -> mutant = Arrays.copyOf(mutant, random.nextInt(frame.length));
      case 1 -> mutant = Arrays.copyOf(mutant, frame.length + random.nextInt(64));
      case 2 -> mutant[random.nextInt(mutant.length)] = (byte) random.nextInt();
      case 3 -> {
        if (mutant[0] == (0x10 | Format.ECNTL)) {
          System.arraycopy(mutant, 32, mutant, 80, 8); // the first span touches what was received
        } else {
          mutant[0] = (byte) (0x10 + random.nextInt(16)); // another format
        }
      }
      case 4 -> { // everyone, or a number that is negative
        int at = 2 * random.nextInt(mutant.length / 2);
        Arrays.fill(mutant, at, at + 2, (byte) -1);
      }
      default -> {
        int bits = 8 * Math.min(mutant.length, 96);
        for (int flips = 1 + random.nextInt(3); flips > 0; flips--) {
          int bit = random.nextInt(bits);
          mutant[bit / 8] ^= (byte) (1 << bit % 8);
        }
      }
    }
    return mutant;
  }

  private static String verdict(byte[] frame) {
    FrameView view = new FrameView();
    Verdict verdict = view.wrap(MemorySegment.ofArray(frame), 0, frame.length);
    if (verdict.ok() && view.format() >= Format.BUS) {
      verdict = view.format() >= Format.CAST ? CastBlock.check(view) : BusBlock.check(view);
    }
    return switch (verdict) {
      case SEAL_UNEXPECTED -> "SEALED";
      default -> verdict.name();
    };
  }

  /** The script judges as we do, and is not brought down by anything. */
  @Test
  void spoiltFramesAreMarkedWithOurVerdict() throws Exception {
    List<byte[]> frames = soundFrames();
    for (int i = 0; i < ROUNDS; i++) {
      frames.add(samples.frame(Format.DATA, i % 2 == 0, true));
    }
    List<byte[]> mutants = new ArrayList<>();
    try (PcapFile file = file()) {
      for (int i = 0; i < MUTANTS; i++) {
        mutants.add(mutant(frames.get(i % frames.size())));
        write(file, CapturingNic.ETHER_FRAME, mutants.getLast());
      }
      for (byte[] mutant : mutants) {
        write(file, CapturingNic.ETHER_RECORD, mutant);
        write(file, IP, udp(4000, mutant));
      }
    }
    List<Map<String, String>> rows = Tshark.read(folder.resolve("c.pcap"), "busbar.verdict");
    assertThat(rows).hasSize(3 * MUTANTS);
    TreeSet<String> seen = new TreeSet<>();
    for (int i = 0; i < MUTANTS; i++) {
      byte[] mutant = mutants.get(i);
      if (mutant.length == 0) {
        continue;
      }
      String expected = verdict(mutant);
      seen.add(expected);
      assertThat(rows.get(i).get("busbar.verdict"))
          .as("%s", HexFormat.of().formatHex(mutant))
          .isEqualTo(expected);
      boolean fine = expected.equals("OK") || expected.equals("SEALED");
      assertThat(Tshark.isRefused(rows.get(i))).isEqualTo(!fine);
    }
    assertThat(seen)
        .contains("OK", "TRUNCATED", "VERSION", "FORMAT", "OPTIONS", "SEQUENCE", "BLOCK")
        .contains("SPANS", "CRC_WRONG", "SEALED", "NODES");
  }

  private static byte[] udp(int port, byte[] frame) {
    ByteBuffer packet = ByteBuffer.allocate(28 + frame.length);
    packet.putShort((short) 0x4500).putShort((short) packet.capacity());
    packet.putInt(0).put((byte) 64).put((byte) 17).putShort((short) 0);
    packet.putInt(0x7F00_0001).putInt(0x7F00_0001);
    packet.putShort((short) port).putShort((short) (port + 1));
    packet.putShort((short) (8 + frame.length)).putShort((short) 0);
    return packet.put(frame).array();
  }

  /** Guards, padding and records are shown; datagrams are recognised, and others left alone. */
  @Test
  void guardsPaddingRecordsAndDatagramsAreRecognised() throws Exception {
    byte[] plain = samples.frame(Format.DIAG, false, false);
    byte[] sealed = samples.frame(Format.DATA, true, true);
    StreamOfRecords stream = new StreamOfRecords();
    List<byte[]> pieces = stream.frames();
    try (PcapFile file = file()) {
      write(file, CapturingNic.ETHER_FRAME, sealed);
      write(file, CapturingNic.ETHER_FRAME, Arrays.copyOf(plain, plain.length + 5));
      write(file, CapturingNic.ETHER_RECORD, StreamOfRecords.words(7, 1, -2, 3, -4));
      write(file, IP, udp(5000, plain));
      write(file, IP, udp(5100, together(plain, sealed)));
      write(
          file,
          IP,
          udp(5200, "this is something else, and longer than a header".getBytes(US_ASCII)));
      write(file, IP, udp(5300, Arrays.copyOf(plain, plain.length - 1)));
      for (byte[] piece : pieces) {
        write(file, CapturingNic.ETHER_FRAME, piece);
      }
    }
    List<Map<String, String>> rows =
        Tshark.read(
            folder.resolve("c.pcap"),
            "frame.protocols",
            "busbar.verdict",
            "busbar.seal.counter",
            "busbar.seal.tag",
            "busbar.crc.status",
            "busbar.padding",
            "busbar.record.kind",
            "busbar.record.handler",
            "busbar.record.length",
            "busbar.record.word");
    assertThat(rows.get(0))
        .containsEntry("busbar.verdict", "SEALED")
        .containsEntry("busbar.seal.counter", "7")
        .containsEntry("busbar.seal.tag", "ab".repeat(16))
        .containsEntry("busbar.crc.status", "not checked");
    assertThat(rows.get(1)).containsEntry("busbar.padding", "00".repeat(5));
    assertThat(rows.get(2))
        .containsEntry("busbar.record.kind", "3")
        .containsEntry("busbar.record.handler", "7")
        .containsEntry("busbar.record.word", "1,-2,3,-4");
    assertThat(rows.get(3)).containsEntry("busbar.verdict", "OK");
    assertThat(rows.get(4)).containsEntry("busbar.verdict", "OK,SEALED");
    for (int other = 5; other < 7; other++) {
      assertThat(rows.get(other).get("frame.protocols")).doesNotContain("busbar");
    }
    for (int i = 0; i < pieces.size(); i++) {
      assertThat(rows.get(7 + i))
          .as("piece %d", i)
          .containsEntry("busbar.verdict", "OK")
          .containsEntry("busbar.record.length", stream.lengthsIn(i));
    }
  }

  private static byte[] together(byte[] one, byte[] other) {
    byte[] both = Arrays.copyOf(one, one.length + other.length);
    System.arraycopy(other, 0, both, one.length, other.length);
    return both;
  }

  @Test
  void samplesHaveEveryOption() {
    int seen = 0;
    for (byte[] frame : soundFrames()) {
      seen |= fields(frame).frame().envelope().options();
    }
    assertThat(seen).isEqualTo(Options.KNOWN & ~Options.SEAL);
  }
}
