package io.busbar.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who is interrupted while he joins ends soon, and leaves nothing: whatever he waits for. */
@Timeout(60)
class JoinInterruptedTest {
  private static final long PROMPT_NS = 1_000_000_000L;

  @TempDir Path folder;

  private NodeConfig found(Discovery discovery) {
    long port = 20_000 + ProcessHandle.current().pid() % 20_000;
    Discovery here = discovery.withGroup("239.255.70.11:" + port).withPort(0);
    return NodeConfig.find("interrupted", here).withHost("127.0.0.1");
  }

  /** How it ended, and how long after the interrupt. */
  private record End(@Nullable Throwable how, long afterNs) {}

  private End interrupt(NodeConfig config, long afterMs) throws InterruptedException {
    AtomicReference<Throwable> how = new AtomicReference<>();
    Thread joining =
        Thread.ofPlatform()
            .start(
                () -> {
                  try (Node node = Node.join(config, Users.deaf())) {
                    how.set(new AssertionError("it joined as " + node.id()));
                  } catch (InterruptedException | RuntimeException e) {
                    how.set(e);
                  }
                });
    Thread.sleep(afterMs);
    long startNs = System.nanoTime();
    joining.interrupt();
    joining.join();
    return new End(how.get(), System.nanoTime() - startNs);
  }

  private void checkInterrupted(NodeConfig config, long afterMs) throws Exception {
    NodeConfig named = config.withShmDirectory(folder.toString()).withFabrics("shm", "udp");
    End end = interrupt(named, afterMs);
    assertThat(end.how()).isInstanceOf(InterruptedException.class);
    assertThat(end.afterNs()).isLessThan(PROMPT_NS);
    assertThat(left()).as("left").isEmpty();
    assertThat(caretakers()).as("left").isEmpty();
  }

  private List<String> left() throws Exception {
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.startsWith("busbar"))
          .toList();
    }
  }

  private static List<String> caretakers() {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .filter(name -> name.startsWith("busbar caretaker"))
        .toList();
  }

  @Test
  void whileOthersDoNotComeToTheMeeting() throws Exception {
    checkInterrupted(NodeConfig.of(Map.of()).as(0, 2, folder), 500);
  }

  @Test
  void whileOthersAreNotFound() throws Exception {
    checkInterrupted(found(Discovery.onSegment().expecting(2)), 1_500);
  }

  /** An id takes a while; later it waits for others. */
  @ParameterizedTest
  @ValueSource(longs = {1, 20, 100, 300})
  void whileAnIdIsClaimed(long afterMs) throws Exception {
    checkInterrupted(found(Discovery.onSegment().expecting(2)), afterMs);
  }
}
