package io.busbar.linux;

/** Numbers for AF_XDP and the programs before it, named as in the headers. */
final class XdpNumbers {
  // linux/socket.h, linux/if_xdp.h
  static final int AF_XDP = 44;
  static final int SOL_XDP = 283;
  static final int XDP_MMAP_OFFSETS = 1;
  static final int XDP_RX_RING = 2;
  static final int XDP_TX_RING = 3;
  static final int XDP_UMEM_REG = 4;
  static final int XDP_UMEM_FILL_RING = 5;
  static final int XDP_UMEM_COMPLETION_RING = 6;
  static final int XDP_STATISTICS = 7;
  static final int XDP_COPY = 2;
  static final int XDP_ZEROCOPY = 4;
  static final int XDP_USE_NEED_WAKEUP = 8;
  static final int XDP_RING_NEED_WAKEUP = 1;
  static final long XDP_PGOFF_RX_RING = 0;
  static final long XDP_PGOFF_TX_RING = 0x8000_0000L;
  static final long XDP_UMEM_PGOFF_FILL_RING = 0x1_0000_0000L;
  static final long XDP_UMEM_PGOFF_COMPLETION_RING = 0x1_8000_0000L;

  // linux/if_link.h
  static final int XDP_FLAGS_SKB_MODE = 2;
  static final int XDP_FLAGS_DRV_MODE = 4;

  // linux/bpf.h, linux/bpf_common.h
  static final int BPF_MAP_CREATE = 0;
  static final int BPF_MAP_UPDATE_ELEM = 2;
  static final int BPF_PROG_LOAD = 5;
  static final int BPF_LINK_CREATE = 28;
  static final int BPF_MAP_TYPE_XSKMAP = 17;
  static final int BPF_PROG_TYPE_XDP = 6;
  static final int BPF_XDP = 37;
  static final int BPF_F_XDP_HAS_FRAGS = 32;
  static final int BPF_FUNC_redirect_map = 51;
  static final int BPF_PSEUDO_MAP_FD = 1;
  static final int BPF_LDX = 1;
  static final int BPF_JMP32 = 6;
  static final int BPF_ALU64 = 7;
  static final int BPF_MEM = 0x60;
  static final int BPF_DW = 0x18;
  static final int BPF_IMM = 0;
  static final int BPF_MOV = 0xB0;
  static final int BPF_ADD = 0;
  static final int BPF_X = 8;
  static final int BPF_JA = 0;
  static final int BPF_JGT = 0x20;
  static final int BPF_CALL = 0x80;
  static final int BPF_EXIT = 0x90;
  static final int XDP_PASS = 2;

  private XdpNumbers() {}
}
