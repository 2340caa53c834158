package io.busbar.messages;

import io.busbar.node.Lane;
import java.util.ArrayList;
import java.util.List;

/**
 * Where messages come from: a lane, and so one life of a node. What is left of a former life has a
 * source of its own, so that nothing of it is told to the next; it stays until nothing is left. The
 * driver's.
 */
final class Source {
  final Lane lane;
  final Outgoing out;

  /** Long messages that are coming. */
  final List<Body> bodies = new ArrayList<>();

  /** Records that the extractor is not done with. */
  private int records;

  /** Long messages that the extractor is not done with. */
  private int open;

  private boolean ended;

  Source(Lane lane) {
    this.lane = lane;
    this.out = new Outgoing(lane);
  }

  void onRecord() {
    records++;
  }

  void onRecordDone() {
    records--;
  }

  void onBody(Body body) {
    bodies.add(body);
    open++;
  }

  void onBodyDone() {
    open--;
  }

  void onEnded() {
    ended = true;
    bodies.clear();
    out.onEnded();
  }

  /** Whether nothing refers to it any more. */
  boolean isOver() {
    return ended && records == 0 && open == 0;
  }
}
