package io.busbar.transport;

import io.busbar.wire.ControlBlock;
import io.busbar.wire.FirstBlock;
import io.busbar.wire.Format;
import io.busbar.wire.FrameView;
import io.busbar.wire.Incarnation;
import io.busbar.wire.Key;
import io.busbar.wire.Options;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * One end of an association: keys, turns, answers and the end, which every service level has. The
 * fields here and in the subclasses are all that a resting association costs; anything else is
 * borrowed from {@link Parts}.
 */
abstract class Association extends Timed {
  static final int KEY_USED = 1;
  static final int FULL_STATUS = 1 << 1;
  static final int ASKS_STATUS = 1 << 2;
  private static final int FIRST_LEFT = 1 << 3;

  /** The first flag that a subclass may use. */
  static final int FLAGS_OWN = 1 << 4;

  final long localKey;
  final Path path;
  final byte proto;

  ContextState state = ContextState.QUIESCENT.initiate();

  /** The peer's key; 0 until it is known: no key is 0. */
  long remoteKey;

  /** Number of the newest status request that was received. */
  int echo;

  int flags;

  @Nullable Turns turn;
  @Nullable Association nextTurn;
  boolean isStatusDue;
  @Nullable Association nextDue;

  /** What FIRST will say, until it is answered; null on the responder's side. */
  @Nullable Opening opening;

  private @Nullable Farewell farewell;

  Association(Path path, int proto, long localKey) {
    this.path = path;
    this.proto = (byte) proto;
    this.localKey = localKey;
  }

  /** Takes the data and the status that a FIRST or DATA frame carries. */
  abstract void onData(FrameView view, long nowNs);

  /** Takes bytes of the user's to send; false when the queue is full. */
  abstract boolean trySend(
      MemorySegment segment, long at, int length, long token, boolean endsMessage, long nowNs);

  /** Takes a CNTL or ECNTL. */
  abstract void onControl(FrameView view, long nowNs);

  /** Sends one frame, if there is one to send and it may leave. */
  abstract Emitted emit(long nowNs);

  /** Closes the outgoing stream behind what was given to send. */
  abstract void closeWrite(long nowNs);

  /** Takes nothing more from the incoming stream. */
  abstract void closeRead(long nowNs);

  /** FIRST was answered: it named the wrong life, and leaves again. */
  abstract void repeatFirst();

  /** The first answer has come: FIRST has been accepted. */
  abstract void onAnswered(long nowNs);

  /** Lets go of everything; returns how many bytes of this side's the peer did not acknowledge. */
  abstract long dropState();

  /** Whether the answer that is owed must be a frame of its own. */
  abstract boolean needsFullStatus();

  /** Sends the answer that is owed; false when the carrier is full. */
  abstract boolean answer(long nowNs);

  /** A deadline of the service level's own. */
  abstract void onOwnDeadline(long nowNs);

  final Core core() {
    return path.core;
  }

  final boolean is(int flag) {
    return (flags & flag) != 0;
  }

  /** Begins as initiator: FIRST leaves at the next chance. */
  void initiate(Opening first, long nowNs) {
    opening = first;
    flags |= KEY_USED;
    path.makeReady(this);
  }

  /** Whether the key that a frame gives as its sender's own can be the peer's. */
  final boolean isKeyOfPeer(long key) {
    return remoteKey == 0
        ? Key.incarnationBits(key) == Incarnation.keyBits(path.incarnation)
        : key == remoteKey;
  }

  /** The peer uses the key that it was told: its own is not looked up any more. */
  final void noteKeyUse(FrameView view) {
    if (!is(KEY_USED) && view.has(Options.RTN)) {
      flags |= KEY_USED;
      path.translation.remove(this);
    }
  }

  /** The peer has answered FIRST; {@code key} is its own, or 0 when the answer does not tell. */
  final void noteAnswer(long key, long nowNs) {
    remoteKey = remoteKey == 0 ? key : remoteKey;
    Opening first = opening;
    if (first != null) {
      opening = null;
      path.ownSerials.onAnswered(first.serial());
      onAnswered(nowNs);
      if (!isOver()) {
        core().upcalls.onOpened(localKey);
      }
    }
  }

  /** The answer must be a frame of its own. */
  void oweFullStatus(long nowNs) {
    flags |= FULL_STATUS;
    core().oweStatus(this);
  }

  final void askStatus(long nowNs) {
    flags |= ASKS_STATUS;
    oweFullStatus(nowNs);
  }

  /** Whether the user has been told of its end. */
  final boolean isOver() {
    return farewell != null;
  }

  /** Ends it, and tells the user why. */
  final void end(long nowNs, Ending why, int detail) {
    if (isOver()) {
      return;
    }
    Farewell goodbye = new Farewell(nowNs, why);
    farewell = goodbye;
    state =
        why == Ending.DISSOLVED ? ContextState.ACTIVE.bothClosed() : ContextState.ACTIVE.abort();
    Opening first = opening;
    if (first != null) {
      path.ownSerials.onAnswered(first.serial());
      opening = null;
    }
    long undelivered = dropState();
    boolean says =
        switch (why) {
          case DISSOLVED, ABORTED, PEER_SILENT -> true;
          default -> false;
        };
    boolean unknownToPeer = first != null && !is(FIRST_LEFT);
    if (!says || unknownToPeer) {
      noteFarewellAnswered(goodbye, nowNs);
    }
    core().upcalls.onEnded(localKey, why, undelivered, detail);
    core().heap.set(this, goodbye.atNs);
  }

  /** Something still comes for an association that is over; a peer that does not know is told. */
  final void answerFarewell(FrameView view, long nowNs) {
    Farewell goodbye = farewell;
    if (goodbye == null) {
      return;
    }
    boolean unaware = goodbye.isAnswered() && !view.has(Options.END);
    if (view.has(Options.END)) {
      noteFarewellAnswered(goodbye, nowNs);
    }
    if (view.has(Options.SREQ) || unaware) {
      noteRequest(view);
      oweFullStatus(nowNs);
    }
    core().heap.set(this, goodbye.atNs);
  }

  /** Remembers the number of a status request, to echo it. */
  final void noteRequest(FrameView view) {
    boolean control = view.format() == Format.CNTL || view.format() == Format.ECNTL;
    if (control && ControlBlock.sync(view) - echo > 0) {
      echo = ControlBlock.sync(view);
    }
  }

  private void noteFarewellAnswered(Farewell goodbye, long nowNs) {
    goodbye.onAnswered(nowNs, core().config.lingerNs());
    if (state instanceof ContextState.Inactive inactive) {
      state = inactive.dissolve();
    }
  }

  @Override
  final void onDeadline(long nowNs) {
    Farewell goodbye = farewell;
    if (goodbye == null) {
      onOwnDeadline(nowNs);
    } else if (nowNs < goodbye.atNs) {
      core().heap.set(this, goodbye.atNs);
    } else if (goodbye.isAnswered()) {
      core().table.remove(this);
      path.translation.remove(this);
    } else {
      if (goodbye.saysEnd(nowNs, path.roundTrip.timeoutNs(), core().config)) {
        askStatus(nowNs);
      } else {
        noteFarewellAnswered(goodbye, nowNs);
      }
      core().heap.set(this, goodbye.atNs);
    }
  }

  /** Writes FIRST's block into the frame that is being built. */
  final void writeFirst(Opening first) {
    Core core = core();
    TransportConfig config = core.config;
    long at = core.frame.reserve(FirstBlock.BYTES);
    FirstBlock.write(
        core.frame.scratch(),
        at,
        first.service().number(),
        config.frameBytesMax(),
        config.cluster(),
        config.incarnation(),
        path.incarnation,
        first.serial(),
        first.sourcePort(),
        first.destPort(),
        config.ackDelayUs(),
        first.statusEvery(),
        first.tag());
  }

  /** Finishes the frame that is being built, under the key that the peer finds fastest. */
  final boolean transmit(
      int format, long seq, long rseq, int creditUnits, int options, Count kind) {
    Core core = core();
    boolean own = format == Format.FIRST || remoteKey == 0;
    core.frame.finish(
        format,
        proto,
        path.peer,
        core.config.node(),
        own ? localKey : remoteKey,
        seq,
        rseq,
        creditUnits,
        own ? options : options | Options.RTN);
    flags |= format == Format.FIRST ? FIRST_LEFT : 0;
    return core.transmit(path.peer, kind);
  }
}
