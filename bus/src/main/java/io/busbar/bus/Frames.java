package io.busbar.bus;

import io.busbar.wire.BusBlock;
import io.busbar.wire.Format;
import io.busbar.wire.FrameBuilder;
import io.busbar.wire.Header;
import io.busbar.wire.MemberCard;
import io.busbar.wire.MemberRecord;
import io.busbar.wire.Seal;
import java.lang.foreign.MemorySegment;
import java.util.List;

/** Makes the bus's frames; each is valid until the next one begins. */
final class Frames {
  private final BusConfig config;
  private final Roster roster;
  private final FrameBuilder builder;

  Frames(BusConfig config, Roster roster) {
    this.config = config;
    this.roster = roster;
    this.builder =
        new FrameBuilder(MemorySegment.ofArray(new byte[config.frameBytesMax()]), false, Seal.NONE);
  }

  private void begin(int flags) {
    builder.begin();
    long at = builder.reserve(BusBlock.BYTES);
    BusBlock.write(builder.scratch(), at, roster.hash(), roster.members(), flags);
  }

  private FrameBuilder finish(int format, int to, int from) {
    builder.finish(format, 0, to, from, config.cluster(), config.incarnation(), 0, 0, 0);
    return builder;
  }

  private int room() {
    return config.frameBytesMax() - Header.BYTES - builder.payloadBytes();
  }

  private void record(Entry entry) {
    long at = builder.reserve(MemberRecord.BYTES);
    MemberRecord.write(
        builder.scratch(), at, entry.id, entry.state.number, entry.edition, entry.life);
  }

  private void card(Entry entry) {
    record(entry);
    byte[] encoded = entry.encoded();
    long at = builder.reserve(encoded.length);
    MemorySegment.copy(MemorySegment.ofArray(encoded), 0, builder.scratch(), at, encoded.length);
  }

  FrameBuilder hello(Entry self, int flags, int to) {
    begin(flags);
    card(self);
    return finish(Format.HELLO, to, self.id);
  }

  FrameBuilder sync(int to, int from) {
    begin(0);
    long at = builder.reserve(BusBlock.SYNC_BYTES - BusBlock.BYTES) - BusBlock.BYTES;
    for (int i = 0; i < BusBlock.CLASSES; i++) {
      BusBlock.writeClass(builder.scratch(), at, i, roster.classHash(i));
    }
    return finish(Format.SYNC, to, from);
  }

  /** Cards from one place of a list on, as many as there is room for; returns where it ended. */
  int view(List<Entry> entries, int first) {
    begin(0);
    int next = first;
    while (next < entries.size() && room() >= MemberCard.length(entries.get(next).encoded())) {
      card(entries.get(next++));
    }
    return next;
  }

  FrameBuilder finishView(int to, int from) {
    return finish(Format.VIEW, to, from);
  }

  FrameBuilder news(List<Entry> entries, int from) {
    begin(0);
    entries.forEach(this::record);
    return finish(Format.NEWS, Header.EVERYONE, from);
  }

  FrameBuilder probe(
      int format,
      int to,
      Entry self,
      long nonce,
      int origin,
      int target,
      long life,
      List<Entry> entries) {
    begin(0);
    long at = builder.reserve(BusBlock.PROBE_BYTES - BusBlock.BYTES) - BusBlock.BYTES;
    BusBlock.writeProbe(builder.scratch(), at, nonce, origin, target, life);
    entries.forEach(this::record);
    return finish(format, to, self.id);
  }
}
