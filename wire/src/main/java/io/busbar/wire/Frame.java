package io.busbar.wire;

import java.util.List;

/**
 * A frame as a value, for tests, tools and traces; the data path uses {@link FrameView}. Payload
 * bytes are counted, not kept.
 */
public sealed interface Frame {
  /** What every frame has. */
  Envelope envelope();

  /** The header's fields. */
  record Envelope(
      int proto, int to, int from, long key, long seq, int rseqLow, long creditBytes, int options) {
    static Envelope of(FrameView view) {
      return new Envelope(
          view.proto(),
          view.to(),
          view.from(),
          view.key(),
          view.seq(),
          view.rseqLow(),
          view.creditBytes(),
          view.options());
    }
  }

  /** Opens an association. */
  record First(
      Envelope envelope,
      int service,
      int frameBytesMax,
      long cluster,
      long sourceIncarnation,
      long destIncarnation,
      long serial,
      int sourcePort,
      int destPort,
      int ackDelayUs,
      int statusEvery,
      long tag,
      int dataBytes)
      implements Frame {}

  /** Bytes of a stream. */
  record Data(Envelope envelope, int dataBytes) implements Frame {}

  /** Status; {@code spans} is empty for CNTL. */
  record Control(
      Envelope envelope,
      long rseq,
      long alloc,
      long ownKey,
      int sync,
      int echo,
      int heldNs,
      int ackDelayUs,
      long newest,
      List<Span> spans)
      implements Frame {}

  /** Bytes that arrived behind a gap, {@code from} inclusive, {@code to} exclusive. */
  record Span(long from, long to) {}

  /** A diagnosis. */
  record Diag(
      Envelope envelope,
      Diagnosis code,
      int versionMin,
      int versionMax,
      int detail,
      long cluster,
      long incarnation,
      long peerIncarnation,
      long serial)
      implements Frame {}

  /** A frame of the bus, or of a format whose meaning comes later. */
  record Other(Envelope envelope, int format, int payloadBytes) implements Frame {}

  /** Reads a view that was accepted. */
  static Frame of(FrameView view) {
    Envelope envelope = Envelope.of(view);
    return switch (view.format()) {
      case Format.FIRST ->
          new First(
              envelope,
              FirstBlock.service(view),
              FirstBlock.frameBytesMax(view),
              FirstBlock.cluster(view),
              FirstBlock.sourceIncarnation(view),
              FirstBlock.destIncarnation(view),
              FirstBlock.serial(view),
              FirstBlock.sourcePort(view),
              FirstBlock.destPort(view),
              FirstBlock.ackDelayUs(view),
              FirstBlock.statusEvery(view),
              FirstBlock.tag(view),
              view.dataLength());
      case Format.DATA -> new Data(envelope, view.dataLength());
      case Format.CNTL, Format.ECNTL ->
          new Control(
              envelope,
              ControlBlock.rseq(view),
              ControlBlock.alloc(view),
              ControlBlock.ownKey(view),
              ControlBlock.sync(view),
              ControlBlock.echo(view),
              ControlBlock.heldNs(view),
              ControlBlock.ackDelayUs(view),
              ControlBlock.newest(view),
              spansOf(view));
      case Format.DIAG ->
          new Diag(
              envelope,
              DiagBlock.code(view),
              DiagBlock.versionMin(view),
              DiagBlock.versionMax(view),
              DiagBlock.detail(view),
              DiagBlock.cluster(view),
              DiagBlock.incarnation(view),
              DiagBlock.peerIncarnation(view),
              DiagBlock.serial(view));
      default -> new Other(envelope, view.format(), view.length());
    };
  }

  private static List<Span> spansOf(FrameView view) {
    Span[] spans = new Span[ControlBlock.spans(view)];
    for (int i = 0; i < spans.length; i++) {
      spans[i] = new Span(ControlBlock.spanFrom(view, i), ControlBlock.spanTo(view, i));
    }
    return List.of(spans);
  }
}
