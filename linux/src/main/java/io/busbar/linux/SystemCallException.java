package io.busbar.linux;

/**
 * The kernel refused. The message says what could not be done, the call, the errno and what to do
 * about it: {@code cannot lock 64 MB in memory: mlock: ENOMEM; raise the limit (ulimit -l) or run
 * unpinned}.
 */
public final class SystemCallException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String call;
  private final int errno;
  private final String advice;

  /**
   * With the advice that fits the call and the errno.
   *
   * @param purpose what could not be done, as it follows the word "cannot"
   * @param call the system call's name
   * @param errno the error number, positive
   */
  public SystemCallException(String purpose, String call, int errno) {
    this(purpose, call, errno, Advice.on(call, errno));
  }

  /** With the caller's own advice. */
  public SystemCallException(String purpose, String call, int errno, String advice) {
    super("cannot %s: %s: %s; %s".formatted(purpose, call, Errno.name(errno), advice));
    this.call = call;
    this.errno = errno;
    this.advice = advice;
  }

  /** The system call's name. */
  public String call() {
    return call;
  }

  /** The error number, one of {@link Errno}. */
  public int errno() {
    return errno;
  }

  /** What to do about it. */
  public String advice() {
    return advice;
  }
}
