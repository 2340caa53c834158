package io.busbar.node.stat;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.linux.Fifo;
import io.busbar.linux.MemoryFile;
import io.busbar.wire.StatLayout;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Whatever is in a file, reading it gives a snapshot or a reason. */
@Timeout(60)
class StatReaderTest {
  @TempDir Path folder;

  /** The bytes of a file with some counters and rows. */
  private byte[] sound() throws IOException {
    return sound(20);
  }

  private byte[] sound(int peers) throws IOException {
    try (StatFile stat = StatFile.create(folder, new StatOwner(7, "name", 1, 2))) {
      for (int i = 0; i < 20; i++) {
        stat.set(stat.register("counter" + i), i);
      }
      for (int i = 0; i < peers; i++) {
        stat.row(i).address("address " + i);
      }
      return Files.readAllBytes(stat.path());
    }
  }

  private Path write(byte[] bytes) throws IOException {
    return Files.write(folder.resolve("busbar-4711-0.stat"), bytes);
  }

  private String why(byte[] bytes) throws IOException {
    StatReading reading = StatReader.read(write(bytes));
    assertThat(reading).isInstanceOf(Unreadable.class);
    assertThat(reading.pid()).isEqualTo(4711);
    return ((Unreadable) reading).why();
  }

  private String whyDamaged(Consumer<ByteBuffer> damage) throws IOException {
    byte[] bytes = sound();
    damage.accept(ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN));
    return why(bytes);
  }

  @Test
  void copyIsADeadOnes() throws IOException {
    assertThat(StatReader.read(write(sound())))
        .isInstanceOfSatisfying(
            NodeSnapshot.class,
            node -> {
              assertThat(node.alive()).isFalse();
              assertThat(node.peers()).hasSize(20);
              assertThat(node.counters()).hasSize(20).containsEntry("counter19", 19L);
            });
  }

  @Test
  void eachKindOfDamageIsNamed() throws IOException {
    assertThat(why(new byte[0])).contains("it has 0 bytes, and 208896 are needed");
    assertThat(why(new byte[5])).contains("it has 5 bytes");
    assertThat(why(new byte[StatLayout.FILE_BYTES])).contains("does not begin with BUSBARST");
    assertThat(whyDamaged(b -> b.putInt(StatLayout.VERSION_AT, 2)))
        .contains("has version 2 of the layout, and this program reads version 1");
    assertThat(whyDamaged(b -> b.putInt(StatLayout.COUNTERS_AT, 257))).contains("257 counters");
    assertThat(whyDamaged(b -> b.putInt(StatLayout.COUNTERS_AT, -1))).contains("-1 counters");
    assertThat(whyDamaged(b -> b.putInt(StatLayout.PEERS_AT, 1025))).contains("1025 peers");
    assertThat(whyDamaged(b -> b.put((int) StatLayout.counterAt(3), (byte) 7)))
        .contains("counter 3 has no readable name");
    int state = (int) StatLayout.peerAt(4) + StatLayout.PEER_STATE_AT;
    assertThat(whyDamaged(b -> b.putLong(state, 3))).contains("row 4 has the state 3");
  }

  @Test
  void reasonOfALaterVersionIsShownAsANumber() throws IOException {
    byte[] bytes = sound();
    int at = (int) StatLayout.peerAt(0) + StatLayout.PEER_BLOCKED_AT;
    ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).putLong(at, 99);
    assertThat(StatReader.read(write(bytes)))
        .isInstanceOfSatisfying(
            NodeSnapshot.class,
            node -> {
              assertThat(node.peers().getFirst().whyName()).isEqualTo("99");
              assertThat(node.peers().getFirst().why()).contains("does not know");
            });
  }

  @Test
  void rowThatADeadOneWasChangingIsLeftOut() throws IOException {
    byte[] bytes = sound();
    int at = (int) StatLayout.peerAt(0) + StatLayout.PEER_SEQUENCE_AT;
    ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).putLong(at, 5);
    assertThat(StatReader.read(write(bytes)))
        .isInstanceOfSatisfying(
            NodeSnapshot.class,
            node -> {
              assertThat(node.peers()).hasSize(19);
              assertThat(node.peersUnsettled()).isOne();
            });
  }

  @Test
  void whatIsNoPlainFileIsNotOpened() throws IOException {
    Path fifo = folder.resolve("busbar-12-0.stat");
    try (Fifo _ = Fifo.create(fifo.toString())) {
      Files.createDirectory(folder.resolve("busbar-13-0.stat"));
      Files.createSymbolicLink(folder.resolve("busbar-14-0.stat"), write(sound()));
      assertThat(StatReader.list(folder))
          .extracting(reading -> reading.path().getFileName().toString())
          .containsExactly("busbar-4711-0.stat");
    }
  }

  @Test
  void randomBytesNeverThrow() throws IOException {
    Random random = new Random(3);
    byte[] sound = sound();
    int snapshots = 0;
    for (int i = 0; i < 1000; i++) {
      byte[] bytes = sound.clone();
      if (i % 10 == 0) {
        random.nextBytes(bytes);
        if (i % 20 == 0) {
          System.arraycopy(sound, 0, bytes, 0, 12); // magic and version are right
        }
      } else {
        int used = (int) StatLayout.peerAt(20);
        for (int j = random.nextInt(30); j >= 0; j--) {
          bytes[12 + random.nextInt(used - 12)] = (byte) random.nextInt();
        }
      }
      StatReading reading = StatReader.read(write(bytes));
      assertThat(reading.toString()).isNotEmpty();
      snapshots += reading instanceof NodeSnapshot ? 1 : 0;
    }
    assertThat(snapshots).as("some damage is not noticed, some is").isBetween(100, 900);
  }

  @Test
  void fileThatIsCutWhileItIsReadNeverThrows() throws Exception {
    Path path = write(sound(StatLayout.PEERS_MAX));
    AtomicBoolean over = new AtomicBoolean();
    int cuts = 0;
    try (ExecutorService threads = Executors.newSingleThreadExecutor();
        MemoryFile file = MemoryFile.open(path.toString())) {
      Future<?> cutter =
          threads.submit(
              () -> {
                while (!over.get()) {
                  file.resize(20_000); // header and counters stay
                  file.resize(StatLayout.FILE_BYTES);
                }
              });
      try {
        for (int i = 0; i < 5000; i++) {
          cuts += StatReader.read(path) instanceof Unreadable ? 1 : 0;
        }
      } finally {
        over.set(true);
        cutter.get();
      }
    }
    assertThat(cuts).isPositive();
  }
}
