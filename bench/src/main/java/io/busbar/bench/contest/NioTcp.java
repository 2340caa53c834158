package io.busbar.bench.contest;

import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.Channel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;

/** TCP as java.nio has it, without Nagle's delay: a channel that polls, or one that blocks. */
final class NioTcp implements Contender {
  private static final int BUFFER_BYTES = 1 << 20;

  private final boolean asks;
  private final boolean sleeps;
  private final ServerSocketChannel server;
  private @Nullable SocketChannel channel;
  private final ByteBuffer out = ByteBuffer.allocateDirect(BUFFER_BYTES);
  private final ByteBuffer in = ByteBuffer.allocateDirect(BUFFER_BYTES);

  NioTcp(String host, boolean asks, boolean sleeps) {
    this.asks = asks;
    this.sleeps = sleeps;
    server = listen(host);
  }

  static ServerSocketChannel listen(String host) {
    try {
      return ServerSocketChannel.open().bind(new InetSocketAddress(host, 0));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** One end of a connection, without Nagle's delay. */
  static SocketChannel join(boolean asks, ServerSocketChannel server, String other)
      throws IOException {
    SocketChannel open = asks ? SocketChannel.open(parse(other)) : server.accept();
    open.setOption(StandardSocketOptions.TCP_NODELAY, true);
    return open;
  }

  static void close(@Nullable Channel... channels) {
    try {
      for (Channel channel : channels) {
        if (channel != null) {
          channel.close();
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static String text(SocketAddress address) {
    InetSocketAddress inet = (InetSocketAddress) address;
    return inet.getAddress().getHostAddress() + ":" + inet.getPort();
  }

  static InetSocketAddress parse(String text) {
    String[] parts = text.split(":", -1);
    return new InetSocketAddress(parts[0], Integer.parseInt(parts[1]));
  }

  @Override
  public String address() {
    return text(server.socket().getLocalSocketAddress());
  }

  @Override
  public void connect(String other) {
    try {
      SocketChannel open = join(asks, server, other);
      open.configureBlocking(sleeps);
      channel = open;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private SocketChannel channel() {
    SocketChannel open = channel;
    if (open == null) {
      throw new IllegalStateException("not connected");
    }
    return open;
  }

  private void write(SocketChannel to, int bytes) throws IOException {
    out.clear().limit(bytes);
    while (out.hasRemaining()) {
      if (to.write(out) == 0) {
        Thread.onSpinWait();
      }
    }
  }

  private void read(SocketChannel from, long bytes) throws IOException {
    for (long left = bytes; left > 0; ) {
      in.clear().limit((int) Math.min(left, BUFFER_BYTES));
      int now = from.read(in);
      if (now < 0) {
        throw new EOFException("the other end has closed");
      }
      left -= now;
    }
  }

  @Override
  public void ask(int bytes, int count, long[] roundTripsNs) {
    SocketChannel open = channel();
    try {
      for (int i = 0; i < count; i++) {
        long start = System.nanoTime();
        write(open, bytes);
        read(open, bytes);
        roundTripsNs[i] = System.nanoTime() - start;
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void answer(int bytes, int count) {
    SocketChannel open = channel();
    try {
      for (int i = 0; i < count; i++) {
        read(open, bytes);
        write(open, bytes);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void flood(int bytes, int count) {
    SocketChannel open = channel();
    try {
      for (int i = 0; i < count; i++) {
        write(open, bytes);
      }
      read(open, 1);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void sink(int bytes, int count) {
    SocketChannel open = channel();
    try {
      read(open, (long) bytes * count);
      write(open, 1);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    close(server, channel);
  }
}
