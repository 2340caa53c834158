package io.busbar.transport;

import io.busbar.transport.TransportException.Mistake;
import io.busbar.wire.Blocked;
import io.busbar.wire.FrameView;
import io.busbar.wire.Header;
import io.busbar.wire.Incarnation;
import io.busbar.wire.Key;
import io.busbar.wire.Records;
import io.busbar.wire.Seal;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * One node's QMP: a state machine that is fed with frames and times, and yields frames, upcalls and
 * the next deadline. One caller at a time. {@code nowNs} counts from any start and is never
 * negative; it never runs backwards here: an earlier time than the last one counts as the last one.
 */
public final class Transport {
  private final Core core;
  private final Paths paths = new Paths();
  private final Listeners listeners;
  private final Reception reception;
  private long lastNs;

  /** A transport without a seal, on a carrier whose frames cannot be kept. */
  public Transport(TransportConfig config, Upcalls upcalls) {
    this(config, upcalls, FrameClaims.NONE, Seal.NONE);
  }

  /** A transport. */
  public Transport(TransportConfig config, Upcalls upcalls, FrameClaims claims, Seal seal) {
    core = new Core(config, upcalls, claims, seal);
    listeners = new Listeners(config.listenersMax());
    reception = new Reception(core, paths, listeners, new FrameView(config.crc(), seal));
  }

  // Contexts and associations.

  /** Listens for FIRSTs that fit; each becomes an association, until {@link #stopListening}. */
  public int listen(Criteria criteria) {
    return listeners.add(criteria, false);
  }

  /** Listens for one FIRST that fits: the context moves from listening to active (A15). */
  public int listenOnce(Criteria criteria) {
    return listeners.add(criteria, true);
  }

  /** The context is quiescent again. */
  public void stopListening(int context) {
    listeners.remove(context);
  }

  /**
   * Opens an association. FIRST leaves at the next {@link #poll}, and takes along what is given to
   * send until then.
   *
   * @param statusEvery frames between status requests (A28); 0 for the configured number
   * @param tag eight bytes for the listener to match
   * @return the association's handle
   */
  public long open(
      long nowNs,
      int peer,
      int proto,
      Service service,
      int sourcePort,
      int destPort,
      int statusEvery,
      long tag) {
    long now = advance(nowNs);
    checkOpen(peer, proto, statusEvery);
    if (core.table.isFull()) {
      throw new TransportException(
          Mistake.NO_SLOT,
          "all %d associations are in use".formatted(core.config.associationsMax()));
    }
    Path path = paths.find(peer);
    if (path == null) {
      path = new Path(core, peer, Incarnation.UNKNOWN);
      paths.put(path);
    }
    if (!path.ownSerials.hasNext()) {
      throw new TransportException(
          Mistake.TOO_MANY_OPENING,
          "%d associations to node %d wait for their first answer"
              .formatted(FirstSerials.WINDOW - 1, peer));
    }
    int every = statusEvery == 0 ? core.config.statusEvery() : statusEvery;
    long key = core.table.nextKey();
    Association association =
        switch (service) {
          case STREAM -> new StreamAssociation(path, proto, key, every);
          case DATAGRAM -> new DatagramAssociation(path, proto, key);
        };
    core.table.put(association);
    long serial = path.ownSerials.next();
    association.initiate(new Opening(service, serial, sourcePort, destPort, every, tag), now);
    return key;
  }

  private void checkOpen(int peer, int proto, int statusEvery) {
    if (peer < 0 || peer >= Header.EVERYONE || peer == core.config.node()) {
      throw new TransportException(
          Mistake.BAD_ARGUMENT, "node %d cannot be a peer of this one".formatted(peer));
    }
    if (proto < 0 || proto > 0xFF) {
      throw new TransportException(
          Mistake.BAD_ARGUMENT, "proto is %d; allowed: 0 to 255".formatted(proto));
    }
    if (statusEvery < 0 || statusEvery > 0xFFFF) {
      throw new TransportException(
          Mistake.BAD_ARGUMENT, "statusEvery is %d; allowed: 0 to 65535".formatted(statusEvery));
    }
  }

  /**
   * Gives bytes to send. They stay the caller's memory and must not change until {@link
   * Upcalls#onReleased} brings the token back.
   *
   * @return false when the queue is full; nothing was taken, {@link Upcalls#onSendable} will tell
   */
  public boolean trySend(
      long nowNs,
      long association,
      MemorySegment segment,
      long at,
      int length,
      long token,
      boolean endOfMessage) {
    long now = advance(nowNs);
    Association target = live(association);
    checkRange(segment, at, length);
    if (length == 0) {
      throw new TransportException(
          Mistake.BAD_ARGUMENT, "nothing to send: a stream numbers bytes, and there are none");
    }
    return target.trySend(segment, at, length, token, endOfMessage, now);
  }

  /**
   * Gives a record to send: its header, then the bytes, then padding to a multiple of eight.
   *
   * @param header as {@link Records#header} composes it; its length is that of the bytes
   */
  public boolean trySendRecord(
      long nowNs, long association, long header, MemorySegment segment, long at, long token) {
    long now = advance(nowNs);
    if (!Records.isSound(header)) {
      throw new TransportException(
          Mistake.BAD_ARGUMENT, "%x is no record header".formatted(header));
    }
    int length = Records.length(header);
    checkRange(segment, at, length);
    if (live(association) instanceof StreamAssociation stream) {
      return stream.trySend(segment, at, length, token, header, false, now);
    }
    throw wrongService(association);
  }

  private static void checkRange(MemorySegment segment, long at, int length) {
    if (length < 0 || at < 0 || at > segment.byteSize() - length) {
      throw new TransportException(
          Mistake.BAD_ARGUMENT,
          "%d bytes at %d do not lie in a segment of %d".formatted(length, at, segment.byteSize()));
    }
  }

  /** The longest datagram: it must fit into FIRST. */
  public int datagramBytesMax() {
    return core.firstBytesMax;
  }

  /** Lets a partly filled frame leave at the next {@link #poll}. */
  public void flush(long nowNs, long association) {
    advance(nowNs);
    if (live(association) instanceof StreamAssociation stream) {
      stream.flush();
    }
  }

  /** The user needs no more room for bytes that were delivered; the peer may send as many more. */
  public void consumed(long nowNs, long association, long bytes) {
    long now = advance(nowNs);
    if (live(association) instanceof StreamAssociation stream) {
      stream.consumed(bytes, now);
    } else {
      throw wrongService(association);
    }
  }

  /** Closes the outgoing stream behind what was given to send. */
  public void closeWrite(long nowNs, long association) {
    live(association).closeWrite(advance(nowNs));
  }

  /** Takes nothing more from the incoming stream; the peer's user learns what was not taken. */
  public void closeRead(long nowNs, long association) {
    Association target = live(association);
    core.parts.hold();
    try {
      target.closeRead(advance(nowNs));
    } finally {
      core.parts.settle();
    }
  }

  /**
   * Favors a stream: a part of the credit budget is kept for such streams from now on, so that they
   * are heard though the users of all others do not take what came.
   */
  public void favor(long association) {
    if (!(live(association) instanceof StreamAssociation stream)) {
      throw wrongService(association);
    }
    stream.favor();
    long frames = 2L * core.config.frameBytesMax(); // one is not enough for two that alternate
    core.budget.keep(Math.max(core.config.creditBudgetBytes() >>> 3, frames));
  }

  /**
   * The way to a node takes frames of at most this size; until another one is said, those of the
   * configuration. Frames that were longer leave in shorter ones when they are repaired.
   */
  public void limitFrames(int peer, int frameBytesMax) {
    core.limitWay(peer, frameBytesMax);
    Path path = paths.find(peer);
    if (path != null) {
      path.limitFrameBytes();
    }
  }

  /** Ends an association at once; what is unacknowledged comes back undelivered. */
  public void abort(long nowNs, long association) {
    Association target = live(association);
    core.parts.hold();
    try {
      target.end(advance(nowNs), Ending.ABORTED, 0);
    } finally {
      core.parts.settle();
    }
  }

  /** The layer above knows that a node is dead: everything with it ends. */
  public void peerDead(long nowNs, int peer) {
    long now = advance(nowNs);
    Path path = paths.find(peer);
    core.parts.hold();
    try {
      if (path != null) {
        reception.endAll(path, Ending.PEER_DEAD, now);
      }
    } finally {
      core.parts.settle();
    }
  }

  /** A node has gone, or lives another life: everything with it ends, and is forgotten. */
  public void peerGone(long nowNs, int peer) {
    peerDead(nowNs, peer);
    paths.remove(peer);
  }

  // Frames and time.

  /**
   * Takes a frame that came. Never throws for any bytes; what cannot be used is counted.
   *
   * @param frame the carrier's name for it, for claims; negative when it cannot be claimed
   * @param reply where an answer that needs no association (DIAG, ECHO) leaves at once: by the way
   *     that the frame came
   */
  public void onFrame(
      long nowNs, MemorySegment segment, long at, int length, long frame, FrameSink reply) {
    core.currentFrame = frame;
    core.parts.hold();
    try {
      reception.onFrame(advance(nowNs), segment, at, length, reply);
    } finally {
      core.currentFrame = CopyStore.COPIED;
      core.parts.settle();
    }
  }

  /**
   * Asks a node to answer, by one of several ways to it. The answer, if it comes, comes to {@link
   * Upcalls#onEcho}.
   *
   * @param seq not negative
   * @param frameBytes bytes of the whole frame, as far as one can be so short or so long
   * @param way takes the frame at once, or not at all
   */
  public void echo(int peer, long seq, int frameBytes, FrameSink way) {
    int fillBytes = frameBytes - Header.BYTES - core.guardBytes;
    core.echo(way, peer, core.echoKey(), seq, Math.clamp(fillBytes, 0, core.payloadBytesMax), 0);
  }

  /**
   * Keeps the frame whose bytes are being delivered; call inside {@link Upcalls#onBytes} only.
   *
   * @return the claim, to be released with {@link FrameClaims#release}; negative: copy instead
   */
  public long claimCurrent() {
    long frame = core.currentFrame;
    return frame >= 0 && core.claims.claim(frame) ? frame : CopyStore.COPIED;
  }

  /** Runs what is due and sends what may leave; returns when to call again at the latest. */
  public long poll(long nowNs, FrameSink sink) {
    long now = advance(nowNs);
    core.parts.hold();
    try {
      core.heap.expire(now);
      core.emit(now, sink);
    } finally {
      core.parts.settle();
    }
    return core.heap.nextNs();
  }

  /** Whether the last {@link #poll} left frames behind because the carrier had no room. */
  public boolean hasFramesWaiting() {
    return core.sinkFull;
  }

  // What is going on.

  /** What happened, in numbers. */
  public Counters counters() {
    return core.counters;
  }

  /** Bytes promised to peers out of the credit budget. */
  public long creditTakenBytes() {
    return core.budget.takenBytes();
  }

  /** Bytes kept behind gaps in chunks of this transport's. */
  public long heldBytes() {
    return core.store.heldBytes();
  }

  /** Slots in use, lingering ones included. */
  public int associations() {
    return core.table.inUse();
  }

  /** Associations whose working state is attached, times one or two; 0 when all rest. */
  public int busyParts() {
    return core.parts.inUse();
  }

  /** Bytes on their way to a peer, as the congestion window counts them. */
  public long onTheirWayBytes(int peer) {
    Path path = paths.find(peer);
    return path == null ? 0 : path.onTheirWayBytes();
  }

  /** The smoothed round trip to a peer in nanoseconds; 0 before one was measured. */
  public long roundTripNs(int peer) {
    Path path = paths.find(peer);
    return path == null || !path.roundTrip.isMeasured() ? 0 : path.roundTrip.smoothNs();
  }

  /** Frames that were sent again to this life of a peer. */
  public long repairs(int peer) {
    Path path = paths.find(peer);
    return path == null ? 0 : path.repairs();
  }

  /** Why what waits in a stream does not leave; {@link Blocked#NOT} if nothing holds it. */
  public Blocked heldBackBy(long association) {
    return live(association) instanceof StreamAssociation stream
        ? stream.heldBackBy()
        : Blocked.NOT;
  }

  /** The congestion window to a peer in bytes. */
  public long windowBytes(int peer) {
    Path path = paths.find(peer);
    return path == null ? 0 : (long) path.window.bytes();
  }

  /** Whether the peer's user has all that was given to a stream. */
  public boolean isSettled(long association) {
    return live(association) instanceof StreamAssociation stream && stream.isSettled();
  }

  /** The state of an association's context; quiescent when it is gone. */
  public ContextState state(long association) {
    Association target = core.table.find(association);
    return target == null ? ContextState.QUIESCENT : target.state;
  }

  /** The state of a listening context. */
  public ContextState contextState(int context) {
    ContextState state = listeners.state(context);
    return state == null ? ContextState.QUIESCENT : state;
  }

  private long advance(long nowNs) {
    lastNs = Math.max(lastNs, nowNs);
    return lastNs;
  }

  private Association live(long association) {
    @Nullable Association target = core.table.find(association);
    if (target == null) {
      throw new TransportException(
          Mistake.UNKNOWN_ASSOCIATION,
          "%s names no association of node %d"
              .formatted(Key.text(association), core.config.node()));
    }
    if (target.isOver()) {
      throw new TransportException(
          Mistake.ASSOCIATION_ENDED,
          "association %s has ended; onEnded said why".formatted(Key.text(association)));
    }
    return target;
  }

  private static TransportException wrongService(long association) {
    return new TransportException(
        Mistake.WRONG_SERVICE,
        "association %s carries datagrams, not a stream".formatted(Key.text(association)));
  }
}
