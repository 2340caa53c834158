package io.busbar.transport;

import io.busbar.wire.FrameBuilder;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;
import java.util.function.ToLongFunction;
import java.util.function.UnaryOperator;

/** Two transports, frames copied between them, and a time that is stepped by hand. */
final class Pair {
  static final long DELAY_NS = 10_000;
  static final long US = 1_000;
  static final long MS = 1_000_000;
  static final long LIFE_A = 0x1111_0000_0001L;
  static final long LIFE_B = 0x2222_0000_0001L;

  private record Flight(long atNs, long order, int to, MemorySegment frame) {}

  long nowNs = 5 * MS;
  End a;
  End b;
  final List<Sent> sent = new ArrayList<>();

  /** How many copies of a frame arrive. */
  ToIntFunction<Sent> copies = frame -> 1;

  /** How long a frame takes. */
  ToLongFunction<Sent> delayNs = frame -> DELAY_NS;

  /** What becomes of a frame's bytes on the way. */
  UnaryOperator<byte[]> rewrite = bytes -> bytes;

  /** Whether the carrier has no room. */
  boolean jammed;

  private final PriorityQueue<Flight> flights =
      new PriorityQueue<>(Comparator.comparingLong(Flight::atNs).thenComparingLong(Flight::order));
  private long order;
  private final FrameSink fromA = (peer, frame) -> carry(a, frame);
  private final FrameSink fromB = (peer, frame) -> carry(b, frame);

  Pair(UnaryOperator<TransportConfig.Builder> change, FrameClaims claims) {
    a = new End(this, change.apply(TransportConfig.builder(1, LIFE_A)).build(), claims);
    b = new End(this, change.apply(TransportConfig.builder(2, LIFE_B)).build(), claims);
  }

  Pair(UnaryOperator<TransportConfig.Builder> change) {
    this(change, FrameClaims.NONE);
  }

  /** Both ends by default, and b listens on port 80. */
  static Pair listening() {
    return listening(builder -> builder);
  }

  static Pair listening(UnaryOperator<TransportConfig.Builder> change) {
    Pair pair = new Pair(change);
    pair.listen();
    return pair;
  }

  void listen() {
    b.transport.listen(Criteria.port(7, 80));
  }

  /** An association from a to b that has been answered; the frames it took are forgotten. */
  long open() {
    long association = a.open(b);
    run(5 * MS);
    sent.clear();
    return association;
  }

  /** Another life of b's, listening. */
  void restartB(long life) {
    b = new End(this, TransportConfig.builder(2, life).build(), FrameClaims.NONE);
    listen();
  }

  private boolean carry(End from, FrameBuilder frame) {
    if (jammed) {
      return false;
    }
    byte[] bytes = new byte[frame.frameBytes()];
    frame.copyTo(MemorySegment.ofArray(bytes), 0);
    Sent left = new Sent(nowNs, from.node, bytes);
    sent.add(left);
    byte[] arriving = rewrite.apply(bytes);
    for (int i = copies.applyAsInt(left); i > 0; i--) {
      inject(nowNs + delayNs.applyAsLong(left), from.node, arriving);
    }
    return true;
  }

  /** Lets a frame arrive at the other end than {@code from}. */
  void inject(long atNs, int from, byte[] bytes) {
    flights.add(new Flight(atNs, order++, 3 - from, MemorySegment.ofArray(bytes)));
  }

  /** Steps through everything that happens in this time. */
  void run(long durationNs) {
    long untilNs = nowNs + durationNs;
    int standing = 0;
    while (true) {
      long beforeNs = nowNs;
      long nextNs = Math.min(a.transport.poll(nowNs, fromA), b.transport.poll(nowNs, fromB));
      if (!flights.isEmpty()) {
        nextNs = Math.min(nextNs, flights.peek().atNs());
      }
      if (nextNs > untilNs) {
        nowNs = untilNs;
        return;
      }
      nowNs = Math.max(nowNs, nextNs);
      deliver();
      standing = nowNs == beforeNs ? standing + 1 : 0;
      if (standing > 100_000) {
        throw new AssertionError("time stands still at " + nowNs);
      }
    }
  }

  private void deliver() {
    while (!flights.isEmpty() && flights.peek().atNs() <= nowNs) {
      Flight flight = flights.remove();
      End to = flight.to() == a.node ? a : b;
      MemorySegment frame = flight.frame();
      to.transport.onFrame(
          nowNs, frame, 0, (int) frame.byteSize(), flight.order(), to == a ? fromA : fromB);
    }
  }

  boolean isQuiet() {
    return flights.isEmpty();
  }

  List<Sent> sentBy(End end) {
    return sent.stream().filter(frame -> frame.from() == end.node).toList();
  }

  long count(Predicate<Sent> which) {
    return sent.stream().filter(which).count();
  }

  /** Loses the first frame that fits. */
  void loseOne(Predicate<Sent> which) {
    lose(1, which);
  }

  void lose(int many, Predicate<Sent> which) {
    int[] left = {many};
    copies =
        frame -> {
          if (left[0] > 0 && which.test(frame)) {
            left[0]--;
            return 0;
          }
          return 1;
        };
  }

  /** What holds after every association has ended, lingered and been forgotten. */
  void assertNothingLeft() {
    for (End end : List.of(a, b)) {
      List<Long> left =
          List.of(
              end.transport.creditTakenBytes(),
              end.transport.heldBytes(),
              (long) end.transport.associations(),
              (long) end.transport.busyParts(),
              end.transport.onTheirWayBytes(3 - end.node));
      if (!left.equals(List.of(0L, 0L, 0L, 0L, 0L))) {
        throw new AssertionError(
            "node %d: credit, held, associations, parts, on their way: %s"
                .formatted(end.node, left));
      }
    }
  }
}
