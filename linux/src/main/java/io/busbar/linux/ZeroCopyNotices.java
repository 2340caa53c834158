package io.busbar.linux;

import static io.busbar.linux.MessageLayouts.CMSGHDR;
import static io.busbar.linux.MessageLayouts.MSGHDR;
import static io.busbar.linux.MessageLayouts.SOCK_EXTENDED_ERR;
import static io.busbar.linux.SocketNumbers.IPPROTO_IP;
import static io.busbar.linux.SocketNumbers.IPPROTO_IPV6;
import static io.busbar.linux.SocketNumbers.IPV6_RECVERR;
import static io.busbar.linux.SocketNumbers.IP_RECVERR;
import static io.busbar.linux.SocketNumbers.MSG_DONTWAIT;
import static io.busbar.linux.SocketNumbers.MSG_ERRQUEUE;
import static io.busbar.linux.SocketNumbers.SO_EE_CODE_ZEROCOPY_COPIED;
import static io.busbar.linux.SocketNumbers.SO_EE_ORIGIN_ZEROCOPY;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;

/**
 * What a socket's error queue says about {@link NativeSocket#sendInPlace}: the kernel counts those
 * sends from 0, wrapping at 32 bits, and names a range of them whose memory it no longer uses.
 * Taking allocates nothing.
 */
public final class ZeroCopyNotices {
  private static final int CONTROL_BYTES = 128;
  private static final long CONTROL = Offsets.of(MSGHDR, "msg_control");
  private static final long CONTROL_LENGTH = Offsets.of(MSGHDR, "msg_controllen");
  private static final long C_LENGTH = Offsets.of(CMSGHDR, "cmsg_len");
  private static final long C_LEVEL = Offsets.of(CMSGHDR, "cmsg_level");
  private static final long C_TYPE = Offsets.of(CMSGHDR, "cmsg_type");
  private static final long C_VALUE = CMSGHDR.byteSize();
  private static final long ERRNO = C_VALUE + Offsets.of(SOCK_EXTENDED_ERR, "ee_errno");
  private static final long ORIGIN = C_VALUE + Offsets.of(SOCK_EXTENDED_ERR, "ee_origin");
  private static final long CODE = C_VALUE + Offsets.of(SOCK_EXTENDED_ERR, "ee_code");
  private static final long FIRST = C_VALUE + Offsets.of(SOCK_EXTENDED_ERR, "ee_info");
  private static final long LAST = C_VALUE + Offsets.of(SOCK_EXTENDED_ERR, "ee_data");

  private final NativeSocket socket;
  private final MemorySegment message = Arena.ofAuto().allocate(MSGHDR);
  private final MemorySegment control = Arena.ofAuto().allocate(CONTROL_BYTES, Long.BYTES);
  private boolean range;

  /** Of a socket, which stays the caller's. */
  public ZeroCopyNotices(NativeSocket socket) {
    this.socket = socket;
  }

  /**
   * Takes the next notice: 1; or a negated errno, {@code -EAGAIN} when there is none. After 1,
   * {@link #isRange} says whether it is about sends, and not an error of the network.
   */
  public int take() {
    range = false;
    message.fill((byte) 0);
    message.set(JAVA_LONG, CONTROL, control.address());
    message.set(JAVA_LONG, CONTROL_LENGTH, CONTROL_BYTES);
    int fd = socket.descriptor().number();
    try {
      int result = HotCalls.recvmsg(fd, message.address(), MSG_ERRQUEUE | MSG_DONTWAIT);
      if (result < 0) {
        return result;
      }
    } finally {
      Reference.reachabilityFence(this);
    }
    long bytes = message.get(JAVA_LONG, CONTROL_LENGTH);
    range =
        bytes >= C_VALUE + SOCK_EXTENDED_ERR.byteSize()
            && control.get(JAVA_LONG, C_LENGTH) >= C_VALUE + SOCK_EXTENDED_ERR.byteSize()
            && isErrorMessage(control.get(JAVA_INT, C_LEVEL), control.get(JAVA_INT, C_TYPE))
            && control.get(JAVA_INT, ERRNO) == 0
            && control.get(JAVA_BYTE, ORIGIN) == SO_EE_ORIGIN_ZEROCOPY;
    return 1;
  }

  private static boolean isErrorMessage(int level, int type) {
    return (level == IPPROTO_IP && type == IP_RECVERR)
        || (level == IPPROTO_IPV6 && type == IPV6_RECVERR);
  }

  /** Whether the last notice names sends. */
  public boolean isRange() {
    return range;
  }

  /** The first send that the last notice names. */
  public int first() {
    return control.get(JAVA_INT, FIRST);
  }

  /** The last send that it names; it may have wrapped. */
  public int last() {
    return control.get(JAVA_INT, LAST);
  }

  /** Whether the kernel copied the bytes of these sends after all. */
  public boolean wasCopied() {
    return control.get(JAVA_BYTE, CODE) == SO_EE_CODE_ZEROCOPY_COPIED;
  }
}
