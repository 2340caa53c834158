package io.busbar.bench.contest;

import io.busbar.node.Lane;
import io.busbar.node.LaneUser;
import io.busbar.node.Node;
import io.busbar.node.NodeConfig;
import io.busbar.wire.Records;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Busbar: records through the lane of a node, without messages and handlers above. What arrives in
 * shared memory is copied out of it; over udp it is private memory already.
 */
final class OverLane implements Contender {
  private static final long RELEASED_TO_NOBODY = 0;

  private final NodeConfig config;
  private final MemorySegment out = Arena.ofAuto().allocate(Lane.RECORD_BYTES_MAX, 4096);
  private final MemorySegment in = Arena.ofAuto().allocate(Lane.RECORD_BYTES_MAX, 4096);
  private @Nullable Node joined;

  /** Written with the driver's role, which the caretaker has while nothing is done. */
  private long arrived;

  /** Those that were waited for. */
  private long taken;

  private String trouble = "";

  OverLane(String fabric, Place place) {
    config = Meetings.config(fabric, place.host(), place.asks(), place.directory());
  }

  @Override
  public String address() {
    return String.valueOf(config.meeting());
  }

  @Override
  public void connect(String other) {
    try {
      joined = Node.join(Meetings.at(config, other), new Counting());
    } catch (InterruptedException e) {
      throw new IllegalStateException("interrupted while joining", e);
    }
  }

  /** Who counts what comes. */
  private final class Counting implements LaneUser {
    @Override
    public void onLane(Lane lane) {}

    @Override
    public void onRecord(Lane lane, long header, MemorySegment memory, long at, int length) {
      if (lane.copies()) {
        MemorySegment.copy(memory, at, in, 0, length);
      }
      arrived++;
      lane.done(length);
    }

    @Override
    public void onBody(Lane lane, long body, int flags, MemorySegment memory, long at, int length) {
      trouble = "a body came, though nobody sent one";
    }

    @Override
    public void onReleased(Lane lane, long token, boolean delivered) {}

    @Override
    public void onSendable(Lane lane) {}

    @Override
    public void onEnded(Lane lane, String why) {
      trouble = why;
    }
  }

  private Node node() {
    if (joined == null) {
      throw new IllegalStateException("not connected");
    }
    return joined;
  }

  private Lane lane(Node node) {
    Lane lane = node.lane(1 - config.rank());
    if (lane == null) {
      throw new IllegalStateException("there is no lane to the other end");
    }
    return lane;
  }

  private void send(Node node, Lane lane, int bytes) {
    long header = Records.header(Records.WHOLE, 0, 0, bytes);
    while (!trySend(node, lane, header)) {
      work(node);
    }
  }

  private boolean trySend(Node node, Lane lane, long header) {
    node.take();
    try {
      boolean taken = lane.trySend(header, out, 0, RELEASED_TO_NOBODY) != Lane.REFUSED;
      node.flush();
      return taken;
    } finally {
      node.release();
    }
  }

  private void work(Node node) {
    node.take();
    try {
      if (!node.work()) {
        Thread.onSpinWait();
      }
    } finally {
      node.release();
    }
    if (!trouble.isEmpty()) {
      throw new IllegalStateException(trouble);
    }
  }

  private void receive(Node node, int count) {
    taken += count;
    while (arrived < taken) {
      work(node);
    }
  }

  @Override
  public void ask(int bytes, int count, long[] roundTripsNs) {
    Node node = node();
    Lane lane = lane(node);
    for (int i = 0; i < count; i++) {
      long start = System.nanoTime();
      send(node, lane, bytes);
      receive(node, 1);
      roundTripsNs[i] = System.nanoTime() - start;
    }
  }

  @Override
  public void answer(int bytes, int count) {
    Node node = node();
    Lane lane = lane(node);
    for (int i = 0; i < count; i++) {
      receive(node, 1);
      send(node, lane, bytes);
    }
  }

  @Override
  public void flood(int bytes, int count) {
    Node node = node();
    Lane lane = lane(node);
    for (int i = 0; i < count; i++) {
      send(node, lane, bytes);
    }
    receive(node, 1);
  }

  @Override
  public void sink(int bytes, int count) {
    Node node = node();
    receive(node, count);
    send(node, lane(node), 1);
  }

  @Override
  public void close() {
    if (joined != null) {
      joined.close();
    }
  }
}
