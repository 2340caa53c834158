package io.busbar.linux;

/** Numbers for questions about interfaces, named as in the headers. */
final class DeviceNumbers {
  // linux/sockios.h, linux/ethtool.h
  static final int SIOCETHTOOL = 0x8946;
  static final int ETHTOOL_GDRVINFO = 3;
  static final int ETHTOOL_GCHANNELS = 0x3C;

  // linux/netlink.h, linux/rtnetlink.h, linux/if_link.h
  static final int AF_NETLINK = 16;
  static final int NETLINK_ROUTE = 0;
  static final int NLM_F_REQUEST = 1;
  static final int RTM_NEWLINK = 16;
  static final int RTM_GETLINK = 18;
  static final int IFLA_XDP = 43;
  static final int IFLA_XDP_ATTACHED = 2;
  static final int IFLA_XDP_PROG_ID = 4;
  static final int XDP_ATTACHED_NONE = 0;
  static final int XDP_ATTACHED_SKB = 2;

  private DeviceNumbers() {}
}
