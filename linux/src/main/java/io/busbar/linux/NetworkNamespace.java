package io.busbar.linux;

import static io.busbar.linux.FileNumbers.O_CLOEXEC;
import static io.busbar.linux.FileNumbers.O_RDONLY;

import java.lang.foreign.Arena;

/**
 * The interfaces, addresses, routes and ports that a thread sees. Each platform thread is in one
 * network namespace, and a socket belongs for good to the one in which its thread opened it; any
 * thread may use it afterwards.
 *
 * <p>{@code /proc/net} shows the namespace of the process's first thread, so that {@code
 * java.net.NetworkInterface}, which reads its IPv6 part there, mixes two namespaces when another
 * thread has moved; {@link NetworkDevice} and {@code /proc/thread-self/net} do not.
 */
public final class NetworkNamespace {
  private NetworkNamespace() {}

  /**
   * Moves the calling platform thread, and no other, into a namespace. Threads and processes that
   * it starts afterwards begin there, too.
   *
   * @param path where the namespace is bound: {@code /run/netns/NAME}, or {@code /proc/PID/ns/net}
   */
  public static void enter(String path) {
    if (Thread.currentThread().isVirtual()) {
      throw new IllegalStateException(
          "a virtual thread has no network namespace of its own: enter it on a platform thread");
    }
    String purpose = "enter the network namespace " + path;
    try (Arena arena = Arena.ofConfined();
        FileDescriptor namespace =
            FileDescriptor.of(
                FileCalls.open(arena.allocateFrom(path), O_RDONLY | O_CLOEXEC, 0),
                path,
                purpose,
                "open")) {
      int result = ProcessCalls.setns(namespace.number(), ProcessNumbers.CLONE_NEWNET);
      if (result < 0) {
        throw new SystemCallException(purpose, "setns", -result);
      }
    }
  }
}
