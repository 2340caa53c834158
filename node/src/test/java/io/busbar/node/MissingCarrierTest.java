package io.busbar.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.testkit.ChildJvm;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A carrier that cannot be used is not used: the next one is, and the choice says why. Without a
 * next one joining fails, and says what is missing and what to do.
 */
@Timeout(120)
class MissingCarrierTest {
  private static final int LIMIT_S = 60;
  private static final String TINY = "size=1m";

  @TempDir Path meeting;
  @TempDir Path shm;

  private ChildJvm couple(String fabrics) {
    return ChildJvm.start(
        ChildJvm.withTmpfs(shm, TINY), ChildJvm.SMALL, Couple.class, meeting, fabrics, shm);
  }

  @Test
  void fullSharedMemoryMeansUdpAndIsTold() throws Exception {
    try (ChildJvm child = couple("shm,udp")) {
      for (int rank = 0; rank < 2; rank++) {
        assertThat(child.awaitLine("choice ", LIMIT_S))
            .startsWith(
                "choice {%d=udp, because cannot make the segment %s/".formatted(1 - rank, shm))
            .containsPattern("reserve .* in .*, where .* are free: fallocate: ENOSPC")
            .contains("--shm-size");
      }
      String _ = child.awaitLine("end", LIMIT_S);
    }
  }

  /** The host's own shared memory, where the counters would be, too. */
  @Test
  void fullSharedMemoryOfTheHostIsNoReasonNotToJoin() throws Exception {
    Path host = Path.of("/dev/shm");
    List<String> full = ChildJvm.withTmpfs(host, "size=4k");
    try (ChildJvm child =
        ChildJvm.start(full, ChildJvm.SMALL, Couple.class, meeting, "shm,udp", host)) {
      for (int rank = 0; rank < 2; rank++) {
        assertThat(child.awaitLine("choice ", LIMIT_S))
            .startsWith("choice {%d=udp, because cannot make the segment".formatted(1 - rank));
        assertThat(child.awaitLine("counters ", LIMIT_S))
            .startsWith("counters " + System.getProperty("java.io.tmpdir"))
            .endsWith(".stat");
      }
      String _ = child.awaitLine("end", LIMIT_S);
    }
  }

  @Test
  void withoutRoomForCountersThereAreNoneAndItIsTold() throws Exception {
    Path host = Path.of("/dev/shm");
    List<String> full = ChildJvm.withTmpfs(host, "size=4k");
    List<String> options = new ArrayList<>(ChildJvm.SMALL);
    options.add("-Djava.io.tmpdir=" + shm.resolve("nowhere"));
    try (ChildJvm child = ChildJvm.start(full, options, Couple.class, meeting, "udp", host)) {
      for (int rank = 0; rank < 2; rank++) {
        assertThat(child.awaitLine("choice ", LIMIT_S))
            .isEqualTo("choice {%d=udp}".formatted(1 - rank));
        assertThat(child.awaitLine("counters ", LIMIT_S))
            .startsWith("counters nowhere, because cannot make the file of counters /dev/shm/")
            .contains("ENOSPC")
            .contains("; cannot make the file of counters %s/".formatted(shm.resolve("nowhere")));
      }
      String _ = child.awaitLine("end", LIMIT_S);
    }
  }

  @Test
  void fullSharedMemoryAloneIsRefusedByName() throws Exception {
    try (ChildJvm child = couple("shm")) {
      for (int rank = 0; rank < 2; rank++) {
        assertThat(child.awaitLine("refused ", LIMIT_S))
            .startsWith(
                "refused io.busbar.node.NodeException: no carrier can be used:"
                    + " cannot make the segment %s/".formatted(shm))
            .contains("--shm-size");
      }
      String _ = child.awaitLine("end", LIMIT_S);
    }
  }

  /** Who has shared memory hears that the other has none; who has none, why. */
  @Test
  void bothEndsChooseAlikeWhenOneHasLess() throws Exception {
    NodeConfig config = NodeConfig.of(Map.of()).withFabrics("shm", "udp");
    Path nowhere = shm.resolve("nowhere");
    List<NodeConfig> configs =
        List.of(
            config.as(0, 2, meeting).withShmDirectory(shm.toString()),
            config.as(1, 2, meeting).withShmDirectory(nowhere.toString()));
    List<Node> nodes = new ArrayList<>();
    try (ExecutorService threads = Executors.newCachedThreadPool()) {
      List<Future<Node>> joining = new ArrayList<>();
      for (NodeConfig one : configs) {
        joining.add(threads.submit(() -> Node.join(one, Users.deaf())));
      }
      for (Future<Node> one : joining) {
        nodes.add(one.get());
      }
      assertThat(nodes.get(0).choices()).containsEntry(1, "udp, because node 1 has no shm");
      assertThat(nodes.get(1).choices().get(0))
          .startsWith("udp, because cannot make the segment " + nowhere);
    } finally {
      nodes.forEach(Node::close);
    }
    try (var left = Files.list(shm)) {
      assertThat(left).isEmpty();
    }
  }
}
