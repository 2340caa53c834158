package io.busbar.node.stat;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.testkit.ChildJvm;
import io.busbar.wire.StatLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A file of counters between processes, of which one dies. */
@Timeout(60)
class StatProcessTest {
  @TempDir Path folder;

  private NodeSnapshot only() {
    List<StatReading> found = StatReader.list(folder);
    assertThat(found).hasSize(1);
    assertThat(found.getFirst()).isInstanceOf(NodeSnapshot.class);
    return (NodeSnapshot) found.getFirst();
  }

  private static long rounds(NodeSnapshot node) {
    return node.counters().getOrDefault("rounds", -1L);
  }

  @Test
  void othersReadWhatItsOwnerWritesAndWhatADeadOneLeft() throws Exception {
    try (StatChild child = new StatChild(List.of(), "own", folder)) {
      Path path = Path.of(child.line());
      NodeSnapshot first = only();
      assertThat(first.path()).isEqualTo(path);
      assertThat(first.alive()).isTrue();
      assertThat(first.pid()).isEqualTo((int) child.pid());
      assertThat(first.node()).isEqualTo(3);
      assertThat(first.name()).isEqualTo("child");
      PeerSnapshot peer = first.peers().getFirst();
      assertThat(peer.address()).isEqualTo("shm:here");
      assertThat(peer.whyName()).isEqualTo("NO_BUFFER");
      assertThat(peer.bytesIn()).isEqualTo(peer.bytesOut());
      while (rounds(only()) < rounds(first) + 10_000) {
        TimeUnit.MILLISECONDS.sleep(1);
      }
      assertThat(only().peers().getFirst().blockedNs()).isGreaterThan(peer.blockedNs());
      try (StatFile own = StatFile.create(folder, new StatOwner(1, "", 1, 1))) {
        assertThat(StatReader.list(folder)).as("the living are not swept").hasSize(2);
        assertThat(own.path()).isNotEqualTo(path);
      }

      child.kill();
      NodeSnapshot dead = only();
      assertThat(dead.alive()).isFalse();
      assertThat(rounds(dead)).isGreaterThanOrEqualTo(rounds(first) + 10_000);
      assertThat(dead.peers().size() + dead.peersUnsettled()).isOne();
      try (StatFile next = StatFile.create(folder, new StatOwner(2, "next", 1, 1))) {
        assertThat(only().path()).as("the dead are swept").isEqualTo(next.path());
      }
    }
  }

  @Test
  void fullFolderIsToldAndLeavesNothing() throws Exception {
    long bytes = 2 * StatLayout.FILE_BYTES + (64 << 10);
    List<String> wrapper = ChildJvm.withTmpfs(folder, "size=" + bytes);
    try (StatChild child = new StatChild(wrapper, "fill", folder)) {
      assertThat(child.line())
          .startsWith("cannot make the file of counters " + folder + "/busbar-")
          .containsPattern("reserve 204 KB in .*, where \\d+ KB are free")
          .contains("ENOSPC")
          .contains("--shm-size");
      assertThat(child.line()).as("made, and there").isEqualTo("2 2");
      assertThat(child.line()).as("left").isEqualTo("0");
    }
  }

  @Test
  void whereSharedMemoryCannotBeWrittenItIsTemporary() throws Exception {
    List<String> wrapper = ChildJvm.withTmpfs(Path.of("/dev/shm"), "ro");
    try (StatChild child = new StatChild(wrapper, "usual", folder)) {
      assertThat(child.line()) // the first number was tried where it cannot be written
          .startsWith(folder + "/busbar-" + child.pid() + "-1.stat");
    }
    try (StatChild child = new StatChild(List.of(), "usual", folder)) {
      assertThat(child.line()).startsWith("/dev/shm/busbar-" + child.pid() + "-0.stat");
    }
  }

  @Test
  void fileOfAnotherUserIsSaidSo() throws Exception {
    Path path = Files.write(folder.resolve("busbar-5-0.stat"), new byte[StatLayout.FILE_BYTES]);
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("---------"));
    try (StatChild child = new StatChild(StatChild.withoutOverride(), "read", path)) {
      assertThat(child.line()).startsWith("Unreadable[").contains("pid=5, why=belongs to another");
    }
  }
}
