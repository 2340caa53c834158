package io.busbar.linux;

/** What to do about an errno: by the call where that says more, otherwise by the errno alone. */
final class Advice {
  /** What to do without huge pages, whichever call noticed. */
  static final String ON_HUGE_PAGES =
      "set huge pages aside (sysctl vm.nr_hugepages=N), ask for a multiple of 2 MB, or use small"
          + " pages";

  private Advice() {}

  static String on(String call, int errno) {
    return switch (call) {
      case "mlock" -> onLock(errno);
      case "mmap", "madvise", "memfd_create" -> onMemory(call, errno);
      case "open", "mkfifo" -> onOpen(call, errno);
      case "fallocate", "ftruncate" -> onSpace(call, errno);
      case "socket", "bind", "connect" -> onSocket(call, errno);
      case "setsockopt", "getsockopt" -> onOption(call, errno);
      case "send", "sendto", "sendmmsg" -> onSend(call, errno);
      case "fsopen", "fsconfig", "fsmount" ->
          errno == Errno.EPERM
              ? "a mount of one's own needs CAP_SYS_ADMIN: run as root, or use small pages"
              : onAny(call, errno);
      case "process_vm_readv", "membarrier", "sched_setaffinity", "setrlimit", "setns" ->
          onProcess(call, errno);
      default -> onAny(call, errno);
    };
  }

  private static String onLock(int errno) {
    return switch (errno) {
      case Errno.ENOMEM, Errno.EPERM, Errno.EAGAIN -> "raise the limit (ulimit -l) or run unpinned";
      default -> onAny("mlock", errno);
    };
  }

  private static String onMemory(String call, int errno) {
    return switch (errno) {
      case Errno.ENODEV -> "this file cannot be mapped: use one on tmpfs, ext4 or xfs";
      case Errno.EACCES -> "open the file for reading and writing, or map it read-only";
      case Errno.EINVAL ->
          "offsets and lengths are multiples of the page (of 2 MB with huge pages), and the kernel"
              + " has to know the flag";
      case Errno.EAGAIN -> "more memory is locked than the limit allows: raise it (ulimit -l)";
      default -> onAny(call, errno);
    };
  }

  private static String onOpen(String call, int errno) {
    return switch (errno) {
      case Errno.ENXIO -> "nobody listens at this FIFO: its owner has ended or not begun";
      case Errno.ENOENT -> "check the path: its owner has not made it, or has removed it";
      case Errno.EEXIST -> "another process made it first: open that one, or remove it";
      default -> onAny(call, errno);
    };
  }

  private static String onSpace(String call, int errno) {
    return switch (errno) {
      case Errno.ENOSPC ->
          "make room there, ask for less, or enlarge it (mount -o remount,size=..., in a container"
              + " --shm-size=...)";
      case Errno.EFBIG -> "ask for less, or raise the limit on a file's size (ulimit -f)";
      case Errno.EOPNOTSUPP -> "put the file on tmpfs, ext4 or xfs, which can reserve space";
      default -> onAny(call, errno);
    };
  }

  private static String onSocket(String call, int errno) {
    return switch (errno) {
      case Errno.EPERM -> "a raw or packet socket needs CAP_NET_RAW: run as root, or use UDP";
      case Errno.EACCES -> "a port below 1024 or this path needs privilege: choose another";
      case Errno.EADDRINUSE -> "choose another port or path, or stop the process that holds it";
      case Errno.EADDRNOTAVAIL -> "no interface has this address: compare with ip address";
      case Errno.ENODEV -> "there is no such interface: compare with ip link";
      case Errno.EAFNOSUPPORT, Errno.EPROTONOSUPPORT ->
          "the kernel was built without this family of sockets, or the address is of another one";
      case Errno.ECONNREFUSED -> "nobody listens there: its owner has ended or not begun";
      default -> onAny(call, errno);
    };
  }

  private static String onOption(String call, int errno) {
    return switch (errno) {
      case Errno.EPERM -> "this option needs CAP_NET_ADMIN: run as root, or do without";
      case Errno.ENOPROTOOPT, Errno.EOPNOTSUPP ->
          "this kernel or this kind of socket does not know the option: do without";
      case Errno.ENODEV -> "there is no such interface: compare with ip link";
      case Errno.EADDRINUSE -> "the socket is a member of this group already";
      case Errno.ENOBUFS -> "too many groups: raise net.ipv4.igmp_max_memberships";
      default -> onAny(call, errno);
    };
  }

  private static String onSend(String call, int errno) {
    return switch (errno) {
      case Errno.EACCES -> "set SO_BROADCAST before sending to a broadcast address";
      case Errno.EPERM -> "a firewall refused it: look at the rules (nft list ruleset)";
      case Errno.EMSGSIZE -> "send no more than the path's MTU, and no more than 64 KB in a call";
      case Errno.EINVAL -> "too many segments, or a segment larger than the MTU";
      case Errno.ENOBUFS -> "the interface's queue is full: send again later";
      default -> onAny(call, errno);
    };
  }

  private static String onProcess(String call, int errno) {
    return switch (call + " " + Errno.name(errno)) {
      case "process_vm_readv EPERM" ->
          "reading another process needs the same user and kernel.yama.ptrace_scope=0, or"
              + " CAP_SYS_PTRACE";
      case "process_vm_readv EFAULT" -> "the other process does not map this memory (any more)";
      case "membarrier EPERM" -> "register this process before the first barrier";
      case "membarrier EINVAL" -> "the kernel is older than 4.16: use full fences instead";
      case "sched_setaffinity EINVAL" ->
          "none of these processors may be used: see Cpus_allowed_list in /proc/self/status";
      case "setrlimit EPERM", "setrlimit EINVAL" ->
          "no more than the hard limit without CAP_SYS_RESOURCE: see ulimit -H -a";
      case "setns EPERM" -> "entering a namespace needs CAP_SYS_ADMIN: run as root";
      case "setns EINVAL" ->
          "this is no network namespace (any more): compare with ip netns list, and look whether"
              + " /proc/PID/ns/net is meant";
      default -> onAny(call, errno);
    };
  }

  private static String onAny(String call, int errno) {
    return switch (errno) {
      case Errno.EPERM -> "run as root, or with the capability that the call needs";
      case Errno.EACCES -> "check the owner and the permissions of the file and its folders";
      case Errno.ENOENT -> "check the path";
      case Errno.ENOTDIR, Errno.EISDIR, Errno.EROFS -> "choose another path";
      case Errno.ENAMETOOLONG -> "choose a shorter path or name";
      case Errno.ENODEV, Errno.ENXIO -> "there is no such device: compare with ip link";
      case Errno.ESRCH -> "the process has ended";
      case Errno.ENOMEM, Errno.ENOSPC -> "free memory, or ask for less";
      case Errno.EMFILE -> "raise the limit on open files (ulimit -n)";
      case Errno.ENFILE -> "raise the system's limit on open files (sysctl fs.file-max)";
      case Errno.ENOSYS -> "this kernel, or a sandbox around the process, does not allow the call";
      case Errno.EBUSY -> "another process uses it: wait for it, or choose another";
      case Errno.EAGAIN, Errno.EINTR, Errno.ENOBUFS -> "try again";
      case Errno.EPIPE, Errno.ECONNREFUSED -> "the other end is gone: drop this peer";
      case Errno.ENETDOWN -> "bring the interface up (ip link set NAME up)";
      case Errno.ENETUNREACH, Errno.EHOSTUNREACH -> "check the route (ip route get ADDRESS)";
      case Errno.EDESTADDRREQ, Errno.ENOTCONN -> "connect the socket, or name a destination";
      case Errno.EBADF, Errno.ENOTSOCK, Errno.EFAULT ->
          "a descriptor or memory was used after it was given back: this is a bug of the caller";
      default -> "the section ERRORS of 'man 2 " + call + "' names the causes";
    };
  }
}
