package io.busbar.linux;

import static io.busbar.linux.SocketOption.SO_RCVBUF;
import static io.busbar.linux.SocketOption.SO_RCVBUFFORCE;
import static io.busbar.linux.SocketOption.SO_SNDBUF;
import static io.busbar.linux.SocketOption.SO_SNDBUFFORCE;

/**
 * Sizes a socket's buffers: past the system's limit where the process may, otherwise up to it. What
 * the kernel granted is returned in the unit of the request, without its doubling for overhead.
 */
public final class SocketBuffers {
  private SocketBuffers() {}

  /** Asks for a receive buffer; the bytes that were granted. */
  public static int receive(NativeSocket socket, int bytes) {
    return ask(socket, bytes, SO_RCVBUFFORCE, SO_RCVBUF);
  }

  /** Asks for a send buffer; the bytes that were granted. */
  public static int send(NativeSocket socket, int bytes) {
    return ask(socket, bytes, SO_SNDBUFFORCE, SO_SNDBUF);
  }

  private static int ask(
      NativeSocket socket, int bytes, SocketOption force, SocketOption ordinary) {
    try {
      socket.set(force, bytes);
    } catch (SystemCallException e) {
      if (e.errno() != Errno.EPERM) {
        throw e;
      }
      socket.set(ordinary, bytes);
    }
    return socket.get(ordinary) / 2;
  }
}
