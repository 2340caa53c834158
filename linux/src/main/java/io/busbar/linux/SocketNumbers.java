package io.busbar.linux;

/** Numbers for sockets, named as in the headers; the same on x86-64 and aarch64. */
final class SocketNumbers {
  // bits/socket.h, linux/socket.h
  static final int AF_UNSPEC = 0;
  static final int AF_UNIX = 1;
  static final int AF_INET = 2;
  static final int AF_INET6 = 10;
  static final int AF_PACKET = 17;
  static final int MSG_TRUNC = 0x20;
  static final int MSG_DONTWAIT = 0x40;
  static final int MSG_ERRQUEUE = 0x2000;
  static final int MSG_NOSIGNAL = 0x4000;
  static final int MSG_ZEROCOPY = 0x4000000;
  static final int SHUT_RD = 0;
  static final int SHUT_WR = 1;
  static final int SHUT_RDWR = 2;

  // bits/socket_type.h, asm-generic/fcntl.h
  static final int SOCK_DGRAM = 2;
  static final int SOCK_RAW = 3;
  static final int SOCK_NONBLOCK = 0x800;
  static final int SOCK_CLOEXEC = 0x80000;

  // linux/in.h, linux/udp.h, asm-generic/socket.h: the levels of socket options
  static final int IPPROTO_IP = 0;
  static final int SOL_SOCKET = 1;
  static final int IPPROTO_UDP = 17;
  static final int IPPROTO_IPV6 = 41;

  // asm-generic/socket.h, linux/in.h, linux/in6.h: options whose value is a structure
  static final int SO_ATTACH_FILTER = 26;
  static final int SO_DETACH_FILTER = 27;
  static final int SO_NETNS_COOKIE = 71;
  static final int IP_MULTICAST_IF = 32;
  static final int IP_ADD_MEMBERSHIP = 35;
  static final int IP_DROP_MEMBERSHIP = 36;
  static final int IPV6_MULTICAST_IF = 17;
  static final int IPV6_ADD_MEMBERSHIP = 20;
  static final int IPV6_DROP_MEMBERSHIP = 21;

  // asm-generic/socket.h, linux/udp.h: options that are control messages too
  static final int SO_RXQ_OVFL = 40;
  static final int UDP_SEGMENT = 103;
  static final int UDP_GRO = 104;

  // linux/in.h, linux/in6.h: control messages of the error queue
  static final int IP_RECVERR = 11;
  static final int IPV6_RECVERR = 25;

  // linux/errqueue.h
  static final int SO_EE_ORIGIN_ZEROCOPY = 5;
  static final int SO_EE_CODE_ZEROCOPY_COPIED = 1;

  // linux/sockios.h
  static final int SIOCGIFNAME = 0x8910;
  static final int SIOCGIFFLAGS = 0x8913;
  static final int SIOCGIFMTU = 0x8921;
  static final int SIOCGIFHWADDR = 0x8927;
  static final int SIOCGIFINDEX = 0x8933;

  // linux/if.h
  static final int IFNAMSIZ = 16;
  static final int IFF_UP = 1;
  static final int IFF_BROADCAST = 2;
  static final int IFF_LOOPBACK = 8;
  static final int IFF_RUNNING = 0x40;
  static final int IFF_MULTICAST = 0x1000;

  // linux/filter.h, linux/bpf_common.h: classic filters
  static final int BPF_LD = 0;
  static final int BPF_ALU = 4;
  static final int BPF_JMP = 5;
  static final int BPF_RET = 6;
  static final int BPF_W = 0;
  static final int BPF_H = 8;
  static final int BPF_B = 0x10;
  static final int BPF_ABS = 0x20;
  static final int BPF_LEN = 0x80;
  static final int BPF_K = 0;
  static final int BPF_AND = 0x50;
  static final int BPF_JEQ = 0x10;
  static final int BPF_JGE = 0x30;
  static final int BPF_MAXINSNS = 4096;

  // linux/uio.h
  static final int UIO_MAXIOV = 1024;

  private SocketNumbers() {}
}
