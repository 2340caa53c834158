package io.busbar.fabric.shm;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.fabric.Nic;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A folder without space: an error by name where the space is asked for, and never a SIGBUS. */
@Timeout(60)
class SpaceTest {
  /** Enough for two segments of 288 KB and some rings. */
  private static final int BYTES = 768 << 10;

  @Test
  void fullFolderIsToldAndLeavesNothing() throws Exception {
    try (Folder folder = new Folder()) {
      String mount =
          "mount -t tmpfs -o size=%d none %s && exec \"$@\"".formatted(BYTES, folder.path);
      List<String> wrapper = new ArrayList<>(ChildJvm.unshare("--mount"));
      wrapper.addAll(List.of("sh", "-c", mount, "sh"));
      try (ChildJvm child = new ChildJvm(wrapper, Deed.FILL, folder.path)) {
        assertThat(child.line())
            .startsWith("cannot make the segment " + folder.path + "/busbar-")
            .containsPattern("reserve \\d+ KB in .*, where \\d+ KB are free")
            .contains("ENOSPC")
            .contains("--shm-size");
        assertThat(child.line()).as("files of the two that were made").isEqualTo("4");
        assertThat(child.line()).isEqualTo(Nic.FULL + " " + Nic.FULL);
        assertThat(child.line())
            .startsWith("1 [warning: no ring to shm:")
            .contains("reserve 8 KB")
            .contains("ENOSPC");
        assertThat(child.line()).as("when there is room again").isEqualTo(Nic.DONE + "");
        assertThat(child.line()).isEqualTo("[1]");
      }
      assertThat(folder.names()).isEmpty();
    }
  }
}
