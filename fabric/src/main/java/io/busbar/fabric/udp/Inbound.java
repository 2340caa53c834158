package io.busbar.fabric.udp;

import io.busbar.fabric.FrameReceiver;
import io.busbar.fabric.Nic;
import io.busbar.fabric.NicCount;
import io.busbar.fabric.NicCounters;
import io.busbar.fabric.socket.Notices;
import io.busbar.linux.Errno;
import io.busbar.linux.NativeAddress;
import io.busbar.linux.NativeSocket;
import io.busbar.linux.ReceiveBatch;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Takes what has arrived, one system call a poll, and hands it up frame by frame. A call asks for
 * one chunk after an empty look, because a lone datagram then costs least, and for twice as many
 * after each call that was filled with short ones.
 *
 * <p>The socket of frames to everyone is looked at every {@value #TURNS}th time instead of the
 * other, and besides it after a sleep.
 */
final class Inbound {
  private static final int TURNS = 16;

  /** What costs more to copy than a call: more of it at a time only leaves the cache. */
  private static final int LONG_BYTES = 16 << 10;

  private final NativeSocket own;
  private final @Nullable NativeSocket everyone;
  private final UdpAddress address;
  private final PeerTable peers;
  private final ReceiveBatch batch;
  private final ReceiveChunks chunks;
  private final MemorySegment memory;
  private final NicCounters counters;
  private final Notices notices;
  private final NativeAddress source = new NativeAddress();

  private int width = 1;
  private boolean wasFilled;
  private int turn;
  private boolean lookAtBoth;
  private int ownOverflows;
  private int everyoneOverflows;
  private boolean toEveryone;

  // The slot whose frames are handed up, and where in its chunk the next one begins.
  private int slot;
  private int slotsEnd;
  private boolean open;
  private int peer;
  private int peersSeen = -1;
  private long name;
  private long at;
  private long end;
  private int segmentBytes;

  Inbound(
      NativeSocket own,
      @Nullable NativeSocket everyone,
      UdpAddress address,
      PeerTable peers,
      ReceiveBatch batch,
      ReceiveChunks chunks,
      NicCounters counters,
      Notices notices) {
    this.own = own;
    this.everyone = everyone;
    this.address = address;
    this.peers = peers;
    this.batch = batch;
    this.chunks = chunks;
    this.memory = chunks.memory();
    this.counters = counters;
    this.notices = notices;
  }

  /** Hands up what was left over, then what one call receives. */
  int poll(FrameReceiver receiver, int budget) {
    int taken = hasLeftovers() ? deliver(receiver, budget) : 0;
    if (taken < budget && receive()) {
      taken += deliver(receiver, budget - taken);
    }
    return taken;
  }

  /** Whether something was received and is not handed up yet. */
  boolean hasLeftovers() {
    return slot < slotsEnd;
  }

  /** After a sleep: any of the sockets may have woken the sleeper. */
  void lookAtBoth() {
    lookAtBoth = everyone != null;
  }

  /** Where the frame that is handed up came from. */
  UdpAddress source() {
    return UdpAddress.of(source);
  }

  /** Whether the frame that is handed up came to the socket of frames to everyone. */
  boolean cameToEveryone() {
    return toEveryone;
  }

  /** Whether a name is that of the frame that is handed up. */
  boolean isDelivering(long frame) {
    return open && frame == name;
  }

  // Receiving.

  private boolean receive() {
    NativeSocket other = everyone;
    if (other == null) {
      return receive(own, false);
    }
    if (++turn >= TURNS) {
      turn = 0;
      return receive(other, true);
    }
    boolean received = receive(own, false);
    if (!received && lookAtBoth) {
      lookAtBoth = false;
      return receive(other, true);
    }
    return received;
  }

  private boolean receive(NativeSocket socket, boolean fromEveryone) {
    int result = batch.receive(socket, width);
    if (result <= 0) {
      width = 1;
      wasFilled = false;
      if (result != -Errno.EAGAIN && result != -Errno.EINTR) {
        notices.deaf(-result);
      }
      return false;
    }
    counters.add(NicCount.CALLS_RECEIVED);
    widen(result);
    toEveryone = fromEveryone;
    slot = 0;
    slotsEnd = result;
    return true;
  }

  private void widen(int received) {
    boolean filled = received == width && batch.bytes(received - 1) < LONG_BYTES;
    boolean busy = filled && wasFilled;
    wasFilled = filled;
    width = busy ? Math.min(2 * width, batch.slots()) : received;
  }

  // Handing up.

  private int deliver(FrameReceiver receiver, int budget) {
    int taken = 0;
    long bytes = 0;
    try {
      while (taken < budget && (hasMoreInSlot() || nextSlot())) {
        long from = at;
        int length = (int) Math.min(segmentBytes, end - from);
        at = from + length;
        taken++;
        bytes += length;
        receiver.onFrame(peer, memory, from, length, name);
      }
      if (at == end) {
        closeSlot();
      }
    } finally {
      counters.add(NicCount.FRAMES_RECEIVED, taken);
      counters.add(NicCount.BYTES_RECEIVED, bytes);
    }
    return taken;
  }

  /** Whether the slot holds another frame; who got the last one may have closed its sender. */
  private boolean hasMoreInSlot() {
    if (at >= end) {
      return false;
    }
    if (peersSeen != peers.changes()) {
      findPeer();
    }
    return true;
  }

  /** Goes on to the next slot that has frames; those that have none are counted by reason. */
  private boolean nextSlot() {
    closeSlot();
    while (slot < slotsEnd) {
      if (openSlot()) {
        return true;
      }
      slot++;
    }
    return false;
  }

  private void closeSlot() {
    if (open) {
      open = false;
      chunks.retire(slot++);
    }
  }

  private boolean openSlot() {
    countOverflows();
    int bytes = batch.bytes(slot);
    if (batch.isTruncated(slot)) {
      counters.add(NicCount.DROPPED_TRUNCATED);
      return false;
    }
    if (bytes == 0) {
      counters.add(NicCount.DROPPED_FOREIGN);
      return false;
    }
    findSource();
    if (toEveryone && isOwnEcho()) {
      return false;
    }
    name = chunks.name(slot);
    at = chunks.offset(slot);
    end = at + bytes;
    segmentBytes = batch.segmentBytes(slot);
    open = true;
    return true;
  }

  /** Most datagrams come from where the last one came from. */
  private void findSource() {
    if (!batch.isFrom(slot, source) || peersSeen != peers.changes()) {
      batch.from(slot, source);
      findPeer();
    }
  }

  private void findPeer() {
    Peer found = peers.find(source);
    peer = found == null ? Nic.STRANGER : found.number;
    peersSeen = peers.changes();
  }

  /** What this interface sent to everyone comes back to it. */
  private boolean isOwnEcho() {
    return address.is(source);
  }

  private void countOverflows() {
    int overflows = batch.overflows(slot);
    if (overflows != 0) {
      int before = toEveryone ? everyoneOverflows : ownOverflows;
      counters.add(NicCount.LOST_ARRIVING, Integer.toUnsignedLong(overflows - before));
      if (toEveryone) {
        everyoneOverflows = overflows;
      } else {
        ownOverflows = overflows;
      }
    }
  }
}
