package io.busbar.fabric.modes;

import io.busbar.fabric.Nic;
import io.busbar.linux.Errno;
import io.busbar.linux.NativeSocket;
import io.busbar.linux.SocketOption;
import io.busbar.linux.ZeroCopyNotices;
import java.lang.foreign.MemorySegment;

/**
 * {@link SendMode#VIRTUAL} over UDP: datagrams leave out of the caller's memory (MSG_ZEROCOPY),
 * which stays alive and unchanged until the socket's error queue says that the kernel no longer
 * uses it. Over loopback and veth the kernel copies all the same, and says so: {@link #copied}.
 * Where the kernel has no room for another such send, the datagram is sent by copying.
 *
 * <p>One thread; it allocates nothing. At most {@link #OUTSTANDING_MAX} are on their way.
 */
public final class ZeroCopySends {
  /** Sends whose memory is in use at once. */
  public static final int OUTSTANDING_MAX = 1024;

  private final NativeSocket socket;
  private final ZeroCopyNotices notices;
  private final boolean[] ready = new boolean[OUTSTANDING_MAX];
  private long sent;
  private long readyBelow;
  private long copied;
  private long errors;

  /**
   * Over a connected socket, which stays the caller's; nobody else sends in place over it, or takes
   * from its error queue.
   */
  public ZeroCopySends(NativeSocket socket) {
    this.socket = socket;
    this.notices = new ZeroCopyNotices(socket);
    socket.set(SocketOption.SO_ZEROCOPY, 1);
  }

  /**
   * Sends a datagram.
   *
   * @return a ticket: the memory is in use until {@link #isReady}; {@link Nic#DONE} when it was
   *     copied; {@link Nic#FULL} when the socket has no room or too many are on their way; {@link
   *     Nic#TOO_LONG}; {@link Nic#GONE} for any other error
   */
  public long send(MemorySegment from, long offset, long length) {
    if (length < 1) {
      throw new IllegalArgumentException("a message has at least 1 byte, not " + length);
    }
    if (sent - readyBelow >= OUTSTANDING_MAX) {
      poll();
      if (sent - readyBelow >= OUTSTANDING_MAX) {
        return Nic.FULL;
      }
    }
    int result = socket.sendInPlace(from, offset, length);
    if (result == -Errno.ENOBUFS) {
      result = socket.send(from, offset, length);
      return result > 0 ? Nic.DONE : refusal(result);
    }
    if (result < 0) {
      return refusal(result);
    }
    ready[slot(sent)] = false;
    return ++sent;
  }

  private static long refusal(int result) {
    return switch (-result) {
      case Errno.EAGAIN, Errno.ENOBUFS -> Nic.FULL;
      case Errno.EMSGSIZE -> Nic.TOO_LONG;
      default -> Nic.GONE;
    };
  }

  /** Hears what the kernel says; how many sends became ready. */
  public int poll() {
    int count = 0;
    while (notices.take() > 0) {
      if (!notices.isRange()) {
        errors++;
        continue;
      }
      int sends = notices.last() - notices.first() + 1;
      for (int i = 0; i < sends; i++) {
        count += note(notices.first() + i) ? 1 : 0;
      }
      copied += notices.wasCopied() ? sends : 0;
    }
    while (readyBelow < sent && ready[slot(readyBelow)]) {
      readyBelow++;
    }
    return count;
  }

  /** By the kernel's count, of which only the lower 32 bits are known. */
  private boolean note(int counted) {
    long send = sent - 1 - Integer.toUnsignedLong((int) (sent - 1) - counted);
    if (send < readyBelow || send >= sent || ready[slot(send)]) {
      return false;
    }
    ready[slot(send)] = true;
    return true;
  }

  private static int slot(long send) {
    return (int) send & (OUTSTANDING_MAX - 1);
  }

  /** Whether the memory of a send is the caller's again, as of the last {@link #poll}. */
  public boolean isReady(long ticket) {
    if (ticket < 0 || ticket > sent) {
      throw new IllegalArgumentException("no send returned the ticket " + ticket);
    }
    return ticket <= readyBelow || ready[slot(ticket - 1)];
  }

  /** Sends that the kernel copied after all. */
  public long copied() {
    return copied;
  }

  /** What else was in the error queue: errors of the network. */
  public long errors() {
    return errors;
  }
}
