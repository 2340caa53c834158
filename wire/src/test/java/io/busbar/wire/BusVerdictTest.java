package io.busbar.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every reason for which a frame of the bus is refused, each with a small change that earns it. */
class BusVerdictTest {
  private static final int BLOCK = Header.BYTES;
  private static final int CARD = BLOCK + BusBlock.BYTES;
  private static final int NAME = CARD + MemberCard.HEAD_BYTES;
  private static final int LIST = BLOCK + CastBlock.BYTES;

  /** The first number that no frame or message has, and other ones. */
  private static final long BEYOND = 1L << 56;

  private static final long[] NO_NUMBERS = {BEYOND, 1L << 62, Long.MAX_VALUE, -1};

  /** A valid frame, a change, and what is said of it. */
  record Case(String what, Verdict verdict, BusSample sample, Consumer<FrameBytes> change) {
    @Override
    public String toString() {
      return verdict + ": " + sample + " " + what;
    }
  }

  static Stream<Case> cases() {
    return Stream.of(
            accepted(), ignored(), header(), fronts(), cards(), records(), casts(), lists())
        .flatMap(s -> s);
  }

  private static Case ok(String what, BusSample sample, Consumer<FrameBytes> change) {
    return new Case(what, Verdict.OK, sample, change);
  }

  private static Case block(String what, BusSample sample, Consumer<FrameBytes> change) {
    return new Case(what, Verdict.BLOCK, sample, change);
  }

  private static Stream<Case> accepted() {
    return Stream.concat(
        Arrays.stream(BusSample.values()).map(s -> ok("as it is", s, b -> {})),
        Stream.of(
            ok("padded", BusSample.JOIN, b -> b.resize(b.size() + 9)),
            ok("without cards", BusSample.VIEW, b -> b.length(BusBlock.BYTES)),
            ok("without records", BusSample.NEWS, b -> b.length(BusBlock.BYTES)),
            ok("without records", BusSample.PROBE, b -> b.length(BusBlock.PROBE_BYTES)),
            ok("empty", BusSample.CAST, b -> b.length(0)),
            ok("the longest card", BusSample.HELLO, b -> card(b, MemberCard.BYTES_MAX)),
            ok("the last frame", BusSample.CAST, b -> b.i64(16, BEYOND - 1)),
            ok("the last place", BusSample.WELCOME, b -> b.i64(LIST + 16, BEYOND - 1))));
  }

  /** What the page says that nobody looks at. */
  private static Stream<Case> ignored() {
    int flags = BLOCK + BusBlock.FLAGS_AT;
    int group = BLOCK + CastBlock.GROUP_AT;
    return Stream.of(
        ok("with a proto", BusSample.HELLO, b -> b.u8(1, 7)),
        ok("with rseq", BusSample.NEWS, b -> b.i32(24, 9)),
        ok("with credit", BusSample.PROBE, b -> b.u16(28, 9)),
        ok("with rseq", BusSample.STATUS, b -> b.i32(24, 9)),
        ok("with credit", BusSample.WELCOME, b -> b.u16(28, 9)),
        ok("with flags", BusSample.NEWS, b -> b.i32(flags, -1)),
        ok("with flags", BusSample.ANSWER, b -> b.i32(flags, -1)),
        ok("with a flag without a name", BusSample.HELLO, b -> b.i32(flags, 4)),
        ok("with no zero", BusSample.PROBE, b -> b.i32(BLOCK + BusBlock.ZERO_AT, 1)),
        ok("with bytes behind the texts", BusSample.HELLO, b -> b.u8(b.size() - 1, 1)),
        ok("of a group", BusSample.NAK, b -> b.i64(group, 5)),
        ok("of a group", BusSample.JOIN, b -> b.i64(group, 5)),
        ok("with a longer id", BusSample.POLL, b -> b.i32(LIST + 4, 1)),
        ok("with a list", BusSample.STATUS, BusVerdictTest::listed));
  }

  private static void listed(FrameBytes b) {
    b.length(CastBlock.BYTES + CastBlock.READER_BYTES);
    b.u16(BLOCK + CastBlock.COUNT_AT, 1);
  }

  private static Stream<Case> header() {
    Stream<Case> options =
        Arrays.stream(BusSample.values())
            .map(s -> new Case("SREQ", Verdict.OPTIONS, s, b -> b.u16(30, Options.SREQ)));
    Stream<Case> repairs =
        Arrays.stream(BusSample.values())
            .filter(s -> s != BusSample.CAST)
            .map(s -> new Case("REPAIR", Verdict.OPTIONS, s, b -> b.u16(30, Options.REPAIR)));
    Stream<Case> lifeless =
        Arrays.stream(BusSample.values())
            .filter(s -> s != BusSample.CAST)
            .map(s -> block("lifeless", s, b -> b.i64(16, 0)));
    Stream<Case> beyond =
        Arrays.stream(NO_NUMBERS)
            .mapToObj(n -> block("frame " + n, BusSample.CAST, b -> b.i64(16, n)));
    return Stream.of(options, repairs, lifeless, beyond).flatMap(s -> s);
  }

  private static Stream<Case> fronts() {
    return Stream.of(
        block("short", BusSample.HELLO, b -> b.length(BusBlock.BYTES - 1)),
        block("short", BusSample.VIEW, b -> b.length(BusBlock.BYTES - 1)),
        block("short", BusSample.NEWS, b -> b.length(BusBlock.BYTES - 1)),
        block("a class short", BusSample.SYNC, b -> b.length(BusBlock.SYNC_BYTES - 4)),
        block("a class long", BusSample.SYNC, b -> b.length(BusBlock.SYNC_BYTES + 4)),
        block("short", BusSample.PROBE, b -> b.length(BusBlock.PROBE_BYTES - 1)),
        block("short", BusSample.ANSWER, b -> b.length(BusBlock.PROBE_BYTES - 1)));
  }

  private static Stream<Case> cards() {
    return Stream.of(
        block("no card", BusSample.HELLO, b -> b.length(BusBlock.BYTES)),
        block("two cards", BusSample.HELLO, BusVerdictTest::twice),
        block("half a card", BusSample.HELLO, b -> b.length(BusBlock.BYTES + 40)),
        block("half a head", BusSample.VIEW, b -> b.length(BusBlock.BYTES + 32 + 23)),
        block("length 0", BusSample.HELLO, b -> b.u16(CARD + MemberCard.LENGTH_AT, 0)),
        block("length 16", BusSample.VIEW, b -> b.u16(CARD + MemberCard.LENGTH_AT, 16)),
        block("length 81", BusSample.HELLO, b -> b.u16(CARD + MemberCard.LENGTH_AT, 81)),
        block("too long", BusSample.HELLO, b -> card(b, MemberCard.BYTES_MAX + 8)),
        block("a text more", BusSample.HELLO, b -> b.u8(CARD + MemberCard.ADDRESSES_AT, 10)),
        block("a text less", BusSample.HELLO, b -> b.u8(CARD + MemberCard.ADDRESSES_AT, 0)),
        block("a pair more", BusSample.HELLO, b -> b.u8(CARD + MemberCard.ATTRIBUTES_AT, 5)),
        block("a pair less", BusSample.HELLO, b -> b.u8(CARD + MemberCard.ATTRIBUTES_AT, 0)),
        block("zero set", BusSample.HELLO, b -> b.u8(CARD + MemberCard.ZERO_AT, 1)),
        block("text beyond all", BusSample.HELLO, b -> b.u8(NAME, 255)),
        block("half a letter", BusSample.HELLO, b -> b.u8(NAME + 3, 'a')),
        block("no letter", BusSample.HELLO, b -> b.u8(NAME + 1, 0xFF)),
        block("of everyone", BusSample.HELLO, b -> b.u16(CARD, 0xFFFF)),
        block("second of everyone", BusSample.VIEW, b -> b.u16(CARD + 32, 0xFFFF)));
  }

  private static Stream<Case> records() {
    int probed = BLOCK + BusBlock.PROBE_BYTES;
    return Stream.of(
        block("half a record", BusSample.NEWS, b -> b.length(BusBlock.BYTES + 8)),
        block("half a record", BusSample.PROBE, b -> b.length(BusBlock.PROBE_BYTES + 8)),
        block("of everyone", BusSample.NEWS, b -> b.u16(CARD, 0xFFFF)),
        block("state 0", BusSample.NEWS, b -> b.u8(CARD + MemberRecord.STATE_AT, 0)),
        block("state 5", BusSample.NEWS, b -> b.u8(CARD + MemberRecord.STATE_AT, 5)),
        block("zero set", BusSample.NEWS, b -> b.u8(CARD + MemberRecord.ZERO_AT, 1)),
        block("edition -1", BusSample.NEWS, b -> b.i32(CARD + MemberRecord.EDITION_AT, -1)),
        block("no life", BusSample.NEWS, b -> b.i64(CARD + MemberRecord.LIFE_AT, 0)),
        block("last of no life", BusSample.NEWS, b -> b.i64(CARD + 48 + 8, 0)),
        block("state 5", BusSample.PROBE, b -> b.u8(probed + MemberRecord.STATE_AT, 5)));
  }

  private static Stream<Case> casts() {
    return Arrays.stream(BusSample.values())
        .filter(s -> s.compareTo(BusSample.STATUS) >= 0)
        .flatMap(
            s ->
                Stream.of(
                    block("short", s, b -> b.length(CastBlock.BYTES - 1)),
                    block("long", s, b -> b.length(b.size() - Header.BYTES + 8)),
                    block("kind 0", s, b -> b.u8(BLOCK + CastBlock.KIND_AT, 0)),
                    block("kind 7", s, b -> b.u8(BLOCK + CastBlock.KIND_AT, 7)),
                    block("zero set", s, b -> b.u8(BLOCK + CastBlock.ZERO_AT, 1)),
                    block("count 3", s, b -> b.u16(BLOCK + CastBlock.COUNT_AT, 3)),
                    block("count 0xFFFF", s, b -> b.u16(BLOCK + CastBlock.COUNT_AT, 0xFFFF)),
                    block("seq -1", s, b -> b.i64(BLOCK + CastBlock.SEQ_AT, -1)),
                    block("seq beyond", s, b -> b.i64(BLOCK + CastBlock.SEQ_AT, BEYOND)),
                    block("limit -1", s, b -> b.i64(BLOCK + CastBlock.LIMIT_AT, -1)),
                    block("limit beyond", s, b -> b.i64(BLOCK + CastBlock.LIMIT_AT, BEYOND))));
  }

  private static Stream<Case> lists() {
    return Stream.concat(
        Arrays.stream(NO_NUMBERS)
            .boxed()
            .flatMap(
                n ->
                    Stream.of(
                        block("end " + n, BusSample.NAK, b -> b.i64(LIST + 24, n)),
                        block("start " + n, BusSample.WELCOME, b -> b.i64(LIST + 16, n)),
                        block("message " + n, BusSample.WELCOME, b -> b.i64(LIST + 24, n)))),
        spans());
  }

  private static Stream<Case> spans() {
    return Stream.of(
        block("negative", BusSample.NAK, b -> b.i64(LIST, -1)),
        block("empty", BusSample.NAK, b -> b.i64(LIST + 8, (1L << 32) + 2)),
        block("backwards", BusSample.NAK, b -> b.i64(LIST + 24, 1)),
        block("readers for spans", BusSample.POLL, b -> b.u8(BLOCK, CastBlock.NAK)),
        block("spans for readers", BusSample.NAK, b -> b.u8(BLOCK, CastBlock.POLL)));
  }

  private static void twice(FrameBytes b) {
    int length = b.size() - CARD;
    byte[] card = b.segment().asSlice(CARD, length).toArray(ValueLayout.JAVA_BYTE);
    b.length(BusBlock.BYTES + 2 * length);
    for (int i = 0; i < length; i++) {
      b.u8(CARD + length + i, card[i]);
    }
  }

  /** Gives the frame one card of so many bytes, filled with texts. */
  private static void card(FrameBytes b, int length) {
    int addresses = (length - MemberCard.HEAD_BYTES - 2) / 200;
    b.length(BusBlock.BYTES + length);
    b.u16(CARD + MemberCard.LENGTH_AT, length);
    b.u8(CARD + MemberCard.ADDRESSES_AT, addresses);
    b.u8(CARD + MemberCard.ATTRIBUTES_AT, 0);
    int at = NAME;
    for (int left = addresses + 2; left > 0; left--) {
      int bytes = Math.min(200, CARD + length - at - left);
      b.u8(at, bytes);
      for (int i = 1; i <= bytes; i++) {
        b.u8(at + i, 'a');
      }
      at += 1 + bytes;
    }
  }

  private static Verdict judge(FrameBytes bytes) {
    FrameView view = new FrameView();
    assertEquals(Verdict.OK, view.wrap(bytes.segment(), 0, bytes.size()));
    Verdict verdict = BusText.check(view);
    if (verdict.ok()) {
      assertFalse(BusText.of(view).isEmpty());
    }
    return verdict;
  }

  @ParameterizedTest
  @MethodSource("cases")
  void isReturnedForItsReason(Case c) {
    FrameBytes bytes = new FrameBytes(c.sample().golden());
    c.change().accept(bytes);
    assertEquals(c.verdict(), judge(bytes));
  }
}
