package io.busbar.fabric.modes;

import static io.busbar.fabric.modes.Channel.PAGE;
import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.fabric.Nic;
import io.busbar.testkit.ChildJvm;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The receiver is another process, which is killed, or may not read the sender's memory. */
@Timeout(120)
class TwoProcessesTest {
  private final Arena arena = Arena.ofShared();

  private final Map<SendMode, MemorySegment> own = new EnumMap<>(SendMode.class);

  private MemorySegment from(ModeSender sender, SendMode mode) {
    return own.computeIfAbsent(
        mode,
        _ ->
            switch (mode) {
              case DIRECT -> sender.direct();
              case EXCHANGE -> sender.pages();
              case PIO, COPY, VIRTUAL -> arena.allocate(Channel.MESSAGE_MAX, PAGE);
            });
  }

  private static void awaitReady(ModeSender sender, long ticket) {
    while (!sender.isReady(ticket)) {
      Thread.onSpinWait();
    }
  }

  private void exchange(ModeSender sender, ChildJvm child, int rounds) throws InterruptedException {
    int message = 0;
    for (int i = 0; i < rounds; i++) {
      for (SendMode mode : SendMode.values()) {
        MemorySegment from = from(sender, mode);
        long length = mode == SendMode.PIO ? 100 : 2L * PAGE + 7;
        Channel.fill(from, 0, length, ++message);
        long sum = ModesDeed.sum(from, length);
        long ticket = sender.send(mode, from, 0, length);
        assertThat(ticket).isNotNegative();
        if (mode.isReusableAtReturn()) {
          from.fill((byte) -message);
        }
        String line = child.awaitLine("", 20);
        assertThat(line).endsWith(" %d %d".formatted(length, sum));
        awaitReady(sender, ticket);
        if (mode.isReusableAtReturn()) {
          assertThat(from.get(ValueLayout.JAVA_BYTE, 50)).isEqualTo((byte) -message);
        }
      }
    }
  }

  @Test
  void aKilledReceiverLeavesTheSenderUsable() throws Exception {
    try (ModeSender sender = new ModeSender(Channel.CONFIG)) {
      for (int life = 0; life < 3; life++) {
        try (ChildJvm child =
            ChildJvm.start(List.of(), ChildJvm.SMALL, ModesDeed.class, sender.path())) {
          child.awaitLine("ready", 30);
          assertThat(sender.virtualRefusal()).isEmpty();
          assertThat(sender.bury()).isEqualTo(-1);
          exchange(sender, child, 4);
          child.pause();
          MemorySegment pages = from(sender, SendMode.EXCHANGE);
          Channel.fill(pages, 0, 2L * PAGE, 77);
          assertThat(sender.send(SendMode.EXCHANGE, pages, 0, 2L * PAGE)).isEqualTo(Nic.DONE);
          MemorySegment direct = from(sender, SendMode.DIRECT);
          long ticket = sender.send(SendMode.DIRECT, direct, 0, PAGE);
          assertThat(ticket).isPositive();
          int more = 0;
          while (sender.send(SendMode.COPY, pages, 0, PAGE) == Nic.DONE) {
            more++;
          }
          assertThat(sender.isReady(ticket)).isFalse();
          child.kill();
          assertThat(sender.isReceiverAlive()).isFalse();
          assertThat(sender.bury()).isEqualTo(more + 2);
          assertThat(sender.isReady(ticket)).isTrue();
          Channel.check(pages, 0, 2L * PAGE, 77, "the sender's own");
          assertThat(sender.reown(pages)).isTrue();
          Channel.check(pages, 0, 2L * PAGE, 77, "the sender's own");
        }
      }
    } finally {
      arena.close();
    }
  }

  /** One with fewer rights may not read this process: VIRTUAL says so, and copies. */
  @Test
  void withoutTheRightVirtualCopies(@TempDir Path folder) throws Exception {
    String path = folder.resolve("channel").toString();
    List<String> less = List.of("setpriv", "--bounding-set=-sys_ptrace", "--inh-caps=-sys_ptrace");
    try (ModeSender sender = new ModeSender(Channel.CONFIG, path)) {
      assertThat(sender.virtualRefusal()).contains("nobody has opened");
      try (ChildJvm child = ChildJvm.start(less, ChildJvm.SMALL, ModesDeed.class, sender.path())) {
        child.awaitLine("ready", 30);
        assertThat(sender.virtualRefusal())
            .contains("VIRTUAL copies")
            .contains("process_vm_readv: EPERM")
            .contains("CAP_SYS_PTRACE");
        MemorySegment from = arena.allocate(PAGE);
        Channel.fill(from, 0, PAGE, 1);
        long sum = ModesDeed.sum(from, PAGE);
        assertThat(sender.send(SendMode.VIRTUAL, from, 0, PAGE)).isEqualTo(Nic.DONE);
        assertThat(child.awaitLine("", 20)).isEqualTo("COPY %d %d".formatted(PAGE, sum));
      }
    } finally {
      arena.close();
    }
    assertThat(Path.of(path)).doesNotExist();
  }
}
