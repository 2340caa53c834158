package io.busbar.fabric.udp;

import io.busbar.linux.NativeSocket;
import io.busbar.linux.SendBatch;
import io.busbar.linux.SocketBuffers;
import io.busbar.linux.SocketOption;
import io.busbar.linux.SystemCallException;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * A connected socket that only sends, with this interface's address and port as the source: the
 * kernel keeps the route to the peer instead of looking for it with every frame, which is a tenth
 * of a round trip.
 *
 * <p>Two sockets of one port would share what arrives. This one is bound to a group that nobody
 * uses: it takes no part of what arrives, and the kernel fills in the route's own address as the
 * source. So it is opened only where that is the interface's address, and by a thread that is in
 * the interface's network namespace. Whatever goes wrong here is tried again on the interface's own
 * socket, which knows what to do about it.
 */
final class Shortcut implements AutoCloseable {
  /** The base of the groups, reserved: RFC 5771. */
  private static final int NO_GROUP4 = 0xE000_0000;

  /** No group of global scope: RFC 4291. */
  private static final long NO_GROUP6 = 0xFF0E_0000_0000_0000L;

  private final NativeSocket socket;

  private Shortcut(NativeSocket socket) {
    this.socket = socket;
  }

  /** A shortcut, or null where none can be had. */
  static @Nullable Shortcut open(OwnSocket from, UdpAddress peer, int sendBufferBytes) {
    UdpAddress own = from.address;
    NativeSocket socket = null;
    try {
      socket = own.isIpv4() ? NativeSocket.udp4() : NativeSocket.udp6();
      if (socket.namespaceCookie() != from.socket.namespaceCookie() || !isRoutedFrom(own, peer)) {
        return null;
      }
      socket.set(SocketOption.SO_REUSEADDR, 1);
      OwnSocket.neverFragment(socket, own.isIpv4());
      SocketBuffers.send(socket, sendBufferBytes);
      UdpAddress nobody =
          own.isIpv4()
              ? UdpAddress.ipv4(NO_GROUP4, own.port())
              : UdpAddress.ipv6(NO_GROUP6, 0, own.port(), 0);
      socket.bind(nobody.toNative());
      socket.connect(peer.toNative());
      Shortcut made = new Shortcut(socket);
      socket = null;
      return made;
    } catch (SystemCallException e) {
      return null; // no more descriptors, or a kernel that does not bind to groups
    } finally {
      if (socket != null) {
        socket.close();
      }
    }
  }

  /** Whether the route to the peer has this interface's address as its source. */
  private static boolean isRoutedFrom(UdpAddress own, UdpAddress peer) {
    try (NativeSocket probe = own.isIpv4() ? NativeSocket.udp4() : NativeSocket.udp6()) {
      probe.connect(peer.toNative());
      return UdpAddress.of(probe.localAddress()).isSameHost(own);
    }
  }

  /** Bytes, or a negated errno. */
  int send(MemorySegment from, long offset, int length) {
    return socket.send(from, offset, length);
  }

  /** Messages, or a negated errno. */
  int send(SendBatch batch) {
    return batch.sendConnected(socket);
  }

  @Override
  public void close() {
    socket.close();
  }
}
