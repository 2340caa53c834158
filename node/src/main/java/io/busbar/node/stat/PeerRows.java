package io.busbar.node.stat;

import io.busbar.wire.StatLayout;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.Map;

/**
 * Which peer has which row. When all are taken, the one of a peer that is gone is taken over; when
 * nobody is gone, a row is made that no reader sees, and the header counts it: a node does not fail
 * because its figures have no room.
 */
final class PeerRows {
  private final MemorySegment memory;
  private final Map<Integer, PeerRow> byPeer = new HashMap<>();
  private final PeerRow[] rows = new PeerRow[StatLayout.PEERS_MAX];
  private int used;
  private int hidden;

  PeerRows(MemorySegment memory) {
    this.memory = memory;
  }

  PeerRow of(int peer) {
    PeerRow known = byPeer.get(peer);
    if (known != null && !known.isGone()) {
      return known;
    }
    PeerRow row = known == null ? make() : known;
    row.show(peer);
    byPeer.put(peer, row);
    StatWords.release(memory, StatLayout.PEERS_AT, used);
    return row;
  }

  private PeerRow make() {
    if (used < rows.length) {
      rows[used] = new PeerRow(memory, StatLayout.peerAt(used));
      return rows[used++];
    }
    for (int i = 0; i < rows.length; i++) {
      if (rows[i].isGone()) {
        return takeOver(i);
      }
    }
    StatWords.release(memory, StatLayout.HIDDEN_AT, ++hidden);
    return new PeerRow(unseen(), 0);
  }

  /** Who still holds the old row must not write into the new one. */
  private PeerRow takeOver(int index) {
    PeerRow old = rows[index];
    byPeer.remove(old.peer());
    old.moveTo(unseen());
    rows[index] = new PeerRow(memory, StatLayout.peerAt(index));
    return rows[index];
  }

  private static MemorySegment unseen() {
    return Arena.ofAuto().allocate(StatLayout.PEER_BYTES, Long.BYTES);
  }
}
