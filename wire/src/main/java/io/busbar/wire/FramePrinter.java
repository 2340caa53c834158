package io.busbar.wire;

import java.util.Locale;

/**
 * One line a frame, for traces: who to whom, what, which bytes, what was received. The same in
 * every locale.
 */
public final class FramePrinter {
  private FramePrinter() {}

  /** The line of a view that was accepted. */
  public static String line(FrameView view) {
    Frame frame = Frame.of(view);
    Frame.Envelope e = frame.envelope();
    String head =
        String.format(
            Locale.ROOT,
            "%s>%s %-5s key=%s",
            node(e.from()),
            node(e.to()),
            Format.name(view.format()),
            Key.text(e.key()));
    String tail =
        String.format(
            Locale.ROOT,
            " r=%s+%d %s",
            Integer.toUnsignedString(e.rseqLow()),
            e.creditBytes(),
            Options.names(e.options()));
    return head + body(frame) + tail;
  }

  private static String body(Frame frame) {
    return switch (frame) {
      case Frame.First f ->
          bytes(f.envelope(), f.dataBytes())
              + String.format(
                  Locale.ROOT,
                  " port=%s>%s service=%d serial=%d life=%s>%s",
                  Integer.toUnsignedString(f.sourcePort()),
                  Integer.toUnsignedString(f.destPort()),
                  f.service(),
                  f.serial(),
                  Incarnation.text(f.sourceIncarnation()),
                  Incarnation.text(f.destIncarnation()));
      case Frame.Data d -> bytes(d.envelope(), d.dataBytes());
      case Frame.Control c ->
          String.format(
              Locale.ROOT,
              " rseq=%d alloc=%d sync=%s echo=%s held=%d%s",
              c.rseq(),
              c.alloc(),
              Integer.toUnsignedString(c.sync()),
              Integer.toUnsignedString(c.echo()),
              c.heldNs(),
              spans(c));
      case Frame.Diag d ->
          String.format(
              Locale.ROOT,
              " %s detail=%d serial=%s life=%s>%s",
              d.code(),
              d.detail(),
              Long.toUnsignedString(d.serial()),
              Incarnation.text(d.incarnation()),
              Incarnation.text(d.peerIncarnation()));
      case Frame.Other o -> String.format(Locale.ROOT, " %d bytes", o.payloadBytes());
    };
  }

  private static String bytes(Frame.Envelope e, int dataBytes) {
    return String.format(Locale.ROOT, " [%d,%d)", e.seq(), e.seq() + dataBytes);
  }

  private static String spans(Frame.Control control) {
    StringBuilder spans = new StringBuilder();
    for (Frame.Span span : control.spans()) {
      spans.append(" +[").append(span.from()).append(',').append(span.to()).append(')');
    }
    return spans.toString();
  }

  private static String node(int id) {
    return id == Header.EVERYONE ? "*" : Integer.toString(id);
  }
}
