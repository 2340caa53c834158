package io.busbar.node;

import io.busbar.transport.Ending;
import io.busbar.transport.Offer;
import io.busbar.transport.Release;
import io.busbar.transport.Upcalls;
import io.busbar.wire.Key;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Brings what the transport says to the stream whose association it is. */
final class TransportUpcalls implements Upcalls {
  /** Said to somebody who offers a lane and is not known here. */
  private static final int UNKNOWN_NODE = 1;

  private final Engine engine;

  /** By the index in their keys. */
  private @Nullable Owned[] owned = new @Nullable Owned[64];

  private record Owned(long association, QmpStream stream) {}

  TransportUpcalls(Engine engine) {
    this.engine = engine;
  }

  void own(long association, QmpStream stream) {
    int index = Key.index(association);
    if (index >= owned.length) {
      owned = Arrays.copyOf(owned, Math.max(index + 1, 2 * owned.length));
    }
    owned[index] = new Owned(association, stream);
  }

  private @Nullable QmpStream stream(long association) {
    int index = Key.index(association);
    Owned found = index < owned.length ? owned[index] : null;
    return found == null || found.association != association ? null : found.stream;
  }

  private @Nullable QmpStream offered(Offer offer) {
    QmpLane lane = engine.qmpLane(offer.peer());
    return lane == null || lane.isEnded() ? null : lane.stream(offer.destPort());
  }

  @Override
  public int onOffer(int context, Offer offer) {
    QmpStream stream = offered(offer);
    return stream == null || stream.hasAccepted() ? UNKNOWN_NODE : ACCEPT;
  }

  @Override
  public void onAccepted(long association, int context, Offer offer) {
    QmpStream stream = offered(offer);
    if (stream != null) {
      engine.own(association, stream);
      stream.onAccepted(association);
    }
  }

  @Override
  public void onOpened(long association) {}

  @Override
  public void onBytes(
      long association, MemorySegment segment, long at, int length, boolean endOfMessage) {
    QmpStream stream = stream(association);
    if (stream == null || stream.lane().isEnded()) {
      return;
    }
    QmpLane lane = stream.lane();
    lane.onHeard();
    if (!stream.onBytes(association, segment, at, length)) {
      engine.end(lane, "node %d sent what is no record".formatted(lane.peer()));
    }
  }

  @Override
  public void onReleased(long association, long token, Release how) {
    QmpStream stream = stream(association);
    if (stream == null) {
      return;
    }
    stream.lane().onHeard();
    stream.onRoom();
    if (token != QmpLane.OWN) {
      engine.happened();
      engine.user().onReleased(stream.lane(), token, how == Release.DELIVERED);
    }
  }

  @Override
  public void onSendable(long association) {
    QmpStream stream = stream(association);
    if (stream != null && !stream.lane().isEnded()) {
      stream.onRoom();
      stream.lane().retry();
      engine.happened();
      engine.user().onSendable(stream.lane());
    }
  }

  @Override
  public void onReadEnd(long association) {}

  @Override
  public void onWriteEnd(long association, long undeliveredBytes) {}

  @Override
  public void onEnded(long association, Ending why, long undeliveredBytes, int detail) {
    QmpStream stream = stream(association);
    if (stream != null) {
      owned[Key.index(association)] = null;
      if (stream.onOver(association)) {
        QmpLane lane = stream.lane();
        String reason = reason(lane.peer(), why);
        if (why == Ending.PEER_SILENT) {
          engine.endSilent(lane, reason);
        } else {
          engine.end(lane, reason);
        }
      }
    }
  }

  private static String reason(int peer, Ending why) {
    return switch (why) {
      case PEER_SILENT -> "node %d does not answer any more".formatted(peer);
      case ABORTED_BY_PEER -> "node %d has left, or took this one for dead".formatted(peer);
      case PEER_RESTARTED, UNKNOWN_AT_PEER -> "node %d began another life".formatted(peer);
      case REFUSED, NO_LISTENER -> "node %d does not know this one".formatted(peer);
      case BUSY -> "node %d has no room for another association".formatted(peer);
      default -> "the lane to node %d ended: %s".formatted(peer, why);
    };
  }

  @Override
  public void onEcho(long nowNs, int peer, long seq) {
    engine.onAnswer(nowNs, peer, seq);
  }

  @Override
  public void onPeerRestarted(int peer, long incarnation) {}
}
