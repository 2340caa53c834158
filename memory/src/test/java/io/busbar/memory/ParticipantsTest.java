package io.busbar.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.busbar.linux.MemoryFile;
import io.busbar.linux.OfdLock;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Numbers, lives and deaths; each opening of the file stands for a process. */
class ParticipantsTest {
  private static final int BLOCK = 4096;
  private static final PoolLayout LAYOUT = new PoolLayout(1, BLOCK);

  @TempDir Path folder = Path.of("");

  private final List<AutoCloseable> open = new ArrayList<>();
  private String path = "";

  /** A process that has the pool open. */
  private final class Member {
    private final ResidentMemory memory = ResidentMemory.open(path, LAYOUT.bytes(), Pinning.none());
    private final Participants participants = new Participants(memory.file(), 100);

    Member() {
      open.add(memory);
    }

    Pool join() {
      return participants.join(LAYOUT, memory.segment());
    }

    Pool join(int number) {
      return participants.join(number, LAYOUT, memory.segment());
    }

    /** Ends as a killed process does: its files are closed, and nothing is given back. */
    void dies() {
      memory.close();
    }
  }

  @BeforeEach
  void makeThePool() {
    path = folder.resolve("pool").toString();
    open.add(ResidentMemory.create(path, LAYOUT.bytes(), Pinning.none()));
  }

  @AfterEach
  void closeAll() throws Exception {
    for (AutoCloseable one : open.reversed()) {
      one.close();
    }
  }

  @Test
  void everyLivingOneHasItsOwnNumber() {
    Member first = new Member();
    Member second = new Member();
    Member third = new Member();
    assertThat(first.join().participant()).isEqualTo(1);
    assertThat(second.join().participant()).isEqualTo(2);
    assertThat(third.join().participant()).isEqualTo(3);
    second.participants.close();
    assertThat(new Member().join().participant()).isEqualTo(2);
    assertThat(new Member().join(200).participant()).isEqualTo(200);
    assertThat(first.participants.isAlive(1)).isTrue();
    assertThat(first.participants.isAlive(2)).isTrue();
    assertThat(first.participants.isAlive(4)).isFalse();
    assertThatThrownBy(() -> new Member().join(3))
        .hasMessageContaining("participant 3 of")
        .hasMessageContaining("another living process");
    assertThatThrownBy(first::join).hasMessageContaining("is participant 1 already");
    assertThatThrownBy(() -> new Member().join(256)).hasMessageContaining("1 to 255");
  }

  @Test
  void onlyTheDeadAreBuried() {
    Member survivor = new Member();
    Member mortal = new Member();
    Pool pool = survivor.join();
    Pool its = mortal.join();
    its.allocate(3 * BLOCK, Role.APPLICATION);
    its.allocate(BLOCK, Role.TRANSPORT);
    assertThat(survivor.participants.bury(2, pool)).isEqualTo(Participants.ALIVE);
    assertThat(survivor.participants.bury(1, pool)).isEqualTo(Participants.ALIVE);
    assertThat(survivor.participants.isAlive(1)).isTrue();
    assertThat(pool.freeBlocks()).isEqualTo(28);
    mortal.dies();
    assertThat(survivor.participants.isAlive(2)).isFalse();
    assertThat(survivor.participants.bury(2, pool)).isEqualTo(2);
    assertThat(survivor.participants.bury(2, pool)).isZero();
    assertThat(pool.freeBlocks()).isEqualTo(32);
  }

  @Test
  void whoTakesANumberTakesOverWhatItsFormerHolderLeft() {
    Member mortal = new Member();
    long old = mortal.join().allocate(3 * BLOCK, Role.APPLICATION);
    mortal.dies();
    Pool next = new Member().join();
    assertThat(next.participant()).isEqualTo(1);
    assertThat(next.freeBlocks()).isEqualTo(32);
    assertThat(next.holds(old, Role.APPLICATION, 1)).isFalse();
  }

  /** Who buries holds the lock, so that the number is not taken while its buffers are freed. */
  @Test
  void aNumberThatIsBeingBuriedIsNotTaken() {
    Member mortal = new Member();
    mortal.join(2);
    mortal.dies();
    try (MemoryFile heir = MemoryFile.open(path);
        OfdLock burial = OfdLock.exclusive(heir, 102, 1)) {
      assertThat(burial).isNotNull();
      Member next = new Member();
      assertThatThrownBy(() -> next.join(2)).hasMessageContaining("living");
      Pool pool = next.join(3);
      assertThat(next.participants.bury(2, pool)).isEqualTo(Participants.ALIVE);
    }
  }

  @Test
  void whoCannotUseThePoolDoesNotKeepItsNumber() {
    Member member = new Member();
    assertThatThrownBy(
            () -> member.participants.join(new PoolLayout(2, BLOCK), member.memory.segment()))
        .hasMessageContaining("does not fit");
    assertThat(new Member().join().participant()).isEqualTo(1);
  }

  @Test
  void twoHundredAndFiftyFiveAreAllThereCanBe() {
    try (MemoryFile all = MemoryFile.open(path);
        OfdLock taken = OfdLock.exclusive(all, 101, Pool.PARTICIPANTS_MAX)) {
      assertThat(taken).isNotNull();
      assertThatThrownBy(() -> new Member().join()).hasMessageContaining("255 living processes");
    }
    assertThat(new Member().join().participant()).isEqualTo(1);
  }
}
