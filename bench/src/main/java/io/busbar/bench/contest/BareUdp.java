package io.busbar.bench.contest;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.busbar.linux.Errno;
import io.busbar.linux.NativeAddress;
import io.busbar.linux.NativeSocket;
import io.busbar.linux.SendBatch;
import io.busbar.linux.SocketBuffers;
import io.busbar.linux.SocketOption;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * The floor of UDP: a connected socket, one send and one receive call for a message; for bulk one
 * segmented send (UDP_SEGMENT) and a receive that takes what the kernel joined (UDP_GRO).
 */
final class BareUdp extends InTurns {
  static final int BUFFER_BYTES = 4 << 20;
  static final int CALL_BYTES_MAX = 65_000;
  static final int SEGMENTS_MAX = 64;

  private final NativeSocket socket = NativeSocket.udp4();
  private final MemorySegment out = Arena.ofAuto().allocate(1 << 16, 4096);
  private final MemorySegment in = Arena.ofAuto().allocate(1 << 16, 4096);
  private final SendBatch batch = new SendBatch(1, 1);
  private final int frameBytesMax;

  BareUdp(int ip, int frameBytesMax) {
    this.frameBytesMax = frameBytesMax;
    int _ = SocketBuffers.receive(socket, BUFFER_BYTES);
    int _ = SocketBuffers.send(socket, BUFFER_BYTES);
    socket.bind(new NativeAddress().ipv4(ip, 0));
  }

  @Override
  public String address() {
    NativeAddress local = socket.localAddress();
    return local.ipv4() + ":" + local.port();
  }

  @Override
  public void connect(String other) {
    String[] parts = other.split(":", -1);
    socket.connect(
        new NativeAddress().ipv4(Integer.parseInt(parts[0]), Integer.parseInt(parts[1])));
  }

  @Override
  void send(int bytes) {
    if (bytes <= frameBytesMax) {
      check(socket.send(out, 0, bytes));
    } else {
      sendSegments(bytes, frameBytesMax);
    }
  }

  private void sendSegments(int bytes, int segment) {
    for (int left = bytes; left > 0; ) {
      int now = Math.min(left, CALL_BYTES_MAX / segment * segment);
      batch.clear();
      batch.message().part(out, 0, now).segmentBytes(segment);
      check(batch.send(socket));
      left -= now;
    }
  }

  private static void check(int result) {
    if (result < 0) {
      throw new IllegalStateException("send: " + Errno.name(-result));
    }
  }

  @Override
  void receive(int bytes) {
    for (int left = bytes; left > 0; ) {
      left -= Math.max(0, socket.receive(in, 0, 1 << 16));
    }
  }

  @Override
  public void ask(int bytes, int count, long[] roundTripsNs) {
    socket.set(SocketOption.UDP_GRO, bytes > frameBytesMax ? 1 : 0);
    super.ask(bytes, count, roundTripsNs);
  }

  @Override
  public void answer(int bytes, int count) {
    socket.set(SocketOption.UDP_GRO, bytes > frameBytesMax ? 1 : 0);
    super.answer(bytes, count);
  }

  @Override
  public void flood(int bytes, int count) {
    int segment = Math.min(bytes, frameBytesMax);
    int perCall = Math.min(SEGMENTS_MAX, CALL_BYTES_MAX / segment) * segment;
    Window window = new Window(segment);
    long all = (long) bytes * count;
    window.flood(all, perCall, now -> sendSegments(now, segment), () -> hear(window));
  }

  private void hear(Window window) {
    if (socket.receive(in, 0, Long.BYTES) == Long.BYTES) {
      window.onTold(in.get(JAVA_LONG, 0));
    } else {
      window.onSilence();
    }
  }

  @Override
  public void sink(int bytes, int count) {
    socket.set(SocketOption.UDP_GRO, 1);
    Window window = new Window(Math.min(bytes, frameBytesMax));
    long all = (long) bytes * count;
    while (!window.isTaken(all)) {
      int now = socket.receive(in, 0, 1 << 16);
      if (now > 0 && window.onTaken(now, all)) {
        out.set(JAVA_LONG, 0, window.taken());
        check(socket.send(out, 0, Long.BYTES));
      }
    }
  }

  @Override
  public void close() {
    socket.close();
  }
}
