package io.busbar.fabric.shm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.busbar.fabric.FabricException;
import io.busbar.fabric.Nic;
import io.busbar.fabric.NicCount;
import io.busbar.linux.MemoryFile;
import io.busbar.memory.Role;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A file that somebody cuts makes every touch of its mapping a SIGBUS. The JVM turns that into an
 * {@link InternalError}, sooner or later; here it costs a peer and not the process.
 */
@Timeout(60)
class CutFileTest {
  private final Folder folder = new Folder();
  private final Station a = new Station(folder);
  private final Station b = new Station(folder);
  private final Station c = new Station(folder);
  private final int toB = a.open(b);
  private final int toA = b.open(a);
  private final int toC = a.open(c);

  @AfterEach
  void close() {
    try (folder;
        a;
        b) {
      c.close();
    }
  }

  private void cut(Station station) {
    String path = new SegmentFiles(folder.path.toString()).segment(station.nic.address().token());
    try (MemoryFile file = MemoryFile.open(path)) {
      file.resize(0);
    }
  }

  /** The more often, the more of it is compiled. */
  private void talk(int rounds) {
    for (int i = 0; i < rounds; i++) {
      a.send(toB, i, 100);
      a.send(toC, i, 5000);
      b.send(toA, i, i % 2 == 0 ? 100 : 5000);
      a.poll();
      b.poll();
      c.poll();
      a.heard.clear();
      b.heard.clear();
      c.heard.clear();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 20_000})
  void peerWhoseFileIsCutIsExpelled(int rounds) {
    talk(rounds);
    a.claiming = true;
    b.send(toA, 1, 5000);
    a.poll();
    b.send(toA, 2, 100);
    b.send(toA, 3, 5000);
    cut(b);
    Station.await("b is expelled", () -> !a.told.isEmpty(), a);
    assertThat(a.told).containsExactly("gone 0: its segment was cut short");
    assertThat(a.count(NicCount.DROPPED_CORRUPT)).isPositive();
    assertThat(a.send(toB, 1, 100)).isEqualTo(Nic.GONE);
    assertThat(a.send(toC, 9, 5000)).isEqualTo(Nic.DONE);
    assertThat(c.poll()).isEqualTo(1);
    assertThat(c.numbers()).containsExactly(9L);
    a.nic.release(a.heard.getFirst().frame());
  }

  private void touch(String call, Station d, int toD) {
    switch (call) {
      case "reserve" -> assertThat(a.send(toD, 1, 8)).isEqualTo(Nic.FULL);
      case "transfer" -> {
        long handle = a.nic.pool().allocate(5000, Role.APPLICATION);
        assertThat(a.nic.transfer(toD, handle, Role.APPLICATION, 5000)).isEqualTo(Nic.FULL);
        a.nic.pool().free(handle, Role.APPLICATION);
      }
      case "flush" -> assertThat(a.nic.flush()).isZero();
      case "arm" -> a.nic.arm();
      case "disarm" -> a.nic.disarm();
      case "close" -> a.nic.close(toD);
      default ->
          assertThatThrownBy(() -> b.open(d))
              .isInstanceOf(FabricException.class)
              .hasMessageContaining("not ready");
    }
  }

  /**
   * Every call may be the first to touch it. Where the call was compiled into its caller, the JVM
   * reports the fault after it has returned, to the caller; what is looked at next finds it.
   */
  @ParameterizedTest
  @ValueSource(strings = {"reserve", "transfer", "flush", "arm", "disarm", "close", "open"})
  void anyCallMayFindOut(String call) {
    talk(2);
    try (Station d = new Station(folder)) {
      int toD = a.open(d);
      if (call.equals("flush")) {
        assertThat(d.nic.arm()).isTrue();
        assertThat(a.send(toD, 1, 8)).isEqualTo(Nic.DONE);
      }
      cut(d);
      try {
        touch(call, d, toD);
      } catch (InternalError late) {
        assertThat(late).as("what the JVM reports").hasMessageContaining("unsafe memory access");
        int _ = a.poll();
      }
      if (!call.equals("close")) {
        Station.await("d goes", () -> a.send(toD, 1, 8) == Nic.GONE, a);
      }
      assertThat(a.send(toC, 9, 5000)).isEqualTo(Nic.DONE);
      assertThat(c.poll()).isEqualTo(1);
    }
  }

  @Test
  void ownFileThatIsCutEndsTheInterfaceByName() {
    talk(1);
    cut(a);
    assertThatThrownBy(
            () -> {
              for (int i = 0; i < 2000; i++) {
                a.poll();
              }
            })
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("was cut short by another process");
    Station.await("b expels a", () -> !b.told.isEmpty(), b);
    assertThat(b.told).containsExactly("gone 0: its segment was cut short");
  }
}
