package io.busbar.lab;

import io.busbar.wire.BusBlock;
import io.busbar.wire.CastBlock;
import io.busbar.wire.Format;
import io.busbar.wire.FrameBuilder;
import io.busbar.wire.Header;
import io.busbar.wire.MemberCard;
import io.busbar.wire.MemberRecord;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/** Sound payloads of the bus's frames; each field may have any value that it is allowed. */
final class BusSamples {
  private static final String LETTERS = "abcxyz0189:/.-\u00e4\u00df\u20ac\u4e2d";

  private final SplittableRandom random;
  private final FrameBuilder out;

  BusSamples(SplittableRandom random, FrameBuilder out) {
    this.random = random;
    this.out = out;
  }

  void payload(int format) {
    if (format == Format.CASTC) {
      control(1 + random.nextInt(CastBlock.JOIN));
      return;
    }
    BusBlock.write(
        out.scratch(),
        out.reserve(BusBlock.BYTES),
        random.nextLong(),
        random.nextInt(),
        random.nextInt(4));
    switch (format) {
      case Format.HELLO -> card();
      case Format.SYNC -> classes();
      case Format.VIEW -> {
        for (int i = random.nextInt(4); i > 0; i--) {
          card();
        }
      }
      case Format.NEWS -> records();
      default -> {
        probe();
        records();
      }
    }
  }

  private void classes() {
    long at = out.reserve(BusBlock.SYNC_BYTES - BusBlock.BYTES) - BusBlock.BYTES;
    for (int i = 0; i < BusBlock.CLASSES; i++) {
      BusBlock.writeClass(out.scratch(), at, i, random.nextInt());
    }
  }

  private void probe() {
    BusBlock.writeProbe(
        out.scratch(),
        out.reserve(BusBlock.PROBE_BYTES - BusBlock.BYTES) - BusBlock.BYTES,
        random.nextLong(),
        random.nextInt(0x10000),
        random.nextInt(0x10000),
        random.nextLong());
  }

  private void records() {
    for (int i = random.nextInt(6); i > 0; i--) {
      record();
    }
  }

  private void record() {
    MemberRecord.write(
        out.scratch(),
        out.reserve(MemberRecord.BYTES),
        random.nextInt(Header.EVERYONE),
        1 + random.nextInt(MemberRecord.LEFT),
        random.nextInt() >>> 1,
        random.nextLong() | 1);
  }

  private String text() {
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(12); i > 0; i--) {
      text.append(LETTERS.charAt(random.nextInt(LETTERS.length())));
    }
    return text.toString();
  }

  private void card() {
    record();
    List<String> addresses = new ArrayList<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      addresses.add(text());
    }
    Map<String, String> attributes = random.nextBoolean() ? Map.of() : Map.of(text(), text());
    byte[] encoded = new MemberCard(text(), text(), addresses, attributes).encoded();
    out.bytes(MemorySegment.ofArray(encoded), 0, encoded.length);
  }

  /** Of a frame or a message. */
  private long number() {
    return random.nextLong() >>> 8;
  }

  private void control(int kind) {
    boolean listed = kind != CastBlock.STATUS && kind != CastBlock.JOIN;
    int count = listed ? random.nextInt(6) : 0;
    CastBlock.write(
        out.scratch(),
        out.reserve(CastBlock.BYTES),
        kind,
        count,
        random.nextInt(),
        number(),
        number(),
        random.nextLong());
    for (int i = 0; i < count; i++) {
      if (kind == CastBlock.NAK) {
        long from = number() >>> 1;
        long end = from + 1 + random.nextInt(1000);
        CastBlock.writeSpan(out.scratch(), out.reserve(CastBlock.SPAN_BYTES), from, end);
      } else {
        CastBlock.writeReader(
            out.scratch(),
            out.reserve(CastBlock.READER_BYTES),
            random.nextInt(Header.EVERYONE),
            random.nextLong(),
            number(),
            number());
      }
    }
  }
}
