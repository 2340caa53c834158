package io.busbar.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A node writes its frames where its environment says so, and only then. */
@Timeout(60)
class CaptureTest {
  @TempDir Path folder;

  private static NodeConfig config(Path capture) {
    return NodeConfig.of(Map.of(NodeConfig.CAPTURE, capture.toString()));
  }

  @Test
  void eachCarrierHasAFile() throws Exception {
    Path made = folder.resolve("a/b");
    Node.join(config(made), Users.deaf()).close();
    try (var files = Files.list(made)) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .containsExactlyInAnyOrder("rank-0-shm.pcap", "rank-0-udp.pcap");
    }
    assertThat(made.resolve("rank-0-udp.pcap")).hasSize(24);
  }

  @Test
  void captureOutlivesEveryOtherChoice() {
    NodeConfig chosen =
        config(folder)
            .withFabrics("udp")
            .withHost("127.0.0.1")
            .withShmDirectory("/dev/shm")
            .as(1, 2, folder);
    assertThat(chosen.capture()).isEqualTo(folder);
    assertThat(NodeConfig.of(Map.of()).capture()).isNull();
    assertThat(NodeConfig.of(Map.of(NodeConfig.CAPTURE, "")).capture()).isNull();
    assertThat(NodeConfig.of(Map.of()).withCapture(folder).capture()).isEqualTo(folder);
  }

  @Test
  void folderThatCannotBeUsedIsToldByName() throws Exception {
    Path file = Files.createFile(folder.resolve("file"));
    assertThatThrownBy(() -> Node.join(config(file), Users.deaf()))
        .isInstanceOf(NodeException.class)
        .hasMessageContaining("cannot capture to " + file)
        .hasMessageContaining("BUSBAR_CAPTURE");
  }
}
