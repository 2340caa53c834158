package io.busbar.bench.contest;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.TimeUnit;

/** TCP ports for peers that want to be told which one to take. */
final class Ports {
  private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(20);
  private static final long LOOK_MS = 20;
  private static final int CONNECT_MS = 1000;

  private Ports() {}

  /** One that nobody had a moment ago. */
  static int free(String host) {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByName(host))) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns when somebody listens there. */
  static void await(InetSocketAddress at) throws InterruptedException {
    long sinceNs = System.nanoTime();
    while (!isOpen(at)) {
      if (System.nanoTime() - sinceNs > PATIENCE_NS) {
        throw new IllegalStateException("nobody listens at " + at);
      }
      Thread.sleep(LOOK_MS);
    }
  }

  private static boolean isOpen(InetSocketAddress at) {
    try (Socket socket = new Socket()) {
      socket.connect(at, CONNECT_MS);
      return true;
    } catch (IOException e) {
      return false;
    }
  }
}
