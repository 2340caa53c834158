package io.busbar.transport;

import io.busbar.wire.DiagBlock;
import io.busbar.wire.Diagnosis;
import io.busbar.wire.FrameView;
import io.busbar.wire.Incarnation;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which life each peer lives. A life that differs from the known one is only a claim until the peer
 * has sent a nonce back: an old frame cannot do that.
 */
final class Lives {
  /** A claim that comes again within this time is not asked about again. */
  private static final long CHALLENGE_EVERY_NS = 200_000;

  private final Core core;
  private final Paths paths;

  Lives(Core core, Paths paths) {
    this.core = core;
    this.paths = paths;
  }

  /** The path to the life that sent FIRST; null when another life is known, which is asked then. */
  @Nullable Path pathOf(int peer, long life, long nowNs, FrameSink reply) {
    Path path = paths.find(peer);
    if (path == null) {
      path = new Path(core, peer, life);
      paths.put(path);
      return path;
    }
    return learn(path, life, nowNs, reply) ? path : null;
  }

  /** Whether this is the life that the path leads to; a first one is believed, another is asked. */
  boolean learn(Path path, long life, long nowNs, FrameSink reply) {
    if (path.incarnation == Incarnation.UNKNOWN) {
      path.incarnation = life;
    }
    if (path.incarnation == life) {
      return true;
    }
    boolean asked = path.nonce != 0 && nowNs - path.nonceSentNs < CHALLENGE_EVERY_NS;
    if (!asked) {
      path.nonce = core.random.nextLong() | 1;
      path.nonceSentNs = nowNs;
      core.diagnose(reply, path.peer, 0, 0, Diagnosis.CHALLENGE, 0, life, path.nonce);
    }
    return false;
  }

  /** Somebody asks which life this is. */
  boolean onChallenge(FrameView view, FrameSink reply) {
    long asker = DiagBlock.incarnation(view);
    long nonce = DiagBlock.serial(view);
    core.diagnose(reply, view.from(), 0, 0, Diagnosis.CONFIRM, 0, asker, nonce);
    return true;
  }

  /** The peer has answered: what it held in a former life is gone. */
  boolean onConfirm(FrameView view, long nowNs) {
    Path former = paths.find(view.from());
    boolean asked =
        former != null
            && former.nonce != 0
            && former.nonce == DiagBlock.serial(view)
            && DiagBlock.peerIncarnation(view) == core.config.incarnation();
    if (former == null || !asked) {
      return false;
    }
    former.nonce = 0;
    long life = DiagBlock.incarnation(view);
    if (former.incarnation != life) {
      paths.put(new Path(core, former.peer, life));
      endAll(former, Ending.PEER_RESTARTED, nowNs);
      core.upcalls.onPeerRestarted(former.peer, life);
    }
    return true;
  }

  /**
   * Ends every association of a path; those that upcalls open meanwhile live on. Rare, so it looks
   * at every slot.
   */
  void endAll(Path path, Ending why, long nowNs) {
    List<Association> all = new ArrayList<>();
    for (int i = 0; i < core.table.limit(); i++) {
      Association association = core.table.at(i);
      if (association != null && association.path == path) {
        all.add(association);
      }
    }
    all.forEach(association -> association.end(nowNs, why, 0));
  }

  /** The association whose key at the peer is this one. Rare, so it looks at every slot. */
  @Nullable Association findByRemoteKey(Path path, long key) {
    for (int i = 0; i < core.table.limit(); i++) {
      Association association = core.table.at(i);
      boolean fits =
          association != null && association.path == path && association.remoteKey == key;
      if (fits && association != null && !association.isOver()) {
        return association;
      }
    }
    return null;
  }
}
