package io.busbar.memory;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.busbar.linux.MemoryFile;
import io.busbar.linux.SystemCallException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Memory of three kinds, that is there; and what happens where there is too little. */
@Timeout(60)
class ResidentMemoryTest {
  private static final long KB = 1 << 10;
  private static final long MB = 1 << 20;
  private static final PoolLayout LAYOUT = new PoolLayout(1, 4096);

  @TempDir Path folder = Path.of("");

  private String path(String name) {
    return folder.resolve(name).toString();
  }

  /** Pages of a mapping that are in memory, as the kernel counts them. */
  private static long residentBytes(MemorySegment segment) throws IOException {
    List<String> lines = Files.readAllLines(Path.of("/proc/self/smaps"));
    String start = "%x-".formatted(segment.address());
    int line = 0;
    while (!lines.get(line).startsWith(start)) {
      line++;
    }
    while (!lines.get(line).startsWith("Rss:")) {
      line++;
    }
    return Long.parseLong(lines.get(line).replaceAll("[^0-9]", "")) * 1024;
  }

  @Test
  void everyKindIsZeroAndThereAtOnce() throws IOException {
    try (ResidentMemory own = ResidentMemory.ofProcess(4 * MB, Pinning.none());
        ResidentMemory memfd = ResidentMemory.anonymous("pool", 4 * MB, Pinning.none());
        ResidentMemory file = ResidentMemory.create(path("a"), 4 * MB, Pinning.none())) {
      for (ResidentMemory memory : List.of(own, memfd, file)) {
        assertThat(memory.segment().byteSize()).isEqualTo(4 * MB);
        // An anonymous mapping may be joined with a neighbour of the same kind.
        assertThat(residentBytes(memory.segment())).isGreaterThanOrEqualTo(4 * MB);
        assertThat(memory.segment().get(JAVA_LONG, 4 * MB - 8)).isZero();
        assertThat(memory.isPinned()).isFalse();
      }
    }
  }

  @Test
  void anotherProcessUsesThePoolByPathAndByDescriptor() throws Exception {
    long bytes = 4096 + LAYOUT.bytes();
    try (ResidentMemory file = ResidentMemory.create(path("a"), bytes, Pinning.none());
        ResidentMemory memfd = ResidentMemory.anonymous("pool", bytes, Pinning.none())) {
      assertThat(file.path()).isEqualTo(path("a"));
      for (ResidentMemory memory : List.of(file, memfd)) {
        Participants participants = new Participants(memory.file(), 0);
        MemorySegment segment = memory.segment();
        Pool pool = participants.join(LAYOUT, segment.asSlice(4096));
        segment.set(JAVA_LONG, 0, 41);
        try (ChildJvm child = new ChildJvm(List.of(), Deed.JOIN, memory.path())) {
          assertThat(child.line()).isEqualTo("2");
          assertThat(segment.get(JAVA_LONG, 0)).isEqualTo(42);
          assertThat(pool.freeBlocks()).isEqualTo(30);
          assertThat(participants.bury(2, pool)).isEqualTo(Participants.ALIVE);
          child.kill();
          assertThat(participants.bury(2, pool)).isEqualTo(1);
          assertThat(pool.freeBlocks()).isEqualTo(32);
        }
      }
    }
  }

  @Test
  void aPartOfAFileIsAMappingOfItsOwn() {
    try (MemoryFile file = MemoryFile.anonymous("segment")) {
      file.reserve(MB + LAYOUT.bytes());
      try (ResidentMemory part = ResidentMemory.part(file, MB, LAYOUT.bytes(), Pinning.none());
          ResidentMemory all = ResidentMemory.part(file, 0, MB + LAYOUT.bytes(), Pinning.none())) {
        Pool pool = new Pool(LAYOUT, all.segment().asSlice(MB), 1);
        Pool other = new Pool(LAYOUT, part.segment(), 2);
        long handle = pool.allocate(4096, Role.APPLICATION);
        pool.segment(handle, Role.APPLICATION).set(JAVA_LONG, 0, 5);
        long given = pool.give(handle, Role.APPLICATION, Role.FABRIC, 2);
        assertThat(other.segment(given, Role.FABRIC).get(JAVA_LONG, 0)).isEqualTo(5);
        assertThatThrownBy(part::file).hasMessageContaining("no file of its own");
      }
      assertThat(file.descriptor().isOpen()).isTrue();
    }
  }

  @Test
  void closingRemovesThePathThatItMadeAndNoOther() throws IOException {
    ResidentMemory maker = ResidentMemory.create(path("a"), MB, Pinning.none());
    ResidentMemory guest = ResidentMemory.open(path("a"), MB, Pinning.none());
    guest.close();
    assertThat(Path.of(path("a"))).exists();
    maker.close();
    maker.close();
    assertThat(Path.of(path("a"))).doesNotExist();
    ResidentMemory robbed = ResidentMemory.create(path("a"), MB, Pinning.none());
    Files.delete(Path.of(path("a")));
    Files.writeString(Path.of(path("a")), "of another");
    robbed.close();
    assertThat(Path.of(path("a"))).hasContent("of another");
    Files.delete(Path.of(path("a")));
    ResidentMemory removed = ResidentMemory.create(path("a"), MB, Pinning.none());
    Files.delete(Path.of(path("a")));
    removed.close();
    assertThatThrownBy(() -> removed.segment().get(JAVA_LONG, 0))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void whatIsNotThereOrNotWholeIsNamed() throws IOException {
    assertThatThrownBy(() -> ResidentMemory.open(path("a"), MB, Pinning.none()))
        .isInstanceOf(SystemCallException.class)
        .hasMessageContaining("ENOENT");
    Files.writeString(Path.of(path("a")), "half");
    assertThatThrownBy(() -> ResidentMemory.open(path("a"), MB, Pinning.none()))
        .hasMessage(
            "%s has 4 bytes, and 1048576 from 0 on were to be mapped: who makes it has not"
                + " finished, or died before; try again, or remove it",
            path("a"));
    assertThatThrownBy(() -> ResidentMemory.create(path("a"), MB, Pinning.none()))
        .hasMessageContaining("EEXIST");
    assertThat(Path.of(path("a"))).hasContent("half");
    assertThatThrownBy(() -> ResidentMemory.ofProcess(1L << 46, Pinning.none()))
        .hasMessageContaining("cannot take 64 TB of memory")
        .hasMessageContaining("ask for less");
    assertThatThrownBy(() -> ResidentMemory.anonymous("a", 1L << 46, Pinning.none()))
        .hasMessageContaining("cannot reserve 64 TB in memfd a");
  }

  private static String refusal(String wanted, String path, String free) {
    return ("cannot reserve %s in %s, where %s are free: fallocate: ENOSPC; make room there, ask"
            + " for less, or enlarge it (mount -o remount,size=..., in a container --shm-size=...)")
        .formatted(wanted, path, free);
  }

  @Test
  void aSmallFileSystemIsAnErrorAndNoSigbus() throws Exception {
    try (ChildJvm child =
        new ChildJvm(
            ChildJvm.withTmpfs(folder, MB),
            Deed.MAKE,
            path("large"),
            4 * MB,
            path("large"),
            MB + 4 * KB,
            path("large"),
            MB)) {
      assertThat(child.lines())
          .containsExactly(
              refusal("4 MB", path("large"), "1 MB"),
              refusal("1.0 MB", path("large"), "1 MB"),
              "made, and every page of 1048576 bytes written");
    }
  }

  @Test
  void aNearlyFullFileSystemIsAnErrorAndNoSigbus() throws Exception {
    try (ChildJvm child =
        new ChildJvm(
            ChildJvm.withTmpfs(folder, MB),
            Deed.MAKE,
            path("first"),
            1000 * KB,
            path("second"),
            64 * KB,
            path("second"),
            24 * KB,
            path("third"),
            4 * KB)) {
      assertThat(child.lines())
          .containsExactly(
              "made, and every page of 1024000 bytes written",
              refusal("64 KB", path("second"), "24 KB"),
              "made, and every page of 24576 bytes written",
              refusal("4 KB", path("third"), "0 bytes"));
    }
  }

  @Test
  void aHoleThatCannotBeFilledIsAnErrorAndNoSigbus() throws Exception {
    try (ChildJvm child =
        new ChildJvm(ChildJvm.withTmpfs(folder, MB), Deed.MAP_A_HOLE, path("a"), 4 * MB)) {
      assertThat(child.lines()).containsExactly(refusal("4 MB", path("a"), "1 MB"));
    }
  }
}
