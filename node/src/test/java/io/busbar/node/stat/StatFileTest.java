package io.busbar.node.stat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.busbar.linux.ThisProcess;
import io.busbar.node.NodeException;
import io.busbar.wire.Blocked;
import io.busbar.wire.StatLayout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is written is what is read. */
class StatFileTest {
  private static final long SECOND_NS = 1_000_000_000L;

  @TempDir Path folder;

  private StatFile stat;

  @BeforeEach
  void make() {
    stat = StatFile.create(folder, new StatOwner(7, "käse", 0xABCDL, 0x1234L));
  }

  @AfterEach
  void close() {
    stat.close();
  }

  private NodeSnapshot read() {
    StatReading reading = StatReader.read(stat.path());
    assertThat(reading).isInstanceOf(NodeSnapshot.class);
    return (NodeSnapshot) reading;
  }

  private PeerSnapshot peer() {
    assertThat(read().peers()).hasSize(1);
    return read().peers().getFirst();
  }

  @Test
  void nodeIsShown() {
    NodeSnapshot node = read();
    assertThat(node.pid()).isEqualTo(ThisProcess.pid());
    assertThat(node.alive()).isTrue();
    assertThat(node.node()).isEqualTo(7);
    assertThat(node.name()).isEqualTo("käse");
    assertThat(node.incarnation()).isEqualTo(0xABCD);
    assertThat(node.cluster()).isEqualTo(0x1234);
    assertThat(node.startMs()).isBetween(1L, System.currentTimeMillis());
    assertThat(node.counters()).isEmpty();
    assertThat(node.peers()).isEmpty();
  }

  @Test
  void countersAreShownInTheirOrder() {
    int one = stat.register("frames_out");
    int two = stat.register("a".repeat(StatLayout.COUNTER_NAME_BYTES));
    stat.set(one, Long.MIN_VALUE);
    stat.add(two, 40);
    stat.add(two, 2);
    assertThat(stat.register("frames_out")).isEqualTo(one);
    assertThat(read().counters())
        .containsExactly(Map.entry("frames_out", Long.MIN_VALUE), Map.entry("a".repeat(32), 42L));
  }

  @Test
  void namesThatCannotBeShownAreRefused() {
    for (String name : List.of("", "a b", "ü", "x\n", "a".repeat(33))) {
      assertThatThrownBy(() -> stat.register(name))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("a counter named '" + name + "'; allowed: 1 to 32");
    }
    assertThat(read().counters()).isEmpty();
  }

  @Test
  void thereAre256Counters() {
    IntStream.range(0, 256).forEach(i -> stat.set(stat.register("counter-" + i), i));
    assertThatThrownBy(() -> stat.register("more")).hasMessageContaining("256 are registered");
    assertThatThrownBy(() -> stat.set(256, 1)).isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> stat.add(-1, 1)).isInstanceOf(IndexOutOfBoundsException.class);
    assertThat(read().counters()).hasSize(256).containsEntry("counter-255", 255L);
  }

  @Test
  void rowIsShown() {
    PeerRow row = stat.row(9);
    row.fabric("shm");
    row.address("shm:0123");
    row.received(100);
    row.sent(1000);
    row.sent(2000);
    row.repairs(3);
    row.stalls(4);
    row.roundTripNs(5);
    row.waitingBytes(6);
    assertThat(peer())
        .isEqualTo(new PeerSnapshot(9, true, "shm", 0, 0, 100, 3000, 1, 2, 3, 4, 5, 6, "shm:0123"));
    assertThat(read().peersOpen()).isOne();
    row.gone();
    assertThat(peer().open()).isFalse();
    assertThat(peer().bytesOut()).isEqualTo(3000);
    assertThat(read().peersOpen()).isZero();
  }

  @Test
  void blockedPeerSaysWhyAndForHowLong() {
    PeerRow row = stat.row(9);
    long nowMs = System.currentTimeMillis();
    row.blocked(Blocked.NO_CREDIT, 10 * SECOND_NS);
    row.blocked(Blocked.NO_CREDIT, 12 * SECOND_NS);
    stat.tick(15 * SECOND_NS, nowMs);
    assertThat(peer().whyName()).isEqualTo("NO_CREDIT");
    assertThat(peer().why()).startsWith("the peer granted no room");
    assertThat(peer().blockedNs()).isBetween(5 * SECOND_NS, 15 * SECOND_NS);
    stat.tick(15 * SECOND_NS, nowMs - 3_600_000);
    assertThat(peer().blockedNs()).as("of an owner that hangs").isGreaterThan(3600 * SECOND_NS);
    row.blocked(Blocked.NOT, 16 * SECOND_NS);
    assertThat(peer().isBlocked()).isFalse();
    assertThat(peer().blockedNs()).isZero();
  }

  @Test
  void changeThatDoesNotEndIsLeftOut() {
    stat.row(1);
    PeerRow row = stat.row(2);
    row.begin();
    assertThatThrownBy(row::begin).hasMessageContaining("begun already");
    row.bytesIn(1);
    assertThat(read().peers()).extracting(PeerSnapshot::node).containsExactly(1L);
    assertThat(read().peersUnsettled()).isOne();
    row.end();
    assertThatThrownBy(row::end).hasMessageContaining("not begun");
    assertThat(read().peers()).extracting(PeerSnapshot::bytesIn).containsExactly(0L, 1L);
    assertThat(read().peersUnsettled()).isZero();
  }

  @Test
  void peerThatComesAgainBeginsAnewInItsRow() {
    PeerRow row = stat.row(9);
    row.bytesIn(100);
    assertThat(stat.row(9)).isSameAs(row);
    assertThat(peer().bytesIn()).isEqualTo(100);
    row.gone();
    stat.row(9).bytesOut(1);
    assertThat(peer().open()).isTrue();
    assertThat(peer().bytesIn()).isZero();
    assertThat(peer().bytesOut()).isOne();
  }

  @Test
  void rowsOfThoseWhoAreGoneAreTakenOverAndMoreAreCounted() {
    for (int i = 0; i < StatLayout.PEERS_MAX; i++) {
      stat.row(i).bytesIn(i);
    }
    stat.row(5000).bytesIn(1);
    assertThat(read().peers()).hasSize(StatLayout.PEERS_MAX);
    assertThat(read().peersHidden()).isOne();
    PeerRow old = stat.row(77);
    old.gone();
    PeerRow fresh = stat.row(6000);
    fresh.bytesIn(3);
    old.bytesIn(99);
    old.fabric("old");
    PeerSnapshot seen = read().peers().get(77);
    assertThat(seen.node()).isEqualTo(6000);
    assertThat(seen.bytesIn()).isEqualTo(3);
    assertThat(seen.fabric()).isEmpty();
    assertThat(read().peersHidden()).isOne();
  }

  @Test
  void textsAreCutBetweenCharacters() {
    PeerRow row = stat.row(1);
    row.fabric("shared-memory");
    row.address("ü".repeat(31) + "a" + "€");
    assertThat(peer().fabric()).isEqualTo("shared-m");
    assertThat(peer().address()).isEqualTo("ü".repeat(31) + "a");
    row.address("\u001b[2Jx\u202ey");
    assertThat(peer().address()).isEqualTo("?[2Jx?y");
  }

  @Test
  void fileIsForItsUserAloneAndGoesWithItsOwner() throws IOException {
    assertThat(stat.path().getFileName().toString())
        .matches("busbar-" + ThisProcess.pid() + "-[0-9a-f]+\\.stat");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(stat.path())))
        .isEqualTo("rw-------");
    try (StatFile other = StatFile.create(folder, new StatOwner(8, "", 1, 1))) {
      assertThat(StatReader.list(folder)).hasSize(2);
      assertThat(other.path()).isNotEqualTo(stat.path());
    }
    assertThat(StatReader.list(folder)).hasSize(1);
    stat.close();
    stat.close();
    assertThat(StatReader.list(folder)).isEmpty();
    assertThatThrownBy(() -> stat.set(0, 1)).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void directoryThatIsNotThereIsNamed() {
    Path nowhere = folder.resolve("nowhere");
    assertThatThrownBy(() -> StatFile.create(nowhere, new StatOwner(1, "", 1, 1)))
        .isInstanceOf(NodeException.class)
        .hasMessageContaining("cannot make the file of counters " + nowhere)
        .hasMessageContaining("ENOENT");
    assertThat(StatReader.list(nowhere)).isEmpty();
  }

  @Test
  void withoutADirectoryItIsWhereReadersLook() {
    try (StatFile usual = StatFile.create(new StatOwner(1, "usual", 1, 1))) {
      assertThat(StatReader.places().stream().flatMap(place -> StatReader.list(place).stream()))
          .extracting(StatReading::path)
          .contains(usual.path());
    }
  }
}
