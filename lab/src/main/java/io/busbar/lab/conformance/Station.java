package io.busbar.lab.conformance;

import io.busbar.fabric.FrameReceiver;
import io.busbar.fabric.Nic;
import io.busbar.fabric.NicCapability;
import io.busbar.fabric.NicCount;
import io.busbar.fabric.NicEvents;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** One interface under trial: what it received, what it was told, and under which numbers. */
final class Station implements NicEvents {
  /** A frame that arrived, copied. */
  record Letter(int peer, MemorySegment bytes) {
    int length() {
      return (int) bytes.byteSize();
    }
  }

  private static final FrameReceiver NOBODY = (peer, memory, offset, length, frame) -> {};
  private static final int POLL_BUDGET = 64;

  final int index;
  final Nic nic;

  /** What arrived and nobody has looked at yet. */
  final Deque<Letter> letters = new ArrayDeque<>();

  /** Peers that opened a way by themselves, in order. */
  final List<Integer> came = new ArrayList<>();

  /** Peers that were said to be gone, in order. */
  final List<Integer> gone = new ArrayList<>();

  /** Whether it is polled when time passes. */
  boolean listens = true;

  /** Memory of the caller's to send from: native, and never registered. */
  private MemorySegment scratch = MemorySegment.NULL;

  private final Trial trial;
  private final Map<Integer, Integer> peers = new HashMap<>();
  private final FrameReceiver counting = this::count;
  private final FrameReceiver collecting = this::collect;
  private FrameReceiver receiver = NOBODY;
  private int delivered;

  Station(Trial trial, int index) {
    this.trial = trial;
    this.index = index;
    nic = trial.rig().station(index, this);
  }

  boolean can(NicCapability capability) {
    return nic.capabilities().contains(capability);
  }

  long counted(NicCount count) {
    return nic.counters().get(count);
  }

  /** Opens a way; the number must be one that a peer can have. */
  int open(Station to) {
    int peer = nic.open(to.nic.address());
    trial.require(
        peer >= 0 && peer != Nic.EVERYONE, "open gave %s the number %d", to.nic.address(), peer);
    peers.put(to.index, peer);
    return peer;
  }

  /** The number of a station that was opened here. */
  int peer(Station other) {
    Integer peer = peers.get(other.index);
    if (peer == null) {
      throw new IllegalStateException(
          "station %d was not opened by station %d".formatted(other.index, index));
    }
    return peer;
  }

  MemorySegment scratch(int bytes) {
    if (scratch.byteSize() < bytes) {
      scratch = Arena.ofAuto().allocate(bytes, Long.BYTES);
    }
    return scratch;
  }

  /** Polls, and checks that budget and result are true; allocates nothing. */
  int poll(FrameReceiver to, int budget) {
    receiver = to;
    delivered = 0;
    int said;
    try {
      said = nic.poll(counting, budget);
    } finally {
      receiver = NOBODY;
    }
    if (said != delivered || delivered > budget) {
      throw trial.violation(
          "poll with a budget of %d delivered %d frames and returned %d", budget, delivered, said);
    }
    return said;
  }

  /** Polls until nothing comes, and keeps copies. */
  int collect() {
    int sum = 0;
    int count;
    do {
      count = poll(collecting, POLL_BUDGET);
      sum += count;
    } while (count == POLL_BUDGET);
    return sum;
  }

  private void count(int peer, MemorySegment memory, long offset, int length, long frame) {
    delivered++;
    receiver.onFrame(peer, memory, offset, length, frame);
  }

  private void collect(int peer, MemorySegment memory, long offset, int length, long frame) {
    byte[] copy = memory.asSlice(offset, length).toArray(ValueLayout.JAVA_BYTE);
    letters.add(new Letter(peer, MemorySegment.ofArray(copy)));
  }

  @Override
  public void onPeer(int peer) {
    came.add(peer);
  }

  @Override
  public void onPeerGone(int peer, String why) {
    gone.add(peer);
  }
}
