package io.busbar.lab;

import io.busbar.wire.Format;
import io.busbar.wire.Frame;
import io.busbar.wire.FrameView;
import io.busbar.wire.Header;
import io.busbar.wire.Key;
import io.busbar.wire.Options;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * What Wireshark should say of a frame: its fields as tshark prints them.
 *
 * @param frame as we read it
 */
record WiresharkFields(Frame frame, Map<String, String> values) {
  static WiresharkFields of(Frame frame, FrameView view) {
    WiresharkFields fields = new WiresharkFields(frame, new LinkedHashMap<>());
    fields.put("verdict", "OK");
    fields.put("version", view.version());
    fields.put("format", view.format());
    fields.put("length", view.length());
    fields.envelope(frame.envelope());
    switch (frame) {
      case Frame.First first -> fields.first(first);
      case Frame.Control control -> fields.control(control);
      case Frame.Diag diag -> fields.diag(diag);
      case Frame.Other other when other.format() >= Format.BUS ->
          new WiresharkBusFields(view, fields.values).add();
      case Frame.Data _, Frame.Other _ -> {}
    }
    return fields;
  }

  private void put(String name, Object value) {
    values.put("busbar." + name, value.toString());
  }

  private void hex(String name, long value) {
    put(name, "0x%016x".formatted(value));
  }

  private void unsigned(String name, int value) {
    put(name, Integer.toUnsignedString(value));
  }

  private void envelope(Frame.Envelope e) {
    put("proto", e.proto());
    put("to", e.to());
    put("from", e.from());
    hex("key", e.key());
    put("key.index", Key.index(e.key()));
    put("key.generation", Key.generation(e.key()));
    put("key.incarnation", "0x%06x".formatted(Key.incarnationBits(e.key())));
    put("seq", e.seq());
    unsigned("rseq", e.rseqLow());
    put("credit", e.creditBytes() / Header.CREDIT_UNIT_BYTES);
    put("credit.bytes", e.creditBytes());
    put("options", "0x%04x".formatted(e.options()));
    put("crc.status", (e.options() & Options.CRC) == 0 ? "" : "right");
  }

  private void first(Frame.First first) {
    put("first.service", first.service());
    put("first.words", 8);
    put("first.version_min", 1);
    put("first.version_max", 1);
    put("first.frame_max", first.frameBytesMax());
    hex("first.cluster", first.cluster());
    hex("first.source_incarnation", first.sourceIncarnation());
    hex("first.dest_incarnation", first.destIncarnation());
    put("first.serial", first.serial());
    unsigned("first.source_port", first.sourcePort());
    unsigned("first.dest_port", first.destPort());
    put("first.ack_delay", first.ackDelayUs());
    put("first.status_every", first.statusEvery());
    hex("first.tag", first.tag());
  }

  private void control(Frame.Control control) {
    put("control.rseq", control.rseq());
    put("control.alloc", control.alloc());
    hex("control.key", control.ownKey());
    unsigned("control.sync", control.sync());
    unsigned("control.echo", control.echo());
    put("control.held", control.heldNs());
    put("control.ack_delay", control.ackDelayUs());
    put("control.newest", control.newest());
    put("span.from", spans(control, Frame.Span::from));
    put("span.to", spans(control, Frame.Span::to));
  }

  private static String spans(Frame.Control control, Function<Frame.Span, Long> part) {
    return control.spans().stream()
        .map(part)
        .map(number -> Long.toString(number))
        .collect(Collectors.joining(","));
  }

  private void diag(Frame.Diag diag) {
    put("diag.code", diag.code().number());
    put("diag.version_min", diag.versionMin());
    put("diag.version_max", diag.versionMax());
    put("diag.detail", diag.detail());
    hex("diag.cluster", diag.cluster());
    hex("diag.incarnation", diag.incarnation());
    hex("diag.peer_incarnation", diag.peerIncarnation());
    put("diag.serial", Long.toUnsignedString(diag.serial()));
  }
}
