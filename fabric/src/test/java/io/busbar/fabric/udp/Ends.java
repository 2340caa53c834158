package io.busbar.fabric.udp;

import java.util.function.UnaryOperator;

/** Two interfaces on the loopback that know each other. */
final class Ends implements AutoCloseable {
  static final UdpAddress LOOPBACK4 = UdpAddress.parse("127.0.0.1:0");
  static final UdpAddress LOOPBACK6 = UdpAddress.parse("[::1]:0");

  final Recorder events = new Recorder();
  final Inbox inbox = new Inbox();
  final UdpNic left;
  final UdpNic right;
  final int toRight;
  final int toLeft;

  Ends() {
    this(config().build(), config().build());
  }

  Ends(UdpConfig leftConfig, UdpConfig rightConfig) {
    this(leftConfig, rightConfig, UnaryOperator.identity());
  }

  /** With something between the left one's doorbell and the kernel. */
  Ends(UdpConfig leftConfig, UdpConfig rightConfig, UnaryOperator<Outlet> over) {
    left = new UdpNic(leftConfig, events, over);
    right = new UdpNic(rightConfig, new Recorder());
    toRight = left.open(right.address());
    toLeft = right.open(left.address());
  }

  static UdpConfig.Builder config() {
    return UdpConfig.builder().bind(LOOPBACK4).buffers(1 << 20, 1 << 20).inPlaceBytesMin(256);
  }

  static UdpConfig.Builder config6() {
    return config().bind(LOOPBACK6);
  }

  @Override
  public void close() {
    left.close();
    right.close();
  }
}
