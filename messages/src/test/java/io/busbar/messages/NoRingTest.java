package io.busbar.messages;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.testkit.ChildJvm;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Shared memory becomes full between joining and the first word to a node. */
@Timeout(120)
class NoRingTest {
  private static final int LIMIT_S = 60;

  @TempDir Path meeting;
  @TempDir Path shm;

  private ChildJvm crowded(long roomMs) {
    return ChildJvm.start(
        ChildJvm.withTmpfs(shm, "size=64m"),
        ChildJvm.SMALL,
        CrowdedFolder.class,
        meeting,
        shm,
        roomMs);
  }

  /** It is refused by name after a while, and the program hears why. */
  @Test
  void whoHasNoRoomForARingIsToldSo() throws Exception {
    try (ChildJvm child = crowded(0)) {
      String _ = child.awaitLine("full", LIMIT_S);
      assertThat(child.awaitLine("refused ", LIMIT_S))
          .startsWith("refused NODE_GONE node 1 is gone: no ring to shm:")
          .contains("ENOSPC");
      String _ = child.awaitLine("end", LIMIT_S);
      assertThat(child.output())
          .anyMatch(line -> line.startsWith("warning no ring to shm:"))
          .anyMatch(line -> line.startsWith("gone 1 no ring to shm:"));
    }
  }

  @Test
  void roomThatComesInTimeIsUsed() throws Exception {
    try (ChildJvm child = crowded(1_000)) {
      assertThat(child.awaitLine("heard ", LIMIT_S)).isEqualTo("heard true");
      String _ = child.awaitLine("end", LIMIT_S);
      assertThat(child.output()).noneMatch(line -> line.startsWith("gone 1 no ring"));
    }
  }
}
