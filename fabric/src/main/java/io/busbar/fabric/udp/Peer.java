package io.busbar.fabric.udp;

import io.busbar.linux.NativeAddress;
import org.jspecify.annotations.Nullable;

/** One destination: an opened peer, or everyone. Staged frames hold it even after it was closed. */
final class Peer {
  final int number;
  final UdpAddress address;
  final NativeAddress to;

  /** The longest frame that the path takes now. */
  int frameBytesMax;

  /** A connected socket, where there is one. */
  @Nullable Shortcut shortcut;

  Peer(int number, UdpAddress address, int frameBytesMax) {
    this.number = number;
    this.address = address;
    this.to = address.toNative();
    this.frameBytesMax = frameBytesMax;
  }

  boolean is(long high, long low, int port, int scope) {
    return low == address.low()
        && port == address.port()
        && high == address.high()
        && scope == address.scope();
  }

  /** Gives back what only an opened peer has. */
  void close() {
    Shortcut held = shortcut;
    shortcut = null;
    if (held != null) {
      held.close();
    }
  }
}
