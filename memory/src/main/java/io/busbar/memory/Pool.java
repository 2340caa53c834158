package io.busbar.memory;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Locale;

/**
 * One participant's hold on a pool. Buffers are whole blocks inside one zone, found first fit; a
 * handle is a block and a generation, and opens the buffer only for who owns it.
 *
 * <p>Any number of pools may stand on the same memory, one for each thread that uses it; those of
 * one process share its participant number, which {@link Participants} gives out. The memory is a
 * slice of any mapping; zeros are a pool with everything free.
 *
 * <p>Other processes write the same words, by mistake perhaps. Whatever they write, no call loops,
 * and none opens memory outside the pool; a block whose word makes no sense stays out of use.
 */
public final class Pool {
  /** No buffer: nothing of that size is free. */
  public static final long NONE = -1;

  /** Participants that a state word can name. */
  public static final int PARTICIPANTS_MAX = 255;

  private final PoolLayout layout;
  private final MemorySegment memory;
  private final Words words;
  private final int participant;
  private final Zones zones;
  private final DeferredFrees deferred = new DeferredFrees();

  /**
   * A pool on memory that is zero, or that other participants use already.
   *
   * @param memory of {@link PoolLayout#bytes} or more, aligned to 8 bytes; blocks are aligned to
   *     their size if it is
   * @param participant this process, 1 to {@value #PARTICIPANTS_MAX}, among those who share it
   */
  public Pool(PoolLayout layout, MemorySegment memory, int participant) {
    this(layout, fitted(layout, memory), participant, new SegmentWords(memory));
  }

  Pool(PoolLayout layout, MemorySegment memory, int participant, Words words) {
    this.layout = layout;
    this.memory = memory;
    this.words = words;
    this.participant = checked(participant);
    zones = new Zones(layout, words, participant);
  }

  private static MemorySegment fitted(PoolLayout layout, MemorySegment memory) {
    if (memory.byteSize() < layout.bytes()) {
      throw new IllegalArgumentException(
          "a pool of %d bytes does not fit into %d".formatted(layout.bytes(), memory.byteSize()));
    }
    if (memory.maxByteAlignment() < Long.BYTES) {
      throw new IllegalArgumentException("a pool's memory begins at a multiple of 8 bytes");
    }
    return memory.asSlice(0, layout.bytes());
  }

  static boolean isParticipant(long number) {
    return number >= 1 && number <= PARTICIPANTS_MAX;
  }

  static int checked(int participant) {
    if (!isParticipant(participant)) {
      throw new IllegalArgumentException(
          "participant %d; allowed: 1 to %d".formatted(participant, PARTICIPANTS_MAX));
    }
    return participant;
  }

  /** This process's number among those who share the pool. */
  public int participant() {
    return participant;
  }

  /** Where the pool's words and blocks lie. */
  public PoolLayout layout() {
    return layout;
  }

  /**
   * Allocates a buffer; its bytes are whatever they were. Refused only after a look at every word,
   * and after everything that waits here was freed.
   *
   * @return a handle, or {@link #NONE}: the caller waits, or refuses by name
   */
  public long allocate(int bytes, Role role) {
    int blocks = layout.blocksOf(bytes);
    if (blocks < 1 || blocks > PoolLayout.ZONE_BLOCKS) {
      throw new IllegalArgumentException(
          "a buffer of %d bytes; allowed: 1 to %d, the bytes of a zone"
              .formatted(bytes, PoolLayout.ZONE_BLOCKS * layout.blockBytes()));
    }
    drainCalmZones();
    long handle = zones.allocateResting(blocks, role);
    if (handle == NONE) {
      handle = zones.allocateByHints(blocks, role);
    }
    if (handle == NONE) {
      drain();
      handle = zones.allocateByWords(blocks, role);
    }
    return handle;
  }

  /**
   * Gives a buffer away; the handle given is of no further use.
   *
   * @param from who holds it in this process
   * @param to who gets it
   * @param toParticipant in which process; this one's number for a hand-over inside
   * @return the new owner's handle
   */
  public long give(long handle, Role from, Role to, int toParticipant) {
    long word = owned(handle, from);
    int generation = BlockWord.generation(word) + 1;
    long given = BlockWord.owned(BlockWord.blocks(word), to, checked(toParticipant), generation);
    if (!words.replace(PoolLayout.stateWord(Handle.block(handle)), word, given)) {
      throw notHeld(handle, from);
    }
    return onceGiven(handle);
  }

  /**
   * The handle that {@link #give} will return for a buffer. Written where the receiver looks before
   * the buffer is given, it is what a giver who dies right after the gift leaves behind: the
   * receiver asks {@link #holds}.
   */
  public static long onceGiven(long handle) {
    return Handle.of(Handle.block(handle), Handle.generation(handle) + 1);
  }

  /** Frees a buffer. While its zone is busy the free waits in this pool (A38). */
  public void free(long handle, Role role) {
    if (zones.isBusy(Handle.block(named(handle))) && !deferred.isFull()) {
      deferred.add(give(handle, role, Role.FABRIC, participant));
    } else {
      freeNow(handle, role);
    }
    drainCalmZones();
  }

  private void freeNow(long handle, Role role) {
    if (!zones.rest(Handle.block(handle), owned(handle, role))) {
      throw notHeld(handle, role);
    }
  }

  /** Whether frees wait for a zone that was busy. */
  public boolean hasDeferred() {
    return deferred.size() > 0;
  }

  /**
   * Frees all that waits, busy or not. Allocations do it before they refuse; a thread that stops
   * using its pool does it last.
   */
  public void drain() {
    while (hasDeferred()) {
      freeNow(deferred.take(), Role.FABRIC);
    }
  }

  private void drainCalmZones() {
    for (int i = deferred.size(); i > 0; i--) {
      long handle = deferred.take();
      if (zones.isBusy(Handle.block(handle))) {
        deferred.add(handle);
      } else {
        freeNow(handle, Role.FABRIC);
      }
    }
  }

  /**
   * Whether a handle opens a buffer of at least so many bytes for this role of this process: what
   * to ask of a handle that came from another process. It may be old, forged or damaged; the answer
   * costs one read and never throws. What the giver wrote before it gave is visible after it.
   */
  public boolean holds(long handle, Role role, int bytes) {
    if (!Handle.isOf(handle, layout.blocks())) {
      return false;
    }
    long word = words.get(PoolLayout.stateWord(Handle.block(handle)));
    return isHeld(word, handle, role)
        && bytes >= 0
        && bytes <= BlockWord.blocks(word) * layout.blockBytes();
  }

  /** Where a buffer's bytes begin in the pool's memory, for who holds it. */
  public long offset(long handle, Role role) {
    owned(handle, role);
    return layout.blockAt(Handle.block(handle));
  }

  /** How many bytes a buffer has, for who holds it. */
  public int bytes(long handle, Role role) {
    return BlockWord.blocks(owned(handle, role)) * layout.blockBytes();
  }

  /** A buffer's bytes, for who holds it. Makes an object: on a hot path use {@link #offset}. */
  public MemorySegment segment(long handle, Role role) {
    int bytes = BlockWord.blocks(owned(handle, role)) * layout.blockBytes();
    return memory.asSlice(layout.blockAt(Handle.block(handle)), bytes);
  }

  /**
   * Frees everything that a participant held which is known to be dead, and whose number nobody
   * takes meanwhile: {@link Participants#bury} sees to both. Several survivors may do it at once.
   *
   * @return how many buffers were freed by this call
   */
  public int reclaim(int dead) {
    if (checked(dead) == participant) {
      throw new IllegalArgumentException("participant %d cannot be its own heir".formatted(dead));
    }
    return zones.reclaim(dead);
  }

  /** Frees what the former holder of this number left, before this one holds anything. */
  int takeOver() {
    return zones.reclaim(participant);
  }

  /** How many blocks are free, by their words; others may change it meanwhile. */
  public int freeBlocks() {
    return zones.freeBlocks();
  }

  /**
   * Who holds how much, by the words; others may change it meanwhile. It reads every word: about as
   * long as to copy 16 KB.
   *
   * @param held is set, by participant, to the blocks of its buffers; {@value #PARTICIPANTS_MAX} +
   *     1 of them
   * @return how many blocks are free
   */
  public int census(int[] held) {
    Arrays.fill(held, 0);
    return zones.census(held);
  }

  /**
   * How many blocks are out of use because their words make no sense: somebody wrote over them. A
   * living process may still use such a block, so nobody gets it again. 0 in a sound pool.
   */
  public int damagedBlocks() {
    return zones.damagedBlocks();
  }

  private long owned(long handle, Role role) {
    long word = words.get(PoolLayout.stateWord(Handle.block(named(handle))));
    if (!isHeld(word, handle, role)) {
      throw notHeld(handle, role);
    }
    return word;
  }

  private boolean isHeld(long word, long handle, Role role) {
    int blocks = BlockWord.blocks(word);
    int generation = Handle.generation(handle);
    return word == BlockWord.owned(blocks, role, participant, generation)
        && BlockWord.fits(blocks, Handle.block(handle) % PoolLayout.ZONE_BLOCKS);
  }

  private long named(long handle) {
    if (!Handle.isOf(handle, layout.blocks())) {
      throw new OwnershipException("%x is no handle of this pool".formatted(handle));
    }
    return handle;
  }

  private OwnershipException notHeld(long handle, Role role) {
    int block = Handle.block(handle);
    long word = words.get(PoolLayout.stateWord(block));
    return new OwnershipException(
        "block %d (generation %d) was used by the %s of participant %d; it is held by %s"
            .formatted(
                block,
                Handle.generation(handle),
                role.name().toLowerCase(Locale.ROOT),
                participant,
                zones.owner(block) + ", generation " + BlockWord.generation(word)));
  }
}
