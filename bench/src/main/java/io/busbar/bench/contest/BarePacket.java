package io.busbar.bench.contest;

import io.busbar.linux.Errno;
import io.busbar.linux.NativeAddress;
import io.busbar.linux.NativeSocket;
import io.busbar.linux.SendBatch;
import io.busbar.linux.SocketBuffers;
import io.busbar.linux.SocketOption;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** A packet socket: one call for a frame alone, or for many that leave together; one to receive. */
final class BarePacket extends BareFrames {
  private static final int BATCH = 64;

  private final NativeSocket socket = NativeSocket.packet();
  private final MemorySegment out = Arena.ofAuto().allocate(1 << 17, 4096);
  private final MemorySegment number = Arena.ofAuto().allocate(64, 64);
  private final MemorySegment in = Arena.ofAuto().allocate(1 << 17, 4096);
  private final SendBatch batch = new SendBatch(BATCH, 1);
  private int lone;

  BarePacket(String device) {
    super(device);
    int _ = SocketBuffers.receive(socket, BareUdp.BUFFER_BYTES);
    int _ = SocketBuffers.send(socket, BareUdp.BUFFER_BYTES);
    socket.set(SocketOption.PACKET_IGNORE_OUTGOING, 1);
    socket.bind(new NativeAddress().packet(this.device.index(), TYPE, 0));
  }

  @Override
  void onPeer(long hardware) {
    writeHead(out, 0, hardware);
    writeHead(number, 0, hardware);
  }

  @Override
  void place(int bytes) {
    if (batch.isFull()) {
      flush();
    }
    batch.message().part(out, 0, HEAD + bytes);
    lone = bytes;
  }

  @Override
  void placeNumber(long value) {
    writeNumber(number, 0, value);
    batch.message().part(number, 0, HEAD + Long.BYTES);
    lone = 0;
  }

  @Override
  void flush() {
    if (batch.count() == 1 && lone > 0) {
      check(socket.send(out, 0, HEAD + lone));
    } else {
      while (batch.remaining() > 0) {
        check(batch.send(socket));
      }
    }
    batch.clear();
  }

  private static void check(int result) {
    if (result < 0 && result != -Errno.ENOBUFS && result != -Errno.EAGAIN) {
      throw new IllegalStateException("send: " + Errno.name(-result));
    }
  }

  @Override
  boolean take() {
    int bytes = socket.receive(in, 0, 1 << 17);
    if (bytes <= 0) {
      return false;
    }
    onFrame(in, 0, bytes);
    return true;
  }

  @Override
  public void close() {
    socket.close();
  }
}
