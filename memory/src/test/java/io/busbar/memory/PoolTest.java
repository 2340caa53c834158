package io.busbar.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Allocation, ownership and handles, with one participant and with two. */
class PoolTest {
  private static final int BLOCK = 4096;

  private final PoolLayout layout = new PoolLayout(2, BLOCK);
  private final MemorySegment memory = Arena.ofAuto().allocate(layout.bytes(), 4096);
  private final Pool pool = new Pool(layout, memory, 1);
  private final Pool other = new Pool(layout, memory, 2);

  @Test
  void sizesRoundUpToBlocksAndBuffersAreAligned() {
    long one = pool.allocate(1, Role.APPLICATION);
    long three = pool.allocate(2 * BLOCK + 1, Role.APPLICATION);
    assertThat(pool.bytes(one, Role.APPLICATION)).isEqualTo(BLOCK);
    assertThat(pool.bytes(three, Role.APPLICATION)).isEqualTo(3 * BLOCK);
    assertThat(pool.offset(three, Role.APPLICATION) % BLOCK).isZero();
    assertThat(pool.freeBlocks()).isEqualTo(64 - 4);
  }

  @Test
  void censusSaysWhoHoldsWhatAndWhatIsFree() {
    long mine = pool.allocate(3 * BLOCK, Role.APPLICATION);
    long given = pool.allocate(2 * BLOCK, Role.APPLICATION);
    long freed = pool.allocate(5 * BLOCK, Role.APPLICATION);
    long _ = pool.give(given, Role.APPLICATION, Role.FABRIC, 2);
    pool.free(freed, Role.APPLICATION);
    int[] held = new int[Pool.PARTICIPANTS_MAX + 1];
    held[7] = 7;
    assertThat(pool.census(held)).isEqualTo(64 - 5).isEqualTo(pool.freeBlocks());
    assertThat(held[1]).isEqualTo(3);
    assertThat(held[2]).isEqualTo(2);
    assertThat(held[7]).isZero();
    pool.free(mine, Role.APPLICATION);
    assertThat(pool.census(held)).isEqualTo(64 - 2);
    assertThat(held[1]).isZero();
  }

  @Test
  void firstFitThenTheNextZone() {
    long first = pool.allocate(20 * BLOCK, Role.APPLICATION);
    long second = pool.allocate(20 * BLOCK, Role.APPLICATION);
    long small = pool.allocate(BLOCK, Role.APPLICATION);
    assertThat(Handle.block(first)).isZero();
    assertThat(Handle.block(second)).isEqualTo(32);
    assertThat(Handle.block(small)).isEqualTo(20);
  }

  @Test
  void aFreedBufferRestsAndIsTakenAgainWhole() {
    long first = pool.allocate(3 * BLOCK, Role.APPLICATION);
    long second = pool.allocate(3 * BLOCK, Role.APPLICATION);
    pool.free(first, Role.APPLICATION);
    assertThat(pool.freeBlocks()).isEqualTo(64 - 3);
    long again = pool.allocate(3 * BLOCK, Role.APPLICATION);
    assertThat(Handle.block(again)).isEqualTo(Handle.block(first));
    assertThat(pool.holds(again, Role.APPLICATION, 3 * BLOCK)).isTrue();
    assertThat(pool.holds(first, Role.APPLICATION, 0)).as("the old handle").isFalse();
    assertThat(pool.holds(second, Role.APPLICATION, 3 * BLOCK)).isTrue();
    assertThat(pool.damagedBlocks()).isZero();
  }

  @Test
  void buffersThatRestAreBrokenUpForOtherSizes() {
    List<Long> all = new ArrayList<>();
    for (long one = 0; one != Pool.NONE; one = pool.allocate(8 * BLOCK, Role.APPLICATION)) {
      all.add(one);
    }
    all.removeFirst();
    all.forEach(one -> pool.free(one, Role.APPLICATION));
    assertThat(pool.freeBlocks()).isEqualTo(64);
    long whole = other.allocate(32 * BLOCK, Role.APPLICATION);
    assertThat(other.holds(whole, Role.APPLICATION, 32 * BLOCK)).isTrue();
    long part = other.allocate(5 * BLOCK, Role.APPLICATION);
    assertThat(other.holds(part, Role.APPLICATION, 5 * BLOCK)).isTrue();
    assertThat(pool.freeBlocks()).isEqualTo(64 - 37);
    assertThat(pool.damagedBlocks()).isZero();
  }

  @Test
  void buffersDoNotSpanZones() {
    for (int i = 0; i < 2; i++) {
      pool.allocate(17 * BLOCK, Role.APPLICATION);
    }
    assertThat(pool.freeBlocks()).isEqualTo(30);
    assertThat(pool.allocate(16 * BLOCK, Role.APPLICATION)).isEqualTo(Pool.NONE);
    assertThat(pool.allocate(15 * BLOCK, Role.APPLICATION)).isNotEqualTo(Pool.NONE);
  }

  @Test
  void aFullPoolSaysSoAndHasRoomAgain() {
    Set<Long> offsets = new HashSet<>();
    long handle = pool.allocate(BLOCK, Role.APPLICATION);
    long last = handle;
    while (handle != Pool.NONE) {
      last = handle;
      assertThat(offsets.add(pool.offset(handle, Role.APPLICATION))).isTrue();
      handle = pool.allocate(BLOCK, Role.APPLICATION);
    }
    assertThat(offsets).hasSize(64);
    pool.free(last, Role.APPLICATION);
    assertThat(pool.allocate(BLOCK, Role.APPLICATION)).isNotEqualTo(Pool.NONE);
  }

  @Test
  void givingAwayMakesTheOldHandleUnusableAndNamesBothOwners() {
    long mine = pool.allocate(BLOCK, Role.APPLICATION);
    long theirs = pool.give(mine, Role.APPLICATION, Role.TRANSPORT, 1);
    assertThatThrownBy(() -> pool.offset(mine, Role.APPLICATION))
        .isInstanceOf(OwnershipException.class)
        .hasMessageContaining("application of participant 1")
        .hasMessageContaining("held by the transport of participant 1");
    assertThatThrownBy(() -> pool.free(mine, Role.APPLICATION))
        .isInstanceOf(OwnershipException.class);
    assertThat(pool.bytes(theirs, Role.TRANSPORT)).isEqualTo(BLOCK);
  }

  @Test
  void anotherProcessReadsWhatItWasGiven() {
    long mine = pool.allocate(2 * BLOCK, Role.APPLICATION);
    pool.segment(mine, Role.APPLICATION).fill((byte) 7);
    long theirs = pool.give(mine, Role.APPLICATION, Role.APPLICATION, 2);
    assertThat(other.segment(theirs, Role.APPLICATION).get(ValueLayout.JAVA_BYTE, 8191))
        .isEqualTo((byte) 7);
    assertThatThrownBy(() -> pool.offset(theirs, Role.APPLICATION))
        .hasMessageContaining("held by the application of participant 2");
    other.free(theirs, Role.APPLICATION);
    assertThat(pool.freeBlocks()).isEqualTo(64);
  }

  @Test
  void aFreedHandleOpensNothingEvenWhenTheBlockIsUsedAgain() {
    long old = pool.allocate(BLOCK, Role.APPLICATION);
    pool.free(old, Role.APPLICATION);
    assertThatThrownBy(() -> pool.free(old, Role.APPLICATION)).hasMessageContaining("it is free");
    long again = pool.allocate(BLOCK, Role.APPLICATION);
    assertThat(Handle.block(again)).isEqualTo(Handle.block(old));
    assertThatThrownBy(() -> pool.offset(old, Role.APPLICATION))
        .isInstanceOf(OwnershipException.class);
  }

  @Test
  void aFreeInABusyZoneWaitsAndIsDrained() {
    long handle = pool.allocate(BLOCK, Role.APPLICATION);
    SegmentWords words = new SegmentWords(memory);
    words.hint(PoolLayout.busyWord(0), 2);
    pool.free(handle, Role.APPLICATION);
    assertThat(pool.freeBlocks()).isEqualTo(63);
    assertThatThrownBy(() -> pool.offset(handle, Role.APPLICATION))
        .isInstanceOf(OwnershipException.class);
    words.hint(PoolLayout.busyWord(0), 0);
    long next = pool.allocate(BLOCK, Role.APPLICATION);
    assertThat(Handle.block(next)).isEqualTo(Handle.block(handle));
  }

  @Test
  void aBusyZoneIsSkippedWhileAnotherHasRoomAndUsedWhenNoneHas() {
    new SegmentWords(memory).hint(PoolLayout.busyWord(0), 9);
    assertThat(Handle.block(pool.allocate(BLOCK, Role.APPLICATION))).isEqualTo(32);
    pool.allocate(31 * BLOCK, Role.APPLICATION);
    assertThat(Handle.block(pool.allocate(BLOCK, Role.APPLICATION))).isZero();
  }

  @Test
  void aWrongBitmapHidesNothing() {
    SegmentWords words = new SegmentWords(memory);
    words.hint(PoolLayout.bitmapWord(0), -1);
    words.hint(PoolLayout.bitmapWord(1), -1);
    assertThat(Handle.block(pool.allocate(BLOCK, Role.APPLICATION))).isZero();
    words.hint(PoolLayout.bitmapWord(0), 0);
    assertThat(Handle.block(pool.allocate(BLOCK, Role.APPLICATION))).isEqualTo(1);
  }

  @Test
  void aHandleFromAnotherProcessIsCheckedBeforeItIsTrusted() {
    long mine = pool.allocate(2 * BLOCK, Role.APPLICATION);
    long theirs = pool.give(mine, Role.APPLICATION, Role.FABRIC, 2);
    assertThat(theirs).isEqualTo(Pool.onceGiven(mine));
    assertThat(other.holds(theirs, Role.FABRIC, 0)).isTrue();
    assertThat(other.holds(theirs, Role.FABRIC, 2 * BLOCK)).isTrue();
    assertThat(other.holds(theirs, Role.FABRIC, 2 * BLOCK + 1)).isFalse();
    assertThat(other.holds(theirs, Role.FABRIC, -1)).isFalse();
    assertThat(other.holds(theirs, Role.APPLICATION, 1)).isFalse();
    assertThat(other.holds(mine, Role.FABRIC, 1)).isFalse();
    assertThat(other.holds(theirs + 1, Role.FABRIC, 1)).isFalse();
    assertThat(other.holds(theirs | 1L << 56, Role.FABRIC, 1)).isFalse();
    assertThat(other.holds(theirs | 64, Role.FABRIC, 1)).isFalse();
    assertThat(other.holds(Pool.NONE, Role.FABRIC, 1)).isFalse();
    assertThat(other.holds(Long.MIN_VALUE, Role.FABRIC, 1)).isFalse();
    assertThat(pool.holds(theirs, Role.FABRIC, 1)).isFalse();
    other.free(theirs, Role.FABRIC);
    assertThat(other.holds(theirs, Role.FABRIC, 1)).isFalse();
  }

  @Test
  void aPoolStandsOnASliceOfOtherMemory() {
    MemorySegment large = Arena.ofAuto().allocate(4096 + layout.bytes() + 4096, 4096);
    Pool sliced = new Pool(layout, large.asSlice(4096), 3);
    assertThat(sliced.participant()).isEqualTo(3);
    assertThat(sliced.layout()).isEqualTo(layout);
    long last = Pool.NONE;
    for (int i = 0; i < 64; i++) {
      last = sliced.allocate(BLOCK, Role.APPLICATION);
      sliced.segment(last, Role.APPLICATION).fill((byte) -1);
    }
    assertThat(sliced.offset(last, Role.APPLICATION) + BLOCK).isEqualTo(layout.bytes());
    byte[] before = large.asSlice(0, 4096).toArray(ValueLayout.JAVA_BYTE);
    byte[] behind = large.asSlice(4096 + layout.bytes()).toArray(ValueLayout.JAVA_BYTE);
    assertThat(before).containsOnly(0);
    assertThat(behind).containsOnly(0);
    assertThat(sliced.damagedBlocks()).isZero();
  }

  @Test
  void runsOfFreeBlocksAreFound() {
    SplittableRandom random = new SplittableRandom(3);
    for (int i = 0; i < 20_000; i++) {
      long used = 0;
      for (int bits = random.nextInt(12); bits > 0; bits--) {
        used |= 1L << random.nextInt(64);
      }
      int blocks = 1 + random.nextInt(32);
      int from = random.nextInt(32);
      int first = from;
      while (first + blocks <= 32 && (used >>> first & ((1L << blocks) - 1)) != 0) {
        first++;
      }
      int expected = first + blocks <= 32 ? first : 32;
      assertThat(Zones.find(used, blocks, from)).isEqualTo(expected);
    }
  }

  /** Whoever finds nothing has freed all that waits; and a busy word costs one such look. */
  @Test
  void nothingIsRefusedWhileFreesWait() {
    SegmentWords words = new SegmentWords(memory);
    long first = pool.allocate(32 * BLOCK, Role.APPLICATION);
    pool.allocate(32 * BLOCK, Role.APPLICATION);
    words.hint(PoolLayout.busyWord(0), 2);
    pool.free(first, Role.APPLICATION);
    assertThat(pool.hasDeferred()).isTrue();
    assertThat(pool.allocate(32 * BLOCK, Role.APPLICATION)).isNotEqualTo(Pool.NONE);
    assertThat(pool.hasDeferred()).isFalse();
    assertThat(words.get(PoolLayout.busyWord(0))).isZero();
  }

  @Test
  void freesPastTheQueueDoNotWait() {
    PoolLayout large = new PoolLayout(34, BLOCK);
    MemorySegment room = Arena.ofAuto().allocate(large.bytes(), 4096);
    SegmentWords words = new SegmentWords(room);
    Pool wide = new Pool(large, room, 1);
    List<Long> handles = new ArrayList<>();
    for (int i = 0; i < large.blocks(); i++) {
      handles.add(wide.allocate(BLOCK, Role.APPLICATION));
    }
    for (int zone = 0; zone < large.zones(); zone++) {
      words.hint(PoolLayout.busyWord(zone), 2);
    }
    handles.forEach(handle -> wide.free(handle, Role.APPLICATION));
    assertThat(wide.freeBlocks()).isEqualTo(large.blocks() - DeferredFrees.MAX);
    wide.drain();
    assertThat(wide.freeBlocks()).isEqualTo(large.blocks());
  }

  @Test
  void mistakesAreNamed() {
    assertThatThrownBy(() -> pool.allocate(0, Role.APPLICATION)).hasMessageContaining("0 bytes");
    assertThatThrownBy(() -> pool.allocate(33 * BLOCK, Role.APPLICATION))
        .hasMessageContaining("1 to 131072");
    assertThatThrownBy(() -> pool.offset(64, Role.APPLICATION)).hasMessageContaining("no handle");
    assertThatThrownBy(() -> pool.offset(Pool.NONE, Role.APPLICATION))
        .hasMessageContaining("no handle");
    assertThatThrownBy(() -> pool.reclaim(1)).hasMessageContaining("its own heir");
    assertThatThrownBy(() -> pool.reclaim(0)).hasMessageContaining("participant 0");
    long handle = pool.allocate(BLOCK, Role.APPLICATION);
    assertThatThrownBy(() -> pool.give(handle, Role.APPLICATION, Role.FABRIC, 256))
        .hasMessageContaining("participant 256");
    assertThatThrownBy(() -> new Pool(layout, memory.asSlice(4), 1))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new Pool(layout, memory, 0)).hasMessageContaining("participant 0");
    assertThatThrownBy(() -> new Pool(layout, memory.asSlice(0, 100), 1))
        .hasMessageContaining("does not fit");
    assertThatThrownBy(() -> new PoolLayout(0, BLOCK)).hasMessageContaining("0 zones");
    assertThatThrownBy(() -> new PoolLayout(1, 5000)).hasMessageContaining("5000 bytes");
    assertThatThrownBy(() -> new PoolLayout(1, 4 << 20)).hasMessageContaining("4 KB to 2 MB");
  }

  /** Random use by two participants, against a set of what is held. */
  @Test
  void nothingIsHeldTwiceAndNothingIsLost() {
    SplittableRandom random = new SplittableRandom(5);
    List<long[]> held = new ArrayList<>();
    Pool[] pools = {pool, other};
    int used = 0;
    for (int i = 0; i < 50_000; i++) {
      int who = random.nextInt(2);
      if (random.nextBoolean()) {
        int blocks = 1 + random.nextInt(8);
        long handle = pools[who].allocate(blocks * BLOCK, Role.APPLICATION);
        if (handle != Pool.NONE) {
          held.add(new long[] {who, handle, blocks});
          used += blocks;
        }
      } else if (!held.isEmpty()) {
        long[] one = held.remove(random.nextInt(held.size()));
        Pool owner = pools[(int) one[0]];
        if (random.nextInt(4) == 0) {
          int to = random.nextInt(2);
          one[1] = owner.give(one[1], Role.APPLICATION, Role.APPLICATION, to + 1);
          one[0] = to;
          held.add(one);
        } else {
          owner.free(one[1], Role.APPLICATION);
          used -= (int) one[2];
        }
      }
      assertThat(pool.freeBlocks()).isEqualTo(64 - used);
    }
  }
}
