package io.busbar.transport;

import io.busbar.wire.DiagBlock;
import io.busbar.wire.Diagnosis;
import io.busbar.wire.FirstBlock;
import io.busbar.wire.Format;
import io.busbar.wire.FrameView;
import io.busbar.wire.Header;
import io.busbar.wire.Incarnation;
import io.busbar.wire.Key;
import io.busbar.wire.Options;
import io.busbar.wire.Verdict;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Where a frame that comes finds its association: lookup, FIRST and what may be wrong with it. The
 * table in {@code docs/design/003-header-and-first.md} is the specification of {@link #onFirst}.
 */
final class Reception {
  private final Core core;
  private final Paths paths;
  private final Listeners listeners;
  private final FrameView view;
  private final Lives lives;

  Reception(Core core, Paths paths, Listeners listeners, FrameView view) {
    this.core = core;
    this.paths = paths;
    this.listeners = listeners;
    this.view = view;
    lives = new Lives(core, paths);
  }

  void endAll(Path path, Ending why, long nowNs) {
    lives.endAll(path, why, nowNs);
  }

  void onFrame(long nowNs, MemorySegment segment, long at, int length, FrameSink reply) {
    core.counters.add(Count.FRAMES_IN);
    Verdict verdict = view.wrap(segment, at, length);
    if (!verdict.ok()) {
      core.counters.add(Count.of(verdict));
      refuseVersion(verdict, reply);
    } else if (view.to() != core.config.node() || view.from() == core.config.node()) {
      core.counters.add(Count.DROP_NOT_FOR_US);
    } else {
      switch (view.format()) {
        case Format.DATA -> onData(nowNs, reply);
        case Format.CNTL, Format.ECNTL -> onControl(nowNs, reply);
        case Format.FIRST -> onFirst(nowNs, reply);
        case Format.DIAG -> onDiag(nowNs, reply);
        case Format.ECHO -> onEcho(nowNs, reply);
        default -> core.counters.add(Count.DROP_UNEXPECTED);
      }
    }
  }

  /**
   * Nodes and key keep their places in every version: enough to say no. Option bits may not, so the
   * key is taken to be the sender's, as FIRST's is. DIAG gets no answer.
   */
  private void refuseVersion(Verdict verdict, FrameSink reply) {
    boolean answerable =
        verdict == Verdict.VERSION
            && view.to() == core.config.node()
            && view.from() != core.config.node()
            && view.from() != Header.EVERYONE
            && view.format() != Format.DIAG;
    if (answerable) {
      long life = Incarnation.UNKNOWN;
      core.diagnose(reply, view.from(), view.key(), Options.RTN, Diagnosis.VERSION, 0, life, 0);
    }
  }

  private void onData(long nowNs, FrameSink reply) {
    Association association = lookUp(reply);
    if (association != null) {
      association.onData(view, nowNs);
    }
  }

  private void onControl(long nowNs, FrameSink reply) {
    Association association = lookUp(reply);
    if (association != null) {
      association.onControl(view, nowNs);
    }
  }

  /** Abbreviated with RTN, full without; what is not found is answered, unless it says END. */
  private @Nullable Association lookUp(FrameSink reply) {
    Path path = paths.find(view.from());
    boolean ours = view.has(Options.RTN);
    Association found =
        ours ? core.table.find(view.key()) : path == null ? null : path.translation.get(view.key());
    if (found == null) {
      core.counters.add(Count.DROP_UNKNOWN_KEY);
      if (!view.has(Options.END)) {
        long life = path == null ? Incarnation.UNKNOWN : path.incarnation;
        core.diagnose(reply, view, Diagnosis.UNKNOWN_KEY, 0, life, 0);
      }
      return null;
    }
    if (found.path.peer != view.from()) {
      core.counters.add(Count.DROP_WRONG_NODE);
      return null;
    }
    return found;
  }

  private void onFirst(long nowNs, FrameSink reply) {
    if (FirstBlock.cluster(view) != core.config.cluster()) {
      core.counters.add(Count.DROP_WRONG_CLUSTER);
      return;
    }
    long life = FirstBlock.sourceIncarnation(view);
    if (FirstBlock.destIncarnation(view) != core.config.incarnation()) {
      core.counters.add(Count.DROP_WRONG_INCARNATION);
      diagnoseFirst(reply, Diagnosis.WRONG_INCARNATION, core.config.frameBytesMax());
      return;
    }
    Path path = lives.pathOf(view.from(), life, nowNs, reply);
    if (path == null) {
      core.counters.add(Count.DROP_WRONG_INCARNATION);
      return;
    }
    Association known = path.translation.get(view.key());
    if (known != null) {
      known.onData(view, nowNs);
    } else if (path.heardSerials.isTooOld(FirstBlock.serial(view))) {
      core.counters.add(Count.DROP_OLD_SERIAL);
    } else if (path.heardSerials.isUsed(FirstBlock.serial(view))) {
      core.counters.add(Count.DROP_DUPLICATE);
      long serial = FirstBlock.serial(view);
      diagnoseFirst(reply, path.refusals.code(serial), path.refusals.detail(serial));
    } else {
      offer(path, nowNs, reply);
    }
  }

  private void offer(Path path, long nowNs, FrameSink reply) {
    Service service = Service.of(FirstBlock.service(view));
    Offer offer = service == null ? null : Offer.of(view, service);
    int context = offer == null ? 0 : listeners.match(offer);
    if (offer == null || context == 0) {
      refuse(path, reply, Diagnosis.NO_LISTENER, 0);
      return;
    }
    int said = core.upcalls.onOffer(context, offer);
    if (said != Upcalls.ACCEPT) {
      refuse(path, reply, Diagnosis.REFUSED, said);
    } else if (core.table.isFull()) {
      diagnoseFirst(reply, Diagnosis.BUSY, 0);
    } else {
      path.heardSerials.use(FirstBlock.serial(view));
      listeners.onMatched(context);
      accept(path, offer, context, nowNs);
    }
  }

  /** The serial is used up; the answer may be lost, so what it was is remembered. */
  private void refuse(Path path, FrameSink reply, Diagnosis code, int detail) {
    path.heardSerials.use(FirstBlock.serial(view));
    path.refusals.add(FirstBlock.serial(view), code, detail);
    diagnoseFirst(reply, code, detail);
  }

  private void accept(Path path, Offer offer, int context, long nowNs) {
    long key = core.table.nextKey();
    Association association =
        switch (offer.service()) {
          case STREAM ->
              new StreamAssociation(path, offer.proto(), key, FirstBlock.statusEvery(view));
          case DATAGRAM -> new DatagramAssociation(path, offer.proto(), key);
        };
    core.table.put(association);
    association.remoteKey = view.key();
    path.translation.put(association);
    path.peerAckDelayNs = FirstBlock.ackDelayUs(view) * 1000L;
    path.limitFrameBytes(FirstBlock.frameBytesMax(view));
    core.upcalls.onAccepted(key, context, offer);
    association.onData(view, nowNs);
  }

  private void diagnoseFirst(FrameSink reply, Diagnosis code, int detail) {
    long life = FirstBlock.sourceIncarnation(view);
    core.diagnose(reply, view, code, detail, life, FirstBlock.serial(view));
  }

  private void onDiag(long nowNs, FrameSink reply) {
    if (DiagBlock.cluster(view) != core.config.cluster()) {
      core.counters.add(Count.DROP_WRONG_CLUSTER);
      return;
    }
    boolean used =
        switch (DiagBlock.code(view)) {
          case CHALLENGE -> lives.onChallenge(view, reply);
          case CONFIRM -> lives.onConfirm(view, nowNs);
          default -> view.has(Options.RTN) ? onOwnKey(nowNs, reply) : onPeersKey(nowNs, reply);
        };
    if (!used) {
      core.counters.add(Count.DROP_STRAY_DIAG);
    }
  }

  /** A question is answered by the way it came, and costs nobody but who asked. */
  private void onEcho(long nowNs, FrameSink reply) {
    if (Key.index(view.key()) != Key.index(core.echoKey())) {
      core.counters.add(Count.DROP_WRONG_CLUSTER);
    } else if (!view.has(Options.RTN)) {
      core.echo(reply, view.from(), view.key(), view.seq(), 0, Options.RTN);
    } else if (view.key() == core.echoKey()) {
      core.upcalls.onEcho(nowNs, view.from(), view.seq());
    } else {
      core.counters.add(Count.DROP_WRONG_INCARNATION);
    }
  }

  /** A diagnosis of something that this node sent under its own key: mostly FIRST. */
  private boolean onOwnKey(long nowNs, FrameSink reply) {
    Association association = core.table.find(view.key());
    if (association == null || association.isOver() || association.path.peer != view.from()) {
      return false;
    }
    Diagnosis code = DiagBlock.code(view);
    Opening first = association.opening;
    if (first == null) {
      boolean gone = code == Diagnosis.UNKNOWN_KEY && association.remoteKey == 0;
      return gone && endIfSameLife(association, nowNs, reply);
    }
    if (code == Diagnosis.VERSION) {
      return refuses() && endRefused(association, nowNs);
    }
    boolean ours = DiagBlock.peerIncarnation(view) == core.config.incarnation();
    if (!ours || DiagBlock.serial(view) != first.serial()) {
      return false;
    }
    if (code == Diagnosis.WRONG_INCARNATION) {
      if (lives.learn(association.path, DiagBlock.incarnation(view), nowNs, reply)) {
        association.path.limitFrameBytes(DiagBlock.detail(view));
        association.repeatFirst();
      }
      return true;
    }
    association.end(nowNs, endingOf(code), DiagBlock.detail(view));
    return true;
  }

  /** A peer that speaks this version says so of a FIRST that was damaged: it comes again. */
  private boolean refuses() {
    return DiagBlock.versionMin(view) > Header.VERSION
        || DiagBlock.versionMax(view) < Header.VERSION;
  }

  private boolean endRefused(Association association, long nowNs) {
    association.end(nowNs, Ending.VERSION_REFUSED, DiagBlock.versionMax(view));
    return true;
  }

  private static Ending endingOf(Diagnosis code) {
    return switch (code) {
      case NO_LISTENER -> Ending.NO_LISTENER;
      case REFUSED -> Ending.REFUSED;
      case BUSY -> Ending.BUSY;
      default -> Ending.UNKNOWN_AT_PEER;
    };
  }

  /** The peer does not know a key that it is said to have made. */
  private boolean onPeersKey(long nowNs, FrameSink reply) {
    Path path = paths.find(view.from());
    if (path == null || DiagBlock.code(view) != Diagnosis.UNKNOWN_KEY) {
      return false;
    }
    if (path.incarnation != DiagBlock.incarnation(view)) {
      return !lives.learn(path, DiagBlock.incarnation(view), nowNs, reply);
    }
    Association association = lives.findByRemoteKey(path, view.key());
    return association != null && endIfSameLife(association, nowNs, reply);
  }

  private boolean endIfSameLife(Association association, long nowNs, FrameSink reply) {
    if (lives.learn(association.path, DiagBlock.incarnation(view), nowNs, reply)) {
      association.end(nowNs, Ending.UNKNOWN_AT_PEER, 0);
    }
    return true;
  }
}
