package io.busbar.node.stat;

import io.busbar.wire.Blocked;
import io.busbar.wire.StatLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

/**
 * Takes one mapped file apart. Words are loaded once, whole, into a copy, and only the copy is
 * looked at: what was checked cannot change afterwards.
 */
final class StatDecoder {
  /** A change takes nanoseconds: who has not ended it after so many looks is not running. */
  private static final int SPINS_MAX = 2000;

  private static final long PAUSE_NS = 100_000;
  private static final long MS_NS = 1_000_000;

  private final Path path;
  private final boolean alive;
  private final MemorySegment shared;
  private final ByteBuffer copy =
      ByteBuffer.allocate(StatLayout.FILE_BYTES).order(ByteOrder.LITTLE_ENDIAN);

  /** For all rows together, so that a writer that stands still costs a moment, once. */
  private int pausesLeft = 100;

  StatDecoder(Path path, boolean alive, MemorySegment shared) {
    this.path = path;
    this.alive = alive;
    this.shared = shared;
  }

  StatReading read() {
    long magic = StatWords.acquire(shared, StatLayout.MAGIC_AT);
    if (magic == 0 && alive) {
      return damaged("is still being made: look again");
    }
    if (magic != StatLayout.MAGIC) {
      return damaged("is no file of counters: it does not begin with BUSBARST");
    }
    take(0, StatLayout.BYTES);
    int version = copy.getInt(StatLayout.VERSION_AT);
    if (version != StatLayout.VERSION) {
      return damaged(
          "has version %d of the layout, and this program reads version %d: look with that of the node"
              .formatted(version, StatLayout.VERSION));
    }
    int counters = copy.getInt(StatLayout.COUNTERS_AT);
    int rows = copy.getInt(StatLayout.PEERS_AT);
    if (counters < 0 || counters > StatLayout.COUNTERS_MAX) {
      return damaged("is damaged: it claims %d counters".formatted(counters));
    }
    if (rows < 0 || rows > StatLayout.PEERS_MAX) {
      return damaged("is damaged: it claims %d peers".formatted(rows));
    }
    VarHandle.acquireFence(); // names were written before the counts
    return read(counters, rows);
  }

  private StatReading read(int counters, int rows) {
    take(StatLayout.COUNTERS, counters * StatLayout.COUNTER_BYTES);
    Map<String, Long> values = new LinkedHashMap<>();
    for (int slot = 0; slot < counters; slot++) {
      int at = (int) StatLayout.counterAt(slot);
      String name =
          StatTexts.read(copy, at + StatLayout.COUNTER_NAME_AT, StatLayout.COUNTER_NAME_BYTES);
      if (!StatTexts.isName(name, StatLayout.COUNTER_NAME_BYTES)) {
        return damaged("is damaged: counter %d has no readable name".formatted(slot));
      }
      values.put(name, copy.getLong(at + StatLayout.COUNTER_VALUE_AT));
    }
    List<PeerSnapshot> peers = new ArrayList<>();
    int unsettled = 0;
    for (int row = 0; row < rows; row++) {
      int at = (int) StatLayout.peerAt(row);
      boolean settled = takeRow(at);
      long state = copy.getLong(at + StatLayout.PEER_STATE_AT);
      if (!settled) {
        unsettled++;
      } else if (state < StatLayout.EMPTY || state > StatLayout.GONE) {
        return damaged("is damaged: row %d has the state %d".formatted(row, state));
      } else if (state != StatLayout.EMPTY) {
        peers.add(peer(at, state == StatLayout.OPEN));
      }
    }
    return new NodeSnapshot(
        path,
        copy.getInt(StatLayout.PID_AT),
        alive,
        copy.getInt(StatLayout.NODE_AT),
        StatTexts.shown(copy, StatLayout.NAME_AT, StatLayout.NAME_BYTES),
        copy.getLong(StatLayout.START_MS_AT),
        copy.getLong(StatLayout.INCARNATION_AT),
        copy.getLong(StatLayout.CLUSTER_AT),
        copy.getLong(StatLayout.CLOCK_MS_AT),
        values,
        peers,
        copy.getInt(StatLayout.HIDDEN_AT),
        unsettled);
  }

  private void take(int at, int bytes) {
    for (int i = at; i < at + bytes; i += Long.BYTES) {
      copy.putLong(i, StatWords.get(shared, i));
    }
  }

  /** Takes a row between two changes of it; false when a change does not end. */
  private boolean takeRow(int at) {
    int spins = 0;
    while (true) {
      long before = StatWords.acquire(shared, at + StatLayout.PEER_SEQUENCE_AT);
      if ((before & 1) == 0) {
        take(at, StatLayout.PEER_BYTES);
        VarHandle.acquireFence();
        if (StatWords.get(shared, at + StatLayout.PEER_SEQUENCE_AT) == before) {
          return true;
        }
      }
      if (!alive) {
        return false;
      }
      if (++spins <= SPINS_MAX) {
        Thread.onSpinWait();
      } else if (pausesLeft-- > 0) {
        LockSupport.parkNanos(PAUSE_NS);
      } else {
        return false;
      }
    }
  }

  private PeerSnapshot peer(int at, boolean open) {
    long blocked = copy.getLong(at + StatLayout.PEER_BLOCKED_AT);
    long since = copy.getLong(at + StatLayout.PEER_SINCE_NS_AT);
    return new PeerSnapshot(
        copy.getLong(at + StatLayout.PEER_NODE_AT),
        open,
        StatTexts.shown(copy, at + StatLayout.PEER_FABRIC_AT, StatLayout.FABRIC_BYTES),
        blocked,
        blocked == Blocked.NOT.number() ? 0 : passedNs(since),
        copy.getLong(at + StatLayout.PEER_BYTES_IN_AT),
        copy.getLong(at + StatLayout.PEER_BYTES_OUT_AT),
        copy.getLong(at + StatLayout.PEER_MESSAGES_IN_AT),
        copy.getLong(at + StatLayout.PEER_MESSAGES_OUT_AT),
        copy.getLong(at + StatLayout.PEER_REPAIRS_AT),
        copy.getLong(at + StatLayout.PEER_STALLS_AT),
        copy.getLong(at + StatLayout.PEER_ROUND_TRIP_NS_AT),
        copy.getLong(at + StatLayout.PEER_WAITING_BYTES_AT),
        StatTexts.shown(copy, at + StatLayout.PEER_ADDRESS_AT, StatLayout.ADDRESS_BYTES));
  }

  /** Time since then: by the owner's clock to its last look, by the time of day from there on. */
  private long passedNs(long sinceNs) {
    long toLastLook = copy.getLong(StatLayout.CLOCK_NS_AT) - sinceNs;
    long silentMs = System.currentTimeMillis() - copy.getLong(StatLayout.CLOCK_MS_AT);
    return Math.max(0, toLastLook + (alive ? Math.max(0, silentMs) * MS_NS : 0));
  }

  private Unreadable damaged(String why) {
    return StatReader.unreadable(path, why);
  }
}
