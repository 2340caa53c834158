package io.busbar.messages;

import io.busbar.messages.MessageException.Mistake;
import io.busbar.node.Lane;
import io.busbar.wire.Bodies;
import io.busbar.wire.Records;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A message that is being sent in pieces. They are gathered in a stage; if all of it fits there, it
 * leaves as a whole message at its end. Otherwise it starts, and its pieces go through a channel of
 * their own. One thread sends it; others only start it, with the driver's role. A draft is used for
 * one message after the other.
 */
final class Draft implements Line.Member {
  /** How far it is, in the order of messages. */
  enum Phase {
    /** It has not begun, or has ended without a START. */
    OVER,
    /** It needs a channel and has none: it has not begun as far as others can tell. */
    PLACELESS,
    /** It has begun, and nothing of it has left. */
    IN_LINE,
    /** Its START has left. */
    STARTED
  }

  /** Pieces of at least that go straight from the sender's memory, where the lane copies them. */
  private static final int DIRECT_BYTES_MIN = 16 << 10;

  /** Less is gathered before it leaves, unless somebody flushes. */
  private static final int PUSHED_BYTES_MIN = 1024;

  private final Sending sending;
  private final Outgoing target;
  private Handler handler = Handler.numbered(0);
  private long size;
  private long given;
  private @Nullable Stage stage;
  private long body = Lane.NO_BODY;

  /** Of a handler, which may not wait: stages that could not leave yet. */
  private final ArrayDeque<Stage> waiting = new ArrayDeque<>(2);

  private int lastFlags;

  /** Stages that the lane still needs. */
  int onTheirWay;

  /** The line's. */
  Phase phase = Phase.OVER;

  /** Whether a thread waits for its channel, or pieces do: else it is tried again, or is not. */
  boolean waits;

  // What is tried, and what a handler does that must not wait for it.
  private int flags;
  private final BooleanSupplier starting = this::startNow;
  private final BooleanSupplier takingStage = this::takeStage;
  private final BooleanSupplier makingStage = this::makeStage;
  private final BooleanSupplier pushing = this::tryPush;
  private final BooleanSupplier waitingInstead = this::leaveWaiting;
  private final BooleanSupplier sendingWhole = this::trySendWhole;
  private final BooleanSupplier deferringWhole = this::deferWhole;
  private MemorySegment directFrom = MemorySegment.NULL;
  private long directAt;
  private int directBytes;
  private final BooleanSupplier sendingDirectly = this::trySendDirectly;

  Draft(Sending sending, Outgoing target) {
    this.sending = sending;
    this.target = target;
  }

  /**
   * Begins a message.
   *
   * @param bytes its size, or {@link Bodies#SIZE_UNKNOWN}
   */
  void begin(Handler to, long bytes) {
    handler = to;
    size = bytes;
    given = 0;
    body = Lane.NO_BODY;
    lastFlags = 0;
    waits = false;
  }

  Outgoing target() {
    return target;
  }

  int handler() {
    return handler.number();
  }

  long size() {
    return size;
  }

  /** Whether it is too long to go whole, as far as it has said. */
  boolean needsChannel() {
    return size > Messages.WHOLE_BYTES_MAX;
  }

  boolean hasChannel() {
    return body != Lane.NO_BODY;
  }

  /** The name of its body, when it has a channel. */
  long body() {
    return body;
  }

  void onChannel(long name) {
    body = name;
  }

  boolean isStarted() {
    return phase == Phase.STARTED;
  }

  /** Starts it as soon as it can; in a handler when it must. */
  void start() {
    if (sending.isInHandler()) {
      sending.until(target, starting, Draft::later); // it asks again when it has something to send
    } else {
      await(starting, Draft::later);
    }
  }

  /** What a handler began starts when it must. */
  private static boolean later() {
    return true;
  }

  /** Tries until it works; who gives that up does not wait for a channel any more, either. */
  private void await(BooleanSupplier attempt, BooleanSupplier inHandler) {
    boolean done = false;
    waits = true;
    try {
      sending.until(target, attempt, inHandler);
      done = true;
    } finally {
      if (!done) {
        waits = false;
        sending.waitNoLonger(this);
      }
    }
  }

  /** Starts it if that needs no waiting. */
  boolean tryStart() {
    return sending.once(target, starting);
  }

  private boolean startNow() {
    return target.tryStart(this);
  }

  // Pieces.

  private void check(long length) {
    if (size != Bodies.SIZE_UNKNOWN && length > size - given) {
      throw new MessageException(
          Mistake.SIZE_EXCEEDED,
          "a piece of %d bytes, and %d of the %d that were announced to %s remain: nothing of it was sent"
              .formatted(length, size - given, size, handler.name()));
    }
  }

  /** Takes a piece; waits for room, if need be. */
  void send(MemorySegment from, long at, long length) {
    check(length);
    long sent = 0;
    while (sent < length) {
      sent += next(from, at + sent, length - sent);
    }
    given += length;
    pushSome();
  }

  /** What is gathered leaves without waiting, if the message has started and it is enough. */
  private void pushSome() {
    Stage current = stage;
    if (current != null && isStarted() && current.filled >= PUSHED_BYTES_MIN) {
      flags = 0;
      boolean _ = sending.once(target, pushing);
    }
  }

  /** Takes a buffer as a piece, after what is gathered; the message starts for it. */
  void give(MessageBuffer buffer, int length) {
    check(length);
    flush();
    await(
        () ->
            waiting.isEmpty() && target.tryStart(this) && target.tryPassBody(body, buffer, length),
        () -> false);
    given += length;
  }

  /** What is gathered leaves. */
  void flush() {
    Stage current = stage;
    if (current != null && current.filled > 0) {
      push(0);
    }
  }

  private long next(MemorySegment from, long at, long left) {
    if (isEmpty() && mayBeDirect(left)) {
      int length = (int) Math.min(left, target.lane.pieceBytesMax());
      sending.until(target, direct(from, at, length), sendingDirectly);
      directFrom = MemorySegment.NULL;
      return length;
    }
    Stage into = stage();
    int room = room(into);
    if (room <= 0) {
      push(0);
      return 0;
    }
    int piece = (int) Math.min(left, room);
    MemorySegment.copy(from, at, into.memory, into.filled, piece);
    into.filled += piece;
    return piece;
  }

  private boolean isEmpty() {
    return stage == null || stage.filled == 0;
  }

  /** Whether a piece can go straight from the sender's memory, behind what is gathered. */
  private boolean mayBeDirect(long length) {
    return length >= DIRECT_BYTES_MIN
        && waiting.isEmpty()
        && isStarted()
        && target.lane.copies()
        && !sending.isInHandler();
  }

  private BooleanSupplier direct(MemorySegment from, long at, int length) {
    directFrom = from;
    directAt = at;
    directBytes = length;
    return sendingDirectly;
  }

  private boolean trySendDirectly(MemorySegment from, long at, int length) {
    flags = 0;
    if (!isEmpty() && !sending.once(target, pushing)) {
      return false;
    }
    boolean sent = sending.once(target, direct(from, at, length));
    directFrom = MemorySegment.NULL;
    given += sent ? length : 0;
    return sent;
  }

  private boolean trySendDirectly() {
    return target.trySendBody(body, directFrom, directAt, directBytes);
  }

  private int room(Stage into) {
    return (isStarted() ? target.lane.pieceBytesMax() : Stage.BYTES) - into.filled;
  }

  private Stage stage() {
    if (stage == null) {
      sending.until(target, takingStage, makingStage);
    }
    Stage current = stage;
    if (current == null) {
      throw new IllegalStateException("no stage");
    }
    return current;
  }

  private boolean takeStage() {
    stage = target.takeStage(this);
    return stage != null;
  }

  /** In a handler; what it holds is counted when it is full. */
  private boolean makeStage() {
    stage = new Stage(-1);
    return true;
  }

  /** Takes a piece if that needs no waiting; the piece is no longer than a stage. */
  boolean trySend(MemorySegment from, long at, int length) {
    check(length);
    if (mayBeDirect(length)) {
      return trySendDirectly(from, at, length);
    }
    flags = 0;
    waits = false;
    if (stage != null && room(stage) < length && !sending.once(target, pushing)) {
      return false;
    }
    if (stage == null && !sending.once(target, takingStage)) {
      return false;
    }
    Stage into = stage(); // it has room
    MemorySegment.copy(from, at, into.memory, into.filled, length);
    into.filled += length;
    given += length;
    pushSome();
    return true;
  }

  // Stages leave.

  private void push(int withFlags) {
    flags = withFlags;
    await(pushing, waitingInstead);
  }

  /** Sends what is gathered, after what waits; false: it has to wait. */
  private boolean tryPush() {
    Stage full = stage;
    if (full == null) {
      return takeStage() && tryPush(); // an end without bytes
    }
    if (!waiting.isEmpty() || !target.tryStart(this) || !target.trySendBody(body, flags, full)) {
      return false;
    }
    stage = null;
    if (flags != 0) {
      target.recycle(this);
    }
    return true;
  }

  /** In a handler: what is gathered waits, within a bound. */
  private boolean leaveWaiting() {
    sending.charge(stage == null ? 0 : stage.filled);
    keepWaiting();
    return true;
  }

  private void keepWaiting() {
    waiting.add(stage == null ? new Stage(-1) : stage);
    lastFlags = flags;
    stage = null;
    if (flags != 0) {
      target.onOver();
    }
    target.defer(this);
  }

  /** Bytes that wait, headers included. */
  long waitingBytes() {
    long bytes = 0;
    for (Stage one : waiting) {
      bytes += Records.HEADER_BYTES + one.filled;
    }
    return bytes;
  }

  /** Sends what waits, as far as it can; bytes that left. */
  long sendWaiting() {
    long bytes = 0;
    Stage next = waiting.peek();
    while (next != null) {
      int filled = next.filled;
      if (target.lane.isEnded()) {
        target.giveBack(next);
      } else if (!target.tryStart(this) || !target.trySendBody(body, flagsOf(next), next)) {
        return bytes;
      }
      bytes += Records.HEADER_BYTES + filled;
      waiting.remove();
      next = waiting.peek();
    }
    return bytes;
  }

  private int flagsOf(Stage one) {
    return waiting.peekLast() == one ? lastFlags : 0;
  }

  // The end.

  /** Ends the message; waits for room, if need be. */
  void end() {
    if (size != Bodies.SIZE_UNKNOWN && given < size) {
      breakOff();
      throw new MessageException(
          Mistake.SIZE_UNDERSHOT,
          "the message to %s has %d bytes, and %d were announced: it was broken off"
              .formatted(handler.name(), given, size));
    }
    flags = Bodies.LAST;
    await(sendingWhole, deferringWhole);
  }

  /** Ends the message, if that needs no waiting. */
  boolean tryEnd() {
    if (size != Bodies.SIZE_UNKNOWN && given < size) {
      end();
    }
    flags = Bodies.LAST;
    waits = false;
    return sending.once(target, sendingWhole);
  }

  /** Sends the message whole if nothing of it has left, else its end. */
  private boolean trySendWhole() {
    if (isStarted() || !waiting.isEmpty()) {
      return tryPush();
    }
    Stage full = stage;
    if (full == null) {
      return takeStage() && trySendWhole();
    }
    long header = Records.header(Records.WHOLE, 0, handler.number(), full.filled);
    if (!target.trySend(header, full, this)) {
      return false;
    }
    stage = null;
    target.recycle(this);
    return true;
  }

  private boolean deferWhole() {
    if (isStarted() || !waiting.isEmpty()) {
      return leaveWaiting();
    }
    Stage full = stage == null ? new Stage(-1) : stage;
    sending.charge(full.filled);
    long header = Records.header(Records.WHOLE, 0, handler.number(), full.filled);
    target.deferInPlaceOf(this, header, full.memory);
    target.giveBack(full);
    target.onOver();
    stage = null;
    return true;
  }

  /**
   * Ends the message without what is missing: its handler, if it began, gets an exception. Never
   * waits.
   */
  void breakOff() {
    Stage left = stage;
    if (left != null) {
      left.filled = 0;
    }
    flags = Bodies.LAST | Bodies.BROKEN;
    sending.either(target, this::tryBreakOff, this::deferBreaking);
  }

  private boolean tryBreakOff() {
    if (isStarted() || !waiting.isEmpty()) {
      return tryPush();
    }
    target.forget(this);
    Stage left = stage;
    if (left != null) {
      target.giveBack(left);
      stage = null;
    }
    target.recycle(this);
    return true;
  }

  /** It leaves when there is room, whoever drives then: nobody waits for it. */
  private boolean deferBreaking() {
    sending.chargeEnd();
    keepWaiting();
    return true;
  }
}
