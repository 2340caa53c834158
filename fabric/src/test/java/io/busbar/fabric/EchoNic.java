package io.busbar.fabric;

import io.busbar.linux.PollSet;
import io.busbar.memory.Role;
import io.busbar.wire.FrameBuilder;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.EnumSet;
import java.util.Set;

/**
 * What is sent to a peer of this interface comes back from that peer, in order, from a ring of
 * native memory. Enough of an interface to put decorators on; carriers keep the whole contract.
 */
final class EchoNic implements Nic {
  /** A place with a number. */
  record Place(int number) implements NicAddress {
    @Override
    public String text() {
      return "echo:" + number;
    }
  }

  static final int RING_FRAMES = 8;
  static final int FRAME_BYTES_MAX = 256;

  /** Peers below this number are open; frames from others come from strangers. */
  static final int PEERS = 4;

  final NicEvents events;

  /** What it would say of a peer that is gone; -1 when all live. */
  int gone = -1;

  boolean closed;
  int claims;
  private final NicCounters counters = new NicCounters();
  private final MemorySegment ring =
      Arena.ofAuto().allocate((RING_FRAMES + 1L) * FRAME_BYTES_MAX, Long.BYTES);
  private final int[] peers = new int[RING_FRAMES];
  private final int[] lengths = new int[RING_FRAMES];
  private long head;
  private long tail;
  private int reservedFor;

  EchoNic(NicEvents events) {
    this.events = events;
  }

  private long slot(long position) {
    return position % RING_FRAMES * FRAME_BYTES_MAX;
  }

  private long place(int peer, int length) {
    if (peer == gone) {
      return GONE;
    }
    if (length > FRAME_BYTES_MAX) {
      return TOO_LONG;
    }
    if (tail - head == RING_FRAMES) {
      return FULL;
    }
    peers[(int) (tail % RING_FRAMES)] = peer;
    lengths[(int) (tail % RING_FRAMES)] = length;
    return slot(tail);
  }

  @Override
  public String fabric() {
    return "echo";
  }

  @Override
  public NicAddress address() {
    return new Place(0);
  }

  @Override
  public Set<NicCapability> capabilities() {
    return EnumSet.of(NicCapability.RELIABLE, NicCapability.CLAIMS, NicCapability.BROADCAST);
  }

  @Override
  public NicCounters counters() {
    return counters;
  }

  @Override
  public int open(NicAddress peer) {
    return ((Place) peer).number();
  }

  @Override
  public NicAddress address(int peer) {
    return new Place(peer);
  }

  @Override
  public void close(int peer) {
    gone = peer;
  }

  @Override
  public int frameBytesMax(int peer) {
    return FRAME_BYTES_MAX;
  }

  @Override
  public MemorySegment transmitMemory() {
    return ring;
  }

  @Override
  public long reserve(int peer, int length) {
    reservedFor = peer;
    return place(peer, length);
  }

  @Override
  public void commit(int length) {
    place(reservedFor, length);
    tail++;
  }

  @Override
  public void abandon() {}

  @Override
  public long transmit(int peer, MemorySegment from, long offset, int length) {
    long at = place(peer, length);
    if (at < 0) {
      return at;
    }
    MemorySegment.copy(from, offset, ring, at, length);
    tail++;
    return DONE;
  }

  @Override
  public long transmit(int peer, FrameBuilder frame) {
    long at = place(peer, frame.frameBytes());
    if (at < 0) {
      return at;
    }
    frame.copyTo(ring, at);
    tail++;
    return DONE;
  }

  @Override
  public long transfer(int peer, long handle, Role from, int length) {
    return peer == gone ? GONE : DONE;
  }

  @Override
  public boolean isComplete(long ticket) {
    return true;
  }

  @Override
  public int flush() {
    return 0;
  }

  @Override
  public void register(MemorySegment memory) {}

  @Override
  public void deregister(MemorySegment memory) {}

  /** The borrowed bytes lie in a place that is overwritten by the next delivery. */
  @Override
  public int poll(FrameReceiver receiver, int budget) {
    if (closed) {
      throw new IllegalStateException("closed");
    }
    int count = 0;
    while (count < budget && head < tail) {
      int length = lengths[(int) (head % RING_FRAMES)];
      int peer = peers[(int) (head % RING_FRAMES)];
      long borrowed = (long) RING_FRAMES * FRAME_BYTES_MAX;
      MemorySegment.copy(ring, slot(head), ring, borrowed, length);
      head++;
      count++;
      counters.add(NicCount.FRAMES_RECEIVED);
      receiver.onFrame(peer < PEERS ? peer : STRANGER, ring, borrowed, length, head);
    }
    return count;
  }

  @Override
  public NicAddress source() {
    return new Place(peers[(int) ((head - 1) % RING_FRAMES)]);
  }

  @Override
  public boolean claim(long frame) {
    claims++;
    return frame == head;
  }

  @Override
  public void release(long frame) {
    claims--;
  }

  @Override
  public void listen(PollSet set) {}

  @Override
  public boolean arm() {
    return head == tail;
  }

  @Override
  public void disarm() {}

  @Override
  public void close() {
    closed = true;
  }
}
