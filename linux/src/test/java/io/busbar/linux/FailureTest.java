package io.busbar.linux;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every failure names the purpose, the call, the errno and what to do. */
class FailureTest {
  @Test
  void messageHasAllFour() {
    var failure = new SystemCallException("lock 64 MB in memory", "mlock", Errno.ENOMEM);
    assertThat(failure)
        .hasMessage(
            "cannot lock 64 MB in memory: mlock: ENOMEM; raise the limit (ulimit -l) or run"
                + " unpinned");
    assertThat(failure.call()).isEqualTo("mlock");
    assertThat(failure.errno()).isEqualTo(Errno.ENOMEM);
    assertThat(failure.advice()).isEqualTo("raise the limit (ulimit -l) or run unpinned");
  }

  @ParameterizedTest
  @CsvSource({
    "socket, 1, CAP_NET_RAW",
    "bind, 98, another port",
    "setsockopt, 1, CAP_NET_ADMIN",
    "open, 6, nobody listens",
    "open, 24, ulimit -n",
    "fallocate, 28, --shm-size",
    "fallocate, 95, tmpfs",
    "sendto, 13, SO_BROADCAST",
    "sendmmsg, 90, MTU",
    "send, 101, ip route",
    "process_vm_readv, 1, ptrace_scope",
    "membarrier, 1, register",
    "sched_setaffinity, 22, Cpus_allowed",
    "setrlimit, 1, hard limit",
    "setns, 1, CAP_SYS_ADMIN",
    "setns, 22, no network namespace",
    "mmap, 19, cannot be mapped",
    "close, 9, bug of the caller",
    "unlink, 5, man 2 unlink"
  })
  void adviceFitsTheCall(String call, int errno, String hint) {
    assertThat(Advice.on(call, errno)).contains(hint);
  }

  /** Whatever the kernel answers, there is a name and an advice. */
  @ParameterizedTest
  @ValueSource(strings = {"mlock", "mmap", "open", "bind", "getsockopt", "send", "ppoll", "fcntl"})
  void everyErrnoHasAnAdvice(String call) {
    for (int errno = 1; errno < 200; errno++) {
      assertThat(new SystemCallException("do it", call, errno).getMessage())
          .startsWith("cannot do it: " + call + ": ")
          .matches(".*: (E[A-Z0-9]+|errno \\d+); .{8,}");
    }
  }

  @Test
  void sizesReadWell() {
    assertThat(ByteText.of(17)).isEqualTo("17 bytes");
    assertThat(ByteText.of(1024)).isEqualTo("1 KB");
    assertThat(ByteText.of(1536)).isEqualTo("1.5 KB");
    assertThat(ByteText.of(64L << 20)).isEqualTo("64 MB");
    assertThat(ByteText.of((64L << 20) - 1)).isEqualTo("64.0 MB");
    assertThat(ByteText.of(Long.MAX_VALUE)).isEqualTo("8.0 EB");
  }
}
