package io.busbar.messages;

import io.busbar.node.Lane;
import io.busbar.wire.Bodies;
import io.busbar.wire.Records;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * The order in which messages to a node start: those that have begun and of which nothing has left,
 * and those that handlers sent and that wait. The driver's role is needed.
 *
 * <p>A message in pieces that may still go whole has its place here from its beginning. One that
 * needs a channel has begun when it has one: until then it has no place, and all others pass it, so
 * that a handler at the other end, which waits with a channel's body in its hands, gets what it
 * waits for. Those that wait for a channel get theirs in the order in which they asked.
 */
final class Line {
  /** What can have a place in line. */
  sealed interface Member permits Draft, Kept {}

  /** A whole message of a handler's, which may not wait for it to leave. */
  private record Kept(long header, MemorySegment bytes) implements Member {
    long charge() {
      return (long) Records.HEADER_BYTES + Records.length(header);
    }
  }

  /** Gives a record to the lane, from memory that is the caller's; false when it has to wait. */
  interface Offer {
    boolean offer(long header, MemorySegment from, long at);
  }

  private final Lane lane;
  private final Offer offer;
  private final MemorySegment start = Arena.ofAuto().allocate(Bodies.START_BYTES, 8);
  private final ArrayDeque<Member> members = new ArrayDeque<>();
  private int kept;

  /** Messages in line without a channel: each needs one for what is behind it to leave first. */
  private int channelless;

  /** Messages without a place, of which somebody or something waits for a channel. */
  private final ArrayDeque<Draft> wanting = new ArrayDeque<>();

  /** Messages without a place, all of them. */
  private int placeless;

  /** Whether something was refused for the sake of one of these. */
  private boolean inTheWay;

  Line(Lane lane, Offer offer) {
    this.lane = lane;
    this.offer = offer;
  }

  /** A message begins: it has its place, unless it needs a channel. */
  void begin(Draft draft) {
    if (draft.needsChannel()) {
      draft.phase = Draft.Phase.PLACELESS;
      placeless++;
    } else {
      enter(draft);
    }
  }

  private void enter(Draft draft) {
    draft.phase = Draft.Phase.IN_LINE;
    channelless += draft.hasChannel() ? 0 : 1;
    members.add(draft);
  }

  /** Messages that need a channel and have none: they have not begun. */
  int placeless() {
    return placeless;
  }

  /** Starts all that began before one, or all; false when one of them has to wait. */
  boolean startBefore(@Nullable Draft until) {
    Member first = members.peek();
    while (first != null && first != until) {
      if (!(first instanceof Draft draft) || !sendStart(draft)) {
        inTheWay = true;
        return false;
      }
      first = members.peek();
    }
    return true;
  }

  /** Starts a message that cannot go whole, behind what began before; false: it has to wait. */
  boolean tryStart(Draft draft) {
    return draft.isStarted() || (hasChannel(draft) && startBefore(draft) && sendStart(draft));
  }

  /** Whether it has its channel, or gets it now, and with it its place; else it gives that up. */
  private boolean hasChannel(Draft draft) {
    if (draft.hasChannel()) {
      return true;
    }
    int others = before(draft);
    long body = lane.takeBody(others);
    if (body == Lane.NO_BODY) {
      inTheWay |= others > 0;
      giveUpPlace(draft);
      return false;
    }
    draft.onChannel(body);
    if (draft.phase == Draft.Phase.IN_LINE) {
      channelless--;
    } else {
      placeless--;
      boolean _ = wanting.remove(draft);
      enter(draft);
    }
    return true;
  }

  /** Channels for those that have to start before it, and for those that asked before it. */
  private int before(Draft draft) {
    int count = draft.phase == Draft.Phase.IN_LINE ? channellessBefore(draft) : channelless;
    for (Draft other : wanting) {
      if (other == draft) {
        break;
      }
      count++;
    }
    return count;
  }

  private int channellessBefore(Draft draft) {
    int count = 0;
    for (Member other : members) {
      if (other == draft) {
        break;
      }
      count += other instanceof Draft before && !before.hasChannel() ? 1 : 0;
    }
    return count;
  }

  private void giveUpPlace(Draft draft) {
    if (draft.phase == Draft.Phase.IN_LINE) {
      boolean _ = members.remove(draft);
      channelless--;
      draft.phase = Draft.Phase.PLACELESS;
      placeless++;
      stepAside();
    }
    if (draft.waits && !wanting.contains(draft)) {
      wanting.add(draft);
    }
  }

  /** A message does not wait for a channel any more, as far as is known. */
  void waitNoLonger(Draft draft) {
    if (wanting.remove(draft)) {
      stepAside();
    }
  }

  /** Sends the START of the first in line, which leaves it by that; false: it has to wait. */
  private boolean sendStart(Draft draft) {
    if (!draft.hasChannel()) {
      long body = lane.takeBody(0);
      if (body == Lane.NO_BODY) {
        return false;
      }
      draft.onChannel(body);
      channelless--;
    }
    start.set(Little.LONG, 0, draft.size());
    start.set(Little.LONG, Bodies.START_BODY_AT, draft.body());
    if (!offer.offer(
        Records.header(Records.START, 0, draft.handler(), Bodies.START_BYTES), start, 0)) {
      return false; // it keeps its channel
    }
    draft.phase = Draft.Phase.STARTED;
    boolean _ = members.remove(draft);
    return true;
  }

  /** A message that has not started leaves whole, or never. */
  void remove(Draft draft) {
    if (draft.phase == Draft.Phase.IN_LINE) {
      boolean _ = members.remove(draft);
      channelless -= draft.hasChannel() ? 0 : 1;
    } else if (draft.phase == Draft.Phase.PLACELESS) {
      boolean _ = wanting.remove(draft);
      placeless--;
    }
    leave(draft);
  }

  private void leave(Draft draft) {
    draft.phase = Draft.Phase.OVER;
    if (draft.hasChannel()) {
      lane.giveBack(draft.body());
    }
    stepAside();
  }

  /** Who was refused because of it tries again. */
  private void stepAside() {
    if (inTheWay) {
      inTheWay = false;
      lane.sendableSoon();
    }
  }

  // What handlers sent.

  /** A whole message waits. */
  void keep(long header, MemorySegment bytes) {
    members.add(new Kept(header, bytes));
    kept++;
  }

  /** A whole message waits at the place of one that has begun, if that has a place. */
  void keepInPlaceOf(Draft draft, long header, MemorySegment bytes) {
    if (draft.phase != Draft.Phase.IN_LINE) {
      keep(header, bytes);
      remove(draft);
      return;
    }
    Kept whole = new Kept(header, bytes);
    for (int i = members.size(); i > 0; i--) {
      Member next = members.remove();
      members.add(next == draft ? whole : next);
    }
    kept++;
    channelless -= draft.hasChannel() ? 0 : 1;
    leave(draft);
  }

  boolean hasKept() {
    return kept > 0;
  }

  /** Bytes of whole messages that wait, headers included. */
  long keptBytes() {
    long bytes = 0;
    for (Member one : members) {
      bytes += one instanceof Kept whole ? whole.charge() : 0;
    }
    return bytes;
  }

  /** Sends what waits, and starts what began before it, as far as it can; bytes that left. */
  long sendKept() {
    long bytes = 0;
    boolean more = true;
    while (kept > 0 && more) {
      switch (members.element()) {
        case Kept whole -> {
          more = lane.isEnded() || offer.offer(whole.header(), whole.bytes(), 0);
          if (more) {
            bytes += whole.charge();
            Member _ = members.remove();
            kept--;
          }
        }
        case Draft draft -> {
          more = lane.isEnded() || sendStart(draft);
          inTheWay |= !more;
          if (lane.isEnded()) {
            remove(draft);
          }
        }
      }
    }
    return bytes;
  }
}
