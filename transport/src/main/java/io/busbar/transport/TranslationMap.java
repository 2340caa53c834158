package io.busbar.transport;

import org.jspecify.annotations.Nullable;

/**
 * Full lookup (A21): from a key that the peer made to the association here. Open addressing over
 * the associations themselves, which know their key, so that an entry costs a reference; deletion
 * shifts back, so that it never fills with tombstones.
 */
final class TranslationMap {
  private @Nullable Association[] slots = new @Nullable Association[8];
  private int size;

  @Nullable Association get(long key) {
    return slots[find(key)];
  }

  /** Adds an association under its remote key. */
  void put(Association association) {
    if (size * 4 >= slots.length * 3) {
      grow();
    }
    int i = find(association.remoteKey);
    size += slots[i] == null ? 1 : 0;
    slots[i] = association;
  }

  /** Forgets an association, if its key still means it. */
  void remove(Association association) {
    int hole = find(association.remoteKey);
    Association found = slots[hole];
    if (found == null || found.localKey != association.localKey) {
      return;
    }
    size--;
    int mask = slots.length - 1;
    int j = (hole + 1) & mask;
    for (Association next = slots[j]; next != null; next = slots[j]) {
      int home = slot(next.remoteKey, mask);
      if (((j - home) & mask) >= ((j - hole) & mask)) {
        slots[hole] = next;
        hole = j;
      }
      j = (j + 1) & mask;
    }
    slots[hole] = null;
  }

  int size() {
    return size;
  }

  /** Where the key is, or where it would be put. */
  private int find(long key) {
    int mask = slots.length - 1;
    int i = slot(key, mask);
    for (Association at = slots[i]; at != null && at.remoteKey != key; at = slots[i]) {
      i = (i + 1) & mask;
    }
    return i;
  }

  private void grow() {
    @Nullable Association[] old = slots;
    slots = new @Nullable Association[old.length << 1];
    size = 0;
    for (Association association : old) {
      if (association != null) {
        put(association);
      }
    }
  }

  private static int slot(long key, int mask) {
    return (int) ((key * 0x9E37_79B9_7F4A_7C15L) >>> 40) & mask;
  }
}
