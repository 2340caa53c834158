package io.busbar.bus;

import io.busbar.wire.BusBlock;
import io.busbar.wire.MemberCard;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** All that is known of all nodes, this one included, and its hashes. */
final class Roster {
  private final Map<Integer, Entry> entries = new TreeMap<>();
  private final Map<Integer, Entry> suspects = new TreeMap<>();
  private final int[] classHashes = new int[BusBlock.CLASSES];
  private final int entriesMax;
  private long hash;
  private int members;

  Roster(int entriesMax) {
    this.entriesMax = entriesMax;
  }

  @Nullable Entry get(int id) {
    return entries.get(id);
  }

  Collection<Entry> all() {
    return entries.values();
  }

  /** Those of them who are suspected. */
  Collection<Entry> suspects() {
    return suspects.values();
  }

  boolean isFull() {
    return entries.size() >= entriesMax;
  }

  /** Members only: who has gone is forgotten at different times. */
  long hash() {
    return hash;
  }

  int classHash(int number) {
    return classHashes[number];
  }

  int members() {
    return members;
  }

  void add(Entry entry) {
    entries.put(entry.id, entry);
    count(entry, 1);
    noteSuspicion(entry);
  }

  void remove(Entry entry) {
    count(entry, -1);
    entries.remove(entry.id);
    suspects.remove(entry.id);
  }

  /** Changes the record of an entry that is in. */
  void change(Entry entry, MemberState state, int edition, long life) {
    count(entry, -1);
    entry.state = state;
    entry.edition = edition;
    entry.life = life;
    count(entry, 1);
    noteSuspicion(entry);
  }

  /** An entry that is in says something else of itself. */
  void describe(Entry entry, MemberCard card, byte[] encoded) {
    count(entry, -1);
    entry.describe(card, encoded);
    count(entry, 1);
  }

  private void noteSuspicion(Entry entry) {
    if (entry.state == MemberState.SUSPECTED) {
      suspects.put(entry.id, entry);
    } else {
      suspects.remove(entry.id);
    }
  }

  private void count(Entry entry, int sign) {
    if (entry.state.isMember()) {
      long mixed = hash(entry.id, entry.edition, entry.life ^ entry.cardHash());
      hash ^= mixed;
      classHashes[entry.id % BusBlock.CLASSES] ^= (int) (mixed >>> 16);
      members += sign;
    }
  }

  /**
   * The next one behind a member in an order that all know, and that has nothing to do with ids:
   * neighbours by id may stand on one host, and go together. Null when no other one is alive.
   */
  @Nullable Entry successor(Entry of) {
    long from = hash(of.id, 0, of.life);
    Entry next = null;
    long shortest = 0;
    for (Entry entry : entries.values()) {
      long distance = hash(entry.id, 0, entry.life) - from;
      boolean isNearer = next == null || Long.compareUnsigned(distance, shortest) < 0;
      if (entry != of && entry.state == MemberState.ALIVE && isNearer) {
        next = entry;
        shortest = distance;
      }
    }
    return next;
  }

  /** A suspicion is no difference: it ends soon by itself. */
  private static long hash(int id, int edition, long life) {
    long mixed = (life ^ (long) id << 48 ^ edition) * 0x9E37_79B9_7F4A_7C15L;
    mixed = (mixed ^ mixed >>> 29 ^ id) * 0xBF58_476D_1CE4_E5B9L;
    return mixed ^ mixed >>> 32;
  }
}
