package io.busbar.transport;

import io.busbar.wire.DiagBlock;
import io.busbar.wire.Diagnosis;
import io.busbar.wire.FirstBlock;
import io.busbar.wire.Format;
import io.busbar.wire.FrameBuilder;
import io.busbar.wire.FrameView;
import io.busbar.wire.Header;
import io.busbar.wire.Key;
import io.busbar.wire.Options;
import io.busbar.wire.Seal;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * What the associations of one node share: configuration, counters, memory, deadlines, and the one
 * frame that is being written. It decides nothing.
 */
final class Core {
  final TransportConfig config;
  final Upcalls upcalls;
  final FrameClaims claims;
  final Counters counters = new Counters();
  final DeadlineHeap heap = new DeadlineHeap();
  final CreditBudget budget;
  final CopyStore store;
  final AssociationTable table;
  final FrameBuilder frame;
  final Parts parts;
  final SplittableRandom random;

  /** What ECHO is filled with. */
  private final MemorySegment filling;

  /** Bytes that checksum and seal add to every frame. */
  final int guardBytes;

  /** By node: the longest frame of a way that was told; asked when a path begins or changes. */
  private final Map<Integer, Integer> ways = new HashMap<>();

  /** Bytes of a stream that a DATA frame, and a FIRST, of the largest size can carry. */
  final int payloadBytesMax;

  final int firstBytesMax;

  /** The credit of a stream at rest: one frame, in whole units, so that a header can tell it. */
  final int restBytes;

  /** The frame that is being delivered, for claims; {@link CopyStore#COPIED} when there is none. */
  long currentFrame = CopyStore.COPIED;

  boolean sinkFull;

  private FrameSink sink = (peer, frame) -> false;
  private @Nullable Path readyFirst;
  private @Nullable Path readyLast;
  private @Nullable Association dueFirst;
  private @Nullable Association dueLast;

  Core(TransportConfig config, Upcalls upcalls, FrameClaims claims, Seal seal) {
    this.config = config;
    this.upcalls = upcalls;
    this.claims = claims;
    budget = new CreditBudget(config.creditBudgetBytes());
    store = new CopyStore(config.frameBytesMax(), config.creditBudgetBytes());
    table = new AssociationTable(config);
    frame =
        new FrameBuilder(Arena.ofAuto().allocate(config.frameBytesMax() + 64L), config.crc(), seal);
    guardBytes = FrameBuilder.guardBytes(config.crc(), seal);
    payloadBytesMax = payloadBytes(config.frameBytesMax());
    firstBytesMax = payloadBytesMax - FirstBlock.BYTES;
    restBytes =
        -Math.floorDiv(-payloadBytesMax, Header.CREDIT_UNIT_BYTES) * Header.CREDIT_UNIT_BYTES;
    filling = Arena.ofAuto().allocate(payloadBytesMax);
    parts = new Parts(config);
    random = new SplittableRandom(config.seed() ^ config.incarnation());
  }

  /** Bytes of payload that a frame of this size has room for. */
  int payloadBytes(int frameBytes) {
    return Math.min(frameBytes - Header.BYTES - guardBytes, Header.PAYLOAD_BYTES_MAX);
  }

  void makeReady(Path path) {
    if (path.isReady) {
      return;
    }
    path.isReady = true;
    path.nextReady = null;
    if (readyLast == null) {
      readyFirst = path;
    } else {
      readyLast.nextReady = path;
    }
    readyLast = path;
  }

  /** The association owes an answer. */
  void oweStatus(Association association) {
    if (association.isStatusDue) {
      return;
    }
    association.isStatusDue = true;
    association.nextDue = null;
    if (dueLast == null) {
      dueFirst = association;
    } else {
      dueLast.nextDue = association;
    }
    dueLast = association;
  }

  /** Sends everything that may leave now. */
  void emit(long nowNs, FrameSink to) {
    sink = to;
    sinkFull = false;
    emitStatus(nowNs, true);
    while (readyFirst != null && !sinkFull) {
      Path path = readyFirst;
      readyFirst = path.nextReady;
      readyLast = readyFirst == null ? null : readyLast;
      path.isReady = false;
      path.emit(nowNs);
      if (sinkFull) {
        makeReady(path);
      }
    }
    emitStatus(nowNs, false);
  }

  /**
   * Sends the answers that are owed: first those that cannot ride on data, then, after the data,
   * the rest. One that may still wait for data to ride on leaves the list; its deadline brings it
   * back.
   */
  private void emitStatus(long nowNs, boolean fullOnly) {
    Association kept = null;
    Association keptLast = null;
    while (dueFirst != null) {
      Association next = dueFirst;
      dueFirst = next.nextDue;
      next.nextDue = null;
      next.isStatusDue = false;
      boolean later = fullOnly && !next.needsFullStatus();
      if (sinkFull || later || !next.answer(nowNs)) {
        next.isStatusDue = true;
        if (keptLast == null) {
          kept = next;
        } else {
          keptLast.nextDue = next;
        }
        keptLast = next;
      }
    }
    dueFirst = kept;
    dueLast = keptLast;
  }

  /** Hands the finished frame to the carrier. */
  boolean transmit(int peer, Count kind) {
    if (!sink.transmit(peer, frame)) {
      sinkFull = true;
      return false;
    }
    counters.add(Count.FRAMES_OUT);
    counters.add(kind);
    return true;
  }

  /** The longest frame that the way to a node takes. */
  int wayFrameBytesMax(int peer) {
    return ways.getOrDefault(peer, config.frameBytesMax());
  }

  void limitWay(int peer, int frameBytesMax) {
    ways.put(peer, frameBytesMax);
  }

  /** Says DIAG about a frame that came, or asks about a life; one that finds no room is lost. */
  void diagnose(
      FrameSink to,
      int peer,
      long key,
      int options,
      Diagnosis code,
      int detail,
      long peerIncarnation,
      long serial) {
    frame.begin();
    long at = frame.reserve(DiagBlock.BYTES);
    DiagBlock.write(
        frame.scratch(),
        at,
        code,
        detail,
        config.cluster(),
        config.incarnation(),
        peerIncarnation,
        serial);
    frame.finish(Format.DIAG, 0, peer, config.node(), key, 0, 0, 0, options);
    if (to.transmit(peer, frame)) {
      counters.add(Count.FRAMES_OUT);
      counters.add(Count.DIAGS_OUT);
    }
  }

  /** Says DIAG about a frame's key: it is the peer's own when the frame came without RTN. */
  void diagnose(FrameSink to, FrameView about, Diagnosis code, int detail, long life, long serial) {
    int rtn = about.has(Options.RTN) ? 0 : Options.RTN;
    diagnose(to, about.from(), about.key(), rtn, code, detail, life, serial);
  }

  /** Sends ECHO with so much filling; one that finds no room is lost. */
  void echo(FrameSink to, int peer, long key, long seq, int fillBytes, int options) {
    frame.begin();
    frame.bytes(filling, 0, fillBytes);
    frame.finish(Format.ECHO, 0, peer, config.node(), key, seq, 0, 0, options);
    if (to.transmit(peer, frame)) {
      counters.add(Count.FRAMES_OUT);
      counters.add(Count.ECHOES_OUT);
    }
  }

  /** The key of this node's own ECHOs: it names no association, but the cluster and the life. */
  long echoKey() {
    return Key.of((int) config.cluster(), 0, config.incarnation());
  }

  /** Whether frames wait for room in the carrier. */
  boolean hasFramesWaiting() {
    return sinkFull;
  }
}
