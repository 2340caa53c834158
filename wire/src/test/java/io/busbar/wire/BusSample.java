package io.busbar.wire;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** One frame of each format of the bus, and of each kind of CASTC: how it is emitted. */
enum BusSample {
  HELLO {
    @Override
    void emit(FrameBuilder out) {
      front(out, 5, BusBlock.ASKS | BusBlock.CLAIMS);
      List<String> addresses = List.of("udp:10.0.0.3:7000", "packet:eth0/3");
      MemberCard card = new MemberCard("z\u00e4hler", "h1", addresses, Map.of("rack", "b"));
      record(out, 3, MemberRecord.ALIVE, 7, LIFE);
      card(out, card);
      finish(out, Format.HELLO, Header.EVERYONE, 3, CLUSTER, LIFE);
    }
  },

  SYNC {
    @Override
    void emit(FrameBuilder out) {
      front(out, 64, 0);
      long at = out.reserve(BusBlock.SYNC_BYTES - BusBlock.BYTES) - BusBlock.BYTES;
      for (int i = 0; i < BusBlock.CLASSES; i++) {
        BusBlock.writeClass(out.scratch(), at, i, 0xA0B0_C000 + i);
      }
      finish(out, Format.SYNC, 258, 3, CLUSTER, OTHER_LIFE);
    }
  },

  VIEW {
    @Override
    void emit(FrameBuilder out) {
      front(out, 1, 0);
      record(out, 65_534, MemberRecord.LEFT, Integer.MAX_VALUE, OTHER_LIFE);
      card(out, new MemberCard("", "", List.of(), Map.of()));
      record(out, 258, MemberRecord.SUSPECTED, 0, 1);
      card(out, new MemberCard("n258", "host", List.of("a:1", "b:22"), Map.of("ky", "v")));
      finish(out, Format.VIEW, 3, 65_534, CLUSTER, OTHER_LIFE);
    }
  },

  NEWS {
    @Override
    void emit(FrameBuilder out) {
      front(out, 2, 0);
      record(out, 3, MemberRecord.ALIVE, 0, LIFE);
      record(out, 258, MemberRecord.SUSPECTED, 1, OTHER_LIFE);
      record(out, 0, MemberRecord.DEAD, Integer.MAX_VALUE, 1);
      record(out, 65_534, MemberRecord.LEFT, 65_536, Long.MIN_VALUE);
      finish(out, Format.NEWS, Header.EVERYONE, 3, CLUSTER, LIFE);
    }
  },

  PROBE {
    @Override
    void emit(FrameBuilder out) {
      front(out, 3, 0);
      probe(out);
      record(out, 65_534, MemberRecord.SUSPECTED, 9, OTHER_LIFE);
      finish(out, Format.PROBE, 258, 3, CLUSTER, LIFE);
    }
  },

  ANSWER {
    @Override
    void emit(FrameBuilder out) {
      front(out, 3, 0);
      probe(out);
      finish(out, Format.ANSWER, 258, 65_534, CLUSTER, OTHER_LIFE);
    }
  },

  CAST {
    @Override
    void emit(FrameBuilder out) {
      out.word(Records.header(Records.WHOLE, 0, 258, 5), 0, Records.HEADER_BYTES);
      out.bytes(MemorySegment.ofArray("hello".getBytes(UTF_8)), 0, 5);
      out.zeros(Records.padding(5));
      long oldest = BASE + 1;
      out.finish(Format.CAST, 0, Header.EVERYONE, 4, STREAM, BASE + 5, oldest, 9, Options.REPAIR);
    }
  },

  STATUS {
    @Override
    void emit(FrameBuilder out) {
      block(out, CastBlock.STATUS, 0, 0x8000_0005, BASE + 6, BASE + 1030, 0);
      finish(out, Format.CASTC, 4, 9, STREAM, LIFE);
    }
  },

  NAK {
    @Override
    void emit(FrameBuilder out) {
      block(out, CastBlock.NAK, 2, 0, BASE + 2, 0, 0);
      span(out, BASE + 2, BASE + 3);
      span(out, BASE + 5, BASE + 9);
      finish(out, Format.CASTC, 4, 9, STREAM, LIFE);
    }
  },

  POLL {
    @Override
    void emit(FrameBuilder out) {
      block(out, CastBlock.POLL, 2, 77, BASE + 10, BASE + 1, GROUP);
      reader(out, 9, LIFE, 0, 0);
      reader(out, 65_534, OTHER_LIFE, 0, 0);
      finish(out, Format.CASTC, Header.EVERYONE, 4, STREAM, OTHER_LIFE);
    }
  },

  WELCOME {
    @Override
    void emit(FrameBuilder out) {
      block(out, CastBlock.WELCOME, 1, Integer.MAX_VALUE, BASE + 10, BASE + 1, 0);
      reader(out, 9, LIFE, BASE + 8, 1000);
      finish(out, Format.CASTC, Header.EVERYONE, 4, STREAM, OTHER_LIFE);
    }
  },

  EVICT {
    @Override
    void emit(FrameBuilder out) {
      block(out, CastBlock.EVICT, 1, 0, BASE + 10, BASE + 1, GROUP);
      reader(out, 65_534, OTHER_LIFE, BASE + 7, 999);
      finish(out, Format.CASTC, Header.EVERYONE, 4, STREAM, OTHER_LIFE);
    }
  },

  JOIN {
    @Override
    void emit(FrameBuilder out) {
      block(out, CastBlock.JOIN, 0, 0, BASE + 7, BASE + 1024, 0);
      finish(out, Format.CASTC, 4, 65_534, STREAM, OTHER_LIFE);
    }
  };

  private static final long CLUSTER = ClusterName.hash("a");
  private static final long GROUP = ClusterName.hash("foo");
  private static final long LIFE = 0x0123_4567_89AB_CDEFL;
  private static final long OTHER_LIFE = 0xFEDC_BA98_7654_3210L;
  private static final long STREAM = 0xABCD_EF00_0000_0002L;
  private static final long BASE = 1L << 32;

  /** Puts the frame into a builder on which {@code begin} was called. */
  abstract void emit(FrameBuilder out);

  private static void front(FrameBuilder out, int members, int flags) {
    long at = out.reserve(BusBlock.BYTES);
    BusBlock.write(out.scratch(), at, 0x1122_3344_5566_7788L, members, flags);
  }

  private static void probe(FrameBuilder out) {
    long at = out.reserve(BusBlock.PROBE_BYTES - BusBlock.BYTES) - BusBlock.BYTES;
    BusBlock.writeProbe(out.scratch(), at, 0x8877_6655_4433_2211L, 3, 65_534, OTHER_LIFE);
  }

  private static void record(FrameBuilder out, int id, int state, int edition, long life) {
    MemberRecord.write(out.scratch(), out.reserve(MemberRecord.BYTES), id, state, edition, life);
  }

  private static void card(FrameBuilder out, MemberCard card) {
    byte[] encoded = card.encoded();
    out.bytes(MemorySegment.ofArray(encoded), 0, encoded.length);
  }

  private static void block(
      FrameBuilder out, int kind, int count, int token, long seq, long limit, long group) {
    long at = out.reserve(CastBlock.BYTES);
    CastBlock.write(out.scratch(), at, kind, count, token, seq, limit, group);
  }

  private static void span(FrameBuilder out, long from, long end) {
    CastBlock.writeSpan(out.scratch(), out.reserve(CastBlock.SPAN_BYTES), from, end);
  }

  private static void reader(FrameBuilder out, int id, long life, long start, long message) {
    long at = out.reserve(CastBlock.READER_BYTES);
    CastBlock.writeReader(out.scratch(), at, id, life, start, message);
  }

  private static void finish(
      FrameBuilder out, int format, int to, int from, long key, long incarnation) {
    out.finish(format, 0, to, from, key, incarnation, 0, 0, 0);
  }

  /** The golden bytes, a fresh copy. */
  byte[] golden() {
    return Golden.bytes(fileName());
  }

  /** What they should be read as. */
  String text() {
    return Golden.text(fileName());
  }

  private String fileName() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** What the builder makes of it. */
  byte[] emitted() {
    FrameBuilder out = new FrameBuilder(MemorySegment.ofArray(new byte[2048]), false, Seal.NONE);
    out.begin();
    emit(out);
    byte[] frame = new byte[out.frameBytes()];
    out.copyTo(MemorySegment.ofArray(frame), 0);
    return frame;
  }
}
