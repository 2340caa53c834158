package io.busbar.memory;

import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * Two at once on one pool of one zone, each race named by what must never come of it. Variants of a
 * race differ in where a process died before it.
 */
enum Race {
  /** Two buffers lie on one block. */
  ONE_BLOCK_ALLOCATED_TWICE {
    @Override
    Story begin(Words words, int variant) {
      Pool one = pool(words, 1);
      Pool other = pool(words, 2);
      long[] got = new long[2];
      return new Story(
          List.of(
              () -> got[0] = one.allocate(2 * BLOCK, Role.APPLICATION),
              () -> got[1] = other.allocate(3 * BLOCK, Role.APPLICATION)),
          () -> {
            need(one.holds(got[0], Role.APPLICATION, 2 * BLOCK), "the first has its buffer");
            need(other.holds(got[1], Role.APPLICATION, 3 * BLOCK), "the second has its buffer");
            need(apart(got[0], 2, got[1], 3), "the buffers lie apart");
            isSound(one, 5);
          });
    }
  },
  /** Both take a part of the last free blocks, and a part stays lost. */
  LAST_BLOCKS_TAKEN_BY_HALVES {
    @Override
    Story begin(Words words, int variant) {
      Pool one = pool(words, 1);
      Pool other = pool(words, 2);
      one.allocate(29 * BLOCK, Role.APPLICATION);
      long[] got = new long[2];
      return new Story(
          List.of(
              () -> got[0] = one.allocate(2 * BLOCK, Role.APPLICATION),
              () -> got[1] = other.allocate(2 * BLOCK, Role.APPLICATION)),
          () -> {
            need(got[0] == Pool.NONE || got[1] == Pool.NONE, "three blocks hold no two buffers");
            need(got[0] != got[1], "one of them has its buffer");
            isSound(one, 31);
          });
    }
  },
  /** A handle that two threads hold is given away by one and freed by the other. */
  GIVEN_AND_FREED {
    @Override
    Story begin(Words words, int variant) {
      Pool one = pool(words, 1);
      Pool twin = pool(words, 1);
      Pool other = pool(words, 2);
      long handle = one.allocate(2 * BLOCK, Role.APPLICATION);
      boolean[] done = new boolean[2];
      return new Story(
          List.of(
              () -> done[0] = succeeds(() -> one.give(handle, Role.APPLICATION, Role.FABRIC, 2)),
              () -> done[1] = succeeds(() -> twin.free(handle, Role.APPLICATION))),
          () -> {
            need(done[0] != done[1], "one of them succeeds");
            need(!one.holds(handle, Role.APPLICATION, 0), "the old handle opens nothing");
            twin.drain();
            boolean given = other.holds(Pool.onceGiven(handle), Role.FABRIC, 2 * BLOCK);
            need(given == done[0], "it is the other's, or it is free");
            isSound(one, done[0] ? 2 : 0);
          });
    }
  },
  /** A buffer is given to two. */
  GIVEN_TO_TWO {
    @Override
    Story begin(Words words, int variant) {
      Pool one = pool(words, 1);
      Pool twin = pool(words, 1);
      long handle = one.allocate(BLOCK, Role.APPLICATION);
      long given = Pool.onceGiven(handle);
      boolean[] done = new boolean[2];
      return new Story(
          List.of(
              () -> done[0] = succeeds(() -> one.give(handle, Role.APPLICATION, Role.FABRIC, 2)),
              () -> done[1] = succeeds(() -> twin.give(handle, Role.APPLICATION, Role.FABRIC, 3))),
          () -> {
            need(done[0] != done[1], "one of them succeeds");
            need(pool(words, 2).holds(given, Role.FABRIC, BLOCK) == done[0], "two has it or not");
            need(pool(words, 3).holds(given, Role.FABRIC, BLOCK) == done[1], "three has it or not");
            need(!succeeds(() -> one.offset(handle, Role.APPLICATION)), "given is given");
            need(!succeeds(() -> twin.free(handle, Role.APPLICATION)), "given is given");
          });
    }
  },
  /** A handle is freed twice, and the second time it is the next owner's buffer that goes. */
  FREED_TWICE {
    @Override
    Story begin(Words words, int variant) {
      Pool one = pool(words, 1);
      Pool twin = pool(words, 1);
      long handle = one.allocate(BLOCK, Role.APPLICATION);
      boolean[] done = new boolean[2];
      long[] got = new long[1];
      return new Story(
          List.of(
              () -> {
                done[0] = succeeds(() -> one.free(handle, Role.APPLICATION));
                got[0] = one.allocate(BLOCK, Role.APPLICATION);
              },
              () -> done[1] = succeeds(() -> twin.free(handle, Role.APPLICATION))),
          () -> {
            one.drain();
            twin.drain();
            need(done[0] != done[1], "one of them succeeds");
            need(one.holds(got[0], Role.APPLICATION, BLOCK), "the new buffer is its owner's");
            isSound(one, 1);
          });
    }
  },
  /** A free that finds its zone busy is forgotten, and its blocks are missing. */
  DEFERRED_FREE_LOST {
    @Override
    Story begin(Words words, int variant) {
      Pool one = pool(words, 1);
      Pool other = pool(words, 2);
      long handle = other.allocate(BLOCK, Role.APPLICATION);
      other.allocate(27 * BLOCK, Role.APPLICATION);
      long[] got = new long[2];
      return new Story(
          List.of(
              () -> got[0] = one.allocate(BLOCK, Role.APPLICATION),
              () -> {
                other.free(handle, Role.APPLICATION);
                got[1] = other.allocate(BLOCK, Role.APPLICATION);
              }),
          () -> {
            need(one.holds(got[0], Role.APPLICATION, BLOCK), "the first has its buffer");
            need(other.holds(got[1], Role.APPLICATION, BLOCK), "the second has its buffer");
            other.drain();
            isSound(one, 27 + 1 + 1);
          });
    }
  },
  /** A buffer that rests is freed by an old handle, and the next owner's buffer goes. */
  RESTING_FREED_TWICE {
    @Override
    Story begin(Words words, int variant) {
      Pool one = pool(words, 1);
      Pool twin = pool(words, 1);
      long handle = one.allocate(2 * BLOCK, Role.APPLICATION);
      boolean[] done = new boolean[2];
      long[] got = new long[1];
      return new Story(
          List.of(
              () -> {
                done[0] = succeeds(() -> one.free(handle, Role.APPLICATION));
                got[0] = one.allocate(2 * BLOCK, Role.APPLICATION);
              },
              () -> done[1] = succeeds(() -> twin.free(handle, Role.APPLICATION))),
          () -> {
            one.drain();
            twin.drain();
            need(done[0] != done[1], "one of them succeeds");
            need(one.holds(got[0], Role.APPLICATION, 2 * BLOCK), "the new buffer is its owner's");
            isSound(one, 2);
          });
    }
  },
  /** A buffer that rests is taken whole by one, and in blocks by another. */
  RESTING_TAKEN_AND_BROKEN_UP {
    // Both look at every word more than once: their orders are many.
    @Override
    int preemptionsMax() {
      return 3;
    }

    @Override
    Story begin(Words words, int variant) {
      Pool one = pool(words, 1);
      Pool other = pool(words, 2);
      long rests = other.allocate(3 * BLOCK, Role.APPLICATION);
      other.allocate(29 * BLOCK, Role.APPLICATION);
      other.free(rests, Role.APPLICATION);
      long[] got = new long[2];
      return new Story(
          List.of(
              () -> got[0] = one.allocate(2 * BLOCK, Role.APPLICATION),
              () -> got[1] = other.allocate(3 * BLOCK, Role.APPLICATION)),
          () -> {
            need((got[0] == Pool.NONE) != (got[1] == Pool.NONE), "one of them has a buffer");
            isSound(one, 29 + (got[0] == Pool.NONE ? 3 : 2));
          });
    }
  },
  /** What a dead one left is reclaimed, and a block of the living with it. */
  RECLAIMED_FROM_THE_LIVING {
    @Override
    int variants() {
      return DEATHS;
    }

    @Override
    Story begin(Words words, int variant) {
      Pool heir = pool(words, 1);
      Pool living = pool(words, 3);
      long held = living.allocate(2 * BLOCK, Role.APPLICATION);
      die(words, variant);
      long[] got = new long[1];
      return new Story(
          List.of(
              () -> heir.reclaim(2),
              () -> {
                got[0] = living.allocate(3 * BLOCK, Role.APPLICATION);
                living.free(held, Role.APPLICATION);
              }),
          () -> {
            need(living.holds(got[0], Role.APPLICATION, 3 * BLOCK), "the living has its buffer");
            living.drain();
            isSound(heir, 3);
          });
    }
  },
  /** Two heirs of one dead free what is no longer its. */
  RECLAIMED_TWICE {
    @Override
    int variants() {
      return DEATHS;
    }

    @Override
    Story begin(Words words, int variant) {
      Pool heir = pool(words, 1);
      Pool other = pool(words, 3);
      die(words, variant);
      long[] got = new long[1];
      return new Story(
          List.of(
              () -> heir.reclaim(2),
              () -> {
                other.reclaim(2);
                got[0] = other.allocate(2 * BLOCK, Role.APPLICATION);
              }),
          () -> {
            need(other.holds(got[0], Role.APPLICATION, 2 * BLOCK), "what came after is held");
            isSound(heir, 2);
          });
    }
  };

  static final PoolLayout LAYOUT = new PoolLayout(1, 4096);
  private static final int BLOCK = 4096;

  /** Stores in the life of who dies in {@link #die}: each is the last one of a variant. */
  private static final int DEATHS = 24;

  /** What runs at once, and what must be true when it has. */
  record Story(List<Runnable> threads, Runnable check) {}

  /** How many ways there are to begin. */
  int variants() {
    return 1;
  }

  /** How many preemptions can be tried in minutes. */
  int preemptionsMax() {
    return variants() == 1 ? 5 : 3;
  }

  /** Brings the pool to where the race begins; its words are all that is shared. */
  abstract Story begin(Words words, int variant);

  private static Pool pool(Words words, int participant) {
    return new Pool(LAYOUT, MemorySegment.NULL, participant, words);
  }

  /** Participant 2 allocates, gives to itself and frees, and dies before one of its stores. */
  private static void die(Words words, int store) {
    MortalWords mortal = new MortalWords(words);
    Pool pool = pool(mortal, 2);
    mortal.diesAt(
        store,
        () -> {
          long handle = pool.allocate(3 * BLOCK, Role.APPLICATION);
          long given = pool.give(handle, Role.APPLICATION, Role.FABRIC, 2);
          pool.allocate(2 * BLOCK, Role.APPLICATION);
          pool.free(given, Role.FABRIC);
          pool.allocate(BLOCK, Role.APPLICATION);
        });
  }

  private static boolean succeeds(Runnable action) {
    try {
      action.run();
      return true;
    } catch (OwnershipException e) {
      return false;
    }
  }

  private static boolean apart(long one, int oneBlocks, long other, int otherBlocks) {
    return Handle.block(one) + oneBlocks <= Handle.block(other)
        || Handle.block(other) + otherBlocks <= Handle.block(one);
  }

  private static void isSound(Pool pool, int used) {
    need(pool.damagedBlocks() == 0, "every word makes sense");
    int free = PoolLayout.ZONE_BLOCKS - used;
    need(pool.freeBlocks() == free, "so many blocks are free: " + free);
  }

  private static void need(boolean condition, String what) {
    if (!condition) {
      throw new AssertionError("not so: " + what);
    }
  }
}
