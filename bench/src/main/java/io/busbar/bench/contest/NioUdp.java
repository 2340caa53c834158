package io.busbar.bench.contest;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;

/** UDP as java.nio has it: a connected channel that polls, one datagram a call. */
final class NioUdp extends InTurns {
  private final DatagramChannel channel;
  private final ByteBuffer out = ByteBuffer.allocateDirect(1 << 16);
  private final ByteBuffer in = ByteBuffer.allocateDirect(1 << 16);
  private final int frameBytesMax;

  NioUdp(String host, int frameBytesMax) {
    this.frameBytesMax = frameBytesMax;
    try {
      channel = DatagramChannel.open();
      channel.setOption(StandardSocketOptions.SO_RCVBUF, BareUdp.BUFFER_BYTES);
      channel.setOption(StandardSocketOptions.SO_SNDBUF, BareUdp.BUFFER_BYTES);
      channel.bind(new InetSocketAddress(host, 0));
      channel.configureBlocking(false);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public String address() {
    return NioTcp.text(channel.socket().getLocalSocketAddress());
  }

  @Override
  public void connect(String other) {
    try {
      channel.connect(NioTcp.parse(other));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  void send(int bytes) {
    try {
      for (int left = bytes; left > 0; ) {
        int now = Math.min(left, frameBytesMax);
        out.clear().limit(now);
        while (channel.write(out) == 0) {
          Thread.onSpinWait();
        }
        left -= now;
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private int receiveSome() {
    try {
      in.clear();
      return channel.read(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  void receive(int bytes) {
    for (int left = bytes; left > 0; ) {
      left -= receiveSome();
    }
  }

  @Override
  public void flood(int bytes, int count) {
    int frame = Math.min(bytes, frameBytesMax);
    Window window = new Window(frame);
    window.flood((long) bytes * count, frame, this::send, () -> hear(window));
  }

  private void hear(Window window) {
    if (receiveSome() == Long.BYTES) {
      window.onTold(in.getLong(0));
    } else {
      window.onSilence();
    }
  }

  @Override
  public void sink(int bytes, int count) {
    Window window = new Window(Math.min(bytes, frameBytesMax));
    long all = (long) bytes * count;
    while (!window.isTaken(all)) {
      int now = receiveSome();
      if (now > 0 && window.onTaken(now, all)) {
        out.clear().putLong(0, window.taken());
        send(Long.BYTES);
      }
    }
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
