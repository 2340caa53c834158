package io.busbar.lab.stack;

import io.busbar.node.Lane;
import io.busbar.node.LaneUser;
import io.busbar.wire.Records;
import java.lang.foreign.MemorySegment;

/** Stands between a place and who uses it, and measures what waits there for its handler. */
final class Gauge implements LaneUser {
  private final LaneUser user;
  private final int node;
  private final long[] parked;
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
    this.parked = new long[size];
    this.perPeerMax = perPeerMax;
    this.sumMax = sumMax;
  }

  @Override
  public void onRecord(Lane lane, long header, MemorySegment memory, long at, int length) {
    parked[lane.peer()] += Records.streamBytes(length);
    user.onRecord(lane, header, memory, at, length);
  }

  @Override
  public void onBody(Lane lane, long body, int flags, MemorySegment memory, long at, int length) {
    user.onBody(lane, body, flags, memory, at, length);
  }

  /** The handler of a message has begun. */
  void onHandled(int from, int length) {
    parked[from] -= Records.streamBytes(length);
  }

  void check() {
    long sum = 0;
    for (int peer = 0; peer < parked.length; peer++) {
      sum += parked[peer];
      Promise.check(
          parked[peer] <= perPeerMax,
          "memory within its bound",
          "%d bytes of node %d wait in node %d; allowed: %d",
          parked[peer],
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
    user.onEnded(lane, why);
  }
}
