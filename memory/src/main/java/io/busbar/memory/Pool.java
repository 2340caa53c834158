package io.busbar.memory;

import java.lang.foreign.MemorySegment;
import java.util.Locale;

/**
 * One participant's hold on a pool. Buffers are whole blocks inside one zone, found first fit; a
 * handle is a block and a generation, and opens the buffer only for who owns it.
 *
 * <p>Any number of pools may stand on the same memory, one for each thread that uses it; those of
 * one process share its participant number.
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
   * @param memory of {@link PoolLayout#bytes}, aligned to 8 bytes
   * @param participant this process, 1 to {@value #PARTICIPANTS_MAX}, among those who share it
   */
  public Pool(PoolLayout layout, MemorySegment memory, int participant) {
    this(layout, memory, participant, new SegmentWords(memory));
    if (memory.byteSize() < layout.bytes()) {
      throw new IllegalArgumentException(
          "a pool of %d bytes does not fit into %d".formatted(layout.bytes(), memory.byteSize()));
    }
  }

  Pool(PoolLayout layout, MemorySegment memory, int participant, Words words) {
    if (participant < 1 || participant > PARTICIPANTS_MAX) {
      throw new IllegalArgumentException(
          "participant %d; allowed: 1 to %d".formatted(participant, PARTICIPANTS_MAX));
    }
    this.layout = layout;
    this.memory = memory;
    this.words = words;
    this.participant = participant;
    zones = new Zones(layout, words, participant);
  }

  /**
   * Allocates a buffer; its bytes are whatever they were.
   *
   * @return a handle, or {@link #NONE}: the caller waits, or refuses by name
   */
  public long allocate(int bytes, Role role) {
    int blocks = -Math.floorDiv(-bytes, layout.blockBytes());
    if (blocks < 1 || blocks > PoolLayout.ZONE_BLOCKS) {
      throw new IllegalArgumentException(
          "a buffer of %d bytes; allowed: 1 to %d, the bytes of a zone"
              .formatted(bytes, PoolLayout.ZONE_BLOCKS * layout.blockBytes()));
    }
    drain();
    return zones.allocate(blocks, role);
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
    long given = BlockWord.owned(BlockWord.blocks(word), to, toParticipant, generation);
    if (!words.replace(PoolLayout.stateWord(Handle.block(handle)), word, given)) {
      throw notHeld(handle, from);
    }
    return Handle.of(Handle.block(handle), generation);
  }

  /** Frees a buffer. While its zone is busy the free waits in this pool (A38). */
  public void free(long handle, Role role) {
    owned(handle, role);
    drain();
    int block = Handle.block(handle);
    if (zones.isBusy(block) && deferred.add(give(handle, role, Role.FABRIC, participant))) {
      return;
    }
    zones.free(block);
  }

  /** Whether frees wait for a zone that was busy. */
  public boolean hasDeferred() {
    return deferred.size() > 0;
  }

  /** Tries again to free what waits; allocations and frees do it by themselves. */
  public void drain() {
    for (int i = deferred.size(); i > 0; i--) {
      long handle = deferred.take();
      if (!zones.isBusy(Handle.block(handle)) || !deferred.add(handle)) {
        zones.free(Handle.block(handle));
      }
    }
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
    return memory.asSlice(offset(handle, role), bytes(handle, role));
  }

  /**
   * Frees everything that a participant held which is known to be dead. Several survivors may do it
   * at once.
   *
   * @return how many buffers were freed by this call
   */
  public int reclaim(int dead) {
    if (dead == participant) {
      throw new IllegalArgumentException("participant %d cannot be its own heir".formatted(dead));
    }
    return zones.reclaim(dead);
  }

  /** How many blocks are free, by their words; others may change it meanwhile. */
  public int freeBlocks() {
    int free = 0;
    for (int block = 0; block < layout.blocks(); block++) {
      long word = words.get(PoolLayout.stateWord(block));
      free += BlockWord.state(word) == BlockWord.FREE ? 1 : 0;
    }
    return free;
  }

  private long owned(long handle, Role role) {
    int block = Handle.block(handle);
    if (handle < 0 || block >= layout.blocks()) {
      throw new OwnershipException("%x is no handle of this pool".formatted(handle));
    }
    long word = words.get(PoolLayout.stateWord(block));
    boolean held =
        BlockWord.state(word) == BlockWord.OWNED
            && BlockWord.generation(word) == Handle.generation(handle)
            && BlockWord.participant(word) == participant
            && BlockWord.role(word) == role;
    if (!held) {
      throw notHeld(handle, role);
    }
    return word;
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
                BlockWord.owner(word) + ", generation " + BlockWord.generation(word)));
  }
}
