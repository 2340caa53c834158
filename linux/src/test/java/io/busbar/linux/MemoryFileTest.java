package io.busbar.linux;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MemoryFileTest {
  private static final String SHM = "/dev/shm";

  @TempDir Path folder = Path.of("");

  private String path(String name) {
    return folder.resolve(name).toString();
  }

  @Test
  void onlyOneProcessCreates() {
    try (MemoryFile file = MemoryFile.create(path("a"))) {
      assertThat(file.size()).isZero();
      assertThatExceptionOfType(SystemCallException.class)
          .isThrownBy(() -> MemoryFile.create(path("a")))
          .withMessage(
              "cannot create %s: open: EEXIST; another process made it first: open that one, or"
                  + " remove it",
              path("a"));
      MemoryFile.openOrCreate(path("a")).close();
    }
  }

  @Test
  void missingFileSaysSo() {
    assertThatThrownBy(() -> MemoryFile.open(path("none")))
        .hasMessageContaining("open: ENOENT; check the path");
    assertThatThrownBy(() -> MemoryFile.unlink(path("none")))
        .hasMessage("cannot remove %s: unlink: ENOENT; check the path", path("none"));
  }

  @Test
  void whatIsWrittenIsRead() {
    try (Arena arena = Arena.ofConfined();
        MemoryFile file = MemoryFile.create(path("a"))) {
      MemorySegment out = Patterns.of(arena, 1000, 3);
      assertThat(file.write(4096, out, 0, 1000)).isEqualTo(1000);
      assertThat(file.size()).isEqualTo(5096);
      MemorySegment in = arena.allocate(2000);
      assertThat(file.read(4096, in, 0, 2000)).isEqualTo(1000);
      assertThat(in.asSlice(0, 1000).mismatch(out)).isEqualTo(-1);
      assertThat(file.read(6000, in, 0, 1)).isZero();
      try (MemoryFile reader = MemoryFile.openReadOnly(path("a"))) {
        assertThat(reader.read(4096, in, 0, 8)).isEqualTo(8);
        assertThatThrownBy(() -> reader.write(0, in, 0, 8))
            .hasMessageStartingWith("cannot write " + path("a") + ": pwrite: EBADF; ");
      }
    }
  }

  @Test
  void heapAndForeignMemoryAreRefused() {
    try (MemoryFile file = MemoryFile.anonymous("a")) {
      MemorySegment heap = MemorySegment.ofArray(new byte[8]);
      assertThatThrownBy(() -> file.write(0, heap, 0, 8))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("on the heap");
      Arena arena = Arena.ofConfined();
      MemorySegment gone = arena.allocate(8);
      arena.close();
      assertThatThrownBy(() -> file.write(0, gone, 0, 8))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("given back already");
      assertThatThrownBy(() -> file.write(0, gone, 4, 8))
          .isInstanceOf(IndexOutOfBoundsException.class);
    }
  }

  @Test
  void reservedSpaceIsThere() {
    try (MemoryFile file = MemoryFile.anonymous("a")) {
      file.resize(1 << 20);
      assertThat(FileStatus.of(file.descriptor()).reservedBytes()).isZero();
      file.reserve(1 << 20);
      FileStatus status = FileStatus.of(file.descriptor());
      assertThat(status.reservedBytes()).isEqualTo(1 << 20);
      assertThat(status.bytes()).isEqualTo(1 << 20);
      file.reserve(1 << 20);
      assertThat(file.size()).isEqualTo(1 << 20);
    }
  }

  @Test
  void replacedPathIsAnotherFile() {
    try (MemoryFile first = MemoryFile.create(path("a"))) {
      assertThat(FileStatus.of(first.descriptor()).links()).isEqualTo(1);
      MemoryFile.unlink(path("a"));
      assertThat(FileStatus.of(first.descriptor()).links()).isZero();
      try (MemoryFile second = MemoryFile.create(path("a"))) {
        assertThat(FileStatus.of(second.descriptor()).inode())
            .isNotEqualTo(FileStatus.of(first.descriptor()).inode());
      }
    }
  }

  @Test
  void tooMuchSharedMemoryIsRefusedAtOnce() {
    Needs.that(Files.isWritable(Path.of(SHM)) && FileSpace.of(SHM).inMemory(), "tmpfs at " + SHM);
    String path = SHM + "/busbar-test-" + ThisProcess.pid();
    try (MemoryFile file = MemoryFile.create(path)) {
      MemoryFile.unlink(path);
      assertNoSpace(file, FileSpace.of(SHM).freeBytes() * 4);
      assertThat(FileStatus.of(file.descriptor()).reservedBytes()).isZero();
      file.reserve(4096);
    }
  }

  /** A memfd has no limit of its own, and the kernel would fill the machine before it gives up. */
  @Test
  void moreThanTheMachineHasIsRefusedAtOnce() {
    try (MemoryFile file = MemoryFile.anonymous("a")) {
      assertThat(FileSpace.of(file.descriptor()).totalBytes()).isZero();
      assertNoSpace(file, 1L << 50);
    }
  }

  private static void assertNoSpace(MemoryFile file, long bytes) {
    assertThatExceptionOfType(SystemCallException.class)
        .isThrownBy(() -> file.reserve(bytes))
        .withMessageMatching(
            "cannot reserve [\\d.]+ [GTP]B in .*, where [\\d.]+ [MGT]B are free: fallocate: ENOSPC;"
                + " make room there, ask for less, or enlarge it .*");
  }

  @Test
  void closedFileIsNamed() {
    MemoryFile file = MemoryFile.anonymous("pool");
    file.close();
    file.close();
    assertThat(file.descriptor().isOpen()).isFalse();
    assertThat(file).hasToString("memfd pool (closed)");
    assertThatThrownBy(file::size)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("memfd pool is closed");
  }

  @Test
  void tooManyOpenFilesSaysWhichLimit() {
    Limit before = Limit.of(Limit.Resource.RLIMIT_NOFILE);
    new Limit(0, before.hard()).apply(Limit.Resource.RLIMIT_NOFILE);
    try {
      assertThatThrownBy(() -> MemoryFile.anonymous("one too many"))
          .hasMessage(
              "cannot open memfd one too many: memfd_create: EMFILE; raise the limit on open files"
                  + " (ulimit -n)");
    } finally {
      before.apply(Limit.Resource.RLIMIT_NOFILE);
    }
    try (MemoryFile file = MemoryFile.anonymous("enough");
        Arena arena = Arena.ofConfined()) {
      assertThat(file.write(0, arena.allocateFrom(JAVA_LONG, 1), 0, 8)).isEqualTo(8);
    }
  }
}
