package io.busbar.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.net.BindException;
import java.net.DatagramSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class NetworkNamespaceTest {
  private static final Path MINE = Path.of("/proc/thread-self/ns/net");

  /** A process in a namespace of its own, which has a loopback and nothing else. */
  private record Other(Process process, String path) implements AutoCloseable {
    static Other start() throws Exception {
      Needs.capability(Capability.CAP_SYS_ADMIN);
      Needs.command("unshare", "--net", "true");
      Process process =
          new ProcessBuilder("unshare", "--net", "sh", "-c", "echo ready; exec cat").start();
      BufferedReader output = process.inputReader(StandardCharsets.UTF_8);
      assertThat(output.readLine()).isEqualTo("ready");
      return new Other(process, "/proc/%d/ns/net".formatted(process.pid()));
    }

    @Override
    public void close() {
      process.destroyForcibly();
    }
  }

  @Test
  void threadMovesAlone() throws Exception {
    Path home = Files.readSymbolicLink(MINE);
    try (Other other = Other.start()) {
      Path away = Files.readSymbolicLink(Path.of(other.path));
      assertThat(away).isNotEqualTo(home);
      Path seen =
          onThread(
              () -> {
                NetworkNamespace.enter(other.path);
                assertThat(NetworkDevice.of("lo").isUp()).isFalse();
                return Files.readSymbolicLink(MINE);
              });
      assertThat(seen).isEqualTo(away);
    }
    assertThat(Files.readSymbolicLink(MINE)).isEqualTo(home);
    assertThat(NetworkDevice.of("lo").isUp()).isTrue();
  }

  @Test
  void socketBelongsToTheNamespaceOfItsMaker() throws Exception {
    try (Other other = Other.start();
        DatagramSocket here = new DatagramSocket()) {
      int port = here.getLocalPort();
      assertThatThrownBy(() -> onThread(() -> new DatagramSocket(port)))
          .isInstanceOf(BindException.class);
      try (DatagramSocket there =
          onThread(
              () -> {
                NetworkNamespace.enter(other.path);
                return new DatagramSocket(port);
              })) {
        assertThat(there.getLocalPort()).isEqualTo(port);
      }
    }
  }

  @Test
  void whatIsNoNamespaceIsRefused(@TempDir Path folder) throws Exception {
    Path file = Files.createFile(folder.resolve("plain"));
    assertThatThrownBy(() -> NetworkNamespace.enter(file.toString()))
        .hasMessageStartingWith(
            "cannot enter the network namespace %s: setns: EINVAL; this is no network namespace",
            file);
    assertThatThrownBy(() -> NetworkNamespace.enter("/proc/self/ns/none"))
        .hasMessageStartingWith(
            "cannot enter the network namespace /proc/self/ns/none: open: ENOENT; ");
  }

  @Test
  void virtualThreadIsRefused() throws Exception {
    FutureTask<Boolean> entering =
        new FutureTask<>(() -> NetworkNamespace.enter("/proc/self/ns/net"), true);
    Thread.ofVirtual().start(entering);
    assertThatThrownBy(entering::get)
        .hasRootCauseInstanceOf(IllegalStateException.class)
        .hasRootCauseMessage(
            "a virtual thread has no network namespace of its own: enter it on a platform thread");
  }

  private static <T> T onThread(Callable<T> action) throws Exception {
    FutureTask<T> task = new FutureTask<>(action);
    Thread.ofPlatform().start(task);
    try {
      return task.get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof Exception cause) {
        throw cause;
      }
      throw e;
    }
  }
}
