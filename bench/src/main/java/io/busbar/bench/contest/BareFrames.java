package io.busbar.bench.contest;

import io.busbar.linux.HardwareAddress;
import io.busbar.linux.NetworkDevice;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * Raw Ethernet with next to nothing over it: frames of an EtherType beside Busbar's, so that both
 * can be on one interface, with a header that is written once. What kind of socket they go through
 * is for those who extend this.
 */
abstract class BareFrames extends InTurns {
  /** IEEE's second EtherType for local experiments. */
  static final int TYPE = 0x88B6;

  static final int HEAD = 14;

  private static final ValueLayout.OfShort NET_SHORT =
      ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;

  /** Frames that are handed over with one call. */
  private static final int AT_ONCE = 32;

  final NetworkDevice device;
  private final long self;
  private final int frameMax;
  private long heard;
  private long arrived;

  BareFrames(String name) {
    device = NetworkDevice.of(name);
    self = device.hardwareAddress();
    frameMax = device.mtu();
  }

  /** Places a frame of so many bytes behind its header; it leaves with {@link #flush}. */
  abstract void place(int bytes);

  /** Places a frame that holds a number. */
  abstract void placeNumber(long number);

  abstract void flush();

  /** Takes one frame, if there is one, by {@link #onFrame}; whether there was. */
  abstract boolean take();

  /** The other end is known: headers can be written. */
  abstract void onPeer(long hardware);

  final void onFrame(MemorySegment memory, long at, int bytes) {
    arrived += bytes - HEAD;
    if (bytes - HEAD == Long.BYTES) {
      heard = memory.get(LONG, at + HEAD);
    }
  }

  final void writeHead(MemorySegment memory, long at, long peer) {
    HardwareAddress.write(peer, memory, at);
    HardwareAddress.write(self, memory, at + 6);
    memory.set(NET_SHORT, at + 12, (short) TYPE);
  }

  static void writeNumber(MemorySegment memory, long at, long number) {
    memory.set(LONG, at + HEAD, number);
  }

  @Override
  public String address() {
    return HardwareAddress.text(self);
  }

  @Override
  public void connect(String other) {
    onPeer(Long.parseLong(other.replace(":", ""), 16));
  }

  @Override
  void send(int bytes) {
    for (int left = bytes; left > 0; left -= Math.min(left, frameMax)) {
      place(Math.min(left, frameMax));
    }
    flush();
  }

  @Override
  void receive(int bytes) {
    for (long until = arrived + bytes; arrived < until; ) {
      if (!take()) {
        Thread.onSpinWait();
      }
    }
  }

  @Override
  public void flood(int bytes, int count) {
    int frame = Math.min(bytes, frameMax);
    Window window = new Window(frame);
    window.flood((long) bytes * count, AT_ONCE * frame, this::send, () -> hear(window));
  }

  private void hear(Window window) {
    if (take()) {
      window.onTold(heard);
    } else {
      window.onSilence();
    }
  }

  @Override
  public void sink(int bytes, int count) {
    Window window = new Window(Math.min(bytes, frameMax));
    long all = (long) bytes * count;
    while (!window.isTaken(all)) {
      long before = arrived;
      if (take() && window.onTaken(arrived - before, all)) {
        placeNumber(window.taken());
        flush();
      }
    }
  }
}
