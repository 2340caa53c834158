package io.busbar.bench.path;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.util.concurrent.locks.LockSupport;

/** UDP as java.nio has it: a connected channel. One that sleeps waits in its read. */
final class NioEnd implements End {
  private final DatagramChannel channel = DatagramChannel.open();
  private final boolean sleeps;
  private final ByteBuffer out = ByteBuffer.allocateDirect(1);
  private final ByteBuffer in = ByteBuffer.allocateDirect(64);

  NioEnd(String host, boolean sleeps) throws IOException {
    this.sleeps = sleeps;
    var _ = channel.bind(new InetSocketAddress(host, 0));
    var _ = channel.configureBlocking(sleeps);
  }

  @Override
  public String address() throws IOException {
    InetSocketAddress here = (InetSocketAddress) channel.getLocalAddress();
    return here.getAddress().getHostAddress() + ":" + here.getPort();
  }

  @Override
  public void connect(String other) throws IOException {
    int colon = other.lastIndexOf(':');
    InetAddress host = InetAddress.getByName(other.substring(0, colon));
    int port = Integer.parseInt(other.substring(colon + 1));
    var _ = channel.connect(new InetSocketAddress(host, port));
  }

  private void send(Stamps stamps) throws IOException {
    stamps.called();
    out.clear();
    while (channel.write(out) == 0) {
      Thread.onSpinWait();
    }
  }

  private void receive(Stamps stamps) throws IOException {
    in.clear();
    while (channel.read(in) == 0) {
      Thread.onSpinWait();
    }
    stamps.handled();
  }

  @Override
  public void ask(Stamps stamps, long[] roundTripsNs, long pauseNs) throws IOException {
    for (int i = 0; i < roundTripsNs.length; i++) {
      if (pauseNs > 0) {
        LockSupport.parkNanos(pauseNs);
      }
      stamps.next();
      long start = System.nanoTime();
      send(stamps);
      receive(stamps);
      roundTripsNs[i] = System.nanoTime() - start;
      stamps.done();
    }
  }

  @Override
  public void answer(Stamps stamps, int count) throws IOException {
    for (int i = 0; i < count; i++) {
      stamps.next();
      receive(stamps);
      send(stamps);
    }
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }

  @Override
  public String toString() {
    return "java.nio" + (sleeps ? ", sleeps" : "");
  }
}
