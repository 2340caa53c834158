package io.busbar.fabric.ether;

import io.busbar.fabric.Nic;
import io.busbar.fabric.NicCount;
import io.busbar.fabric.NicCounters;
import io.busbar.fabric.socket.Reservation;
import io.busbar.wire.FrameBuilder;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/** Takes frames, or refuses them by name, and puts the Ethernet header before them. */
final class Outbound {
  private final Way way;
  private final EtherPeers peers;
  private final LinkWatch link;
  private final NicCounters counters;

  private final Reservation<EtherPeer> reserved = new Reservation<>();
  private long reservedAt;

  Outbound(Way way, EtherPeers peers, LinkWatch link, NicCounters counters) {
    this.way = way;
    this.peers = peers;
    this.link = link;
    this.counters = counters;
  }

  /** Whether a frame waits for {@link #commit} or {@link #abandon}. */
  boolean isReserved() {
    return reserved.isOpen();
  }

  /** The longest frame, whoever it is to. */
  int frameBytesMax() {
    return Math.min(link.mtu(), way.bytesMax() - EtherFrame.HEADER_BYTES);
  }

  long reserve(int number, int length) {
    EtherPeer peer = peers.get(number);
    if (length < 1) {
      throw new IllegalArgumentException("a frame has at least one byte, not " + length);
    }
    if (peer == null) {
      counters.add(NicCount.REFUSED_GONE);
      return Nic.GONE;
    }
    if (length > frameBytesMax()) {
      counters.add(NicCount.REFUSED_TOO_LONG);
      return Nic.TOO_LONG;
    }
    long at = way.reserve(EtherFrame.HEADER_BYTES + length);
    if (at == Nic.FULL) {
      counters.add(NicCount.REFUSED_FULL);
      return Nic.FULL;
    }
    reserved.begin(peer, length);
    reservedAt = at;
    return at + EtherFrame.HEADER_BYTES;
  }

  void commit(int length) {
    reserved.end(length).writeHead(way.transmitMemory(), reservedAt);
    way.commit(EtherFrame.HEADER_BYTES + length);
  }

  void abandon() {
    reserved.abandon();
  }

  long transmit(int number, MemorySegment from, long offset, int length) {
    Objects.checkFromIndexSize(offset, length, from.byteSize());
    long at = reserve(number, length);
    if (at < 0) {
      return at;
    }
    MemorySegment.copy(from, offset, way.transmitMemory(), at, length);
    return copied(length);
  }

  long transmit(int number, FrameBuilder frame) {
    long at = reserve(number, frame.frameBytes());
    if (at < 0) {
      return at;
    }
    frame.copyTo(way.transmitMemory(), at);
    return copied(frame.frameBytes());
  }

  private long copied(int length) {
    commit(length);
    counters.add(NicCount.COPIED);
    return Nic.DONE;
  }
}
