package io.busbar.fabric.udp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.busbar.fabric.NicCount;
import io.busbar.fabric.NicCounters;
import io.busbar.linux.ReceiveBatch;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ReceiveChunksTest {
  private static final int SLOTS = 2;
  private static final int QUOTA = 3;

  private final NicCounters counters = new NicCounters();
  private final ReceiveChunks chunks =
      new ReceiveChunks(
          UdpConfig.builder().chunks(4096, SLOTS, QUOTA).build(),
          new ReceiveBatch(SLOTS),
          counters);

  @AfterEach
  void close() {
    chunks.close();
  }

  @Test
  void unclaimedChunkStaysInItsSlotUnderANewName() {
    long offset = chunks.offset(0);
    long name = chunks.name(0);
    chunks.retire(0);
    assertThat(chunks.offset(0)).isEqualTo(offset);
    assertThat(chunks.name(0)).isNotEqualTo(name);
    assertThatThrownBy(() -> chunks.release(name)).hasMessageContaining("is not claimed");
  }

  @Test
  void claimedChunkLeavesItsSlotUntilTheLastRelease() {
    long offset = chunks.offset(1);
    long name = chunks.name(1);
    assertThat(chunks.claim(name)).isTrue();
    assertThat(chunks.claim(name)).isTrue();
    chunks.retire(1);
    assertThat(chunks.offset(1)).isNotEqualTo(offset);
    assertThat(chunks.claimed()).isEqualTo(1);
    chunks.release(name);
    assertThat(chunks.claimed()).isEqualTo(1);
    chunks.release(name);
    assertThat(chunks.claimed()).isZero();
    assertThatThrownBy(() -> chunks.release(name))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("is not claimed (any more)");
    assertThat(counters.get(NicCount.CLAIMED)).isEqualTo(2);
  }

  @Test
  void claimThatIsReleasedAtOnceKeepsTheChunkInItsSlot() {
    long offset = chunks.offset(0);
    long name = chunks.name(0);
    assertThat(chunks.claim(name)).isTrue();
    chunks.release(name);
    chunks.retire(0);
    assertThat(chunks.offset(0)).isEqualTo(offset);
  }

  @Test
  void quotaCountsChunksAndNotClaims() {
    Set<Long> offsets = new HashSet<>();
    List<Long> names = new ArrayList<>();
    for (int i = 0; i < QUOTA; i++) {
      names.add(chunks.name(0));
      assertThat(chunks.claim(names.get(i))).isTrue();
      assertThat(chunks.claim(names.get(i))).isTrue();
      assertThat(offsets.add(chunks.offset(0))).isTrue();
      chunks.retire(0);
    }
    assertThat(chunks.claim(chunks.name(0))).isFalse();
    assertThat(chunks.claim(chunks.name(1))).isFalse();
    assertThat(counters.get(NicCount.CLAIMS_REFUSED)).isEqualTo(2);
    chunks.retire(0);
    chunks.release(names.get(1));
    chunks.release(names.get(1));
    assertThat(chunks.claim(chunks.name(0))).isTrue();
  }

  @Test
  void foreignNamesAreRefused() {
    assertThatThrownBy(() -> chunks.release(-1)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> chunks.release(1000)).isInstanceOf(IllegalStateException.class);
  }

  /** No chunk is ever received into while somebody holds it. */
  @Test
  void heldChunksAreNeverInASlot() {
    Random random = new Random(3);
    Queue<long[]> held = new ArrayDeque<>();
    for (int step = 0; step < 10_000; step++) {
      int slot = random.nextInt(SLOTS);
      for (long[] frame : held) {
        assertThat(chunks.offset(0)).isNotEqualTo(frame[1]);
        assertThat(chunks.offset(1)).isNotEqualTo(frame[1]);
      }
      if (random.nextBoolean()) {
        long name = chunks.name(slot);
        if (chunks.claim(name)) {
          held.add(new long[] {name, chunks.offset(slot)});
        }
      }
      chunks.retire(slot);
      if (random.nextBoolean() && !held.isEmpty()) {
        chunks.release(held.remove()[0]);
      }
    }
  }
}
