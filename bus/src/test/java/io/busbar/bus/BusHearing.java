package io.busbar.bus;

import io.busbar.wire.FrameBuilder;
import io.busbar.wire.MemberCard;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Members that hear each other, and whoever else says something, step by step. */
abstract class BusHearing {
  static final long CLUSTER = 77;
  static final long MS = 1_000_000;

  /** Keeps what leaves, in one piece each. */
  static final class Kept implements BusSink {
    final List<byte[]> frames = new ArrayList<>();

    void add(FrameBuilder frame) {
      byte[] bytes = new byte[frame.frameBytes()];
      frame.copyTo(MemorySegment.ofArray(bytes), 0);
      frames.add(bytes);
    }

    @Override
    public void toAll(FrameBuilder frame) {
      add(frame);
    }

    @Override
    public void to(Member member, FrameBuilder frame) {
      add(frame);
    }
  }

  static Membership member(int id, long cluster, BusSink sink) {
    return member(id, cluster, sink, MemberEvents.NONE);
  }

  static Membership member(int id, long cluster, BusSink sink, MemberEvents events) {
    MemberCard card = new MemberCard("n" + id, "h", List.of("udp:10.0.0.1:1"), Map.of("a", "b"));
    BusConfig config =
        new BusConfig(cluster, id, 1000 + id, taken -> card, id, 1472, 64, BusConfig.Times.DEFAULT);
    Membership membership = new Membership(config, sink, events);
    membership.start(0);
    return membership;
  }

  static boolean hear(Membership by, long nowNs, byte[] frame, Kept replies) {
    return by.onFrame(nowNs, MemorySegment.ofArray(frame), 0, frame.length, replies::add);
  }

  /** A node that nobody knows says something of another one. */
  static byte[] news(int of, long life, MemberState state, int edition) {
    Entry entry = entry(of, life, state, edition, new MemberCard("n", "h", List.of(), Map.of()));
    return kept(frames(8, 1008).news(List.of(entry), 8));
  }

  /** What may be said of a node. */
  static Entry entry(int of, long life, MemberState state, int edition, MemberCard card) {
    Entry entry = new Entry(of, card);
    entry.life = life;
    entry.state = state;
    entry.edition = edition;
    return entry;
  }

  /** What makes frames in the name of any node. */
  static Frames frames(int from, long life) {
    MemberCard card = new MemberCard("n", "h", List.of(), Map.of());
    BusConfig config =
        new BusConfig(CLUSTER, from, life, taken -> card, 3, 1472, 64, BusConfig.Times.DEFAULT);
    return new Frames(config, new Roster(1));
  }

  static byte[] kept(FrameBuilder frame) {
    Kept kept = new Kept();
    kept.add(frame);
    return kept.frames.getFirst();
  }

  static void talk(Membership a, Kept fromA, Membership b, Kept fromB, long startNs, long endNs) {
    for (long now = startNs; now < endNs; now += 5 * MS) {
      long _ = a.poll(now);
      deliver(fromA, b, now, fromB);
      long _ = b.poll(now);
      deliver(fromB, a, now, fromA);
    }
  }

  static void deliver(Kept from, Membership to, long now, Kept replies) {
    List<byte[]> frames = List.copyOf(from.frames);
    from.frames.clear();
    for (byte[] frame : frames) {
      boolean _ = hear(to, now, frame, replies);
    }
  }
}
