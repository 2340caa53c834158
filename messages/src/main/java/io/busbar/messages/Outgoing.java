package io.busbar.messages;

import io.busbar.messages.MessageException.Mistake;
import io.busbar.node.Content;
import io.busbar.node.Lane;
import io.busbar.wire.Records;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What goes to one node. A lane that needs the bytes until they have arrived gets a copy in a ring
 * of memory, which it gives back in order, or a stage. What a handler sent and could not leave
 * waits here, and goes before anything later. The driver's role is needed.
 */
final class Outgoing {
  private static final int RING_BYTES = 1 << 20;

  /** Messages that one may send at once in pieces; each has a stage in its hand. */
  private static final int DRAFTS_MAX = 64;

  /** Stages of one message on their way: a handler that waits holds no more. */
  private static final int ON_THEIR_WAY_MAX = 8;

  private static final int STAGES_MAX = DRAFTS_MAX + ON_THEIR_WAY_MAX * Lane.CHANNELS;
  private static final int SPARES_MAX = 16;

  /** Tokens of stages; the others are positions in the ring. */
  private static final long STAGE_TOKEN = 1L << 62;

  /** The token of every stage that is used once. */
  private static final long ONCE_TOKEN = STAGE_TOKEN | 1L << 61;

  final Lane lane;

  /** What has begun, or waits, and has not left. */
  private final Line line;

  private @Nullable MemorySegment ring;

  /** Messages of handlers, of which something waits. */
  private final List<Draft> waitingDrafts = new ArrayList<>();

  private final ArrayDeque<Draft> spareDrafts = new ArrayDeque<>(SPARES_MAX);
  private @Nullable Stage[] stages = new @Nullable Stage[STAGES_MAX];
  private int[] freeStages = new int[STAGES_MAX];
  private int drafts;
  private int stagesMade;
  private int stagesFree;
  private int onceOnTheirWay;
  private int stagesOnTheirWay;
  private boolean over;

  // Positions count up for ever; the place is the position modulo the ring.
  private long written;
  private long free;

  /** How often room has come; those who were refused wait for more. */
  private volatile long roomCame;

  Outgoing(Lane lane) {
    this.lane = lane;
    this.line = new Line(lane, this::offer);
  }

  // Whole messages.

  /** Sends a message, if there is nothing before it; false when it has to wait. */
  boolean trySend(long header, MemorySegment from, long at) {
    return line.startBefore(null) && offer(header, from, at);
  }

  /** Sends a message that is written to where it leaves from; else as the one above. */
  boolean trySend(long header, Content content) {
    return line.startBefore(null) && offer(header, content) != Lane.REFUSED;
  }

  /** Gives a buffer away, if there is nothing before it. */
  boolean tryPass(long header, MessageBuffer buffer) {
    if (!line.startBefore(null)) {
      return false;
    }
    boolean passed = lane.tryPass(header, buffer.name()) != Lane.REFUSED;
    if (passed) {
      buffer.onGiven();
    }
    return passed;
  }

  /** Gives a buffer away as a piece of a message that has started. */
  boolean tryPassBody(long body, MessageBuffer buffer, int length) {
    if (lane.isUnwanted(body)) {
      buffer.discard();
      return true;
    }
    boolean passed = lane.tryPassBody(body, buffer.name(), length) != Lane.REFUSED;
    if (passed) {
      buffer.onGiven();
    }
    return passed;
  }

  /** Sends a message that was gathered in a stage, which is not the caller's any more then. */
  boolean trySend(long header, Stage stage, Draft draft) {
    if (!line.startBefore(draft)) {
      return false;
    }
    int result = lane.trySend(header, stage.memory, 0, token(stage));
    if (settle(result, stage)) {
      line.remove(draft);
      return true;
    }
    return false;
  }

  private boolean offer(long header, MemorySegment from, long at) {
    int result = lane.copies() ? lane.trySend(header, from, at, 0) : offerCopy(header, from, at);
    return result != Lane.REFUSED;
  }

  private int offer(long header, Content content) {
    if (lane.writesInPlace()) {
      return lane.tryWrite(header, content);
    }
    int room = room(header);
    long begin = begin(room);
    if (begin < 0) {
      lane.filled(Lane.NO_BODY);
      return Lane.REFUSED;
    }
    content.write(ring(), begin % RING_BYTES);
    return offerWritten(header, begin, room);
  }

  private int offerCopy(long header, MemorySegment from, long at) {
    int room = room(header);
    long begin = begin(room);
    if (begin < 0) {
      lane.filled(Lane.NO_BODY);
      return Lane.REFUSED;
    }
    MemorySegment.copy(from, at, ring(), begin % RING_BYTES, Records.length(header));
    return offerWritten(header, begin, room);
  }

  /** Room that a record takes: one without bytes is on its way, too. */
  private static int room(long header) {
    return Math.max(1, Records.length(header));
  }

  /** The position at which there is so much room in the ring; negative: nowhere. */
  private long begin(int room) {
    long place = written % RING_BYTES;
    long begin = place + room <= RING_BYTES ? written : written + RING_BYTES - place;
    return begin + room - free > RING_BYTES ? -1 : begin;
  }

  private int offerWritten(long header, long begin, int room) {
    int result = lane.trySend(header, ring(), begin % RING_BYTES, begin + room);
    if (result == Lane.TAKEN) {
      written = begin + room;
    }
    return result;
  }

  private MemorySegment ring() {
    MemorySegment memory = ring;
    if (memory == null) {
      memory = Arena.ofAuto().allocate(RING_BYTES, 64);
      ring = memory;
    }
    return memory;
  }

  /** The lane needs what was written up to here, or a stage, no longer. */
  void onReleased(long token) {
    if (token == ONCE_TOKEN) {
      onceOnTheirWay--;
    } else if ((token & STAGE_TOKEN) != 0) {
      onStageReleased((int) token);
    } else {
      free = Math.max(free, token);
    }
    onRoom();
  }

  private void onStageReleased(int index) {
    Stage stage = over ? null : stages[index];
    if (stage == null) {
      stagesOnTheirWay--;
      return;
    }
    if (stage.owner != null) {
      stage.owner.onTheirWay--;
      stagesOnTheirWay--;
    }
    giveBack(stage);
  }

  /**
   * Nothing leaves any more, and this is kept only until another life takes its place: what is on
   * its way holds its memory by itself.
   */
  void onEnded() {
    over = true;
    ring = null;
    stages = new @Nullable Stage[0];
    freeStages = new int[0];
    stagesMade = 0;
    stagesFree = 0;
    spareDrafts.clear();
  }

  /** Stages that there are, in use or not. */
  int stagesMade() {
    return stagesMade;
  }

  /** There may be room now for what was refused. */
  void onRoom() {
    long now = roomCame + 1;
    roomCame = now;
  }

  /** How often room has come so far; from any thread. */
  long roomCame() {
    return roomCame;
  }

  // Stages.

  private static long token(Stage stage) {
    return stage.index < 0 ? ONCE_TOKEN : STAGE_TOKEN | stage.index;
  }

  /** Room to gather pieces; null when all is in use. */
  @Nullable Stage takeStage(Draft draft) {
    if (draft.onTheirWay == ON_THEIR_WAY_MAX) {
      lane.filled(draft.body());
      return null;
    }
    Stage stage = null;
    if (stagesFree > 0) {
      stage = stages[freeStages[--stagesFree]];
    } else if (stagesMade < STAGES_MAX) {
      stage = new Stage(stagesMade);
      stages[stagesMade++] = stage;
    }
    if (stage != null) {
      stage.owner = draft;
    }
    return stage;
  }

  /** A stage is free again. */
  void giveBack(Stage stage) {
    if (stage.index >= 0 && !over) {
      stage.filled = 0;
      freeStages[stagesFree++] = stage.index;
    }
  }

  /** What becomes of a stage that was offered to the lane; whether it was taken. */
  private boolean settle(int result, Stage stage) {
    if (result == Lane.DONE) {
      giveBack(stage);
    } else if (result == Lane.TAKEN && stage.index < 0) {
      onceOnTheirWay++;
    } else if (result == Lane.TAKEN && stage.owner != null) {
      stage.owner.onTheirWay++;
      stagesOnTheirWay++;
    }
    return result != Lane.REFUSED;
  }

  // Long messages.

  /** A draft to begin a message with. */
  Draft draft(Sending sending) {
    Draft spare = spareDrafts.poll();
    return spare == null ? new Draft(sending, this) : spare;
  }

  /** A draft whose message is over. */
  void recycle(Draft draft) {
    onOver();
    if (draft.onTheirWay == 0 && spareDrafts.size() < SPARES_MAX && !over) {
      spareDrafts.add(draft);
    }
  }

  /** A message begins; it starts when it must. */
  void begin(Draft draft) {
    if (drafts == DRAFTS_MAX) {
      throw new MessageException(
          Mistake.TOO_MANY_OPEN,
          "%d messages to node %d have begun and not ended: end some first"
              .formatted(drafts, lane.peer()));
    }
    drafts++;
    line.begin(draft);
  }

  /** Messages that were begun and are not over. */
  int begun() {
    return drafts;
  }

  /** Messages that need a channel and have none. */
  int waitingForChannels() {
    return line.placeless();
  }

  /** Stages that gather something, or are on their way. */
  int stagesTaken() {
    return stagesMade - stagesFree + onceOnTheirWay;
  }

  /** A message that had begun is over for its sender. */
  void onOver() {
    drafts--;
  }

  /** A message that has not started is given up. */
  void forget(Draft draft) {
    line.remove(draft);
    boolean _ = waitingDrafts.remove(draft);
  }

  /** Starts a message, after those that began before it; false: it has to wait. */
  boolean tryStart(Draft draft) {
    return line.tryStart(draft);
  }

  /** Nobody waits for a message's channel any more. */
  void waitNoLonger(Draft draft) {
    line.waitNoLonger(draft);
  }

  /** Sends a piece of a message that has started from a stage; false: it has to wait. */
  boolean trySendBody(long body, int flags, Stage stage) {
    return settle(
        lane.trySendBody(body, flags, stage.memory, 0, stage.filled, token(stage)), stage);
  }

  /** Sends a piece straight from the sender's memory, over a lane that copies. */
  boolean trySendBody(long body, MemorySegment from, long at, int length) {
    return lane.trySendBody(body, 0, from, at, length, 0) != Lane.REFUSED;
  }

  // What waits because a handler may not.

  /** Bytes that were sent or deferred and may not have arrived; 0 where the carrier keeps them. */
  long unsettledBytes() {
    long waiting = lane.copies() ? lane.unsettledBytes() : written - free;
    waiting += line.keptBytes();
    for (Draft draft : waitingDrafts) {
      waiting += draft.waitingBytes();
    }
    return waiting + Stage.BYTES * (long) (stagesOnTheirWay + onceOnTheirWay);
  }

  /** Keeps a message for later; its bytes are copied. */
  void defer(long header, MemorySegment from, long at) {
    line.keep(header, copyOf(header, content(header, from, at)));
  }

  /** Keeps a message for later. */
  void defer(long header, Content content) {
    line.keep(header, copyOf(header, content));
  }

  /** Keeps a message for later that has begun, and goes whole: those that began later wait on. */
  void deferInPlaceOf(Draft draft, long header, MemorySegment from) {
    line.keepInPlaceOf(draft, header, copyOf(header, content(header, from, 0)));
  }

  private static Content content(long header, MemorySegment from, long at) {
    return (into, place) -> MemorySegment.copy(from, at, into, place, Records.length(header));
  }

  private static MemorySegment copyOf(long header, Content content) {
    MemorySegment copy = Arena.ofAuto().allocate(Math.max(1, Records.length(header)));
    content.write(copy, 0);
    return copy;
  }

  /** A message of a handler has pieces that wait. */
  void defer(Draft draft) {
    if (!waitingDrafts.contains(draft)) {
      waitingDrafts.add(draft);
    }
  }

  boolean hasDeferred() {
    return line.hasKept() || !waitingDrafts.isEmpty();
  }

  /** Sends what waits, as far as it can; bytes that left. */
  long sendDeferred() {
    long bytes = line.sendKept();
    for (int i = waitingDrafts.size() - 1; i >= 0; i--) {
      Draft draft = waitingDrafts.get(i);
      bytes += draft.sendWaiting();
      if (draft.waitingBytes() == 0) {
        waitingDrafts.remove(i);
      }
    }
    return bytes;
  }
}
