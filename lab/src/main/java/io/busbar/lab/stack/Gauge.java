package io.busbar.lab.stack;

import io.busbar.node.Lane;
import io.busbar.node.LaneUser;
import io.busbar.wire.Bodies;
import io.busbar.wire.Records;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;

/** Stands between a place and who uses it, and measures what waits there for its handlers. */
final class Gauge implements LaneUser {
  private static final ValueLayout.OfLong WORD = ValueLayout.JAVA_LONG_UNALIGNED;

  /** A message that has come, or comes. */
  static final class Waiting {
    private final Peer peer;
    private final boolean whole;
    private final long name;
    private long arrived;
    private boolean named;
    private boolean last;
    private long asked;
    private boolean over;

    private Waiting(Peer peer, boolean whole, long name, long arrived) {
      this.peer = peer;
      this.whole = whole;
      this.name = name;
      this.arrived = arrived;
    }

    private long bytes() {
      return over ? 0 : Math.max(0, arrived - asked);
    }

    /** Its handler receives so many bytes, or waits for them: their room is not held for it. */
    void ask(long bytes) {
      asked += whole ? 0 : bytes;
    }

    /** Its handler wants no more. */
    void over() {
      peer.wholes -= whole && !over ? arrived : 0;
      over = true;
      forget();
    }

    private void forget() {
      if (over && last) {
        Waiting _ = peer.bodies.remove(name);
      }
    }
  }

  private static final class Peer {
    final ArrayDeque<Waiting> unstarted = new ArrayDeque<>();
    final Map<Long, Waiting> bodies = new HashMap<>();
    long wholes;

    Waiting body(long name) {
      return bodies.computeIfAbsent(name, key -> new Waiting(this, false, key, 0));
    }

    long bytes() {
      long sum = wholes;
      for (Waiting body : bodies.values()) {
        sum += body.bytes();
      }
      return sum;
    }
  }

  private final LaneUser user;
  private final int node;
  private final Peer[] peers;
  private final long perPeerMax;
  private final long sumMax;

  /**
   * A gauge.
   *
   * @param perPeerMax bytes of one peer's that may wait
   * @param sumMax bytes of all peers' that may wait
   */
  Gauge(LaneUser user, int node, int size, long perPeerMax, long sumMax) {
    this.user = user;
    this.node = node;
    this.peers = new Peer[size];
    for (int i = 0; i < size; i++) {
      peers[i] = new Peer();
    }
    this.perPeerMax = perPeerMax;
    this.sumMax = sumMax;
  }

  @Override
  public void onLane(Lane lane) {
    user.onLane(lane);
  }

  @Override
  public void onRecord(Lane lane, long header, MemorySegment memory, long at, int length) {
    Peer peer = peers[lane.peer()];
    if (Records.kind(header) == Records.START && length == Bodies.START_BYTES) {
      Waiting body = peer.body(memory.get(WORD, at + Bodies.START_BODY_AT));
      body.named = true;
      peer.unstarted.add(body);
    } else {
      long bytes = Records.streamBytes(length);
      peer.unstarted.add(new Waiting(peer, true, Lane.NO_BODY, bytes));
      peer.wholes += bytes;
    }
    user.onRecord(lane, header, memory, at, length);
  }

  @Override
  public void onBody(Lane lane, long body, int flags, MemorySegment memory, long at, int length) {
    Waiting waiting = peers[lane.peer()].body(body);
    waiting.arrived += length;
    waiting.last = (flags & Bodies.LAST) != 0;
    waiting.forget();
    user.onBody(lane, body, flags, memory, at, length);
  }

  /** The handler of a message begins: the next one that came from a node. */
  Waiting onStart(int from) {
    Waiting next = peers[from].unstarted.poll();
    Promise.check(
        next != null,
        "nothing invented",
        "a handler of node %d runs for a message of node %d that did not come",
        node,
        from);
    return next == null ? new Waiting(peers[from], false, Lane.NO_BODY, 0) : next;
  }

  void check() {
    long sum = 0;
    for (int peer = 0; peer < peers.length; peer++) {
      long bytes = peers[peer].bytes();
      sum += bytes;
      Promise.check(
          bytes <= perPeerMax,
          "memory within its bound",
          "%d bytes of node %d wait in node %d; allowed: %d",
          bytes,
          peer,
          node,
          perPeerMax);
    }
    Promise.check(
        sum <= sumMax,
        "memory within its bound",
        "%d bytes wait in node %d; allowed: %d",
        sum,
        node,
        sumMax);
  }

  @Override
  public void onReleased(Lane lane, long token, boolean delivered) {
    user.onReleased(lane, token, delivered);
  }

  @Override
  public void onSendable(Lane lane) {
    user.onSendable(lane);
  }

  @Override
  public void onEnded(Lane lane, String why) {
    boolean _ = peers[lane.peer()].bodies.values().removeIf(body -> !body.named || body.over);
    user.onEnded(lane, why);
  }
}
