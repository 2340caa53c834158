package io.busbar.linux;

/** Numbers for packet sockets and their rings, named as in the headers. */
final class PacketNumbers {
  // linux/socket.h, linux/if_packet.h
  static final int SOL_PACKET = 263;
  static final int PACKET_RX_RING = 5;
  static final int PACKET_STATISTICS = 6;
  static final int PACKET_VERSION = 10;
  static final int TPACKET_V2 = 1;
  static final int TP_STATUS_KERNEL = 0;
  static final int TP_STATUS_USER = 1;
  static final int TPACKET_ALIGNMENT = 16;

  private PacketNumbers() {}
}
