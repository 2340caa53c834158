package io.busbar.linux;

/**
 * The kernel's error numbers, from {@code asm-generic/errno-base.h} and {@code
 * asm-generic/errno.h}. Calls on the data path return them negated: {@code result ==
 * -Errno.EAGAIN}.
 */
public final class Errno {
  public static final int EPERM = 1;
  public static final int ENOENT = 2;
  public static final int ESRCH = 3;
  public static final int EINTR = 4;
  public static final int EIO = 5;
  public static final int ENXIO = 6;
  public static final int EBADF = 9;
  public static final int EAGAIN = 11;
  public static final int ENOMEM = 12;
  public static final int EACCES = 13;
  public static final int EFAULT = 14;
  public static final int EBUSY = 16;
  public static final int EEXIST = 17;
  public static final int ENODEV = 19;
  public static final int ENOTDIR = 20;
  public static final int EISDIR = 21;
  public static final int EINVAL = 22;
  public static final int ENFILE = 23;
  public static final int EMFILE = 24;
  public static final int EFBIG = 27;
  public static final int ENOSPC = 28;
  public static final int EROFS = 30;
  public static final int EPIPE = 32;
  public static final int ENAMETOOLONG = 36;
  public static final int ENOSYS = 38;
  public static final int ENOTSOCK = 88;
  public static final int EDESTADDRREQ = 89;
  public static final int EMSGSIZE = 90;
  public static final int ENOPROTOOPT = 92;
  public static final int EPROTONOSUPPORT = 93;
  public static final int EOPNOTSUPP = 95;
  public static final int EAFNOSUPPORT = 97;
  public static final int EADDRINUSE = 98;
  public static final int EADDRNOTAVAIL = 99;
  public static final int ENETDOWN = 100;
  public static final int ENETUNREACH = 101;
  public static final int ENOBUFS = 105;
  public static final int ENOTCONN = 107;
  public static final int ECONNREFUSED = 111;
  public static final int EHOSTUNREACH = 113;

  /** All names in the order of their numbers, from 1; the numbers 41 and 58 mean nothing. */
  private static final String[] NAMES =
      """
      EPERM ENOENT ESRCH EINTR EIO ENXIO E2BIG ENOEXEC EBADF ECHILD
      EAGAIN ENOMEM EACCES EFAULT ENOTBLK EBUSY EEXIST EXDEV ENODEV ENOTDIR
      EISDIR EINVAL ENFILE EMFILE ENOTTY ETXTBSY EFBIG ENOSPC ESPIPE EROFS
      EMLINK EPIPE EDOM ERANGE EDEADLK ENAMETOOLONG ENOLCK ENOSYS ENOTEMPTY ELOOP
      - ENOMSG EIDRM ECHRNG EL2NSYNC EL3HLT EL3RST ELNRNG EUNATCH ENOCSI
      EL2HLT EBADE EBADR EXFULL ENOANO EBADRQC EBADSLT - EBFONT ENOSTR
      ENODATA ETIME ENOSR ENONET ENOPKG EREMOTE ENOLINK EADV ESRMNT ECOMM
      EPROTO EMULTIHOP EDOTDOT EBADMSG EOVERFLOW ENOTUNIQ EBADFD EREMCHG ELIBACC ELIBBAD
      ELIBSCN ELIBMAX ELIBEXEC EILSEQ ERESTART ESTRPIPE EUSERS ENOTSOCK EDESTADDRREQ EMSGSIZE
      EPROTOTYPE ENOPROTOOPT EPROTONOSUPPORT ESOCKTNOSUPPORT EOPNOTSUPP EPFNOSUPPORT \
      EAFNOSUPPORT EADDRINUSE EADDRNOTAVAIL ENETDOWN
      ENETUNREACH ENETRESET ECONNABORTED ECONNRESET ENOBUFS EISCONN ENOTCONN ESHUTDOWN \
      ETOOMANYREFS ETIMEDOUT
      ECONNREFUSED EHOSTDOWN EHOSTUNREACH EALREADY EINPROGRESS ESTALE EUCLEAN ENOTNAM ENAVAIL \
      EISNAM
      EREMOTEIO EDQUOT ENOMEDIUM EMEDIUMTYPE ECANCELED ENOKEY EKEYEXPIRED EKEYREVOKED \
      EKEYREJECTED EOWNERDEAD
      ENOTRECOVERABLE ERFKILL EHWPOISON
      """
          .split("\\s+", -1);

  private Errno() {}

  /** The name of an error number: {@code ENOMEM}; {@code errno 999} for a number without name. */
  public static String name(int errno) {
    boolean known = errno >= 1 && errno < NAMES.length && !NAMES[errno - 1].equals("-");
    return known ? NAMES[errno - 1] : "errno " + errno;
  }
}
