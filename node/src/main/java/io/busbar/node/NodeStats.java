package io.busbar.node;

import io.busbar.bus.BusCount;
import io.busbar.bus.CastCount;
import io.busbar.fabric.Nic;
import io.busbar.fabric.NicCapability;
import io.busbar.fabric.NicCount;
import io.busbar.memory.Pool;
import io.busbar.node.stat.PeerRow;
import io.busbar.node.stat.StatFile;
import io.busbar.transport.Count;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a node shows to other processes: the counters of its carriers and its transport, and a row
 * for each lane with what holds it back. Written by whoever drives, a few times a second.
 */
final class NodeStats implements AutoCloseable {
  /** How old what is shown may be while the node works. */
  private static final long EVERY_NS = 100_000_000;

  private static final NicCount[] NIC_COUNTS = NicCount.values();
  private static final BusCount[] BUS_COUNTS = BusCount.values();
  private static final CastCount[] CAST_COUNTS = CastCount.values();
  private static final Count[] TRANSPORT_COUNTS = Count.values();

  private final StatFile file;
  private final Engine engine;
  private final List<Nic> nics;
  private final List<Pool> pools;
  private final int firstSlot;
  private final @Nullable Presence presence;
  private final Map<Lane, Shown> rows = new LinkedHashMap<>();
  private long shownNs;

  NodeStats(StatFile file, Engine engine, List<Nic> nics, @Nullable Presence presence) {
    this.file = file;
    this.engine = engine;
    this.nics = nics;
    this.presence = presence;
    this.pools = pools(nics);
    int first = -1;
    for (Nic nic : nics) {
      for (NicCount count : NIC_COUNTS) {
        int slot = file.register(nic.fabric() + "." + words(count.name()));
        first = first < 0 ? slot : first;
      }
    }
    for (Count count : TRANSPORT_COUNTS) {
      int _ = file.register("qmp." + words(count.name()));
    }
    int _ = file.register("node.strange-frames");
    for (int i = 0; i < pools.size(); i++) {
      int _ = file.register("pool.blocks" + (i == 0 ? "" : "-" + i));
      int _ = file.register("pool.blocks-used" + (i == 0 ? "" : "-" + i));
    }
    if (presence != null) {
      for (BusCount count : BUS_COUNTS) {
        int _ = file.register("bus." + words(count.name()));
      }
    }
    if (engine.broadcasts() != null) {
      for (CastCount count : CAST_COUNTS) {
        int _ = file.register("cast." + words(count.name()));
      }
    }
    firstSlot = first;
    show(System.nanoTime());
  }

  private static String words(String name) {
    return name.toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** A row, and the carrier that it shows. */
  private static final class Shown {
    final PeerRow row;
    String fabric = "";

    Shown(PeerRow row) {
      this.row = row;
    }
  }

  private static List<Pool> pools(List<Nic> nics) {
    return nics.stream()
        .filter(nic -> nic.capabilities().contains(NicCapability.OWNERSHIP))
        .map(Nic::pool)
        .toList();
  }

  /** Shows what has changed, if what is shown is old. */
  void refresh() {
    long now = System.nanoTime();
    if (now - shownNs >= EVERY_NS) {
      show(now);
    }
  }

  private void show(long nowNs) {
    shownNs = nowNs;
    int slot = firstSlot;
    for (Nic nic : nics) {
      for (NicCount count : NIC_COUNTS) {
        file.set(slot++, nic.counters().get(count));
      }
    }
    for (Count count : TRANSPORT_COUNTS) {
      file.set(slot++, engine.transport().counters().get(count));
    }
    file.set(slot++, engine.strangeFrames());
    for (Pool pool : pools) {
      int blocks = pool.layout().blocks();
      file.set(slot++, blocks);
      file.set(slot++, blocks - pool.freeBlocks());
    }
    if (presence != null) {
      for (BusCount count : BUS_COUNTS) {
        file.set(slot++, presence.count(count));
      }
    }
    Broadcasts casts = engine.broadcasts();
    if (casts != null) {
      for (CastCount count : CAST_COUNTS) {
        file.set(slot++, casts.count(count));
      }
    }
    forgetOld();
    for (Lane lane : engine.lanes()) {
      show(lane, rows.computeIfAbsent(lane, one -> new Shown(file.row(one.peer()))), nowNs);
    }
    file.tick(nowNs, System.currentTimeMillis());
  }

  /** Lanes that are no more, or that another one to the same node has replaced. */
  private void forgetOld() {
    rows.entrySet()
        .removeIf(
            shown -> {
              boolean isOld = engine.lane(shown.getKey().peer()) != shown.getKey();
              if (isOld) {
                shown.getValue().row.gone();
              }
              return isOld;
            });
  }

  private void show(Lane lane, Shown shown, long nowNs) {
    PeerRow row = shown.row;
    if (lane.isEnded()) {
      row.gone();
      return;
    }
    if (!shown.fabric.equals(lane.fabric())) {
      shown.fabric = lane.fabric();
      row.fabric(shown.fabric);
      row.address(lane.address());
    }
    row.begin();
    row.messagesIn(lane.messagesIn());
    row.messagesOut(lane.messagesOut());
    row.bytesIn(lane.bytesIn());
    row.bytesOut(lane.bytesOut());
    row.stalls(lane.stalls());
    row.repairs(lane instanceof QmpLane ? engine.transport().repairs(lane.peer()) : 0);
    row.waitingBytes(lane.onTheWayBytes());
    row.roundTripNs(engine.transport().roundTripNs(lane.peer()));
    row.end();
    row.blocked(lane.blocked(), nowNs);
  }

  @Override
  public void close() {
    file.close();
  }
}
