package io.busbar.fabric.udp;

import io.busbar.fabric.Nic;
import io.busbar.fabric.NicCount;
import io.busbar.fabric.NicCounters;
import io.busbar.fabric.Registrations;
import io.busbar.fabric.socket.Reservation;
import io.busbar.wire.FrameBuilder;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Takes frames, or refuses them by name: what is written in place, copied, or left where it is. */
final class Outbound {
  /** A whole frame pays sooner: it splits no part of what was copied, and may continue the last. */
  private static final int WHOLE_SHARE = 2;

  private final TransmitStage stage;
  private final PeerTable peers;
  private final Registrations registrations;
  private final NicCounters counters;
  private final int inPlaceBytesMin;

  private final Reservation<Peer> reserved = new Reservation<>();

  Outbound(
      TransmitStage stage,
      PeerTable peers,
      Registrations registrations,
      NicCounters counters,
      int inPlaceBytesMin) {
    this.stage = stage;
    this.peers = peers;
    this.registrations = registrations;
    this.counters = counters;
    this.inPlaceBytesMin = inPlaceBytesMin;
  }

  /** Whether a frame waits for {@link #commit} or {@link #abandon}. */
  boolean isReserved() {
    return reserved.isOpen();
  }

  long reserve(int number, int length) {
    Peer peer = peers.get(number);
    long refusal = refusal(peer, length);
    if (peer == null || refusal != Nic.DONE) {
      return refusal;
    }
    if (!stage.hasRoom(length, 1)) {
      return full();
    }
    reserved.begin(peer, length);
    return stage.next();
  }

  void commit(int length) {
    long _ = stage.add(reserved.end(length), length, 1);
    stage.addOwn(length);
  }

  void abandon() {
    reserved.abandon();
  }

  long transmit(int number, MemorySegment from, long offset, int length) {
    Peer peer = peers.get(number);
    if (peer != null) {
      long ticket = stage.addBehind(peer, from, offset, length);
      if (ticket != 0) {
        return inPlace(ticket);
      }
    }
    long refusal = refusal(peer, length);
    if (peer == null || refusal != Nic.DONE) {
      return refusal;
    }
    Objects.checkFromIndexSize(offset, length, from.byteSize());
    boolean inPlace = isInPlace(from, offset, length, inPlaceBytesMin / WHOLE_SHARE);
    if (!stage.hasRoom(inPlace ? 0 : length, 1)) {
      return full();
    }
    if (inPlace) {
      long ticket = stage.add(peer, length, 1);
      stage.addInPlace(from, offset, length, registrations.limit(from, offset));
      return inPlace(ticket);
    }
    MemorySegment.copy(from, offset, stage.memory(), stage.next(), length);
    long _ = stage.add(peer, length, 1);
    stage.addOwn(length);
    return copied();
  }

  long transmit(int number, FrameBuilder frame) {
    int length = frame.frameBytes();
    Peer peer = peers.get(number);
    long refusal = refusal(peer, length);
    if (peer == null || refusal != Nic.DONE) {
      return refusal;
    }
    long inPlace = inPlace(frame);
    return inPlace == 0 ? copy(peer, frame) : gather(peer, frame, inPlace);
  }

  /** The parts that stay where they are, a bit for each. */
  private long inPlace(FrameBuilder frame) {
    long inPlace = 0;
    for (int i = 0; i < frame.parts(); i++) {
      if (isInPlace(frame.segment(i), frame.offset(i), frame.length(i), inPlaceBytesMin)) {
        inPlace |= 1L << i;
      }
    }
    return inPlace;
  }

  private long copy(Peer peer, FrameBuilder frame) {
    int length = frame.frameBytes();
    if (!stage.hasRoom(length, 1)) {
      return full();
    }
    frame.copyTo(stage.memory(), stage.next());
    long _ = stage.add(peer, length, 1);
    stage.addOwn(length);
    return copied();
  }

  /** Copies first, and stages then: what cannot be copied leaves no trace. */
  private long gather(Peer peer, FrameBuilder frame, long inPlace) {
    int copied = 0;
    for (int i = 0; i < frame.parts(); i++) {
      copied += isSet(inPlace, i) ? 0 : frame.length(i);
    }
    if (!stage.hasRoom(copied, frame.parts())) {
      return full();
    }
    int at = stage.next();
    for (int i = 0; i < frame.parts(); i++) {
      if (!isSet(inPlace, i)) {
        MemorySegment.copy(frame.segment(i), frame.offset(i), stage.memory(), at, frame.length(i));
        at += frame.length(i);
      }
    }
    long ticket = stage.add(peer, frame.frameBytes(), frame.parts());
    for (int i = 0; i < frame.parts(); i++) {
      if (isSet(inPlace, i)) {
        MemorySegment from = frame.segment(i);
        long limit = registrations.limit(from, frame.offset(i));
        stage.addInPlace(from, frame.offset(i), frame.length(i), limit);
      } else {
        stage.addOwn(frame.length(i));
      }
    }
    return inPlace(ticket);
  }

  private static boolean isSet(long bits, int i) {
    return (bits >>> i & 1) != 0;
  }

  private boolean isInPlace(MemorySegment from, long offset, int length, int bytesMin) {
    return length >= bytesMin && registrations.contains(from, offset, length);
  }

  private long copied() {
    counters.add(NicCount.COPIED);
    return Nic.DONE;
  }

  private long inPlace(long ticket) {
    counters.add(NicCount.IN_PLACE);
    return ticket;
  }

  private long refusal(@Nullable Peer peer, int length) {
    if (length < 1) {
      throw new IllegalArgumentException("a frame has at least one byte, not " + length);
    }
    if (peer == null) {
      counters.add(NicCount.REFUSED_GONE);
      return Nic.GONE;
    }
    if (length > peer.frameBytesMax) {
      counters.add(NicCount.REFUSED_TOO_LONG);
      return Nic.TOO_LONG;
    }
    return Nic.DONE;
  }

  private long full() {
    counters.add(NicCount.REFUSED_FULL);
    return Nic.FULL;
  }
}
