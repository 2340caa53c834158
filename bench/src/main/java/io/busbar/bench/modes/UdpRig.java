package io.busbar.bench.modes;

import io.busbar.fabric.modes.ZeroCopySends;
import io.busbar.linux.NativeAddress;
import io.busbar.linux.NativeSocket;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Datagrams over loopback: out of the caller's memory, or copied by the kernel. The receiver takes
 * each, all but the first byte unread.
 */
final class UdpRig implements AutoCloseable {
  private static final int LOOPBACK = 0x7F00_0001;
  private static final double NS = 1e9;

  private final int bytes;
  private final NativeSocket in = NativeSocket.udp4();
  private final NativeSocket plain = NativeSocket.udp4();
  private final NativeSocket inPlace = NativeSocket.udp4();
  private final ZeroCopySends sends;
  private final Arena arena = Arena.ofShared();
  private final MemorySegment from;
  private long tried;

  UdpRig(int bytes) {
    this.bytes = bytes;
    from = arena.allocate(bytes, 4096);
    in.bind(new NativeAddress().ipv4(LOOPBACK, 0));
    plain.connect(in.localAddress());
    inPlace.connect(in.localAddress());
    sends = new ZeroCopySends(inPlace);
  }

  /** Messages a second by MSG_ZEROCOPY, each until its memory is the caller's again. */
  double inPlace(int count) {
    long start = System.nanoTime();
    for (int i = 0; i < count; i++) {
      long ticket = sends.send(from, 0, bytes);
      if (ticket < 0) {
        throw new IllegalStateException("a datagram was refused");
      }
      while (!sends.isReady(ticket)) {
        if (sends.poll() == 0) {
          take();
        }
      }
      take();
    }
    tried += count;
    return count * NS / (System.nanoTime() - start);
  }

  /** Messages a second by a plain send. */
  double plain(int count) {
    long start = System.nanoTime();
    for (int i = 0; i < count; i++) {
      if (plain.send(from, 0, bytes) != bytes) {
        throw new IllegalStateException("a datagram was refused");
      }
      take();
    }
    return count * NS / (System.nanoTime() - start);
  }

  private void take() {
    int _ = in.receive(from, 0, 1);
  }

  /** What share of the sends in place the kernel copied all the same. */
  double copiedShare() {
    return (double) sends.copied() / Math.max(1, tried);
  }

  @Override
  public void close() {
    in.close();
    plain.close();
    inPlace.close();
    arena.close();
  }
}
