package io.busbar.memory;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * What a participant of a shared pool does until it is killed: it allocates, writes, checks what it
 * wrote, gives to itself and to others, takes what it is given, and frees, all at random.
 *
 * <p>Before the pool, the memory has for each participant a word that counts its steps, and for
 * each pair a box with a gift: the handle that the receiver will have, written before the buffer is
 * given, and whether it was given. So a giver that dies in between leaves a trace.
 */
final class Life {
  static final int BLOCK = 4096;
  static final PoolLayout LAYOUT = new PoolLayout(4, BLOCK);

  /** The survivor, and two who die. */
  static final int PARTICIPANTS = 3;

  /** Who lives on; the others end with it. */
  static final int SURVIVOR = 1;

  private static final long POOL_AT = 16 << 10;
  static final long BYTES = POOL_AT + LAYOUT.bytes();

  private static final VarHandle WORD = JAVA_LONG.varHandle();
  private static final int HELD_MAX = 5;

  private record Held(long handle, Role role, long mark) {}

  private final MemorySegment memory;
  private final MemorySegment blocks;
  private final Pool pool;
  private final int self;
  private final SplittableRandom random;
  private final List<Held> held = new ArrayList<>();

  /** The life of a pool's participant, which begins now. */
  Life(MemorySegment memory, Pool pool, long seed) {
    this.memory = memory;
    this.blocks = poolOf(memory);
    this.pool = pool;
    self = pool.participant();
    random = new SplittableRandom(seed);
    for (int to = 1; to <= PARTICIPANTS; to++) {
      if (get(given(self, to)) == 0) {
        set(gift(self, to), 0); // the former life meant to give it, and perhaps did
      }
    }
  }

  static MemorySegment poolOf(MemorySegment memory) {
    return memory.asSlice(POOL_AT);
  }

  /** How many steps a participant has made in all its lives. */
  static long steps(MemorySegment memory, int participant) {
    return (long) WORD.getAcquire(memory, participant * 128L);
  }

  private static long gift(int from, int to) {
    return 4096 + (from * 8 + to) * 128L;
  }

  private static long given(int from, int to) {
    return gift(from, to) + 8;
  }

  private long get(long at) {
    return (long) WORD.getAcquire(memory, at);
  }

  private void set(long at, long word) {
    WORD.setRelease(memory, at, word);
  }

  void step() {
    switch (random.nextInt(4)) {
      case 0 -> allocate();
      case 1 -> giveAway();
      case 2 -> {
        for (int from = 1; from <= PARTICIPANTS; from++) {
          if (get(given(from, self)) == 1) {
            take(from);
          }
        }
      }
      default -> free();
    }
    WORD.getAndAdd(memory, self * 128L, 1L);
  }

  private void allocate() {
    if (held.size() == HELD_MAX) {
      return;
    }
    int bytes = (1 + random.nextInt(random.nextBoolean() ? 4 : PoolLayout.ZONE_BLOCKS)) * BLOCK;
    long handle = pool.allocate(bytes, Role.APPLICATION);
    if (handle != Pool.NONE) {
      long mark = random.nextLong();
      each(handle, Role.APPLICATION, at -> blocks.set(JAVA_LONG, at, mark));
      held.add(new Held(handle, Role.APPLICATION, mark));
    }
  }

  private void giveAway() {
    int to = 1 + random.nextInt(PARTICIPANTS);
    if (held.isEmpty() || (to != self && get(gift(self, to)) != 0)) {
      return;
    }
    Held one = held.remove(random.nextInt(held.size()));
    check(one);
    if (to == self) {
      long handle = pool.give(one.handle, one.role, Role.TRANSPORT, self);
      held.add(new Held(handle, Role.TRANSPORT, one.mark));
    } else {
      set(gift(self, to), Pool.onceGiven(one.handle));
      pool.give(one.handle, one.role, Role.FABRIC, to);
      set(given(self, to), 1);
    }
  }

  /** Takes what is in a box, if it is a gift; a giver who died may have left one unannounced. */
  void take(int from) {
    long handle = get(gift(from, self));
    if (pool.holds(handle, Role.FABRIC, BLOCK)) {
      long mark = blocks.get(JAVA_LONG, pool.offset(handle, Role.FABRIC));
      check(new Held(handle, Role.FABRIC, mark));
      pool.free(handle, Role.FABRIC);
    }
    set(given(from, self), 0);
    set(gift(from, self), 0);
  }

  private void free() {
    if (!held.isEmpty()) {
      Held one = held.remove(random.nextInt(held.size()));
      check(one);
      pool.free(one.handle, one.role);
    }
  }

  /** Frees all that it holds. */
  void end() {
    while (!held.isEmpty()) {
      free();
    }
    pool.drain();
  }

  private void check(Held one) {
    each(
        one.handle,
        one.role,
        at -> {
          if (blocks.get(JAVA_LONG, at) != one.mark) {
            throw new AssertionError("a block of participant %d is held twice".formatted(self));
          }
        });
  }

  private interface At {
    void visit(long at);
  }

  /** Both ends of every block of a buffer. */
  private void each(long handle, Role role, At visitor) {
    long at = pool.offset(handle, role);
    long end = at + pool.bytes(handle, role);
    for (long block = at; block < end; block += BLOCK) {
      visitor.visit(block);
      visitor.visit(block + BLOCK - 8);
    }
  }
}
