/* Prints what the system's headers say about every number and structure that this room uses:
 *   const NAME VALUE
 *   size STRUCTURE BYTES
 *   field STRUCTURE.FIELD OFFSET BYTES
 * LayoutTest compiles it, runs it and compares each line, and misses none. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <ifaddrs.h>
#include <linux/bpf.h>
#include <linux/capability.h>
#include <linux/errqueue.h>
#include <linux/ethtool.h>
#include <linux/filter.h>
#include <linux/if_link.h>
#include <linux/if_packet.h>
#include <linux/if_xdp.h>
#include <linux/magic.h>
#include <linux/membarrier.h>
#include <linux/memfd.h>
#include <linux/mman.h>
#include <linux/mount.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <netinet/in.h>
#include <netinet/udp.h>
#include <poll.h>
#include <sched.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include <time.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/vfs.h>
#include <unistd.h>

#define C(name) printf("const " #name " %lld\n", (long long)(name))
#define S(type) printf("size " #type " %zu\n", sizeof(type))
#define F(type, field) \
  printf("field " #type "." #field " %zu %zu\n", offsetof(type, field), sizeof(((type *)0)->field))

static void files(void) {
  C(O_RDONLY); C(O_WRONLY); C(O_RDWR); C(O_CREAT); C(O_EXCL); C(O_NONBLOCK); C(O_CLOEXEC);
  C(F_RDLCK); C(F_WRLCK); C(F_UNLCK); C(F_OFD_GETLK); C(F_OFD_SETLK); C(F_SETPIPE_SZ);
  C(SEEK_SET); C(STATX_NLINK); C(STATX_INO); C(STATX_SIZE); C(STATX_BLOCKS); C(AT_EMPTY_PATH);
  C(MFD_CLOEXEC); C(MFD_HUGETLB); C(MFD_HUGE_2MB); C(EFD_NONBLOCK); C(EFD_CLOEXEC);
  C(TFD_NONBLOCK); C(TFD_CLOEXEC); C(CLOCK_MONOTONIC);
  C(FSOPEN_CLOEXEC); C(FSCONFIG_SET_STRING); C(FSCONFIG_CMD_CREATE); C(FSMOUNT_CLOEXEC);
  C(TMPFS_MAGIC); C(POLLIN); C(POLLOUT); C(POLLERR); C(POLLHUP); C(POLLNVAL);
}

static void memory(void) {
  C(PROT_READ); C(PROT_WRITE); C(MAP_FIXED); C(MAP_ANONYMOUS); C(MAP_POPULATE); C(MAP_HUGETLB);
  C(MAP_NORESERVE); C(MAP_SHARED); C(MAP_PRIVATE); C(MAP_HUGE_2MB); C(MADV_WILLNEED);
  C(MADV_DONTNEED); C(MADV_REMOVE); C(MADV_DONTFORK); C(MADV_HUGEPAGE); C(MADV_NOHUGEPAGE);
  C(MADV_POPULATE_READ); C(MADV_POPULATE_WRITE);
}

static void sockets(void) {
  C(AF_UNSPEC); C(AF_UNIX); C(AF_INET); C(AF_INET6); C(AF_PACKET); C(MSG_TRUNC); C(MSG_DONTWAIT);
  C(MSG_NOSIGNAL); C(MSG_ERRQUEUE); C(MSG_ZEROCOPY); C(IP_RECVERR); C(IPV6_RECVERR);
  C(SO_EE_ORIGIN_ZEROCOPY); C(SO_EE_CODE_ZEROCOPY_COPIED); C(SHUT_RD); C(SHUT_WR); C(SHUT_RDWR); C(SOCK_DGRAM); C(SOCK_RAW);
  C(SOCK_NONBLOCK); C(SOCK_CLOEXEC); C(IPPROTO_IP); C(SOL_SOCKET); C(IPPROTO_UDP);
  C(IPPROTO_IPV6); C(SO_ATTACH_FILTER); C(SO_DETACH_FILTER); C(SO_NETNS_COOKIE); C(IP_MULTICAST_IF);
  C(IP_ADD_MEMBERSHIP); C(IP_DROP_MEMBERSHIP); C(IPV6_MULTICAST_IF); C(IPV6_ADD_MEMBERSHIP);
  C(IPV6_DROP_MEMBERSHIP); C(SO_RXQ_OVFL); C(UDP_SEGMENT); C(UDP_GRO); C(SIOCGIFNAME); C(SIOCGIFFLAGS); C(SIOCGIFMTU);
  C(SIOCGIFHWADDR); C(SIOCGIFINDEX); C(IFNAMSIZ); C(IFF_UP); C(IFF_BROADCAST); C(IFF_LOOPBACK);
  C(IFF_RUNNING); C(IFF_MULTICAST); C(BPF_LD); C(BPF_ALU); C(BPF_JMP); C(BPF_RET); C(BPF_W);
  C(BPF_H); C(BPF_B); C(BPF_ABS); C(BPF_LEN); C(BPF_K); C(BPF_AND); C(BPF_JEQ); C(BPF_JGE);
  C(BPF_MAXINSNS); C(UIO_MAXIOV);
}

static void packets(void) {
  C(SOL_PACKET); C(PACKET_RX_RING); C(PACKET_STATISTICS); C(PACKET_VERSION); C(TPACKET_V2);
  C(TP_STATUS_KERNEL); C(TP_STATUS_USER); C(TPACKET_ALIGNMENT); C(PACKET_QDISC_BYPASS);
  C(PACKET_IGNORE_OUTGOING);
  C(AF_XDP); C(SOL_XDP); C(XDP_MMAP_OFFSETS); C(XDP_RX_RING); C(XDP_TX_RING); C(XDP_UMEM_REG);
  C(XDP_UMEM_FILL_RING); C(XDP_UMEM_COMPLETION_RING); C(XDP_STATISTICS); C(XDP_COPY);
  C(XDP_ZEROCOPY); C(XDP_USE_NEED_WAKEUP); C(XDP_RING_NEED_WAKEUP); C(XDP_PGOFF_RX_RING);
  C(XDP_PGOFF_TX_RING); C(XDP_UMEM_PGOFF_FILL_RING); C(XDP_UMEM_PGOFF_COMPLETION_RING);
  C(BPF_MAP_CREATE); C(BPF_MAP_UPDATE_ELEM); C(BPF_PROG_LOAD); C(BPF_LINK_CREATE);
  C(BPF_MAP_TYPE_XSKMAP); C(BPF_PROG_TYPE_XDP); C(BPF_XDP); C(BPF_F_XDP_HAS_FRAGS);
  C(BPF_FUNC_redirect_map); C(BPF_PSEUDO_MAP_FD); C(BPF_JMP32); C(BPF_ALU64); C(BPF_LDX);
  C(BPF_MEM); C(BPF_DW); C(BPF_IMM); C(BPF_MOV); C(BPF_ADD); C(BPF_X); C(BPF_JA); C(BPF_JGT);
  C(BPF_CALL); C(BPF_EXIT); C(XDP_PASS); C(XDP_FLAGS_SKB_MODE); C(XDP_FLAGS_DRV_MODE);
}

static void devices(void) {
  C(SIOCETHTOOL); C(ETHTOOL_GDRVINFO); C(ETHTOOL_GCHANNELS); C(AF_NETLINK); C(NETLINK_ROUTE);
  C(NLM_F_REQUEST); C(RTM_NEWLINK); C(RTM_GETLINK); C(IFLA_XDP); C(IFLA_XDP_ATTACHED);
  C(IFLA_XDP_PROG_ID); C(XDP_ATTACHED_NONE); C(XDP_ATTACHED_SKB);
  S(struct ethtool_drvinfo); F(struct ethtool_drvinfo, cmd); F(struct ethtool_drvinfo, driver);
  S(struct ethtool_channels); F(struct ethtool_channels, cmd); F(struct ethtool_channels, max_rx);
  F(struct ethtool_channels, max_tx); F(struct ethtool_channels, max_other);
  F(struct ethtool_channels, max_combined); F(struct ethtool_channels, rx_count);
  F(struct ethtool_channels, tx_count); F(struct ethtool_channels, other_count);
  F(struct ethtool_channels, combined_count);
  S(struct nlmsghdr); F(struct nlmsghdr, nlmsg_len); F(struct nlmsghdr, nlmsg_type);
  F(struct nlmsghdr, nlmsg_flags); F(struct nlmsghdr, nlmsg_seq); F(struct nlmsghdr, nlmsg_pid);
  S(struct nlattr); F(struct nlattr, nla_len); F(struct nlattr, nla_type);
  S(struct ifinfomsg); F(struct ifinfomsg, ifi_family); F(struct ifinfomsg, ifi_index);
}

static void options(void) {
  C(SO_ZEROCOPY); C(SO_REUSEADDR); C(SO_ERROR); C(SO_BROADCAST); C(SO_SNDBUF); C(SO_RCVBUF); C(SO_PRIORITY);
  C(SO_REUSEPORT); C(SO_SNDBUFFORCE); C(SO_RCVBUFFORCE); C(SO_DOMAIN); C(SO_BUSY_POLL);
  C(SO_PREFER_BUSY_POLL); C(SO_BUSY_POLL_BUDGET); C(IP_TOS); C(IP_TTL); C(IP_MTU_DISCOVER);
  C(IP_MTU); C(IP_MULTICAST_TTL); C(IP_MULTICAST_LOOP); C(IP_MULTICAST_ALL);
  C(IPV6_MULTICAST_HOPS); C(IPV6_MULTICAST_LOOP); C(IPV6_MTU_DISCOVER); C(IPV6_MTU);
  C(IPV6_V6ONLY); C(IP_PMTUDISC_DONT); C(IP_PMTUDISC_DO); C(IP_PMTUDISC_PROBE);
}

static void processes(void) {
  C(_SC_PAGESIZE); C(MEMBARRIER_CMD_QUERY); C(MEMBARRIER_CMD_GLOBAL_EXPEDITED);
  C(MEMBARRIER_CMD_REGISTER_GLOBAL_EXPEDITED); C(MEMBARRIER_CMD_PRIVATE_EXPEDITED);
  C(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED); C(_LINUX_CAPABILITY_VERSION_3);
  C(_LINUX_CAPABILITY_U32S_3); C(CPU_SETSIZE); C(CLONE_NEWNET); C(CAP_NET_ADMIN); C(CAP_NET_RAW);
  C(CAP_IPC_LOCK); C(CAP_SYS_PTRACE); C(CAP_SYS_ADMIN); C(CAP_SYS_NICE); C(CAP_SYS_RESOURCE);
  C(CAP_BPF); C(RLIMIT_FSIZE); C(RLIMIT_NOFILE); C(RLIMIT_MEMLOCK); C(RLIM_INFINITY);
  C(SYS_membarrier); C(SYS_capget); C(SYS_bpf);
}

static void structures(void) {
  S(struct sockaddr_in); F(struct sockaddr_in, sin_family); F(struct sockaddr_in, sin_port);
  F(struct sockaddr_in, sin_addr);
  S(struct sockaddr_in6); F(struct sockaddr_in6, sin6_family); F(struct sockaddr_in6, sin6_port);
  F(struct sockaddr_in6, sin6_flowinfo); F(struct sockaddr_in6, sin6_addr);
  F(struct sockaddr_in6, sin6_scope_id);
  S(struct sockaddr_un); F(struct sockaddr_un, sun_family); F(struct sockaddr_un, sun_path);
  S(struct sockaddr_ll); F(struct sockaddr_ll, sll_family); F(struct sockaddr_ll, sll_protocol);
  F(struct sockaddr_ll, sll_ifindex); F(struct sockaddr_ll, sll_hatype);
  F(struct sockaddr_ll, sll_pkttype); F(struct sockaddr_ll, sll_halen);
  F(struct sockaddr_ll, sll_addr);
  S(struct sockaddr_storage); F(struct sockaddr_storage, ss_family);
  S(struct sockaddr); F(struct sockaddr, sa_family); F(struct sockaddr, sa_data);
  S(struct ip_mreqn); F(struct ip_mreqn, imr_multiaddr); F(struct ip_mreqn, imr_address);
  F(struct ip_mreqn, imr_ifindex);
  S(struct ipv6_mreq); F(struct ipv6_mreq, ipv6mr_multiaddr);
  F(struct ipv6_mreq, ipv6mr_interface);
  S(struct ifreq); F(struct ifreq, ifr_ifru);
  F(struct ifreq, ifr_name); F(struct ifreq, ifr_hwaddr); F(struct ifreq, ifr_flags);
  F(struct ifreq, ifr_ifindex); F(struct ifreq, ifr_mtu);
  S(struct ifaddrs); F(struct ifaddrs, ifa_next); F(struct ifaddrs, ifa_name);
  F(struct ifaddrs, ifa_flags); F(struct ifaddrs, ifa_addr);
  S(struct sock_filter); F(struct sock_filter, code); F(struct sock_filter, jt);
  F(struct sock_filter, jf); F(struct sock_filter, k);
  S(struct sock_fprog); F(struct sock_fprog, len); F(struct sock_fprog, filter);
  S(struct tpacket_req); F(struct tpacket_req, tp_block_size); F(struct tpacket_req, tp_block_nr);
  F(struct tpacket_req, tp_frame_size); F(struct tpacket_req, tp_frame_nr);
  S(struct tpacket2_hdr); F(struct tpacket2_hdr, tp_status); F(struct tpacket2_hdr, tp_len);
  F(struct tpacket2_hdr, tp_snaplen); F(struct tpacket2_hdr, tp_mac);
  F(struct tpacket2_hdr, tp_net); F(struct tpacket2_hdr, tp_sec); F(struct tpacket2_hdr, tp_nsec);
  F(struct tpacket2_hdr, tp_vlan_tci); F(struct tpacket2_hdr, tp_vlan_tpid);
  S(struct tpacket_stats); F(struct tpacket_stats, tp_packets); F(struct tpacket_stats, tp_drops);
  S(struct sockaddr_xdp); F(struct sockaddr_xdp, sxdp_family); F(struct sockaddr_xdp, sxdp_flags);
  F(struct sockaddr_xdp, sxdp_ifindex); F(struct sockaddr_xdp, sxdp_queue_id);
  F(struct sockaddr_xdp, sxdp_shared_umem_fd);
  S(struct xdp_umem_reg); F(struct xdp_umem_reg, addr); F(struct xdp_umem_reg, len);
  F(struct xdp_umem_reg, chunk_size); F(struct xdp_umem_reg, headroom);
  F(struct xdp_umem_reg, flags);
  S(struct xdp_ring_offset); F(struct xdp_ring_offset, producer);
  F(struct xdp_ring_offset, consumer); F(struct xdp_ring_offset, desc);
  F(struct xdp_ring_offset, flags);
  S(struct xdp_desc); F(struct xdp_desc, addr); F(struct xdp_desc, len);
  F(struct xdp_desc, options);
  S(struct xdp_statistics); F(struct xdp_statistics, rx_dropped);
  F(struct xdp_statistics, rx_invalid_descs); F(struct xdp_statistics, tx_invalid_descs);
  F(struct xdp_statistics, rx_ring_full); F(struct xdp_statistics, rx_fill_ring_empty_descs);
  F(struct xdp_statistics, tx_ring_empty_descs);
  S(struct iovec); F(struct iovec, iov_base); F(struct iovec, iov_len);
  S(struct msghdr); F(struct msghdr, msg_name); F(struct msghdr, msg_namelen);
  F(struct msghdr, msg_iov); F(struct msghdr, msg_iovlen); F(struct msghdr, msg_control);
  F(struct msghdr, msg_controllen); F(struct msghdr, msg_flags);
  S(struct mmsghdr); F(struct mmsghdr, msg_hdr); F(struct mmsghdr, msg_len);
  S(struct cmsghdr); F(struct cmsghdr, cmsg_len); F(struct cmsghdr, cmsg_level);
  F(struct cmsghdr, cmsg_type);
  S(struct sock_extended_err); F(struct sock_extended_err, ee_errno);
  F(struct sock_extended_err, ee_origin); F(struct sock_extended_err, ee_type);
  F(struct sock_extended_err, ee_code); F(struct sock_extended_err, ee_pad);
  F(struct sock_extended_err, ee_info); F(struct sock_extended_err, ee_data);
  S(struct pollfd); F(struct pollfd, fd); F(struct pollfd, events); F(struct pollfd, revents);
  S(struct timespec); F(struct timespec, tv_sec); F(struct timespec, tv_nsec);
  S(struct flock); F(struct flock, l_type); F(struct flock, l_whence); F(struct flock, l_start);
  F(struct flock, l_len); F(struct flock, l_pid);
  S(struct statfs); F(struct statfs, f_type); F(struct statfs, f_bsize);
  F(struct statfs, f_blocks); F(struct statfs, f_bfree); F(struct statfs, f_bavail);
  F(struct statfs, f_files); F(struct statfs, f_ffree); F(struct statfs, f_fsid);
  F(struct statfs, f_namelen); F(struct statfs, f_frsize); F(struct statfs, f_flags);
  S(struct statx); F(struct statx, stx_mask); F(struct statx, stx_blksize);
  F(struct statx, stx_attributes); F(struct statx, stx_nlink); F(struct statx, stx_uid);
  F(struct statx, stx_gid); F(struct statx, stx_mode); F(struct statx, stx_ino);
  F(struct statx, stx_size); F(struct statx, stx_blocks);
  S(struct rlimit); F(struct rlimit, rlim_cur); F(struct rlimit, rlim_max);
  S(struct __user_cap_header_struct); F(struct __user_cap_header_struct, version);
  F(struct __user_cap_header_struct, pid);
  S(struct __user_cap_data_struct); F(struct __user_cap_data_struct, effective);
  F(struct __user_cap_data_struct, permitted); F(struct __user_cap_data_struct, inheritable);
}

int main(void) {
  files(); memory(); sockets(); packets(); devices(); options(); processes(); structures();
  return 0;
}
