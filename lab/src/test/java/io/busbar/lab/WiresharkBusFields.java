package io.busbar.lab;

import io.busbar.wire.BusBlock;
import io.busbar.wire.CastBlock;
import io.busbar.wire.Format;
import io.busbar.wire.FrameView;
import io.busbar.wire.MemberCard;
import io.busbar.wire.MemberRecord;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What Wireshark should say of the payload of a frame of the bus. */
final class WiresharkBusFields {
  private static final String[] LISTED = {
    "bus.class",
    "member.id",
    "member.state",
    "member.zero",
    "member.edition",
    "member.life",
    "card.length",
    "card.addresses",
    "card.attributes",
    "card.zero",
    "card.name",
    "card.host",
    "card.address",
    "card.key",
    "card.value",
    "span.from",
    "span.to",
    "reader.id",
    "reader.life",
    "reader.start",
    "reader.message"
  };

  private final FrameView view;
  private final Map<String, String> values;

  /** What a field has, in the order of the frame. */
  private final Map<String, List<String>> lists = new LinkedHashMap<>();

  WiresharkBusFields(FrameView view, Map<String, String> values) {
    this.view = view;
    this.values = values;
  }

  /** Adds all fields of a frame that was accepted. */
  void add() {
    for (String name : LISTED) {
      lists.put(name, new ArrayList<>());
    }
    switch (view.format()) {
      case Format.CAST -> cast();
      case Format.CASTC -> control();
      default -> bus();
    }
    lists.forEach((name, list) -> values.put("busbar." + name, String.join(",", list)));
  }

  private void put(String name, Object value) {
    lists.computeIfAbsent(name, _ -> new ArrayList<>()).add(value.toString());
  }

  private void hex(String name, long value) {
    put(name, "0x%016x".formatted(value));
  }

  private void hex(String name, int value) {
    put(name, "0x%08x".formatted(value));
  }

  private void bus() {
    hex("bus.hash", BusBlock.viewHash(view));
    put("bus.members", Integer.toUnsignedString(BusBlock.members(view)));
    put("bus.flags.asks", BusBlock.has(view, BusBlock.ASKS) ? 1 : 0);
    put("bus.flags.claims", BusBlock.has(view, BusBlock.CLAIMS) ? 1 : 0);
    switch (view.format()) {
      case Format.HELLO, Format.VIEW -> cards();
      case Format.SYNC -> {
        for (int i = 0; i < BusBlock.CLASSES; i++) {
          hex("bus.class", BusBlock.classHash(view, i));
        }
      }
      case Format.NEWS -> records();
      default -> {
        hex("bus.nonce", BusBlock.nonce(view));
        put("bus.origin", BusBlock.origin(view));
        put("bus.target", BusBlock.target(view));
        hex("bus.zero", 0);
        hex("bus.target_life", BusBlock.targetLife(view));
        records();
      }
    }
  }

  private void records() {
    long end = BusBlock.listEnd(view);
    for (long at = BusBlock.listAt(view); at < end; at += MemberRecord.BYTES) {
      record(at);
    }
  }

  private void record(long at) {
    MemorySegment bytes = view.segment();
    put("member.id", MemberRecord.id(bytes, at));
    put("member.state", MemberRecord.state(bytes, at));
    put("member.zero", "0x00");
    put("member.edition", MemberRecord.edition(bytes, at));
    hex("member.life", MemberRecord.life(bytes, at));
  }

  private void cards() {
    long end = BusBlock.listEnd(view);
    MemorySegment bytes = view.segment();
    for (long at = BusBlock.listAt(view); at < end; at += MemberCard.length(bytes, at)) {
      record(at);
      MemberCard card = MemberCard.read(bytes, at);
      put("card.length", MemberCard.length(bytes, at));
      put("card.addresses", card.addresses().size());
      put("card.zero", "0x00000000");
      put("card.name", card.name());
      put("card.host", card.host());
      card.addresses().forEach(address -> put("card.address", address));
      put("card.attributes", card.attributes().size());
      card.attributes()
          .forEach(
              (key, value) -> {
                put("card.key", key);
                put("card.value", value);
              });
    }
  }

  private void cast() {
    put("cast.frame", view.seq());
    put("cast.oldest", Integer.toUnsignedString(view.rseqLow()));
    put("cast.asked", view.creditUnits());
  }

  private void control() {
    put("cast.kind", CastBlock.kind(view));
    put("cast.zero", "0x00");
    put("cast.count", CastBlock.count(view));
    hex("cast.token", CastBlock.token(view));
    put("cast.seq", CastBlock.seq(view));
    put("cast.limit", CastBlock.limit(view));
    hex("cast.group", CastBlock.group(view));
    for (int i = 0; i < CastBlock.count(view); i++) {
      if (CastBlock.kind(view) == CastBlock.NAK) {
        put("span.from", CastBlock.spanFrom(view, i));
        put("span.to", CastBlock.spanTo(view, i));
      } else {
        put("reader.id", CastBlock.readerId(view, i));
        hex("reader.life", CastBlock.readerLife(view, i));
        put("reader.start", CastBlock.readerStart(view, i));
        put("reader.message", CastBlock.readerMessage(view, i));
      }
    }
  }
}
