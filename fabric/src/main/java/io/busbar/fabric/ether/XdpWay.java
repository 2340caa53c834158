package io.busbar.fabric.ether;

import io.busbar.fabric.FabricException;
import io.busbar.fabric.Nic;
import io.busbar.fabric.NicCount;
import io.busbar.fabric.NicCounters;
import io.busbar.fabric.socket.ChunkClaims;
import io.busbar.linux.DeviceDriver;
import io.busbar.linux.Errno;
import io.busbar.linux.Mapping;
import io.busbar.linux.NetworkDevice;
import io.busbar.linux.PollSet;
import io.busbar.linux.SystemCallException;
import io.busbar.linux.XdpAttachment;
import io.busbar.linux.XdpProgram;
import io.busbar.linux.XdpRing;
import io.busbar.linux.XdpSocket;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.function.IntConsumer;

/**
 * An AF_XDP socket at one queue. Its memory is cut into chunks: first those that frames arrive in,
 * then those that they leave from. A frame longer than a chunk is in several; it leaves from
 * neighbours, and is put together when it arrives.
 */
final class XdpWay implements Way {
  /** What the kernel leaves free before an arriving frame. */
  private static final int HEADROOM = 256;

  private static final int CHUNK_SMALL = 2048;
  private static final int CHUNK_LARGE = 4096;

  /** Frames begin so, that Busbar's header is aligned. */
  private static final int SHIFT = 16 - EtherFrame.HEADER_BYTES;

  /** More queues than interfaces have; frames of a queue without a socket take the usual way. */
  private static final int QUEUES = 1024;

  private final NicCounters counters;
  private final IntConsumer refused;
  private final int bytesMax;
  private final int chunkBytes;
  private final int queue;
  private final Mapping mapping;
  private final MemorySegment memory;
  private final XdpSocket socket;
  private final EtherConfig config;
  private final NetworkDevice device;
  private XdpAttachment attachment;
  private final XdpRing rx;
  private final XdpRing tx;
  private final XdpRing fill;
  private final XdpRing completion;

  // Chunks that frames arrive in.

  private final int arriving;
  private final ChunkClaims claims;
  private final boolean canKeep;

  /** A frame that is put together. */
  private final MemorySegment whole;

  private int wholeBytes;
  private boolean wholeIsLost;
  private long dropsSeen;

  // Chunks that frames leave from, in turn.

  private final int leaving;
  private final boolean[] inUse;
  private int next;
  private int staged;
  private boolean isDown;

  XdpWay(EtherConfig config, NetworkDevice device, NicCounters counters, IntConsumer refused) {
    this.config = config;
    this.device = device;
    this.counters = counters;
    this.refused = refused;
    this.queue = config.queue();
    this.bytesMax = EtherFrame.HEADER_BYTES + device.mtu();
    this.chunkBytes = bytesMax + HEADROOM <= CHUNK_SMALL ? CHUNK_SMALL : CHUNK_LARGE;
    boolean inPieces = bytesMax + HEADROOM > chunkBytes;
    int entries = config.receiveFrames();
    this.claims = new ChunkClaims(entries, config.claimsMax(), counters);
    this.canKeep = config.claimsMax() > 0;
    this.arriving = claims.chunks();
    this.leaving = config.transmitFrames() * pieces(bytesMax);
    this.inUse = new boolean[leaving];
    this.mapping = Mapping.anonymous((long) (arriving + leaving) * chunkBytes);
    this.memory = mapping.segment();
    this.whole = inPieces ? memoryFor(bytesMax) : MemorySegment.NULL;
    int ringEntries = Integer.highestOneBit(Math.max(entries, leaving) * 2 - 1);
    XdpSocket opened = null;
    try {
      opened = new XdpSocket(mapping, chunkBytes, ringEntries);
      rx = opened.rx();
      tx = opened.tx();
      fill = opened.fill();
      completion = opened.completion();
      fillFirst(entries);
      opened.bind(device, queue, inPieces);
      boolean _ = opened.sendAtMost(Math.min(leaving, ringEntries));
      attachment = attach(config.node(), config.incarnation());
      attachment.give(queue, opened);
      socket = opened;
    } catch (RuntimeException e) {
      if (opened != null) {
        opened.close();
      }
      mapping.close();
      throw e;
    }
  }

  private static MemorySegment memoryFor(int bytes) {
    return Arena.ofAuto().allocate(bytes + SHIFT, 16).asSlice(SHIFT);
  }

  /** Frames for a node are taken, and for no other one; in between the packet socket has them. */
  void hear(int node, long incarnation) {
    attachment.close();
    attachment = attach(node, incarnation);
    attachment.give(queue, socket);
  }

  private XdpAttachment attach(int node, long incarnation) {
    XdpProgram program = EtherFrame.forNode(new XdpProgram(), node, incarnation, false);
    try {
      return new XdpAttachment(device, QUEUES, program, belongsInDriver(config, device));
    } catch (SystemCallException e) {
      if (e.errno() == Errno.EBUSY || e.errno() == Errno.EEXIST) {
        throw new FabricException(
            ("%s has an XDP program of another process, which is left alone: use packet, or see"
                    + " `ip link show dev %s`")
                .formatted(device.name(), device.name()),
            e);
      }
      throw e;
    }
  }

  /**
   * The driver is the fastest place, but for a veth's: that first brings each frame through a queue
   * and a soft interrupt, for a microsecond, or four when the interrupt runs on another processor
   * than the sender. Behind it, the sender's own call brings the frame to its end.
   */
  private static boolean belongsInDriver(EtherConfig config, NetworkDevice device) {
    return config.program() == EtherConfig.Program.DRIVER || !DeviceDriver.of(device).isVeth();
  }

  private void fillFirst(int count) {
    for (int chunk = 0; chunk < count; chunk++) {
      fill.put((long) chunk * chunkBytes);
    }
    fill.publish();
  }

  /** What was had of what was asked for. */
  String report() {
    return "xdp (%s, %s, queue %d%s)"
        .formatted(
            attachment.isInDriver() ? "native" : "generic",
            socket.isZeroCopy() ? "zero copy" : "copied",
            queue,
            socket.isInPieces() ? ", frames in pieces" : "");
  }

  /** Whether frames can be kept; those in pieces are copied anyway. */
  boolean canKeep() {
    return canKeep;
  }

  private int pieces(int bytes) {
    return (SHIFT + bytes + chunkBytes - 1) / chunkBytes;
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
    int pieces = pieces(bytes);
    if (next + pieces > leaving) {
      next = 0;
    }
    if (!isFree(next, pieces) || tx.room(pieces) < pieces) {
      reap();
      if (!isFree(next, pieces) || tx.room(pieces) < pieces) {
        return Nic.FULL;
      }
    }
    return (long) (arriving + next) * chunkBytes + SHIFT;
  }

  private boolean isFree(int first, int count) {
    for (int chunk = first; chunk < first + count; chunk++) {
      if (inUse[chunk]) {
        return false;
      }
    }
    return true;
  }

  private void reap() {
    while (completion.filled() > 0) {
      inUse[(int) (completion.address() / chunkBytes) - arriving] = false;
      completion.next();
    }
    completion.free();
  }

  @Override
  public void commit(int bytes) {
    long at = (long) (arriving + next) * chunkBytes + SHIFT;
    int room = chunkBytes - SHIFT;
    for (int left = bytes; left > 0; ) {
      int now = Math.min(left, room);
      left -= now;
      tx.put(at, now, left > 0);
      inUse[next++] = true;
      at += room;
      room = chunkBytes;
    }
    staged++;
    counters.add(NicCount.FRAMES_SENT);
    counters.add(NicCount.BYTES_SENT, bytes - EtherFrame.HEADER_BYTES);
  }

  /** Where frames are copied, a call takes some of them; it is repeated while it gets on. */
  @Override
  public int flush() {
    if (staged > 0) {
      tx.publish();
      staged = 0;
    }
    int pending = tx.pending();
    while (pending > 0) {
      int result = tx.needsCall() ? socket.send() : 0;
      counters.add(NicCount.CALLS_SENT);
      int left = tx.pending();
      isDown = result == -Errno.ENETDOWN || result == -Errno.ENXIO;
      if (left == pending) {
        if (isDown) {
          refused.accept(-result);
        }
        return left;
      }
      pending = left;
    }
    isDown = false;
    return 0;
  }

  /** While the interface is down, nothing is waited for. */
  @Override
  public int waiting() {
    return isDown ? 0 : staged + tx.pending();
  }

  // Receiving.

  @Override
  public int poll(Arrivals to, int budget) {
    int taken = 0;
    if (rx.filled() == 0) {
      return 0;
    }
    try {
      while (taken < budget && rx.filled() > 0) {
        long at = rx.address();
        int bytes = rx.length();
        boolean goesOn = rx.goesOn();
        rx.next();
        if (goesOn || wholeBytes > 0 || wholeIsLost) {
          taken += takePiece(to, at, bytes, goesOn);
        } else {
          taken++;
          take(to, at, bytes);
        }
      }
    } finally {
      rx.free();
      fill.publish();
    }
    if (fill.needsCall()) {
      int _ = socket.receive();
    }
    return taken;
  }

  private void take(Arrivals to, long at, int bytes) {
    int chunk = (int) (at / chunkBytes);
    long name = canKeep ? claims.name(chunk) : Nic.UNCLAIMABLE;
    try {
      to.onArrival(memory, at, bytes, name);
    } finally {
      fill.put((long) claims.retire(chunk) * chunkBytes);
    }
  }

  private int takePiece(Arrivals to, long at, int bytes, boolean goesOn) {
    if (wholeBytes + bytes > whole.byteSize()) {
      wholeIsLost = true;
    } else {
      MemorySegment.copy(memory, at, whole, wholeBytes, bytes);
      wholeBytes += bytes;
    }
    fill.put(at / chunkBytes * chunkBytes);
    if (goesOn) {
      return 0;
    }
    int length = wholeBytes;
    boolean lost = wholeIsLost;
    wholeBytes = 0;
    wholeIsLost = false;
    if (lost) {
      counters.add(NicCount.DROPPED_TRUNCATED);
      return 0;
    }
    to.onArrival(whole, 0, length, Nic.UNCLAIMABLE);
    return 1;
  }

  @Override
  public boolean hasArrived() {
    return rx.filled() > 0;
  }

  @Override
  public long takeDrops() {
    long now = socket.drops();
    long drops = now - dropsSeen;
    dropsSeen = now;
    return drops;
  }

  @Override
  public boolean claim(long name) {
    return claims.claim(name);
  }

  @Override
  public boolean isKept(long name) {
    return claims.isKept(name);
  }

  @Override
  public void release(long name) {
    claims.release(name);
  }

  @Override
  public int listen(PollSet set) {
    return set.add(socket.descriptor(), PollSet.IN);
  }

  @Override
  public void close() {
    attachment.close();
    socket.close();
    mapping.close();
  }
}
