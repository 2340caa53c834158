package io.busbar.linux;

import static java.lang.foreign.MemoryLayout.paddingLayout;
import static java.lang.foreign.MemoryLayout.structLayout;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.StructLayout;

/** The structures of messages that are gathered from parts and sent in batches. */
final class MessageLayouts {
  /** From {@code linux/uio.h}; the address as a number. */
  static final StructLayout IOVEC =
      structLayout(JAVA_LONG.withName("iov_base"), JAVA_LONG.withName("iov_len"))
          .withName("struct iovec");

  /** From {@code bits/types/struct_msghdr.h}; addresses as numbers. */
  static final StructLayout MSGHDR =
      structLayout(
              JAVA_LONG.withName("msg_name"),
              JAVA_INT.withName("msg_namelen"),
              paddingLayout(4),
              JAVA_LONG.withName("msg_iov"),
              JAVA_LONG.withName("msg_iovlen"),
              JAVA_LONG.withName("msg_control"),
              JAVA_LONG.withName("msg_controllen"),
              JAVA_INT.withName("msg_flags"),
              paddingLayout(4))
          .withName("struct msghdr");

  /** From {@code bits/socket.h}. */
  static final StructLayout MMSGHDR =
      structLayout(MSGHDR.withName("msg_hdr"), JAVA_INT.withName("msg_len"), paddingLayout(4))
          .withName("struct mmsghdr");

  /** From {@code bits/socket.h}; the value follows at once. */
  static final StructLayout CMSGHDR =
      structLayout(
              JAVA_LONG.withName("cmsg_len"),
              JAVA_INT.withName("cmsg_level"),
              JAVA_INT.withName("cmsg_type"))
          .withName("struct cmsghdr");

  /** From {@code linux/errqueue.h}. */
  static final StructLayout SOCK_EXTENDED_ERR =
      structLayout(
              JAVA_INT.withName("ee_errno"),
              JAVA_BYTE.withName("ee_origin"),
              JAVA_BYTE.withName("ee_type"),
              JAVA_BYTE.withName("ee_code"),
              JAVA_BYTE.withName("ee_pad"),
              JAVA_INT.withName("ee_info"),
              JAVA_INT.withName("ee_data"))
          .withName("struct sock_extended_err");

  private MessageLayouts() {}
}
