package io.busbar.linux;

import static java.lang.foreign.MemoryLayout.paddingLayout;
import static java.lang.foreign.MemoryLayout.structLayout;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.StructLayout;

/** The structures of raw Ethernet: rings of packet sockets and of AF_XDP. */
final class PacketLayouts {
  /** How a ring is asked for, from {@code linux/if_packet.h}. */
  static final StructLayout TPACKET_REQ =
      structLayout(
              JAVA_INT.withName("tp_block_size"),
              JAVA_INT.withName("tp_block_nr"),
              JAVA_INT.withName("tp_frame_size"),
              JAVA_INT.withName("tp_frame_nr"))
          .withName("struct tpacket_req");

  /** What a slot of a ring begins with, from {@code linux/if_packet.h}. */
  static final StructLayout TPACKET2_HDR =
      structLayout(
              JAVA_INT.withName("tp_status"),
              JAVA_INT.withName("tp_len"),
              JAVA_INT.withName("tp_snaplen"),
              JAVA_SHORT.withName("tp_mac"),
              JAVA_SHORT.withName("tp_net"),
              JAVA_INT.withName("tp_sec"),
              JAVA_INT.withName("tp_nsec"),
              JAVA_SHORT.withName("tp_vlan_tci"),
              JAVA_SHORT.withName("tp_vlan_tpid"),
              paddingLayout(4))
          .withName("struct tpacket2_hdr");

  /** From {@code linux/if_packet.h}. */
  static final StructLayout TPACKET_STATS =
      structLayout(JAVA_INT.withName("tp_packets"), JAVA_INT.withName("tp_drops"))
          .withName("struct tpacket_stats");

  /** From {@code linux/if_xdp.h}. */
  static final StructLayout SOCKADDR_XDP =
      structLayout(
              JAVA_SHORT.withName("sxdp_family"),
              JAVA_SHORT.withName("sxdp_flags"),
              JAVA_INT.withName("sxdp_ifindex"),
              JAVA_INT.withName("sxdp_queue_id"),
              JAVA_INT.withName("sxdp_shared_umem_fd"))
          .withName("struct sockaddr_xdp");

  /** The memory of frames, from {@code linux/if_xdp.h}; newer kernels use the padding. */
  static final StructLayout XDP_UMEM_REG =
      structLayout(
              JAVA_LONG.withName("addr"),
              JAVA_LONG.withName("len"),
              JAVA_INT.withName("chunk_size"),
              JAVA_INT.withName("headroom"),
              JAVA_INT.withName("flags"),
              paddingLayout(4))
          .withName("struct xdp_umem_reg");

  /** Where the words of a ring are in its mapping, from {@code linux/if_xdp.h}. */
  static final StructLayout XDP_RING_OFFSET =
      structLayout(
              JAVA_LONG.withName("producer"),
              JAVA_LONG.withName("consumer"),
              JAVA_LONG.withName("desc"),
              JAVA_LONG.withName("flags"))
          .withName("struct xdp_ring_offset");

  /** A descriptor, from {@code linux/if_xdp.h}. */
  static final StructLayout XDP_DESC =
      structLayout(
              JAVA_LONG.withName("addr"), JAVA_INT.withName("len"), JAVA_INT.withName("options"))
          .withName("struct xdp_desc");

  /** From {@code linux/if_xdp.h}. */
  static final StructLayout XDP_STATISTICS =
      structLayout(
              JAVA_LONG.withName("rx_dropped"),
              JAVA_LONG.withName("rx_invalid_descs"),
              JAVA_LONG.withName("tx_invalid_descs"),
              JAVA_LONG.withName("rx_ring_full"),
              JAVA_LONG.withName("rx_fill_ring_empty_descs"),
              JAVA_LONG.withName("tx_ring_empty_descs"))
          .withName("struct xdp_statistics");

  private PacketLayouts() {}
}
