package io.busbar.linux;

import static java.lang.foreign.MemoryLayout.sequenceLayout;
import static java.lang.foreign.MemoryLayout.structLayout;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.StructLayout;

/** Structures of questions about interfaces, as the kernel and its C headers have them. */
final class DeviceLayouts {
  /** From {@code linux/ethtool.h}; the fields up to those that are used. */
  static final StructLayout ETHTOOL_DRVINFO =
      structLayout(
              JAVA_INT.withName("cmd"),
              sequenceLayout(32, JAVA_BYTE).withName("driver"),
              sequenceLayout(160, JAVA_BYTE))
          .withName("struct ethtool_drvinfo");

  /** From {@code linux/ethtool.h}. */
  static final StructLayout ETHTOOL_CHANNELS =
      structLayout(
              JAVA_INT.withName("cmd"),
              JAVA_INT.withName("max_rx"),
              JAVA_INT.withName("max_tx"),
              JAVA_INT.withName("max_other"),
              JAVA_INT.withName("max_combined"),
              JAVA_INT.withName("rx_count"),
              JAVA_INT.withName("tx_count"),
              JAVA_INT.withName("other_count"),
              JAVA_INT.withName("combined_count"))
          .withName("struct ethtool_channels");

  /** From {@code linux/netlink.h}. */
  static final StructLayout NLMSGHDR =
      structLayout(
              JAVA_INT.withName("nlmsg_len"),
              JAVA_SHORT.withName("nlmsg_type"),
              JAVA_SHORT.withName("nlmsg_flags"),
              JAVA_INT.withName("nlmsg_seq"),
              JAVA_INT.withName("nlmsg_pid"))
          .withName("struct nlmsghdr");

  /** From {@code linux/netlink.h}. */
  static final StructLayout NLATTR =
      structLayout(JAVA_SHORT.withName("nla_len"), JAVA_SHORT.withName("nla_type"))
          .withName("struct nlattr");

  /** From {@code linux/rtnetlink.h}; the fields up to those that are used. */
  static final StructLayout IFINFOMSG =
      structLayout(
              JAVA_BYTE.withName("ifi_family"),
              sequenceLayout(3, JAVA_BYTE),
              JAVA_INT.withName("ifi_index"),
              sequenceLayout(8, JAVA_BYTE))
          .withName("struct ifinfomsg");

  private DeviceLayouts() {}
}
