package io.busbar.messages;

import io.busbar.messages.MessageException.Mistake;
import io.busbar.node.Lane;
import io.busbar.wire.Bodies;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.Array;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A message inside its handler: a stream of bytes, to be received in pieces of any size. A piece of
 * a message that has not arrived yet is waited for in a blocking handler; a resumable one asks
 * {@link #available} first.
 */
public final class InMessage {
  // The span that is being read.
  private MemorySegment memory = MemorySegment.NULL;
  private long at;
  private int here;

  /** Bytes that the handler may take now: what is here, and what more of the body it may see. */
  private long available;

  private long received;
  private long length;
  private boolean open;

  // Of a long message.
  private final Extraction extraction;
  private @Nullable Body body;
  private int spanBytes;
  private long claim = Lane.NO_CLAIM;
  private Copies.@Nullable Chunk chunk;

  // What becomes of a message whose handler did not end at once.
  @Nullable Registered handler;
  @Nullable Fiber fiber;
  int from;

  /** The tag of the lane by which it came. */
  int source;

  /** Where it is among those in progress; negative if it is not. */
  int progress = -1;

  // What a blocking handler waits for: a condition, or bytes to a place.
  private @Nullable BooleanSupplier condition;

  /** How long a wait inside {@code receive} may last. */
  private long patienceNs = Long.MAX_VALUE;

  /** Until when it waits; {@link Extraction#NEVER} if it may for ever. */
  private long deadlineNs = Extraction.NEVER;

  private boolean late;
  private final Runnable resuming = this::resume;
  private @Nullable MemorySegment posted;
  private long postedAt;
  private long postedBytes;
  private @Nullable String broken;

  /** What the extractor met in the place of a handler that waits; the handler throws it. */
  private @Nullable Throwable failed;

  /** Whether somebody wanted it to be looked at while its handler ran; under this one's lock. */
  private boolean resumed;

  InMessage(Extraction extraction) {
    this.extraction = extraction;
  }

  /** A message that has arrived whole; where it lies is kept under a name, or is not. */
  void open(int sender, int by, MemorySegment where, long offset, int bytes, long keptAs) {
    from = sender;
    source = by;
    claim = keptAs;
    memory = where;
    at = offset;
    here = bytes;
    available = bytes;
    received = 0;
    length = bytes;
    broken = null;
    failed = null;
    patienceNs = Long.MAX_VALUE;
    resumed = false;
    open = true;
  }

  /** A message whose bytes come one after the other. */
  void open(Body of, long size) {
    body = of;
    memory = MemorySegment.NULL;
    claim = Lane.NO_CLAIM;
    here = 0;
    available = 0;
    received = 0;
    length = size;
    broken = null;
    failed = null;
    patienceNs = Long.MAX_VALUE;
    open = true;
  }

  /**
   * A message that came whole, and of which a part was received before; whether somebody has asked
   * meanwhile that it is looked at again.
   */
  synchronized boolean openRest(Body of, long size, long before) {
    open(of, size);
    received = before;
    of.receivedBefore = before;
    return resumed;
  }

  @Nullable Body body() {
    return body;
  }

  /** The handler may see so many bytes more than it has received, as far as they are there. */
  void show(Body of, long bytesMax) {
    boolean complete = of.isComplete(); // before the bytes are counted
    long arrived = of.receivedBefore + of.arrivedBytes();
    if (complete) {
      length = arrived;
    }
    available = Math.min(arrived - received, Math.max(0, bytesMax));
    broken = of.broken();
  }

  /** Whether more has arrived than the handler may see. */
  boolean hasMore(Body of) {
    return of.receivedBefore + of.arrivedBytes() - received > available;
  }

  /** Whether its handler cannot get more than it has: all was received, or the rest is lost. */
  boolean isOver() {
    return received == length || (broken != null && available == 0);
  }

  /** The handler is done with it. */
  void close() {
    open = false;
    available = 0;
    Body of = body;
    if (of != null) {
      leaveSpan(of);
      extraction.ended(of);
      of.message = null;
    }
    memory = MemorySegment.NULL;
    claim = Lane.NO_CLAIM;
    body = null;
    handler = null;
    fiber = null;
    posted = null;
    condition = null;
  }

  /** Bytes of the whole message; {@code -1} while its sender has not said. */
  public long length() {
    return length;
  }

  /** Bytes that were not received yet; {@code -1} while the sender has not said how many. */
  public long remaining() {
    if (!open) {
      return 0;
    }
    return length == Bodies.SIZE_UNKNOWN ? -1 : length - received;
  }

  /** Bytes that have arrived and were not received yet. */
  public long available() {
    return available;
  }

  /** Bytes that were received. */
  long receivedBytes() {
    return received;
  }

  /** Why the rest of the message will not come; null while it may. */
  @Nullable String broken() {
    return broken;
  }

  /**
   * Calls a handler again though nothing has arrived: it had to wait for something else. From any
   * thread, as long as the message is not done.
   */
  public void resume() {
    Body of;
    synchronized (this) {
      of = body;
      resumed = true; // a message that came whole has no body while its handler runs first
    }
    if (of != null) {
      extraction.resume(of);
    }
  }

  /**
   * Waits, in a handler on a thread of its own, for something besides the message: its other
   * messages and those of others go on. The condition is looked at whenever somebody extracts;
   * another thread that fulfils it calls {@link #resume}. What it throws comes out here. It may
   * neither extract nor wait.
   */
  public void await(BooleanSupplier holds) {
    boolean _ = await(holds, Long.MAX_VALUE);
  }

  /**
   * As {@link #await(BooleanSupplier)}, but no longer than this; as with the condition, somebody
   * has to extract then, or to wait for something to extract.
   *
   * @return false when the time has passed
   */
  public boolean await(BooleanSupplier holds, long atMostNs) {
    Fiber thread = fiber;
    long untilNs = deadlineNs(atMostNs);
    while (!holds.getAsBoolean()) {
      if (thread == null || !thread.isCurrent()) {
        throw new MessageException(
            Mistake.WRONG_PLACE,
            "only a waiting handler can wait for something else: register it with waitingHandler");
      }
      if (broken != null) {
        throw brokenOff();
      }
      condition = holds;
      if (!pause(thread, untilNs)) {
        return false;
      }
    }
    return true;
  }

  /**
   * How long a blocking handler waits inside {@code receive} and {@code skip}, each time, until it
   * is refused as timed out; without a word, until its message ends. Bytes that came until then
   * were received. An interrupt of its thread ends such a wait, and one in {@link #await}, too.
   */
  public void patience(long ns) {
    patienceNs = ns;
  }

  private long deadlineNs(long ns) {
    return ns == Long.MAX_VALUE ? Extraction.NEVER : extraction.deadlineNs(ns);
  }

  /**
   * Lets the extractor go on, until a deadline at most; throws what it met meanwhile in this
   * handler's place.
   *
   * @return false when the time has passed
   */
  private boolean pause(Fiber thread, long untilNs) {
    deadlineNs = untilNs;
    late = false;
    thread.pause(resuming);
    deadlineNs = Extraction.NEVER;
    condition = null;
    Throwable met = failed;
    if (met != null) {
      failed = null;
      throw Telling.again(met);
    }
    if (Thread.currentThread().isInterrupted()) {
      throw new MessageException(Mistake.TIMED_OUT, "interrupted while a handler waited");
    }
    return !late;
  }

  /** Whether a blocking handler waits for a condition. */
  boolean hasCondition() {
    return condition != null;
  }

  /** Whether a handler waits for what no arrival tells of: a condition, or a deadline. */
  boolean isToBeLookedAt() {
    return condition != null || deadlineNs != Extraction.NEVER;
  }

  /** Until when its handler waits; {@link Extraction#NEVER} if for ever. */
  long deadlineNs() {
    return deadlineNs;
  }

  // Receiving.

  private MessageException brokenOff() {
    return new MessageException(
        Mistake.BROKEN_OFF,
        "%s, and %d bytes of it had arrived".formatted(broken, received + available));
  }

  private MessageException past(long bytes) {
    if (!open) {
      return new MessageException(
          Mistake.WRONG_PLACE, "the message is over: receive inside its handler");
    }
    return new MessageException(
        Mistake.PAST_END,
        "%d bytes were asked for, and %d of the message's %d remain"
            .formatted(bytes, remaining(), length));
  }

  /** Whether so many bytes, some at least, lie in one piece; they are taken with {@link #taken}. */
  private boolean isHere(long bytes) {
    return bytes > 0 && bytes <= here && bytes <= available;
  }

  private long taken(long bytes) {
    long place = at;
    at += bytes;
    here -= (int) bytes;
    available -= bytes;
    received += bytes;
    return place;
  }

  /** Goes to the next span; only while more is available. */
  private void nextSpan(Body of) {
    leaveSpan(of);
    Span span = extraction.nextSpan(of);
    if (span == null) {
      throw new IllegalStateException("%d bytes are promised and not there".formatted(available));
    }
    memory = span.memory;
    at = span.at;
    here = span.length;
    spanBytes = span.length;
    claim = span.claim;
    chunk = span.chunk;
  }

  /** The handler waits: what it has read whole is not kept until more comes, or none may. */
  void leaveReadSpan() {
    Body of = body;
    if (here == 0 && of != null) {
      leaveSpan(of);
    }
  }

  private void leaveSpan(Body of) {
    if (spanBytes > 0) {
      extraction.done(of, spanBytes, claim, chunk);
      spanBytes = 0;
      chunk = null;
      claim = Lane.NO_CLAIM;
    }
  }

  /** Bytes of one piece that can be taken now, at most so many; goes to the next span for it. */
  private int piece(long bytes) {
    Body of = body;
    if (here == 0 && available > 0 && of != null) {
      nextSpan(of);
    }
    return (int) Math.min(Math.min(here, available), bytes);
  }

  /** Refuses what can never be had. */
  private void check(long bytes) {
    if (bytes < 0 || !open || (length != Bodies.SIZE_UNKNOWN && bytes > length - received)) {
      throw past(bytes);
    }
  }

  /** Receives as many bytes as the memory has room for. */
  public void receive(MemorySegment into) {
    receive(into, 0, into.byteSize());
  }

  /** Receives so many bytes to a place. */
  public void receive(MemorySegment into, long offset, long bytes) {
    if (isHere(bytes)) {
      MemorySegment.copy(memory, at, into, offset, bytes);
      long _ = taken(bytes);
    } else {
      receiveInPieces(into, offset, bytes);
    }
  }

  private void receiveInPieces(MemorySegment into, long offset, long bytes) {
    check(bytes);
    long _ = Objects.checkFromIndexSize(offset, bytes, into.byteSize());
    long copied = fill(into, offset, bytes);
    while (copied < bytes) {
      awaitMore(into, offset + copied, bytes - copied);
      copied = posted == null ? bytes : bytes - postedBytes; // what the extractor has brought
      posted = null;
      copied += fill(into, offset + copied, bytes - copied);
    }
  }

  /** Copies what is available, at most so many bytes; how many. */
  private long fill(MemorySegment into, long offset, long bytes) {
    long copied = 0;
    int piece = piece(bytes);
    while (piece > 0) {
      MemorySegment.copy(memory, at, into, offset + copied, piece);
      long _ = taken(piece);
      copied += piece;
      piece = copied == bytes ? 0 : piece(bytes - copied);
    }
    return copied;
  }

  /**
   * Waits in a blocking handler until the extractor has brought the bytes to their place, or, where
   * it may not write there, until there are some.
   */
  private void awaitMore(MemorySegment into, long offset, long bytes) {
    Fiber thread = fiber;
    if (broken != null) {
      throw brokenOff();
    }
    if (length != Bodies.SIZE_UNKNOWN && bytes > length - received) {
      throw past(bytes);
    }
    if (thread == null || !thread.isCurrent()) {
      throw new MessageException(
          Mistake.NOT_ARRIVED,
          "%d bytes were asked for, and %d have arrived: ask available() in a resumable handler"
              .formatted(bytes, available));
    }
    posted = into;
    postedAt = offset;
    postedBytes = bytes;
    if (!pause(thread, deadlineNs(patienceNs))) {
      posted = null;
      throw new MessageException(
          Mistake.TIMED_OUT,
          "of %d bytes that a handler waits for, %d are missing after %d ms"
              .formatted(bytes, postedBytes, patienceNs / 1_000_000));
    }
  }

  /**
   * Whether a handler that waits can go on: its condition holds, or what it waits for was brought
   * to its place. What is wrong with its condition or its place is thrown there; the extractor's.
   */
  boolean canGoOn() {
    try {
      return (conditionHolds() && bringPosted()) || endsItsWait();
    } catch (Throwable e) {
      condition = null;
      posted = null;
      failed = e;
      return true;
    }
  }

  /** Whether it waits no longer, for what it has not got. */
  private boolean endsItsWait() {
    Fiber thread = fiber;
    late |= deadlineNs != Extraction.NEVER && extraction.isPast(deadlineNs);
    return late || (thread != null && thread.isInterrupted());
  }

  private boolean conditionHolds() {
    BooleanSupplier holds = condition;
    if (holds != null) {
      if (broken == null && !holds.getAsBoolean()) {
        return false;
      }
      condition = null;
    }
    return true;
  }

  private boolean bringPosted() {
    MemorySegment into = posted;
    if (into == null) {
      return true;
    }
    if (!into.isAccessibleBy(Thread.currentThread()) || into.isReadOnly()) {
      return available > 0 || isAtItsEnd(); // the sender may have no credit for more before
    }
    long copied = fill(into, postedAt, postedBytes);
    postedAt += copied;
    postedBytes -= copied;
    if (postedBytes == 0) {
      posted = null;
    }
    return posted == null || isAtItsEnd();
  }

  private boolean isAtItsEnd() {
    return broken != null || (length != Bodies.SIZE_UNKNOWN && received + available == length);
  }

  /**
   * Receives at least one byte and at most as many as there is room for; a blocking handler waits
   * for it.
   *
   * @return how many; {@code -1} at the end of the message
   */
  public int receiveSome(byte[] into, int offset, int bytes) {
    return receiveSome(MemorySegment.ofArray(into), offset, bytes);
  }

  /** Receives at least one byte and at most so many to a place; {@code -1} at the end. */
  public int receiveSome(MemorySegment into, long offset, int bytes) {
    long _ = Objects.checkFromIndexSize(offset, bytes, into.byteSize());
    if (bytes == 0) {
      return 0;
    }
    while (available == 0) {
      if (!open || received == length) {
        return -1;
      }
      awaitMore(ONE_BYTE, 0, 1);
      posted = null;
    }
    return (int) fill(into, offset, bytes);
  }

  /** Memory that nobody may write to: who waits for it only wants to know that there is more. */
  private static final MemorySegment ONE_BYTE = MemorySegment.ofArray(new byte[1]).asReadOnly();

  /**
   * Takes the rest of a message that has arrived, as a buffer that is the caller's from now on:
   * without a copy, if the message lies in one piece where it came.
   */
  public MessageBuffer take() {
    long bytes = remaining();
    if (bytes < 0 || bytes > Integer.MAX_VALUE - 8) {
      throw new MessageException(
          Mistake.TOO_LONG, "%d bytes cannot be taken as one buffer".formatted(bytes));
    }
    long kept = claim;
    if (kept != Lane.NO_CLAIM && isHere(bytes)) {
      MemorySegment part = memory.asSlice(at, bytes);
      long _ = taken(bytes);
      claim = Lane.NO_CLAIM;
      return extraction.kept(source, part, kept);
    }
    MemorySegment copy = MessageBuffer.fresh((int) bytes);
    receive(copy);
    return extraction.plain(copy);
  }

  /** Whether what the message lay in is the program's now. */
  boolean wasTaken() {
    return claim == Lane.NO_CLAIM;
  }

  /** Fills an array. */
  public void receive(byte[] into) {
    receive(into, 0, into.length);
  }

  /** Fills a part of an array. */
  public void receive(byte[] into, int offset, int bytes) {
    if (isHere(bytes)) {
      MemorySegment.copy(memory, ValueLayout.JAVA_BYTE, at, into, offset, bytes);
      long _ = taken(bytes);
    } else {
      receiveInPieces(MemorySegment.ofArray(into), offset, bytes);
    }
  }

  /** Fills a part of an array of primitives, as the elements' layout says. */
  public void receive(Object array, ValueLayout elements, int index, int count) {
    long bytes = count * elements.byteSize();
    ValueLayout anywhere = anywhere(elements);
    if (isHere(bytes)) {
      MemorySegment.copy(memory, anywhere, at, array, index, count);
      long _ = taken(bytes);
    } else {
      int _ = Objects.checkFromIndexSize(index, count, Array.getLength(array));
      byte[] copy = new byte[Math.toIntExact(bytes)];
      receiveInPieces(MemorySegment.ofArray(copy), 0, bytes);
      MemorySegment.copy(MemorySegment.ofArray(copy), anywhere, 0, array, index, count);
    }
  }

  /** A message lies where it came to lie. Of a layout that fits anywhere no other one is made. */
  private static ValueLayout anywhere(ValueLayout elements) {
    return elements.byteAlignment() == 1 ? elements : elements.withByteAlignment(1);
  }

  /** Fills a buffer up to its limit. */
  public void receive(ByteBuffer into) {
    receive(MemorySegment.ofBuffer(into));
    into.position(into.limit());
  }

  /** What an array begins with that grows with a message of unknown size. */
  private static final int FILL_BYTES = 64 << 10;

  /** The rest of the message, which must fit into an array. */
  public byte[] receiveRest() {
    byte[] rest = new byte[remaining() < 0 ? FILL_BYTES : sizeOfArray(remaining())];
    if (remaining() >= 0) {
      receive(rest);
      return rest;
    }
    int filled = 0;
    for (int more = 0; more >= 0; more = receiveSome(rest, filled, rest.length - filled)) {
      filled += more;
      if (filled == rest.length) {
        rest = Arrays.copyOf(rest, sizeOfArray(2L * filled));
      }
    }
    return Arrays.copyOf(rest, filled);
  }

  private static int sizeOfArray(long bytes) {
    if (bytes > Integer.MAX_VALUE - 8) {
      throw new MessageException(
          Mistake.TOO_LONG, "%d bytes do not fit into an array".formatted(bytes));
    }
    return (int) bytes;
  }

  /** The next four bytes, little-endian. */
  public int receiveInt() {
    if (isHere(Integer.BYTES)) {
      return memory.get(Little.INT, taken(Integer.BYTES));
    }
    byte[] bytes = new byte[Integer.BYTES];
    receiveInPieces(MemorySegment.ofArray(bytes), 0, Integer.BYTES);
    return MemorySegment.ofArray(bytes).get(Little.INT, 0);
  }

  /** The next eight bytes, little-endian. */
  public long receiveLong() {
    if (isHere(Long.BYTES)) {
      return memory.get(Little.LONG, taken(Long.BYTES));
    }
    byte[] bytes = new byte[Long.BYTES];
    receiveInPieces(MemorySegment.ofArray(bytes), 0, Long.BYTES);
    return MemorySegment.ofArray(bytes).get(Little.LONG, 0);
  }

  /** Passes over bytes. */
  public void skip(long bytes) {
    check(bytes);
    long left = bytes;
    while (left > 0) {
      int piece = piece(left);
      if (piece == 0) {
        awaitMore(ONE_BYTE, 0, 1);
        posted = null;
      } else {
        long _ = taken(piece);
        left -= piece;
      }
    }
  }
}
