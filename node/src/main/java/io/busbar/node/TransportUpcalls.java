package io.busbar.node;

import io.busbar.transport.Ending;
import io.busbar.transport.Offer;
import io.busbar.transport.Release;
import io.busbar.transport.Upcalls;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Brings what the transport says to the lane whose association it is. */
final class TransportUpcalls implements Upcalls {
  /** Said to somebody who offers a lane and is not known here. */
  private static final int UNKNOWN_NODE = 1;

  private final Engine engine;
  private final Map<Long, QmpLane> lanes = new HashMap<>();

  TransportUpcalls(Engine engine) {
    this.engine = engine;
  }

  void own(long association, QmpLane lane) {
    lanes.put(association, lane);
  }

  /** A lane has ended: what is left of its associations ends, too, and the peer hears of it. */
  void abort(QmpLane lane) {
    for (long association : List.copyOf(lanes.keySet())) {
      if (lane.equals(lanes.get(association))) {
        engine.transport().abort(engine.nowNs(), association);
      }
    }
    engine.transportIsDue();
  }

  @Override
  public int onOffer(int context, Offer offer) {
    QmpLane lane = engine.qmpLane(offer.peer());
    return lane == null || lane.isEnded() || lane.hasAccepted() ? UNKNOWN_NODE : ACCEPT;
  }

  @Override
  public void onAccepted(long association, int context, Offer offer) {
    QmpLane lane = engine.qmpLane(offer.peer());
    if (lane != null) {
      lanes.put(association, lane);
      lane.onAccepted(association);
    }
  }

  @Override
  public void onOpened(long association) {}

  @Override
  public void onBytes(
      long association, MemorySegment segment, long at, int length, boolean endOfMessage) {
    QmpLane lane = lanes.get(association);
    if (lane != null && !lane.isEnded() && !lane.onBytes(association, segment, at, length)) {
      engine.end(lane, "node %d sent what is no record".formatted(lane.peer()));
    }
  }

  @Override
  public void onReleased(long association, long token, Release how) {
    QmpLane lane = lanes.get(association);
    if (lane != null) {
      engine.happened();
      engine.user().onReleased(lane, token, how == Release.DELIVERED);
    }
  }

  @Override
  public void onSendable(long association) {
    QmpLane lane = lanes.get(association);
    if (lane != null && !lane.isEnded()) {
      engine.happened();
      engine.user().onSendable(lane);
    }
  }

  @Override
  public void onReadEnd(long association) {}

  @Override
  public void onWriteEnd(long association, long undeliveredBytes) {}

  @Override
  public void onEnded(long association, Ending why, long undeliveredBytes, int detail) {
    QmpLane lane = lanes.remove(association);
    if (lane != null && lane.isOver(association)) {
      engine.end(lane, reason(lane.peer(), why));
    }
  }

  private static String reason(int peer, Ending why) {
    return switch (why) {
      case PEER_SILENT -> "node %d does not answer any more".formatted(peer);
      case PEER_RESTARTED, UNKNOWN_AT_PEER -> "node %d began another life".formatted(peer);
      case REFUSED, NO_LISTENER -> "node %d does not know this one".formatted(peer);
      case BUSY -> "node %d has no room for another association".formatted(peer);
      default -> "the lane to node %d ended: %s".formatted(peer, why);
    };
  }

  @Override
  public void onPeerRestarted(int peer, long incarnation) {}
}
