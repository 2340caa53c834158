package io.busbar.linux;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.busbar.testkit.AllocationMeter;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Pages that are shown here and there, and which of them are copies. */
class PageViewTest {
  private static final int PAGE = ThisProcess.pageBytes();
  private static final long LARGE = 2L << 20;

  private static MemoryFile file(int pages) {
    MemoryFile file = MemoryFile.anonymous("test");
    file.reserve((long) pages * PAGE);
    return file;
  }

  @Test
  void showsPagesOfAFileAtOneAddress() {
    try (MemoryFile file = file(4);
        Mapping all = Mapping.of(file, 0, 4L * PAGE);
        PageView view = new PageView(file, 2L * PAGE, PAGE)) {
      for (int page = 0; page < 4; page++) {
        all.segment().set(JAVA_LONG, (long) page * PAGE, page + 10);
      }
      MemorySegment segment = view.segment();
      assertThat(segment.get(JAVA_LONG, 0)).isZero();
      assertThat(view.showShared(0, 2L * PAGE, 2L * PAGE)).isZero();
      assertThat(segment.get(JAVA_LONG, 0)).isEqualTo(12);
      segment.set(JAVA_LONG, PAGE, 99);
      assertThat(all.segment().get(JAVA_LONG, 3L * PAGE)).isEqualTo(99);
      assertThat(view.showPrivate(0, PAGE, PAGE)).isZero();
      assertThat(segment.get(JAVA_LONG, 0)).isEqualTo(11);
      segment.set(JAVA_LONG, 0, 77);
      assertThat(all.segment().get(JAVA_LONG, PAGE)).isEqualTo(11);
      assertThat(view.dropCopies(0, PAGE)).isZero();
      assertThat(segment.get(JAVA_LONG, 0)).isEqualTo(11);
      assertThat(view.populate(PAGE, PAGE)).isZero();
    }
  }

  @Test
  void copiesAreToldFromPagesOfTheFile() {
    try (MemoryFile file = file(8);
        PageView view = new PageView(file, 8L * PAGE, PAGE);
        PrivateCopies copies = new PrivateCopies(8)) {
      assertThat(view.showPrivate(0, 8L * PAGE, 0)).isZero();
      view.segment().set(JAVA_LONG, 2L * PAGE, 1);
      assertThat(view.segment().get(JAVA_LONG, 4L * PAGE)).isZero(); // read, and so there
      view.segment().set(JAVA_LONG, 7L * PAGE + 8, 0); // what it held already
      copies.look(view.segment(), PAGE, 7);
      assertThat(List.of(0, 1, 2, 3, 4, 5, 6).stream().filter(copies::isCopy).toList())
          .containsExactly(1, 6);
      assertThatThrownBy(() -> copies.isCopy(7)).isInstanceOf(IndexOutOfBoundsException.class);
      assertThat(view.dropCopies(0, 8L * PAGE)).isZero();
      copies.look(view.segment(), 0, 8);
      assertThat(copies.isCopy(2)).isFalse();
    }
  }

  @Test
  void whatIsOutsideIsRefused() {
    try (MemoryFile file = file(2)) {
      PageView view = new PageView(file, 4L * PAGE, PAGE);
      assertThatThrownBy(() -> view.showShared(0, 4L * PAGE, 0))
          .isInstanceOf(IndexOutOfBoundsException.class);
      assertThatThrownBy(() -> view.showPrivate(4L * PAGE, PAGE, 0))
          .isInstanceOf(IndexOutOfBoundsException.class);
      assertThat(view.showShared(8, PAGE, 0)).isEqualTo(-Errno.EINVAL);
      assertThatThrownBy(() -> new PageView(file, 100, PAGE)).hasMessageContaining("whole pages");
      assertThatThrownBy(() -> new PageView(file, PAGE, 3)).hasMessageContaining("power of two");
      view.close();
      assertThatThrownBy(() -> view.showShared(0, PAGE, 0))
          .isInstanceOf(IllegalStateException.class);
    }
  }

  @Test
  void largePagesAreThereAndAreSharedByPath() throws Exception {
    Needs.capability(Capability.CAP_SYS_ADMIN);
    try (MemoryFile file = MemoryFile.anonymousLarge("test")) {
      file.reserve(2 * LARGE);
      String path = "/proc/self/fd/" + file.descriptor().number();
      try (Mapping all = Mapping.of(file, 0, 2 * LARGE);
          MemoryFile again = MemoryFile.open(path);
          PageView view = new PageView(again, LARGE, LARGE)) {
        assertThat(view.segment().address() % LARGE).isZero();
        all.segment().set(JAVA_LONG, LARGE + 8, 5);
        assertThat(view.showPrivate(0, LARGE, LARGE)).isZero();
        assertThat(view.segment().get(JAVA_LONG, 8)).isEqualTo(5);
        String start = "%x-".formatted(view.segment().address());
        List<String> lines = Files.readAllLines(Path.of("/proc/self/smaps"));
        int line = 0;
        while (!lines.get(line).startsWith(start)) {
          line++;
        }
        while (!lines.get(line).startsWith("FilePmdMapped:")
            && !lines.get(line).startsWith("ShmemPmdMapped:")) {
          line++;
        }
        assertThat(lines.get(line)).contains(" 2048 kB");
      }
    }
  }

  @Test
  void changingWhatIsShownAllocatesNothing() {
    try (MemoryFile file = file(4);
        PageView view = new PageView(file, 4L * PAGE, PAGE);
        PrivateCopies copies = new PrivateCopies(4)) {
      new AllocationMeter()
          .assertAllocatesNothing(
              () -> {
                int results = view.showPrivate(0, 2L * PAGE, PAGE);
                view.segment().set(JAVA_LONG, PAGE, 1);
                copies.look(view.segment(), 0, 4);
                results += view.dropCopies(0, PAGE) + view.showShared(0, PAGE, PAGE);
                results += view.populate(0, PAGE);
                if (results != 0 || !copies.isCopy(1)) {
                  throw new AssertionError("a call failed");
                }
              });
    }
  }
}
