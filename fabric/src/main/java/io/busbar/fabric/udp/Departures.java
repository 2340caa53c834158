package io.busbar.fabric.udp;

import io.busbar.fabric.NicCount;
import io.busbar.fabric.NicCounters;
import io.busbar.linux.Errno;
import io.busbar.linux.SendBatch;
import org.jspecify.annotations.Nullable;

/**
 * Rings the doorbell: staged frames leave in order, by as few system calls as they can. A lone
 * frame goes by the cheapest call there is. Several become messages of one call, and a run of
 * frames of one size to one peer, of which the last may be shorter, becomes one message that the
 * kernel cuts.
 *
 * <p>Messages are made up anew after every refusal, from what is still staged: so a path that has
 * become narrower costs only the frames that do not fit, and a kernel that does not cut costs none.
 */
final class Departures {
  /** Messages in one call: beyond this a call costs little per message. */
  private static final int MESSAGES_MAX = 64;

  /** Parts of one message: a run of {@value #RUN_FRAMES_MAX} frames, each header and body. */
  private static final int PARTS_MAX = 128;

  /** Frames in one message; older kernels refuse more. */
  private static final int RUN_FRAMES_MAX = 64;

  /** Bytes of one message: what an IPv4 packet holds. */
  private static final int RUN_BYTES_MAX = 65_507;

  private final TransmitStage stage;
  private final Sockets sockets;
  private final Outlet outlet;
  private final PathMtu paths;
  private final Notices notices;
  private final NicCounters counters;
  private final @Nullable Everyone everyone;
  private final SendBatch batch = new SendBatch(MESSAGES_MAX, PARTS_MAX);
  private final int[] framesOf = new int[MESSAGES_MAX];

  // The message that is being filled.
  private @Nullable Peer runPeer;
  private int runSegment;
  private int runFrames;
  private int runBytes;
  private int runParts;
  private boolean runEnded;

  /** The piece of the stage that its next part is to be. */
  private long pieceAt;

  private int pieceLength;

  Departures(
      TransmitStage stage,
      Sockets sockets,
      Outlet outlet,
      PathMtu paths,
      Notices notices,
      NicCounters counters,
      @Nullable Everyone everyone) {
    this.stage = stage;
    this.sockets = sockets;
    this.outlet = outlet;
    this.paths = paths;
    this.notices = notices;
    this.counters = counters;
    this.everyone = everyone;
  }

  /** Frames that could not leave yet. */
  int flush() {
    boolean goesOn = true;
    while (goesOn && !stage.isEmpty()) {
      goesOn = dropWhatNoLongerFits() || (isLone() ? leaveAlone() : leaveTogether());
    }
    return stage.count();
  }

  /** The path was wider when the frame was staged. */
  private boolean dropWhatNoLongerFits() {
    int frame = stage.first();
    boolean fits = stage.length(frame) <= stage.peer(frame).frameBytesMax;
    if (!fits) {
      lose(1);
    }
    return !fits;
  }

  private boolean isLone() {
    int frame = stage.first();
    return stage.count() == 1 && stage.partsTo(frame) - stage.partsFrom(frame) == 1;
  }

  private boolean leaveAlone() {
    int frame = stage.first();
    int part = stage.partsFrom(frame);
    int result =
        outlet.send(
            stage.partMemory(part), stage.partAt(part), stage.length(frame), stage.peer(frame));
    if (result < 0) {
      return goesOnAfter(-result, 1);
    }
    counters.add(NicCount.CALLS_SENT);
    count(1);
    return true;
  }

  private boolean leaveTogether() {
    fill();
    int sent = outlet.send(batch);
    if (sent < 0) {
      return goesOnAfter(-sent, framesOf[0]);
    }
    counters.add(NicCount.CALLS_SENT);
    int frames = 0;
    for (int message = 0; message < sent; message++) {
      frames += framesOf[message];
    }
    count(frames);
    return true;
  }

  private void count(int frames) {
    long bytes = 0;
    for (int frame = stage.first(); frame < stage.first() + frames; frame++) {
      bytes += stage.length(frame);
    }
    counters.add(NicCount.FRAMES_SENT, frames);
    counters.add(NicCount.BYTES_SENT, bytes);
    stage.advance(frames);
  }

  private void lose(int frames) {
    counters.add(NicCount.LOST_SENDING, frames);
    stage.advance(frames);
  }

  // Messages.

  private void fill() {
    batch.clear();
    runPeer = null;
    for (int frame = stage.first(); frame < stage.end(); frame++) {
      if (!joins(frame) && !begin(frame)) {
        break;
      }
      append(frame);
    }
    endPiece();
  }

  private boolean joins(int frame) {
    int length = stage.length(frame);
    return sockets.gso
        && !runEnded
        && runPeer == stage.peer(frame)
        && length <= runSegment
        && runFrames < RUN_FRAMES_MAX
        && runBytes + length <= RUN_BYTES_MAX
        && runParts + stage.partsTo(frame) - stage.partsFrom(frame) <= PARTS_MAX;
  }

  /** Begins a message with a frame; false when the call is full, or the frame no longer fits. */
  private boolean begin(int frame) {
    endPiece();
    Peer peer = stage.peer(frame);
    if (batch.isFull() || stage.length(frame) > peer.frameBytesMax) {
      return false;
    }
    batch.message(peer.to);
    runPeer = peer;
    runSegment = stage.length(frame);
    runFrames = 0;
    runBytes = 0;
    runParts = 0;
    runEnded = false;
    return true;
  }

  private void append(int frame) {
    for (int part = stage.partsFrom(frame); part < stage.partsTo(frame); part++) {
      if (!stage.isOwn(part)) {
        endPiece();
        runParts++;
        batch.part(stage.partMemory(part), stage.partAt(part), stage.partLength(part));
      } else if (pieceLength > 0 && stage.partAt(part) == pieceAt + pieceLength) {
        pieceLength += stage.partLength(part);
      } else {
        endPiece();
        runParts++;
        pieceAt = stage.partAt(part);
        pieceLength = stage.partLength(part);
      }
    }
    runFrames++;
    runBytes += stage.length(frame);
    runEnded = stage.length(frame) < runSegment;
    framesOf[batch.count() - 1] = runFrames;
    if (runFrames == 2) {
      batch.segmentBytes(runSegment);
    }
  }

  private void endPiece() {
    if (pieceLength > 0) {
      batch.part(stage.memory(), pieceAt, pieceLength);
      pieceLength = 0;
    }
  }

  // Refusals.

  /**
   * The kernel refused the first message. Either it has no room, and all stay; or the reason can be
   * taken away, and they are tried again; or its frames are lost.
   *
   * @return whether to go on
   */
  private boolean goesOnAfter(int errno, int frames) {
    boolean isRun = frames > 1;
    switch (errno) {
      case Errno.EAGAIN, Errno.ENOBUFS, Errno.ENOMEM, Errno.EINTR -> {
        return false;
      }
      case Errno.EMSGSIZE, Errno.EINVAL -> {
        Peer peer = stage.peer(stage.first());
        if (paths.learn(peer)) {
          notices.frameBytesMax(peer);
          notices.lost(errno, peer);
        } else if (isRun) {
          sendOneByOne(errno);
        } else {
          refuse(errno, frames);
        }
      }
      case Errno.EIO, Errno.EOPNOTSUPP -> {
        if (isRun) {
          sendOneByOne(errno);
        } else {
          refuse(errno, frames);
        }
      }
      default -> refuse(errno, frames);
    }
    return true;
  }

  private void sendOneByOne(int errno) {
    sockets.gso = false;
    notices.warnOnce(
        "segments",
        "frames leave one by one: the kernel refused to cut a run of them, %s"
            .formatted(Errno.name(errno)));
  }

  private void refuse(int errno, int frames) {
    Peer peer = stage.peer(stage.first());
    notices.lost(errno, peer);
    if (everyone != null && peer.address.isMulticast()) {
      everyone.renew();
    }
    lose(frames);
  }
}
