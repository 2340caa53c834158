package io.busbar.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What an environment says of a node. */
class NodeConfigTest {
  @TempDir private Path folder = Path.of("");

  @Test
  void nothingMeansAlone() {
    NodeConfig config = NodeConfig.of(Map.of());
    assertThat(config.size()).isOne();
    assertThat(config.discovery()).isNull();
    assertThat(config.host()).isEqualTo("127.0.0.1");
  }

  @Test
  void nameOfClusterMakesMember() {
    NodeConfig config = NodeConfig.of(Map.of("BUSBAR_CLUSTER", "trade"));
    assertThat(config.cluster()).isEqualTo("trade");
    assertThat(Objects.requireNonNull(config.discovery()).seeds()).isEmpty();
    assertThat(config.host()).isEqualTo("0.0.0.0");
  }

  /** Both may be given; neither hides the other. */
  @Test
  void seedsAndHostsAddUp() throws IOException {
    Path hosts = Files.writeString(folder.resolve("hosts"), "# ours\n10.0.0.3  # the old one\n\n");
    NodeConfig config =
        NodeConfig.of(
            Map.of(
                "BUSBAR_CLUSTER",
                "trade",
                "BUSBAR_SEEDS",
                "10.0.0.1,10.0.0.2:99",
                "BUSBAR_HOSTS",
                hosts.toString()));
    assertThat(Objects.requireNonNull(config.discovery()).seeds())
        .containsExactly("10.0.0.1", "10.0.0.2:99", "10.0.0.3");
  }

  @Test
  void missingFileOfHostsIsNamed() {
    Map<String, String> environment =
        Map.of("BUSBAR_CLUSTER", "trade", "BUSBAR_HOSTS", folder + "/none");
    assertThatThrownBy(() -> NodeConfig.of(environment))
        .isInstanceOf(NodeException.class)
        .hasMessageContaining(folder + "/none");
  }

  /** A launcher's word counts more. */
  @Test
  void processOfJobIsNoMember() {
    NodeConfig config =
        NodeConfig.of(Map.of("BUSBAR_CLUSTER", "trade", "BUSBAR_SIZE", "1", "BUSBAR_RANK", "0"));
    assertThat(config.discovery()).isNull();
  }
}
