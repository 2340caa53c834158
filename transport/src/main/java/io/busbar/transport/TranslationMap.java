package io.busbar.transport;

import org.jspecify.annotations.Nullable;

/**
 * Full lookup (A21): from a key that the peer made to the association here. Open addressing with
 * deletion by shifting back, so that it never fills with tombstones.
 */
final class TranslationMap {
  private long[] keys = new long[8];
  private @Nullable Association[] values = new @Nullable Association[8];
  private int size;

  @Nullable Association get(long key) {
    int mask = keys.length - 1;
    for (int i = slot(key, mask); ; i = i + 1 & mask) {
      Association value = values[i];
      if (value == null || keys[i] == key) {
        return value;
      }
    }
  }

  void put(long key, Association association) {
    if (size << 1 >= keys.length) {
      grow();
    }
    int mask = keys.length - 1;
    int i = slot(key, mask);
    while (values[i] != null && keys[i] != key) {
      i = i + 1 & mask;
    }
    size += values[i] == null ? 1 : 0;
    keys[i] = key;
    values[i] = association;
  }

  /** Forgets a key, if it still means this association. */
  void remove(long key, Association association) {
    int mask = keys.length - 1;
    int i = slot(key, mask);
    while (values[i] != null && keys[i] != key) {
      i = i + 1 & mask;
    }
    Association found = values[i];
    if (found == null || found.localKey != association.localKey) {
      return;
    }
    size--;
    int hole = i;
    for (int j = i + 1 & mask; values[j] != null; j = j + 1 & mask) {
      int home = slot(keys[j], mask);
      if ((j - home & mask) >= (j - hole & mask)) {
        keys[hole] = keys[j];
        values[hole] = values[j];
        hole = j;
      }
    }
    values[hole] = null;
  }

  int size() {
    return size;
  }

  private void grow() {
    long[] oldKeys = keys;
    @Nullable Association[] oldValues = values;
    keys = new long[oldKeys.length << 1];
    values = new @Nullable Association[oldKeys.length << 1];
    size = 0;
    for (int i = 0; i < oldKeys.length; i++) {
      Association value = oldValues[i];
      if (value != null) {
        put(oldKeys[i], value);
      }
    }
  }

  private static int slot(long key, int mask) {
    return (int) ((key * 0x9E37_79B9_7F4A_7C15L) >>> 40) & mask;
  }
}
