package io.busbar.transport;

import io.busbar.wire.Key;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Slots by index. Abbreviated lookup (A22) is an array access and a comparison. A slot whose
 * association has ended and lingered goes to the end of the free list, with its next generation.
 */
final class AssociationTable {
  private static final int INITIAL = 64;

  private final int slotsMax;
  private final long incarnation;
  private @Nullable Association[] slots = new @Nullable Association[INITIAL];
  private short[] generations = new short[INITIAL];
  private int[] free = new int[INITIAL];
  private int freeHead;
  private int freeCount;
  private int made;

  AssociationTable(TransportConfig config) {
    slotsMax = config.associationsMax();
    incarnation = config.incarnation();
  }

  /** The association with this key of ours, or null. */
  @Nullable Association find(long key) {
    int index = Key.index(key);
    Association association = index < made ? slots[index] : null;
    return association != null && association.localKey == key ? association : null;
  }

  boolean isFull() {
    return made == slotsMax && freeCount == 0;
  }

  int inUse() {
    return made - freeCount;
  }

  /** One past the highest index ever used. */
  int limit() {
    return made;
  }

  @Nullable Association at(int index) {
    return slots[index];
  }

  /** The key that the next association will have; {@link #put} it before asking again. */
  long nextKey() {
    int index;
    if (freeCount > 0) {
      index = free[freeHead];
      freeHead = freeHead + 1 & free.length - 1;
      freeCount--;
    } else {
      index = made++;
      if (index == slots.length) {
        int grown = Math.min(slots.length << 1, Key.INDEX_LIMIT);
        slots = Arrays.copyOf(slots, grown);
        generations = Arrays.copyOf(generations, grown);
      }
    }
    return Key.of(index, generations[index], incarnation);
  }

  void put(Association association) {
    slots[Key.index(association.localKey)] = association;
  }

  /** Frees a slot; its key is never made again in this life until all generations have passed. */
  void remove(Association association) {
    int index = Key.index(association.localKey);
    slots[index] = null;
    generations[index]++;
    if (freeCount == free.length) {
      int[] grown = new int[free.length << 1];
      for (int i = 0; i < freeCount; i++) {
        grown[i] = free[freeHead + i & free.length - 1];
      }
      free = grown;
      freeHead = 0;
    }
    free[freeHead + freeCount++ & free.length - 1] = index;
  }
}
