package io.busbar.linux;

import static io.busbar.linux.ProcessNumbers.MEMBARRIER_CMD_GLOBAL_EXPEDITED;
import static io.busbar.linux.ProcessNumbers.MEMBARRIER_CMD_PRIVATE_EXPEDITED;
import static io.busbar.linux.ProcessNumbers.MEMBARRIER_CMD_QUERY;
import static io.busbar.linux.ProcessNumbers.MEMBARRIER_CMD_REGISTER_GLOBAL_EXPEDITED;
import static io.busbar.linux.ProcessNumbers.MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED;

/**
 * A full fence that the caller executes on behalf of others: when it returns, every thread that it
 * reaches has executed one since it was called. So a sender needs no fence per message, and the
 * rare sleeper pays for all, with about a microsecond. Barriers allocate nothing.
 */
public final class Membarrier {
  private static final int EXPEDITED =
      MEMBARRIER_CMD_GLOBAL_EXPEDITED
          | MEMBARRIER_CMD_REGISTER_GLOBAL_EXPEDITED
          | MEMBARRIER_CMD_PRIVATE_EXPEDITED
          | MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED;

  private Membarrier() {}

  /** Whether this kernel has all barriers of this class. */
  public static boolean isSupported() {
    long commands = call(MEMBARRIER_CMD_QUERY);
    return commands >= 0 && (commands & EXPEDITED) == EXPEDITED;
  }

  /** From now on {@link #global} of any process reaches the threads of this one. */
  public static void registerGlobal() {
    check(call(MEMBARRIER_CMD_REGISTER_GLOBAL_EXPEDITED), "register for global barriers");
  }

  /** Before the first {@link #ofThisProcess}. */
  public static void registerPrivate() {
    check(call(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED), "register for private barriers");
  }

  /** Reaches all threads of all processes that have registered for it. */
  public static void global() {
    check(call(MEMBARRIER_CMD_GLOBAL_EXPEDITED), "fence the registered processes");
  }

  /** Reaches all threads of this process. */
  public static void ofThisProcess() {
    check(call(MEMBARRIER_CMD_PRIVATE_EXPEDITED), "fence this process");
  }

  private static long call(int command) {
    return HotCalls.membarrier(command);
  }

  private static void check(long result, String purpose) {
    if (result < 0) {
      throw new SystemCallException(purpose, "membarrier", (int) -result);
    }
  }
}
