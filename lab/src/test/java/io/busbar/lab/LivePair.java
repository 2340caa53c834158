package io.busbar.lab;

import io.busbar.transport.ContextState;
import io.busbar.transport.Count;
import io.busbar.transport.Criteria;
import io.busbar.transport.Transport;
import io.busbar.wire.FrameView;
import io.busbar.wire.Seal;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Two ends in the middle of a transfer both ways, with checksums, and every frame they sent. */
final class LivePair {
  static final int BYTES = 60_000;
  private static final int MESSAGE = 6_000;
  private static final long SECOND_NS = 1_000_000_000L;

  /** What anybody can see of an end, beside its counters. */
  record State(
      int associations,
      int busyParts,
      long creditTakenBytes,
      long heldBytes,
      long onTheirWayBytes,
      long windowBytes,
      long roundTripNs,
      ContextState state,
      List<String> told) {}

  final Witness a = new Witness();
  final Witness b = new Witness();
  final Pair pair = new Pair(1, config -> config.crc(true).cluster(4711), a, b);
  final List<byte[]> sent = new ArrayList<>();
  private final long association;

  LivePair() {
    a.attach(pair.a());
    b.attach(pair.b());
    pair.cluster().network().watch(this::capture);
    pair.b().transport().listen(Criteria.port(Witness.PROTO, Witness.PORT));
    association = a.open(1);
    write(a, association, 0);
    while (b.accepted == 0) {
      pair.step();
    }
    write(b, b.accepted, 1);
  }

  private static void write(Witness end, long association, long flow) {
    for (int at = 0; at < BYTES; at += MESSAGE) {
      end.send(association, flow, at, MESSAGE);
    }
    end.closeWrite(association);
  }

  private void capture(long nowNs, String what, MemorySegment bytes, int length) {
    if (what.equals("sent")) {
      sent.add(bytes.asSlice(0, length).toArray(ValueLayout.JAVA_BYTE));
    }
  }

  Witness end(int node) {
    return node == 0 ? a : b;
  }

  void step(int steps) {
    for (int i = 0; i < steps; i++) {
      pair.step();
    }
  }

  /** Lets the exchange go on until both have data on its way. */
  void toTheMiddle() {
    while (a.bytes < BYTES / 3 || b.bytes < BYTES / 3) {
      pair.step();
    }
  }

  boolean isOpen() {
    return !a.told.getLast().startsWith("ended") && !b.told.getLast().startsWith("ended");
  }

  /** The newest frame of a format that was sent to a node. */
  byte[] newest(int format, int to) {
    return find(sent.reversed(), format, to);
  }

  /** The oldest one: DIAG that answers the first FIRST, and no question about a life. */
  byte[] oldest(int format, int to) {
    return find(sent, format, to);
  }

  private static byte[] find(List<byte[]> frames, int format, int to) {
    FrameView view = new FrameView(true, Seal.NONE);
    for (byte[] frame : frames) {
      boolean sound = view.wrap(MemorySegment.ofArray(frame), 0, frame.length).ok();
      if (sound && view.format() == format && view.to() == to) {
        return frame.clone();
      }
    }
    throw new IllegalStateException("no frame of format %d went to %d".formatted(format, to));
  }

  /** Hands an end a frame that nobody sent, at an odd place; answers go out as they would. */
  void inject(int node, byte[] frame) {
    MemorySegment ring = MemorySegment.ofArray(new byte[frame.length + 3]);
    MemorySegment.copy(frame, 0, ring, ValueLayout.JAVA_BYTE, 3, frame.length);
    SimNode end = end(node).node();
    end.transport().onFrame(end.nowNs(), ring, 3, frame.length, -1, end::transmit);
    end.wake();
  }

  State state(int node) {
    Transport transport = end(node).node().transport();
    int peer = 1 - node;
    return new State(
        transport.associations(),
        transport.busyParts(),
        transport.creditTakenBytes(),
        transport.heldBytes(),
        transport.onTheirWayBytes(peer),
        transport.windowBytes(peer),
        transport.roundTripNs(peer),
        transport.state(node == 0 ? association : b.accepted),
        List.copyOf(end(node).told));
  }

  Map<Count, Long> counts(int node) {
    Map<Count, Long> counts = new EnumMap<>(Count.class);
    for (Count count : Count.values()) {
      counts.put(count, end(node).node().transport().counters().get(count));
    }
    return counts;
  }

  /** Lets everything end; each end says what it was told. */
  void finish() {
    pair.run(30 * SECOND_NS);
  }
}
