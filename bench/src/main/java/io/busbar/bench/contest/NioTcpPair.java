package io.busbar.bench.contest;

import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;

/**
 * Two connections as java.nio has them, one for short messages and one for long ones, as a program
 * has them that does not want the short ones to wait for the long ones. One thread serves both, and
 * polls.
 */
final class NioTcpPair implements Contender {
  private static final int BUFFER_BYTES = 1 << 20;

  private final boolean asks;
  private final ServerSocketChannel server;
  private final ByteBuffer small = ByteBuffer.allocateDirect(BUFFER_BYTES);
  private final ByteBuffer large = ByteBuffer.allocateDirect(BUFFER_BYTES);
  private @Nullable SocketChannel first;
  private @Nullable SocketChannel second;

  NioTcpPair(String host, boolean asks) {
    this.asks = asks;
    server = NioTcp.listen(host);
  }

  @Override
  public String address() {
    return NioTcp.text(server.socket().getLocalSocketAddress());
  }

  @Override
  public void connect(String other) {
    try {
      first = join(other);
      second = join(other);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private SocketChannel join(String other) throws IOException {
    SocketChannel open = NioTcp.join(asks, server, other);
    open.configureBlocking(false);
    return open;
  }

  private static SocketChannel open(@Nullable SocketChannel channel) {
    if (channel == null) {
      throw new IllegalStateException("not connected");
    }
    return channel;
  }

  /** Reads what is there, up to the buffer's limit; the bytes of this call. */
  private static int read(SocketChannel from, ByteBuffer into) throws IOException {
    int now = from.read(into);
    if (now < 0) {
      throw new EOFException("the other end has closed");
    }
    return now;
  }

  private void writeSmall(int bytes) throws IOException {
    small.clear().limit(bytes);
    while (small.hasRemaining()) {
      int _ = open(first).write(small);
    }
    small.clear();
  }

  @Override
  public void mix(Mix mix, long[] latenciesNs) {
    try {
      Mix.Agenda agenda = mix.new Agenda(latenciesNs);
      small.clear().limit(mix.bytes());
      large.clear().limit(0);
      while (!agenda.isOver()) {
        if (large.hasRemaining()) {
          int _ = open(second).write(large);
          if (!large.hasRemaining()) {
            agenda.bulkSent();
          }
        } else if (agenda.wantsBulk()) {
          large.clear().limit(mix.bulkBytes());
        }
        if (agenda.wantsQuestion()) {
          agenda.asked();
          writeSmall(mix.bytes());
          small.limit(mix.bytes());
        }
        if (agenda.waits() && read(open(first), small) > 0 && !small.hasRemaining()) {
          agenda.answered();
        }
      }
      readFully(open(first), 1);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void readFully(SocketChannel from, int bytes) throws IOException {
    small.clear().limit(bytes);
    while (small.hasRemaining()) {
      int _ = read(from, small);
    }
  }

  @Override
  public void takeMix(Mix mix) {
    try {
      long bulkLeft = (long) mix.bulks() * mix.bulkBytes();
      int answered = 0;
      small.clear().limit(mix.bytes());
      while (answered < mix.count() || bulkLeft > 0) {
        if (bulkLeft > 0) {
          large.clear().limit((int) Math.min(bulkLeft, BUFFER_BYTES));
          bulkLeft -= read(open(second), large);
        }
        if (answered < mix.count() && read(open(first), small) > 0 && !small.hasRemaining()) {
          answered++;
          writeSmall(mix.bytes());
          small.limit(mix.bytes());
        }
      }
      writeSmall(1);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    NioTcp.close(server, first, second);
  }
}
