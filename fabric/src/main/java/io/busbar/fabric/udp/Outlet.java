package io.busbar.fabric.udp;

import io.busbar.linux.NativeSocket;
import io.busbar.linux.SendBatch;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** Where datagrams leave; each method is one system call and returns a negated errno on refusal. */
interface Outlet {
  /** Sends one datagram. */
  int send(MemorySegment from, long offset, int length, Peer to);

  /**
   * Sends many: how many were taken.
   *
   * @param sole the shortcut to the one peer that all go to, if there is one
   */
  int send(SendBatch batch, @Nullable Shortcut sole);

  /** The socket's, and the shortcut of a peer that has one: it saves the search for the route. */
  static Outlet of(NativeSocket socket) {
    return new Outlet() {
      @Override
      public int send(MemorySegment from, long offset, int length, Peer to) {
        Shortcut shortcut = to.shortcut;
        if (shortcut != null) {
          int sent = shortcut.send(from, offset, length);
          if (sent >= 0) {
            return sent;
          }
        }
        return socket.sendTo(from, offset, length, to.to);
      }

      @Override
      public int send(SendBatch batch, @Nullable Shortcut sole) {
        int sent = sole == null ? -1 : sole.send(batch);
        return sent >= 0 ? sent : batch.send(socket);
      }
    };
  }
}
