package io.busbar.fabric.ether;

import io.busbar.fabric.Nic;
import io.busbar.fabric.NicCount;
import io.busbar.fabric.NicCounters;
import io.busbar.linux.Errno;
import io.busbar.linux.Mapping;
import io.busbar.linux.NativeAddress;
import io.busbar.linux.NativeSocket;
import io.busbar.linux.NetworkDevice;
import io.busbar.linux.PacketRing;
import io.busbar.linux.PollSet;
import io.busbar.linux.SendBatch;
import io.busbar.linux.SocketBuffers;
import io.busbar.linux.SocketFilter;
import io.busbar.linux.SocketOption;
import java.lang.foreign.MemorySegment;
import java.util.function.IntConsumer;

/**
 * A packet socket. Frames arrive in a ring of the kernel's that is mapped here: looking at it is no
 * call. They leave by one call for many: the kernel copies them, because what it would send in
 * place out of a ring is given back while a veth's other end has not read it yet.
 */
final class PacketWay implements Way {
  /** Frames begin so, that Busbar's header is aligned. */
  private static final int SHIFT = 16 - EtherFrame.HEADER_BYTES;

  private static final int SEND_BUFFER_BYTES = 4 << 20;

  private final NativeSocket socket = NativeSocket.packet();
  private final PacketRing ring;
  private final NicCounters counters;
  private final IntConsumer refused;
  private final int bytesMax;
  private final Mapping stage;
  private final MemorySegment memory;
  private final int slotBytes;
  private final SendBatch batch;
  private final long[] lengths;
  private int sent;
  private int next;

  /**
   * Opens it.
   *
   * @param refused is told the errno of frames that the kernel refused for good
   */
  PacketWay(EtherConfig config, NetworkDevice device, NicCounters counters, IntConsumer refused) {
    this.counters = counters;
    this.refused = refused;
    this.bytesMax = EtherFrame.HEADER_BYTES + device.mtu();
    this.slotBytes = (SHIFT + bytesMax + 63) & -64;
    try {
      hear(config.node(), config.incarnation());
      socket.set(SocketOption.PACKET_IGNORE_OUTGOING, 1);
      int _ = SocketBuffers.send(socket, SEND_BUFFER_BYTES);
      ring = new PacketRing(socket, config.receiveFrames(), bytesMax);
      bind(device.index());
    } catch (RuntimeException e) {
      socket.close();
      throw e;
    }
    this.stage = Mapping.anonymous((long) config.transmitFrames() * slotBytes);
    this.memory = stage.segment();
    this.batch = new SendBatch(config.transmitFrames(), 1);
    this.lengths = new long[config.transmitFrames()];
  }

  /** Frames for a node are heard, and for no other one. */
  void hear(int node, long incarnation) {
    EtherFrame.forNode(new SocketFilter(), node, incarnation, true).attach(socket);
  }

  /** Takes an interface, or another one instead. */
  void bind(int interfaceIndex) {
    socket.bind(new NativeAddress().packet(interfaceIndex, EtherFrame.TYPE, 0));
  }

  /** For questions about interfaces. */
  NativeSocket socket() {
    return socket;
  }

  @Override
  public int bytesMax() {
    return bytesMax;
  }

  // Sending.

  @Override
  public MemorySegment transmitMemory() {
    return memory;
  }

  @Override
  public long reserve(int bytes) {
    return batch.isFull() ? Nic.FULL : (long) batch.count() * slotBytes + SHIFT;
  }

  @Override
  public void commit(int bytes) {
    int slot = batch.count();
    lengths[slot] = bytes;
    batch.message().part(memory, (long) slot * slotBytes + SHIFT, bytes);
  }

  @Override
  public int flush() {
    boolean again = true;
    while (batch.remaining() > 0) {
      int result = batch.send(socket);
      if (result > 0) {
        left(result);
      } else if (result == -Errno.ENETDOWN && again) {
        again = false; // it may be news of the past, which is told once
      } else if (isLater(-result)) {
        return batch.remaining();
      } else {
        refused.accept(-result);
        counters.add(NicCount.LOST_SENDING);
        batch.skip();
        sent++;
      }
    }
    batch.clear();
    sent = 0;
    return 0;
  }

  private static boolean isLater(int errno) {
    return errno == Errno.EAGAIN
        || errno == Errno.ENOBUFS
        || errno == Errno.ENOMEM
        || errno == Errno.EINTR;
  }

  private void left(int frames) {
    counters.add(NicCount.CALLS_SENT);
    counters.add(NicCount.FRAMES_SENT, frames);
    long bytes = 0;
    for (int i = 0; i < frames; i++) {
      bytes += lengths[sent++] - EtherFrame.HEADER_BYTES;
    }
    counters.add(NicCount.BYTES_SENT, bytes);
  }

  @Override
  public int waiting() {
    return batch.remaining();
  }

  // Receiving.

  @Override
  public int poll(Arrivals to, int budget) {
    int taken = 0;
    while (taken < budget && ring.isFilled(next)) {
      int slot = next;
      next = slot + 1 < ring.slots() ? slot + 1 : 0;
      try {
        if (ring.isTruncated(slot)) {
          counters.add(NicCount.DROPPED_TRUNCATED);
        } else {
          taken++;
          to.onArrival(ring.memory(), ring.at(slot), ring.length(slot), Nic.UNCLAIMABLE);
        }
      } finally {
        ring.free(slot);
      }
    }
    return taken;
  }

  @Override
  public boolean hasArrived() {
    return ring.isFilled(next);
  }

  @Override
  public long takeDrops() {
    return ring.drops();
  }

  /** A slot that is not given back stops the ring when its turn comes: who keeps, copies. */
  @Override
  public boolean claim(long name) {
    return false;
  }

  @Override
  public boolean isKept(long name) {
    return false;
  }

  @Override
  public void release(long name) {
    throw new IllegalStateException("frame %x is not claimed (any more)".formatted(name));
  }

  @Override
  public int listen(PollSet set) {
    return set.add(socket.descriptor(), PollSet.IN);
  }

  @Override
  public void close() {
    ring.close();
    socket.close();
    stage.close();
  }
}
