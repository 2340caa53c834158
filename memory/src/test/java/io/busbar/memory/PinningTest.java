package io.busbar.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Pinned where the limit allows it; otherwise unpinned, with one warning. */
@Timeout(60)
class PinningTest {
  private static final int KB = 1 << 10;

  @Test
  void whatTheLimitAllowsIsPinnedWithoutAWord() {
    List<String> warnings = new ArrayList<>();
    try (ResidentMemory memory = ResidentMemory.ofProcess(16 * KB, Pinning.orWarn(warnings::add))) {
      assertThat(memory.isPinned()).isTrue();
      assertThat(memory).hasToString("16 KB of anonymous memory, pinned");
    }
    try (ResidentMemory memory = ResidentMemory.ofProcess(16 * KB, Pinning.none())) {
      assertThat(memory.isPinned()).isFalse();
    }
    assertThat(warnings).isEmpty();
  }

  @Test
  void pastTheLimitItIsUnpinnedAndSaysSoOnce() throws Exception {
    try (ChildJvm child =
        new ChildJvm(
            ChildJvm.withLockLimit(64), Deed.PIN, 32 * KB, 8_192 * KB, 4_096 * KB, 16 * KB)) {
      assertThat(child.lines())
          .containsExactly(
              "true",
              "warning: 8 MB of anonymous memory may be paged out, because it cannot be pinned:"
                  + " mlock needs 8192 KB of locked memory, and RLIMIT_MEMLOCK allows this process"
                  + " 64 KB (at most 64 KB); raise it (ulimit -l 8192, LimitMEMLOCK= of a service,"
                  + " --ulimit memlock= of a container), give the process CAP_IPC_LOCK, or do not"
                  + " ask for pinned memory. This is said once.",
              "false",
              "false",
              "true");
    }
  }
}
