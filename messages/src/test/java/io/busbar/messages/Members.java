package io.busbar.messages;

import io.busbar.node.NodeConfig;
import io.busbar.testkit.ChildJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** Some nodes in this process, and some in processes of their own, which may die. */
abstract class Members extends Nodes {
  static final int START_S = 60;

  /** Where shared memory is: a folder of the test's own. */
  private Path shm = Path.of("");

  private final List<ChildJvm> children = new ArrayList<>();
  final List<Talk> talks = new ArrayList<>();

  @BeforeEach
  final void makeFolder() throws IOException {
    shm = Files.createTempDirectory(Path.of("/dev/shm"), "busbar-test-");
  }

  @AfterEach
  final void endChildren() throws IOException {
    children.forEach(ChildJvm::close);
    nodes.forEach(Messages::close);
    for (String name : segments()) {
      Files.deleteIfExists(shm.resolve(name));
    }
    Files.delete(shm);
  }

  /** The files in shared memory. */
  final List<String> segments() throws IOException {
    try (Stream<Path> files = Files.list(shm)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  /** A node that meets nobody. */
  final NodeConfig alone(String fabric) {
    return NodeConfig.of(Map.of()).withFabrics(fabric).withShmDirectory(shm.toString());
  }

  private NodeConfig config(int rank, int size, String fabric) {
    return alone(fabric).as(rank, size, folder);
  }

  /** Starts a node in a process of its own. */
  final ChildJvm child(List<String> options, int rank, int size, String fabric) {
    ChildJvm child =
        ChildJvm.start(List.of(), options, Member.class, rank, size, folder, fabric, shm);
    children.add(child);
    return child;
  }

  /** Joins with the first ranks in this process; children have the others. */
  final void joinHere(String fabric, int here, int size) throws Exception {
    List<Future<Messages>> joining = new ArrayList<>();
    for (int rank = 0; rank < here; rank++) {
      NodeConfig config = config(rank, size, fabric);
      MessageEvents events = events(rank);
      joining.add(threads.submit(() -> Messages.join(config, events)));
    }
    for (Future<Messages> one : joining) {
      Messages fm = one.get();
      nodes.add(fm);
      talks.add(new Talk(fm));
    }
    for (ChildJvm child : children) {
      String _ = child.awaitLine("joined", START_S);
    }
  }

  /** Extracts at a node of this process until it is closed. */
  final void extractAlways(int rank) {
    Messages fm = nodes.get(rank);
    Future<?> _ =
        threads.submit(
            () -> {
              try {
                return fm.await(() -> false, 3600 * SECOND_NS);
              } catch (MessageException e) {
                return false; // it was closed
              }
            });
  }
}
