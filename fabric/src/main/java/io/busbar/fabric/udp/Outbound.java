package io.busbar.fabric.udp;

import io.busbar.fabric.Nic;
import io.busbar.fabric.NicCount;
import io.busbar.fabric.NicCounters;
import io.busbar.fabric.Registrations;
import io.busbar.wire.FrameBuilder;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Takes frames, or refuses them by name: what is written in place, copied, or left where it is. */
final class Outbound {
  /** A shorter part is copied: the kernel's list of parts costs about as much. */
  private static final int IN_PLACE_BYTES_MIN = 256;

  private final TransmitStage stage;
  private final PeerTable peers;
  private final Registrations registrations;
  private final NicCounters counters;

  private @Nullable Peer reserved;
  private int reservedBytes;

  Outbound(
      TransmitStage stage, PeerTable peers, Registrations registrations, NicCounters counters) {
    this.stage = stage;
    this.peers = peers;
    this.registrations = registrations;
    this.counters = counters;
  }

  /** Whether a frame waits for {@link #commit} or {@link #abandon}. */
  boolean isReserved() {
    return reserved != null;
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
    reserved = peer;
    reservedBytes = length;
    return stage.next();
  }

  void commit(int length) {
    Peer peer = reserved;
    if (peer == null) {
      throw new IllegalStateException("no frame is reserved");
    }
    if (length < 1 || length > reservedBytes) {
      throw new IllegalArgumentException(
          "a frame of %d bytes was reserved, and %d are sent".formatted(reservedBytes, length));
    }
    reserved = null;
    stage.addOwn(length);
    stage.stage(peer, length);
  }

  void abandon() {
    if (reserved == null) {
      throw new IllegalStateException("no frame is reserved");
    }
    reserved = null;
  }

  long transmit(int number, MemorySegment from, long offset, int length) {
    Peer peer = peers.get(number);
    long refusal = refusal(peer, length);
    if (peer == null || refusal != Nic.DONE) {
      return refusal;
    }
    Objects.checkFromIndexSize(offset, length, from.byteSize());
    boolean inPlace = isInPlace(from, offset, length);
    if (!stage.hasRoom(inPlace ? 0 : length, 1)) {
      return full();
    }
    place(from, offset, length, inPlace);
    return stage(peer, length, inPlace);
  }

  long transmit(int number, FrameBuilder frame) {
    int length = frame.frameBytes();
    Peer peer = peers.get(number);
    long refusal = refusal(peer, length);
    if (peer == null || refusal != Nic.DONE) {
      return refusal;
    }
    long inPlace = 0; // a bit for each part
    int copied = length;
    for (int i = 0; i < frame.parts(); i++) {
      if (isInPlace(frame.segment(i), frame.offset(i), frame.length(i))) {
        inPlace |= 1L << i;
        copied -= frame.length(i);
      }
    }
    if (!stage.hasRoom(copied, frame.parts())) {
      return full();
    }
    for (int i = 0; i < frame.parts(); i++) {
      boolean stays = (inPlace >>> i & 1) != 0;
      place(frame.segment(i), frame.offset(i), frame.length(i), stays);
    }
    return stage(peer, length, inPlace != 0);
  }

  private boolean isInPlace(MemorySegment from, long offset, int length) {
    return length >= IN_PLACE_BYTES_MIN && registrations.contains(from, offset, length);
  }

  private void place(MemorySegment from, long offset, int length, boolean inPlace) {
    if (inPlace) {
      stage.addInPlace(from, offset, length);
    } else {
      MemorySegment.copy(from, offset, stage.memory(), stage.next(), length);
      stage.addOwn(length);
    }
  }

  private long stage(Peer peer, int length, boolean inPlace) {
    counters.add(inPlace ? NicCount.IN_PLACE : NicCount.COPIED);
    long ticket = stage.stage(peer, length);
    return inPlace ? ticket : Nic.DONE;
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
