package io.busbar.fabric.ether;

import io.busbar.fabric.FrameReceiver;
import io.busbar.fabric.Nic;
import io.busbar.fabric.NicCount;
import io.busbar.fabric.NicCounters;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** Hands up what has arrived by either way, and finds out who sent it. */
final class Inbound implements Way.Arrivals {
  /** Of so many polls one asks the slow way for frames, where there is a fast one. */
  private static final int TURNS = 16;

  /** A poll that brings so many frames is a sign that some have found no room. */
  private static final int MANY = 16;

  /** So many polls after it, what was lost is counted, which takes a call. */
  private static final int POLLS_AFTER_MANY = 32;

  /** Without a sign, after so many polls. */
  private static final int POLLS = 16_384;

  private EtherAddress own;
  private final EtherPeers peers;
  private final PacketWay packets;
  private final @Nullable XdpWay xdp;
  private final NicCounters counters;

  private @Nullable FrameReceiver receiver;
  private long name = Nic.UNCLAIMABLE;
  private long source;
  private int from;
  private int taken;
  private long bytesTaken;
  private int turn;
  private int pollsToCount = POLLS;

  Inbound(
      EtherAddress own,
      EtherPeers peers,
      PacketWay packets,
      @Nullable XdpWay xdp,
      NicCounters counters) {
    this.own = own;
    this.peers = peers;
    this.packets = packets;
    this.xdp = xdp;
    this.counters = counters;
  }

  void rename(EtherAddress now) {
    own = now;
  }

  int poll(FrameReceiver to, int budget) {
    receiver = to;
    taken = 0;
    bytesTaken = 0;
    try {
      if (xdp != null && ++turn < TURNS) {
        int _ = xdp.poll(this, budget);
      } else {
        turn = 0;
        int _ = packets.poll(this, budget);
      }
    } finally {
      receiver = null;
      counters.add(NicCount.FRAMES_RECEIVED, taken);
      counters.add(NicCount.BYTES_RECEIVED, bytesTaken);
    }
    if (taken >= Math.min(budget, MANY)) {
      pollsToCount = Math.min(pollsToCount, POLLS_AFTER_MANY);
    }
    if (--pollsToCount <= 0) {
      countDrops();
    }
    return taken;
  }

  /** Counts what found no room. */
  void countDrops() {
    pollsToCount = POLLS;
    counters.add(NicCount.LOST_ARRIVING, packets.takeDrops());
    if (xdp != null) {
      counters.add(NicCount.LOST_ARRIVING, xdp.takeDrops());
    }
  }

  /** Whether something waits; looks at memory only. */
  boolean hasArrived() {
    return packets.hasArrived() || (xdp != null && xdp.hasArrived());
  }

  @Override
  public void onArrival(MemorySegment memory, long at, int bytes, long frame) {
    if (bytes < EtherFrame.BYTES_MIN) {
      counters.add(NicCount.DROPPED_FOREIGN);
      return;
    }
    source = EtherFrame.source(memory, at);
    from = EtherFrame.from(memory, at);
    if (source == own.hardware() && from == own.node()) {
      return; // a bridge gave back what this sent to everyone
    }
    name = frame;
    int length = bytes - EtherFrame.HEADER_BYTES;
    taken++;
    bytesTaken += length;
    FrameReceiver to = receiver;
    if (to != null) {
      to.onFrame(sender(), memory, at + EtherFrame.HEADER_BYTES, length, frame);
    }
    name = Nic.UNCLAIMABLE;
  }

  /** Who says the same id from another place is a stranger. */
  private int sender() {
    EtherPeer peer = peers.find(from);
    if (peer == null) {
      return Nic.STRANGER;
    }
    if (peer.address.hardware() != source) {
      if (peer.address.isKnown()) {
        return Nic.STRANGER;
      }
      peer.learn(source);
    }
    return peer.number;
  }

  /** Where the frame that is handed up came from. */
  EtherAddress source() {
    return new EtherAddress(source, from);
  }

  /** Whether a name is that of the frame that is handed up. */
  boolean isDelivering(long frame) {
    return frame == name;
  }
}
