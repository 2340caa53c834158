package io.busbar.fabric.udp;

import io.busbar.fabric.NicCount;
import io.busbar.fabric.NicCounters;
import io.busbar.fabric.socket.Notices;
import io.busbar.linux.Errno;
import io.busbar.linux.SendBatch;
import org.jspecify.annotations.Nullable;

/**
 * Rings the doorbell: staged frames leave in order, by as few system calls as they can. A lone
 * frame goes by the cheapest call there is. Otherwise each run is one message, which the kernel
 * cuts into frames, and many messages leave in one call.
 *
 * <p>Messages are made up anew after every refusal, from what is still staged: so a path that has
 * become narrower costs only the frames that do not fit, and a kernel that does not cut costs none.
 */
final class Departures {
  /** Messages in one call: beyond this a call costs little per message. */
  private static final int MESSAGES_MAX = 64;

  private final TransmitStage stage;
  private final OwnSocket own;
  private final Outlet outlet;
  private final PathMtu paths;
  private final Notices notices;
  private final NicCounters counters;
  private final @Nullable Everyone everyone;
  private final SendBatch batch = new SendBatch(MESSAGES_MAX, TransmitStage.RUN_PARTS_MAX);
  private final int[] framesOf = new int[MESSAGES_MAX];

  Departures(
      TransmitStage stage,
      OwnSocket own,
      Outlet outlet,
      PathMtu paths,
      Notices notices,
      NicCounters counters,
      @Nullable Everyone everyone) {
    this.stage = stage;
    this.own = own;
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
    stage.endRun();
    return stage.count();
  }

  /** The path was wider when the first run was staged; its last frame may be short enough. */
  private boolean dropWhatNoLongerFits() {
    int run = stage.first();
    boolean fits = fits(run);
    if (!fits) {
      int frames = stage.frames(run);
      int last = stage.bytes(run) - (frames - 1) * stage.frameBytes(run);
      lose(last <= stage.peer(run).frameBytesMax ? frames - 1 : frames);
    }
    return !fits;
  }

  private boolean fits(int run) {
    int longest = Math.min(stage.frameBytes(run), stage.bytes(run));
    return longest <= stage.peer(run).frameBytesMax;
  }

  private boolean isLone() {
    int run = stage.first();
    return stage.count() == 1 && stage.partsTo(run) - stage.partsFrom(run) == 1;
  }

  private boolean leaveAlone() {
    int run = stage.first();
    int part = stage.partsFrom(run);
    int result =
        outlet.send(
            stage.partMemory(part), stage.partAt(part), stage.partLength(part), stage.peer(run));
    if (result < 0) {
      return goesOnAfter(-result, 1);
    }
    left(1);
    return true;
  }

  private boolean leaveTogether() {
    Shortcut sole = fill();
    int sent = outlet.send(batch, sole);
    if (sent < 0) {
      return goesOnAfter(-sent, framesOf[0]);
    }
    int frames = 0;
    for (int message = 0; message < sent; message++) {
      frames += framesOf[message];
    }
    left(frames);
    return true;
  }

  private void left(int frames) {
    counters.add(NicCount.CALLS_SENT);
    counters.add(NicCount.FRAMES_SENT, frames);
    counters.add(NicCount.BYTES_SENT, stage.leave(frames));
  }

  private void lose(int frames) {
    counters.add(NicCount.LOST_SENDING, frames);
    long _ = stage.leave(frames);
  }

  // Messages.

  /** Fills the batch; the shortcut of the one peer that it goes to, if there is one. */
  private @Nullable Shortcut fill() {
    batch.clear();
    Peer first = stage.peer(stage.first());
    boolean sole = true;
    for (int run = stage.first(); run < stage.end() && fits(run) && !batch.isFull(); run++) {
      sole &= stage.peer(run) == first;
      if (own.gso || stage.frames(run) == 1) {
        fillWithRun(run);
      } else {
        fillWithFrames(run);
      }
    }
    return sole ? first.shortcut : null;
  }

  private void fillWithRun(int run) {
    framesOf[batch.count()] = stage.frames(run);
    batch.message(stage.peer(run).to);
    for (int part = stage.partsFrom(run); part < stage.partsTo(run); part++) {
      batch.part(stage.partMemory(part), stage.partAt(part), stage.partLength(part));
    }
    if (stage.frames(run) > 1) {
      batch.segmentBytes(stage.frameBytes(run));
    }
  }

  /** A message for each frame, as many as there is room for. */
  private void fillWithFrames(int run) {
    int part = stage.partsFrom(run);
    int partDone = 0;
    int bytes = stage.bytes(run);
    while (bytes > 0 && !batch.isFull()) {
      framesOf[batch.count()] = 1;
      batch.message(stage.peer(run).to);
      int rest = Math.min(bytes, stage.frameBytes(run));
      bytes -= rest;
      while (rest > 0) {
        int piece = Math.min(rest, stage.partLength(part) - partDone);
        batch.part(stage.partMemory(part), stage.partAt(part) + partDone, piece);
        rest -= piece;
        partDone += piece;
        if (partDone == stage.partLength(part)) {
          part++;
          partDone = 0;
        }
      }
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
    switch (errno) {
      case Errno.EAGAIN, Errno.ENOBUFS, Errno.ENOMEM, Errno.EINTR -> {
        return false;
      }
      case Errno.EMSGSIZE, Errno.EINVAL -> {
        Peer peer = stage.peer(stage.first());
        if (paths.learn(peer)) {
          notices.frameBytesMax(peer.number, peer.frameBytesMax);
          notices.lost(errno, peer.address);
        } else {
          giveUp(errno, frames);
        }
      }
      case Errno.EIO, Errno.EOPNOTSUPP -> giveUp(errno, frames);
      default -> refuse(errno, frames);
    }
    return true;
  }

  /** Gives up cutting, if that may be the reason, otherwise the frame. */
  private void giveUp(int errno, int frames) {
    if (frames > 1) {
      own.gso = false;
      notices.warnOnce(
          "segments",
          "frames leave one by one: the kernel refused to cut a run of them, %s"
              .formatted(Errno.name(errno)));
    } else {
      refuse(errno, frames);
    }
  }

  private void refuse(int errno, int frames) {
    Peer peer = stage.peer(stage.first());
    notices.lost(errno, peer.address);
    if (everyone != null && peer.address.isMulticast()) {
      everyone.renew();
    }
    lose(frames);
  }
}
