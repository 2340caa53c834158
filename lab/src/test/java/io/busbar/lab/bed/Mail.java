package io.busbar.lab.bed;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;

/** A plain UDP socket of a host, used from the test's thread. */
final class Mail implements AutoCloseable {
  private static final int LIMIT_MS = 10_000;

  private final DatagramSocket socket;

  private Mail(DatagramSocket socket) {
    this.socket = socket;
  }

  /** Bound to every address of the host. */
  static Mail of(TestHost host) throws Exception {
    return new Mail(host.call(() -> new DatagramSocket()));
  }

  DatagramSocket socket() {
    return socket;
  }

  int port() {
    return socket.getLocalPort();
  }

  void send(byte[] bytes, InetAddress to, int port) throws IOException {
    socket.send(new DatagramPacket(bytes, bytes.length, new InetSocketAddress(to, port)));
  }

  /** Sends a word there, and sees it arrive at the other, with the sender's address. */
  InetAddress reaches(Mail other, InetAddress to) throws IOException {
    byte[] word = ("to " + to).getBytes(StandardCharsets.UTF_8);
    send(word, to, other.port());
    DatagramPacket packet = new DatagramPacket(new byte[200], 200);
    other.socket.setSoTimeout(LIMIT_MS);
    other.socket.receive(packet);
    assertThat(packet.getData()).startsWith(word);
    assertThat(packet.getLength()).isEqualTo(word.length);
    assertThat(packet.getPort()).isEqualTo(port());
    return packet.getAddress();
  }

  /** How many datagrams come, at most so many, until the line is quiet for so long. */
  int count(int max, int quietMs) throws IOException {
    DatagramPacket packet = new DatagramPacket(new byte[10_000], 10_000);
    socket.setSoTimeout(quietMs);
    int count = 0;
    try {
      while (count < max) {
        socket.receive(packet);
        count++;
      }
    } catch (SocketTimeoutException e) {
      // quiet
    }
    return count;
  }

  @Override
  public void close() {
    socket.close();
  }
}
