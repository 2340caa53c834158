package io.busbar.linux;

/** Numbers of AF_XDP that came after the headers which the others are compared with: 6.6, 6.17. */
final class XdpLaterNumbers {
  // linux/if_xdp.h
  static final int XDP_USE_SG = 16;
  static final int XDP_PKT_CONTD = 1;
  static final int XDP_MAX_TX_SKB_BUDGET = 9;

  private XdpLaterNumbers() {}
}
