package io.busbar.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The golden envelopes were written from docs/wire/mpi.md, not by this code. */
class MpiEnvelopeTest {
  /** All fields of an envelope. */
  record Fields(
      int context, int epoch, int flags, int source, int tag, long length, int name, int objects) {
    static Fields of(MemorySegment envelope) {
      long first = envelope.get(Le.LONG, 0);
      long second = envelope.get(Le.LONG, 8);
      long fourth = envelope.get(Le.LONG, 24);
      return new Fields(
          MpiEnvelope.context(first),
          MpiEnvelope.epoch(first),
          MpiEnvelope.flags(first),
          MpiEnvelope.source(second),
          MpiEnvelope.tag(second),
          envelope.get(Le.LONG, MpiEnvelope.LENGTH_AT),
          MpiEnvelope.name(fourth),
          MpiEnvelope.objects(fourth));
    }

    void write(MemorySegment to) {
      MpiEnvelope.write(to, 0, context, epoch, flags, source, tag, length, name, objects);
    }

    @Override
    public String toString() {
      return "context=%d epoch=%d flags=%d source=%d tag=%d length=%d name=%d objects=%d"
          .formatted(context, epoch, flags, source, tag, length, name, objects);
    }
  }

  /** A file of {@code golden/}, and what it holds. */
  record Sample(String file, Fields fields) {}

  static Stream<Sample> samples() {
    int both = MpiEnvelope.SYNC | MpiEnvelope.LATER;
    int name = (1 << 20) | 42;
    return Stream.of(
        new Sample(
            "mpi", new Fields(6, 0xFFFE, both, 7, Integer.MAX_VALUE, (5L << 30) + 3, name, 0)),
        new Sample("mpi-objects", new Fields(7, 1, MpiEnvelope.OBJECTS, 0, 300, 4097, 0, 9)));
  }

  @ParameterizedTest
  @MethodSource("samples")
  void emitterYieldsTheGoldenBytes(Sample sample) {
    byte[] emitted = new byte[MpiEnvelope.BYTES];
    Arrays.fill(emitted, (byte) 0xAA); // every byte is written
    sample.fields().write(MemorySegment.ofArray(emitted));
    HexFormat hex = HexFormat.ofDelimiter(" ");
    assertEquals(hex.formatHex(Golden.bytes(sample.file())), hex.formatHex(emitted));
  }

  @ParameterizedTest
  @MethodSource("samples")
  void whatIsReadIsWhatTheTextSays(Sample sample) {
    Fields read = Fields.of(MemorySegment.ofArray(Golden.bytes(sample.file())));
    assertEquals(sample.fields(), read);
    assertEquals(Golden.text(sample.file()), read.toString());
  }

  /** Whatever a field holds, it comes back, and none spills into another. */
  @Test
  void fieldsComeBack() {
    Random random = new Random(13);
    byte[] memory = new byte[MpiEnvelope.BYTES + 16];
    Arrays.fill(memory, (byte) 0x55);
    MemorySegment envelope = MemorySegment.ofArray(memory).asSlice(8, MpiEnvelope.BYTES);
    for (int i = 0; i < 1_000; i++) {
      Fields fields =
          new Fields(
              number(random),
              number(random) & 0xFFFF,
              number(random) & 0xFFFF,
              number(random),
              number(random),
              ((long) number(random) << 32) | (number(random) & 0xFFFF_FFFFL),
              number(random),
              number(random));
      fields.write(envelope);
      assertEquals(fields, Fields.of(envelope));
    }
    for (int i = 0; i < 8; i++) {
      assertEquals(0x55, memory[i]);
      assertEquals(0x55, memory[8 + MpiEnvelope.BYTES + i]);
    }
  }

  private static int number(Random random) {
    return switch (random.nextInt(4)) {
      case 0 -> 0;
      case 1 -> -1;
      case 2 -> Integer.MIN_VALUE;
      default -> random.nextInt();
    };
  }

  @Test
  void flagsHaveTheirValues() {
    Map<String, Integer> flags =
        Constants.ints(MpiEnvelope.class, n -> !n.endsWith("_AT") && !n.equals("BYTES"));
    Map<String, Integer> values =
        new WireDoc("mpi.md")
            .table("flag", "value", "meaning").map("flag", "value").entrySet().stream()
                .collect(
                    Collectors.toMap(Map.Entry::getKey, row -> Integer.decode(row.getValue())));
    assertEquals(flags, values);
  }
}
