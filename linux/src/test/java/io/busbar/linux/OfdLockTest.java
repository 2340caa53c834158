package io.busbar.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A lock lives as long as the opening of the file that took it. */
@Timeout(60)
class OfdLockTest {
  @TempDir Path folder = Path.of("");

  private String path() {
    return folder.resolve("life").toString();
  }

  @Test
  void excludesAnotherOpening() {
    try (MemoryFile one = MemoryFile.create(path());
        MemoryFile other = MemoryFile.open(path())) {
      try (OfdLock lock = OfdLock.exclusive(one, 8, 1)) {
        assertThat(lock).isNotNull();
        assertThat(OfdLock.isHeld(other, 8, 1)).isTrue();
        assertThat(OfdLock.isHeld(other, 0, 100)).isTrue();
        assertThat(OfdLock.isHeld(other, 9, 1)).isFalse();
        assertThat(OfdLock.isHeld(one, 8, 1)).isFalse();
        assertThatThrownBy(() -> OfdLock.exclusive(other, 8, 1))
            .isInstanceOf(SystemCallException.class)
            .hasMessage(
                "cannot lock bytes 8 to 8 of %s: fcntl: EAGAIN; another living process has it: wait"
                    + " for it to end, or take another place",
                path());
      }
      assertThat(OfdLock.isHeld(other, 8, 1)).isFalse();
    }
  }

  @Test
  void aTrialSaysNoWithoutAnException() {
    try (MemoryFile one = MemoryFile.create(path());
        MemoryFile other = MemoryFile.open(path())) {
      try (OfdLock lock = OfdLock.tryExclusive(one, 8, 1).orElseThrow()) {
        assertThat(OfdLock.tryExclusive(other, 8, 1)).isEmpty();
        assertThat(OfdLock.tryExclusive(other, 9, 1)).isPresent();
        assertThat(lock).isNotNull();
      }
      assertThat(OfdLock.tryExclusive(other, 8, 1)).isPresent();
    }
    try (MemoryFile readOnly = MemoryFile.openReadOnly(path())) {
      assertThatThrownBy(() -> OfdLock.tryExclusive(readOnly, 8, 1))
          .hasMessageContaining("fcntl: EBADF");
    }
  }

  @Test
  void sharedOnesExcludeOnlyTheExclusive() {
    try (MemoryFile one = MemoryFile.create(path());
        MemoryFile other = MemoryFile.open(path())) {
      try (OfdLock first = OfdLock.shared(one, 0, 1);
          OfdLock second = OfdLock.shared(other, 0, 1)) {
        assertThat(first).isNotSameAs(second);
        assertThatThrownBy(() -> OfdLock.exclusive(other, 0, 1)).hasMessageContaining("EAGAIN");
      }
    }
  }

  @Test
  void endsWithItsFile() {
    MemoryFile one = MemoryFile.create(path());
    try (MemoryFile other = MemoryFile.open(path())) {
      OfdLock lock = OfdLock.exclusive(one, 0, 1);
      assertThat(OfdLock.isHeld(other, 0, 1)).isTrue();
      one.close();
      assertThat(OfdLock.isHeld(other, 0, 1)).isFalse();
      lock.close();
    }
  }

  @Test
  void endsWithItsProcess() throws Exception {
    try (MemoryFile file = MemoryFile.create(path());
        Child child = new Child(List.of(), "lock", path())) {
      assertThat(child.line()).isEqualTo("ready true");
      assertThat(OfdLock.isHeld(file, 8, 1)).isTrue();
      child.kill();
      assertThat(OfdLock.isHeld(file, 8, 1)).isFalse();
      OfdLock.exclusive(file, 8, 1).close();
    }
  }
}
