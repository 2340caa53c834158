package io.busbar.bench.crowd;

import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * TCP as java.nio has it: who sends has a channel that blocks, and who takes has a selector. The
 * first byte of a message says what it is.
 */
final class TcpEnd implements End {
  private static final int BUFFER_BYTES = 1 << 20;
  private static final byte QUESTION = 1;
  private static final byte FAREWELL = 2;
  private static final byte TAKE = 3;

  private final int rank;
  private final int size;
  private final ServerSocketChannel server;
  private final ByteBuffer out = ByteBuffer.allocateDirect(BUFFER_BYTES);
  private final ByteBuffer in = ByteBuffer.allocateDirect(BUFFER_BYTES);
  private final List<SocketChannel> channels = new ArrayList<>();
  private @Nullable Selector selector;

  TcpEnd(int rank, int size, String host) throws IOException {
    this.rank = rank;
    this.size = size;
    server = ServerSocketChannel.open().bind(new InetSocketAddress(host, 0), size);
  }

  private boolean takes() {
    return rank == size - 1;
  }

  @Override
  public String address() {
    InetSocketAddress at = (InetSocketAddress) server.socket().getLocalSocketAddress();
    return at.getAddress().getHostAddress() + ":" + at.getPort();
  }

  @Override
  public void connect(String[] all) throws IOException {
    if (takes()) {
      Selector open = Selector.open();
      selector = open;
      for (int i = 0; i < size - 1; i++) {
        SocketChannel channel = add(server.accept());
        channel.configureBlocking(false);
        channel.register(open, SelectionKey.OP_READ, new Stream(channel, i));
      }
    } else {
      String[] at = all[size - 1].split(":", -1);
      add(SocketChannel.open(new InetSocketAddress(at[0], Integer.parseInt(at[1]))));
    }
  }

  private SocketChannel add(SocketChannel channel) throws IOException {
    channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    channels.add(channel);
    return channel;
  }

  private void write(SocketChannel to, byte kind, int bytes) throws IOException {
    out.clear().limit(bytes).put(0, kind);
    while (out.hasRemaining()) {
      int _ = to.write(out);
    }
  }

  private void read(SocketChannel from, int bytes) throws IOException {
    in.clear().limit(bytes);
    while (in.hasRemaining()) {
      if (from.read(in) < 0) {
        throw new EOFException("the other end has closed");
      }
    }
  }

  @Override
  public int ask(int bytes, long forNs, long[] roundTripsNs) throws IOException {
    SocketChannel to = channels.getFirst();
    long beganNs = System.nanoTime();
    int noted = 0;
    while (noted < roundTripsNs.length && System.nanoTime() - beganNs < forNs) {
      long startNs = System.nanoTime();
      write(to, QUESTION, bytes);
      read(to, bytes);
      roundTripsNs[noted++] = System.nanoTime() - startNs;
    }
    write(to, FAREWELL, 1);
    read(to, 1);
    return noted;
  }

  @Override
  public void flood(int bytes, int count) throws IOException {
    SocketChannel to = channels.getFirst();
    for (int i = 0; i < count; i++) {
      write(to, TAKE, bytes);
    }
    read(to, 1);
  }

  /** What comes from one of those who send, cut into messages. */
  private final class Stream {
    private final SocketChannel channel;
    private final int number;
    private long left;
    private byte kind;

    Stream(SocketChannel channel, int number) {
      this.channel = channel;
      this.number = number;
    }

    /** Reads what is there; counts in what it completes. */
    void read(int askedBytes, int bytes, Tally tally) throws IOException {
      in.clear();
      if (channel.read(in) < 0) {
        throw new EOFException("the other end has closed");
      }
      in.flip();
      while (in.hasRemaining()) {
        if (left == 0) {
          kind = in.get(in.position());
          left = kind == TAKE ? bytes : kind == QUESTION ? askedBytes : 1;
        }
        int now = (int) Math.min(left, in.remaining());
        in.position(in.position() + now);
        left -= now;
        if (left > 0) {
          continue;
        }
        switch (kind) {
          case TAKE -> tally.onMessage(number);
          case QUESTION -> write(channel, QUESTION, askedBytes);
          default -> tally.onFarewell();
        }
      }
    }
  }

  @Override
  public void take(int askedBytes, int bytes, Tally tally) throws IOException {
    Selector ready = selector;
    if (ready == null) {
      throw new IllegalStateException("not connected");
    }
    while (!tally.isComplete()) {
      int _ =
          ready.select(
              key -> {
                try {
                  ((Stream) key.attachment()).read(askedBytes, bytes, tally);
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              });
    }
    for (SocketChannel channel : channels) {
      write(channel, TAKE, 1);
    }
  }

  @Override
  public void close() {
    try {
      for (SocketChannel channel : channels) {
        channel.close();
      }
      if (selector != null) {
        selector.close();
      }
      server.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
