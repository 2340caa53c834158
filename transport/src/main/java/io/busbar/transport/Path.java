package io.busbar.transport;

import io.busbar.wire.Blocked;
import io.busbar.wire.FirstBlock;
import io.busbar.wire.Incarnation;
import org.jspecify.annotations.Nullable;

/**
 * The way to one life of one peer: round trip, congestion, bursts, and whose turn it is to send.
 * All associations with that life share it.
 */
final class Path extends Timed {
  private static final double PACE = 2.0;

  final Core core;
  final int peer;

  /** The peer's life; {@link Incarnation#UNKNOWN} before the first contact. */
  long incarnation;

  final RoundTrip roundTrip;
  final CongestionWindow window;
  final FirstSerials heardSerials = new FirstSerials();
  final Refusals refusals = new Refusals();
  final TranslationMap translation = new TranslationMap();
  final OwnSerials ownSerials = new OwnSerials();
  final ReorderAllowance reorder;

  /** A question about the peer's life that waits for its answer; 0 when none does. */
  long nonce;

  long nonceSentNs;

  /** The longest the peer may take to answer. */
  long peerAckDelayNs;

  /** Counts acknowledgements; what waits for more leaves when it has moved. */
  int acks;

  /** The number of the next frame to this peer. */
  int nextNumber = 1;

  @Nullable Path nextReady;
  boolean isReady;

  private final Turns ready = new Turns();
  private final Turns filling = new Turns();
  private final int frameBytes;
  private int peerFrameBytesMax;
  private int payloadBytesMax;
  private long onTheirWayBytes;
  private long repairs;

  /** Whether one frame alone is on its way, and nobody was asked about it. */
  private boolean lone;

  private int sentAlone;

  private int roundEnd = 1;
  private boolean limited;
  private boolean limitedBefore;
  private double tokens;
  private long tokensAtNs;

  Path(Core core, int peer, long incarnation) {
    this.core = core;
    this.peer = peer;
    this.incarnation = incarnation;
    TransportConfig config = core.config;
    frameBytes = config.frameBytesMax();
    roundTrip = new RoundTrip(config.rttInitialNs(), config.rtoMaxNs());
    window = new CongestionWindow(frameBytes, 2L * config.windowBytesMax(), config.queueTargetNs());
    reorder = new ReorderAllowance(config.reorderMinNs(), config.reorderMaxNs());
    tokens = config.burstFramesMax();
    limitFrameBytes(frameBytes);
  }

  /** The peer takes no longer frames than this; none takes shorter ones than every node must. */
  void limitFrameBytes(int bytes) {
    peerFrameBytesMax = bytes;
    limitFrameBytes();
  }

  /** The way to the peer, or the peer, may take other frames now. */
  void limitFrameBytes() {
    int taken = Math.min(peerFrameBytesMax, core.wayFrameBytesMax(peer));
    int most = Math.max(taken, FirstBlock.FRAME_BYTES_MIN);
    payloadBytesMax = Math.min(core.payloadBytesMax, core.payloadBytes(most));
  }

  /** Bytes of a stream that a DATA frame to this peer can carry. */
  int payloadBytesMax() {
    return payloadBytesMax;
  }

  /** Bytes of a stream that FIRST to this peer can carry. */
  int firstBytesMax() {
    return payloadBytesMax - FirstBlock.BYTES;
  }

  /** The association has something to send, and queues for its turn. */
  void makeReady(Association association) {
    if (association.turn == filling) {
      endFilling();
    } else if (association.turn == null) {
      ready.add(association);
    }
    core.makeReady(this);
  }

  /** Lets those that wait for a frame to fill try again. */
  void endFilling() {
    if (!filling.isEmpty()) {
      ready.takeAll(filling);
      core.makeReady(this);
    }
  }

  /** Sends what may leave now, one frame a turn. */
  void emit(long nowNs) {
    int limit = core.config.burstFramesMax();
    while (limit > 0 && !ready.isEmpty()) {
      Association first = ready.first();
      switch (first.emit(nowNs)) {
        case SENT -> {
          ready.rotate();
          limit--;
        }
        case NOTHING -> ready.removeFirst();
        case FILLING -> {
          ready.removeFirst();
          filling.add(first);
        }
        case PATH_FULL -> {
          return;
        }
        case SINK_FULL -> {
          core.sinkFull = true;
          return;
        }
      }
    }
    if (!ready.isEmpty()) {
      core.heap.lower(this, nowNs);
    }
  }

  /** Whether a frame of this length may leave now. */
  boolean mayLeave(long nowNs, int bytes) {
    if (!isCalm() && onTheirWayBytes + bytes > window.bytes()) {
      limited = true;
      return false;
    }
    return mayPace(nowNs);
  }

  /** What holds a full frame back, as it was when the pace was looked at last. */
  Blocked heldBackBy() {
    if (!isCalm() && onTheirWayBytes + payloadBytesMax > window.bytes()) {
      return Blocked.WINDOW_FULL;
    }
    return tokens < 1 ? Blocked.PACED : Blocked.NOT;
  }

  /** A frame has left again. */
  void onRepair() {
    repairs++;
  }

  /** Frames that have left again. */
  long repairs() {
    return repairs;
  }

  /** Whether the pace allows a frame, though the window does not count it. */
  boolean mayPace(long nowNs) {
    refill(nowNs);
    if (tokens < 1) {
      limited = true;
      double waitNs = Math.ceil((1 - tokens) / framesPerNs());
      core.heap.lower(this, nowNs + Math.max(1, (long) waitNs));
      return false;
    }
    return true;
  }

  /** A frame left that the window does not count. */
  void onPaced() {
    tokens -= 1;
  }

  /** Whether another full frame could leave behind one of this length. */
  boolean hasRoomBehind(int bytes) {
    return tokens >= 2 && onTheirWayBytes + bytes + frameBytes <= window.bytes();
  }

  /** How many frames may be on their way. */
  int windowFrames() {
    return (int) (window.bytes() / frameBytes);
  }

  /** Numbers a data frame that leaves. */
  int onSent(int bytes) {
    lone = false;
    onTheirWayBytes += bytes;
    tokens -= 1;
    return nextNumber++;
  }

  /** Bytes arrived that were on their way. */
  void onArrived(long nowNs, int bytes, int newestNumber) {
    onTheirWayBytes -= bytes;
    window.onAcked(bytes, limited || limitedBefore);
    if (newestNumber - roundEnd >= 0) {
      window.onRound(nowNs);
      roundEnd = nextNumber;
      limitedBefore = limited;
      limited = false;
    }
  }

  /** Bytes were found lost. */
  void onLost(int bytes) {
    onTheirWayBytes -= bytes;
    window.onLost(bytes);
  }

  /** Bytes are of no more interest: their association has ended. */
  void onAbandoned(long bytes) {
    onTheirWayBytes -= bytes;
  }

  /** A round trip was measured by a frame of so many bytes. */
  void onSample(long nowNs, long sampleNs, int bytes) {
    roundTrip.onSample(sampleNs);
    window.onSample(nowNs, sampleNs, bytes);
  }

  /** Whether nothing to this peer is unacknowledged. */
  boolean isQuiet() {
    return onTheirWayBytes == 0;
  }

  /** The frame that was sent last is alone on its way, and its answer may take a while. */
  void onSentAlone() {
    lone = true;
    sentAlone++;
  }

  /** How many such frames have left since an answer was asked for. */
  int sentAlone() {
    return sentAlone;
  }

  void onAsked() {
    sentAlone = 0;
  }

  /** Whether nothing to this peer is unacknowledged that an answer was asked for. */
  boolean isCalm() {
    return lone || isQuiet();
  }

  long onTheirWayBytes() {
    return onTheirWayBytes;
  }

  /** An acknowledgement came, or room was made: whoever waits may try again. */
  void onAcknowledged() {
    acks++;
    endFilling();
    if (!ready.isEmpty()) {
      core.makeReady(this);
    }
  }

  @Override
  void onDeadline(long nowNs) {
    if (!ready.isEmpty()) {
      core.makeReady(this);
    }
  }

  private void refill(long nowNs) {
    long passedNs = nowNs - tokensAtNs;
    if (passedNs > 0) {
      double most = Math.clamp(window.bytes() / frameBytes, 1, core.config.burstFramesMax());
      tokens = Math.min(most, tokens + passedNs * framesPerNs());
      tokensAtNs = nowNs;
    }
  }

  /** Twice the window a round trip: acknowledgements are the clock, this only bounds bursts. */
  private double framesPerNs() {
    return PACE * window.bytes() / frameBytes / roundTrip.smoothNs();
  }
}
