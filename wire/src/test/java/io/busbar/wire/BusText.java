package io.busbar.wire;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/** A frame of the bus in words: the printer's line, and one for each part of its payload. */
final class BusText {
  private BusText() {}

  /** Judges a frame that {@link FrameView#wrap} accepted. */
  static Verdict check(FrameView view) {
    return view.format() >= Format.CAST ? CastBlock.check(view) : BusBlock.check(view);
  }

  /** All that can be read of a frame that was accepted. */
  static String of(FrameView view) {
    List<String> lines = new ArrayList<>();
    lines.add(FramePrinter.line(view));
    switch (view.format()) {
      case Format.CAST -> cast(view, lines);
      case Format.CASTC -> control(view, lines);
      default -> bus(view, lines);
    }
    return String.join("\n", lines).strip();
  }

  private static void bus(FrameView view, List<String> lines) {
    int flags =
        (BusBlock.has(view, BusBlock.ASKS) ? BusBlock.ASKS : 0)
            | (BusBlock.has(view, BusBlock.CLAIMS) ? BusBlock.CLAIMS : 0);
    lines.add(
        "hash=%x members=%d flags=%d"
            .formatted(BusBlock.viewHash(view), BusBlock.members(view), flags));
    if (view.format() == Format.SYNC) {
      for (int i = 0; i < BusBlock.CLASSES; i++) {
        lines.add("class=%d hash=%x".formatted(i, BusBlock.classHash(view, i)));
      }
      return;
    }
    if (view.format() >= Format.PROBE) {
      lines.add(
          "nonce=%x origin=%d target=%d life=%x"
              .formatted(
                  BusBlock.nonce(view),
                  BusBlock.origin(view),
                  BusBlock.target(view),
                  BusBlock.targetLife(view)));
    }
    boolean cards = view.format() == Format.HELLO || view.format() == Format.VIEW;
    MemorySegment bytes = view.segment();
    for (long at = BusBlock.listAt(view); at < BusBlock.listEnd(view); ) {
      lines.add(record(bytes, at) + (cards ? card(bytes, at) : ""));
      at += cards ? MemberCard.length(bytes, at) : MemberRecord.BYTES;
    }
  }

  private static String record(MemorySegment bytes, long at) {
    return "id=%d state=%d edition=%d life=%x"
        .formatted(
            MemberRecord.id(bytes, at),
            MemberRecord.state(bytes, at),
            MemberRecord.edition(bytes, at),
            MemberRecord.life(bytes, at));
  }

  private static String card(MemorySegment bytes, long at) {
    MemberCard card = MemberCard.read(bytes, at);
    return " name=%s host=%s addresses=%s attributes=%s"
        .formatted(card.name(), card.host(), card.addresses(), card.attributes());
  }

  private static void cast(FrameView view, List<String> lines) {
    lines.add("frame=%d reader=%d".formatted(view.seq(), view.creditUnits()));
    byte[] stream =
        view.segment().asSlice(view.payloadAt(), view.length()).toArray(ValueLayout.JAVA_BYTE);
    lines.add(HexFormat.of().formatHex(stream));
  }

  private static void control(FrameView view, List<String> lines) {
    lines.add(
        "kind=%d count=%d token=%x seq=%d limit=%d group=%x"
            .formatted(
                CastBlock.kind(view),
                CastBlock.count(view),
                CastBlock.token(view),
                CastBlock.seq(view),
                CastBlock.limit(view),
                CastBlock.group(view)));
    for (int i = 0; i < CastBlock.count(view); i++) {
      lines.add(
          CastBlock.kind(view) == CastBlock.NAK
              ? "[%d,%d)".formatted(CastBlock.spanFrom(view, i), CastBlock.spanTo(view, i))
              : "id=%d life=%x start=%d message=%d"
                  .formatted(
                      CastBlock.readerId(view, i),
                      CastBlock.readerLife(view, i),
                      CastBlock.readerStart(view, i),
                      CastBlock.readerMessage(view, i)));
    }
  }
}
