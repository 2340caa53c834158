package io.busbar.linux;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.util.List;
import org.junit.jupiter.api.Test;

class MappingTest {
  private static final int PAGE = ThisProcess.pageBytes();
  private static final long HUGE = 2L << 20;

  private static MemoryFile file(int pages) {
    MemoryFile file = MemoryFile.anonymous("test");
    file.reserve((long) pages * PAGE);
    return file;
  }

  @Test
  void twoMappingsOfOneFileAreOneMemory() {
    try (MemoryFile file = file(4);
        Mapping one = Mapping.of(file, 0, 4L * PAGE);
        Mapping other = Mapping.of(file, PAGE, 2L * PAGE, MapOption.POPULATE)) {
      assertThat(one.address()).isNotEqualTo(other.address());
      one.segment().set(JAVA_LONG, PAGE + 8, 42);
      assertThat(other.segment().get(JAVA_LONG, 8)).isEqualTo(42);
      other.segment().set(JAVA_LONG, 16, 43);
      assertThat(one.segment().get(JAVA_LONG, PAGE + 16)).isEqualTo(43);
    }
  }

  /** The kernel would fill the machine before it gives up. */
  @Test
  void moreThanTheMachineHasIsNotPopulated() {
    assertThatThrownBy(() -> Mapping.anonymous(1L << 46, MapOption.POPULATE))
        .isInstanceOf(SystemCallException.class)
        .hasMessageMatching(
            "cannot take 64 TB of memory, where [\\d.]+ [MGT]B are free: mmap: ENOMEM; free memory,"
                + " or ask for less");
  }

  @Test
  void closedFileKeepsItsMappings() {
    MemoryFile file = file(1);
    try (Mapping mapping = Mapping.of(file, 0, PAGE)) {
      file.close();
      mapping.segment().set(JAVA_LONG, 0, 1);
      assertThat(mapping.segment().get(JAVA_LONG, 0)).isEqualTo(1);
    }
  }

  @Test
  void privateMappingKeepsItsWrites() {
    try (MemoryFile file = file(1);
        Mapping shared = Mapping.of(file, 0, PAGE);
        Mapping own = Mapping.of(file, 0, PAGE, MapOption.PRIVATE)) {
      shared.segment().set(JAVA_LONG, 0, 1);
      assertThat(own.segment().get(JAVA_LONG, 0)).isEqualTo(1);
      own.segment().set(JAVA_LONG, 0, 2);
      assertThat(shared.segment().get(JAVA_LONG, 0)).isEqualTo(1);
    }
  }

  @Test
  void readOnlyMappingRefusesWrites() {
    try (MemoryFile file = file(1);
        Mapping mapping = Mapping.of(file, 0, PAGE, MapOption.READ_ONLY)) {
      assertThat(mapping.segment().get(JAVA_LONG, 0)).isZero();
      assertThatThrownBy(() -> mapping.segment().set(JAVA_LONG, 0, 1))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void unmappedMemoryIsAnExceptionAndNotACrash() {
    Mapping mapping = Mapping.anonymous(PAGE);
    MemorySegment segment = mapping.segment();
    assertThat(segment.get(JAVA_LONG, 0)).isZero();
    mapping.close();
    mapping.close();
    assertThat(mapping.isOpen()).isFalse();
    assertThatThrownBy(() -> segment.get(JAVA_LONG, 0)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(mapping::lock)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("anonymous memory was unmapped already");
  }

  /** A touch past the end would be a SIGBUS. */
  @Test
  void partBeyondTheFileIsRefused() {
    try (MemoryFile file = file(1)) {
      assertThatThrownBy(() -> Mapping.of(file, 0, 2L * PAGE))
          .isInstanceOf(IndexOutOfBoundsException.class);
    }
  }

  @Test
  void oddOffsetIsExplained() {
    try (MemoryFile file = file(2)) {
      assertThatThrownBy(() -> Mapping.of(file, 8, PAGE))
          .isInstanceOf(SystemCallException.class)
          .hasMessageStartingWith("cannot map 4 KB of memfd test: mmap: EINVAL; ")
          .hasMessageContaining("multiples of the page");
    }
  }

  @Test
  void pagesChangePlaces() {
    try (MemoryFile file = file(4);
        Mapping view = Mapping.of(file, 0, 2L * PAGE);
        Mapping all = Mapping.of(file, 0, 4L * PAGE)) {
      all.segment().set(JAVA_LONG, 3L * PAGE, 33);
      view.segment().set(JAVA_LONG, 0, 7);
      view.replace(PAGE, PAGE, file, 3L * PAGE);
      assertThat(view.segment().get(JAVA_LONG, PAGE)).isEqualTo(33);
      assertThat(view.segment().get(JAVA_LONG, 0)).isEqualTo(7);
      view.replace(0, PAGE, file, 3L * PAGE, MapOption.PRIVATE);
      view.segment().set(JAVA_LONG, 0, 34);
      assertThat(all.segment().get(JAVA_LONG, 3L * PAGE)).isEqualTo(33);
      assertThatThrownBy(() -> view.replace(PAGE, 2L * PAGE, file, 0))
          .isInstanceOf(IndexOutOfBoundsException.class);
    }
  }

  @Test
  void adviceIsTaken() {
    try (MemoryFile file = file(2);
        Mapping mapping = Mapping.of(file, 0, 2L * PAGE)) {
      mapping.advise(MemoryAdvice.POPULATE_WRITE, 0, 2L * PAGE);
      mapping.segment().set(JAVA_LONG, PAGE, 5);
      mapping.advise(MemoryAdvice.DONT_NEED, 0, 2L * PAGE);
      assertThat(mapping.segment().get(JAVA_LONG, PAGE)).isEqualTo(5);
      mapping.advise(MemoryAdvice.REMOVE, PAGE, PAGE);
      assertThat(mapping.segment().get(JAVA_LONG, PAGE)).isZero();
      assertThatThrownBy(() -> mapping.advise(MemoryAdvice.REMOVE, 8, PAGE))
          .hasMessageStartingWith("cannot advise REMOVE for 4 KB of memfd test: madvise: EINVAL; ");
    }
  }

  @Test
  void lockedAndUnlocked() {
    try (Mapping mapping = Mapping.anonymous(PAGE)) {
      mapping.lock();
      mapping.unlock();
    }
  }

  /** Locked past the limit by a process without the right to. */
  @Test
  void lockPastTheLimitIsExplained() throws Exception {
    String setpriv = "setpriv --bounding-set=-ipc_lock --inh-caps=-ipc_lock ";
    String limit = "ulimit -l 64 && ";
    Needs.command("sh", "-c", limit + setpriv + "true");
    List<String> unprivileged = List.of("sh", "-c", limit + "exec " + setpriv + "\"$@\"", "sh");
    try (Child child = new Child(unprivileged, "pin", Long.toString(64 << 20))) {
      assertThat(child.line())
          .isEqualTo(
              "cannot lock 64 MB in memory: mlock: ENOMEM; raise the limit (ulimit -l) or run"
                  + " unpinned");
    }
  }

  /** More huge pages than any machine sets aside. */
  @Test
  void missingHugePagesAreExplained() {
    assertThatThrownBy(() -> Mapping.anonymous(HUGE << 19, MapOption.HUGE_2MB))
        .isInstanceOf(SystemCallException.class)
        .hasMessage(
            "cannot map 1 TB of anonymous memory in pages of 2 MB: mmap: ENOMEM; set huge pages"
                + " aside (sysctl vm.nr_hugepages=N), ask for a multiple of 2 MB, or use small"
                + " pages");
    try (MemoryFile file = MemoryFile.anonymousHuge("huge")) {
      assertThatThrownBy(() -> file.reserve(HUGE << 19))
          .isInstanceOf(SystemCallException.class)
          .hasMessageMatching(
              "cannot reserve 1 TB in memfd huge in pages of 2 MB: fallocate: E\\w+; set huge pages"
                  + " aside .*");
    }
  }
}
