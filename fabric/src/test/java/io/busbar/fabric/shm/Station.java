package io.busbar.fabric.shm;

import io.busbar.fabric.FrameReceiver;
import io.busbar.fabric.Nic;
import io.busbar.fabric.NicCount;
import io.busbar.fabric.NicEvents;
import io.busbar.memory.PoolLayout;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/** An interface, what it heard and what it was told. */
final class Station implements AutoCloseable, FrameReceiver, NicEvents {
  static final int BLOCK = 4096;
  static final int BLOCKS = 2 * PoolLayout.ZONE_BLOCKS;
  static final int INLINE_MAX = 1000;
  static final int ACROSS_MIN = 16 << 10;

  private static final long WAIT_NS = 10_000_000_000L;

  /** A frame that came: its number is -1 when its bytes are not those that were sent. */
  record Heard(int peer, long number, int length, long frame) {}

  final ShmNic nic;
  final List<Heard> heard = new ArrayList<>();
  final List<String> told = new ArrayList<>();
  boolean claiming;
  private boolean closed;

  Station(ShmConfig config) {
    nic = new ShmNic(config, this);
  }

  Station(Folder folder) {
    this(config(folder));
  }

  static ShmConfig config(Folder folder) {
    return config(folder.path);
  }

  /** A pool of 64 blocks and rings of 64 units, so that everything is full soon. */
  static ShmConfig config(Path folder) {
    return new ShmConfig(
        folder.toString(), 0, new PoolLayout(2, BLOCK), 4096, INLINE_MAX, ACROSS_MIN, 16, false);
  }

  int open(Station other) {
    return nic.open(other.nic.address());
  }

  /** Writes a letter in place. */
  long send(int peer, long number, int length) {
    long at = nic.reserve(peer, length);
    if (at < 0) {
      return at;
    }
    Letter.write(nic.transmitMemory(), at, length, number);
    nic.commit(length);
    return Nic.DONE;
  }

  int poll() {
    if (closed) {
      return 0;
    }
    int frames = nic.poll(this, 1000);
    frames += frames == 1 ? nic.poll(this, 1000) : 0; // one that ends a silence comes alone
    nic.flush();
    return frames;
  }

  long count(NicCount count) {
    return nic.counters().get(count);
  }

  boolean restsWithAllBlocksFree() {
    return closed || nic.pool().freeBlocks() == BLOCKS;
  }

  /** Whether a number names somebody. */
  boolean knows(int peer) {
    try {
      return nic.address(peer) != null;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  /** The numbers of the frames that came from a peer. */
  List<Long> numbersFrom(int peer) {
    return heard.stream().filter(one -> one.peer == peer).map(Heard::number).toList();
  }

  List<Long> numbers() {
    return heard.stream().map(Heard::number).toList();
  }

  /** Waits for a condition, while the stations are polled. */
  static void await(String what, BooleanSupplier condition, Station... polled) {
    long end = System.nanoTime() + WAIT_NS;
    Patience patience = new Patience();
    while (!condition.getAsBoolean()) {
      for (Station station : polled) {
        station.poll();
      }
      if (System.nanoTime() - end > 0) {
        StringBuilder state = new StringBuilder();
        for (Station station : polled) {
          state.append(station.told).append(station.nic.counters());
        }
        throw new AssertionError("waited in vain: " + what + "; " + state);
      }
      patience.pause();
    }
  }

  @Override
  public void onFrame(int peer, MemorySegment memory, long offset, int length, long frame) {
    boolean kept = claiming && nic.claim(frame);
    long number = Letter.read(memory, offset, length);
    heard.add(new Heard(peer, number, length, kept ? frame : Nic.UNCLAIMABLE));
  }

  @Override
  public void onPeer(int peer) {
    told.add("peer " + peer);
  }

  @Override
  public void onPeerGone(int peer, String why) {
    told.add("gone " + peer + ": " + why);
  }

  @Override
  public void onWarning(String what) {
    told.add("warning: " + what);
  }

  @Override
  public void close() {
    closed = true;
    nic.close();
  }
}
