package io.busbar.messages;

import io.busbar.node.Lane;
import io.busbar.wire.Bodies;
import io.busbar.wire.Records;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Messages that have arrived and wait for their handlers, in order: whoever drives puts them in,
 * whoever extracts takes them out. Short ones lie in chunks, one behind the other; a chunk that was
 * emptied is used again. Of those that were kept where they came, and of the starts of long ones,
 * the entry has a span beside it. What is in here was allowed by credits, which are the bound.
 */
final class Inbox {
  private static final int CHUNK_BYTES = 1 << 20;
  private static final int SPARES_MAX = 4;

  /** In front: the record's header; who sent it, whether it has a span, and by which lane. */
  private static final int PREFIX_BYTES = 16;

  private static final long WITH_SPAN = 1L << 32;
  private static final int SOURCE_SHIFT = 33;

  /** In place of a record's header: no message, but what the span tells. */
  static final long TIDING = 0;

  private static final VarHandle WRITTEN;
  private static final VarHandle ARRIVED;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      WRITTEN = lookup.findVarHandle(Chunk.class, "written", int.class);
      ARRIVED = lookup.findVarHandle(Inbox.class, "arrived", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private static final class Chunk {
    final MemorySegment memory = Arena.ofAuto().allocate(CHUNK_BYTES, 64);
    private int written; // published in order: who wakes others fences before it looks for them
    volatile @Nullable Chunk next;
    int read;

    int written() {
      return (int) WRITTEN.getAcquire(this);
    }

    void write(int bytes) {
      WRITTEN.setRelease(this, bytes);
    }
  }

  private final ConcurrentLinkedQueue<Chunk> spares = new ConcurrentLinkedQueue<>();
  private final SpanQueue spans = new SpanQueue(new Span());

  /** The driver's. */
  private Chunk last = new Chunk();

  /** The extractor's. */
  private volatile Chunk first = last;

  private long arrived;
  private long extracted;

  /** Puts a message in; the driver's. */
  void put(Lane lane, long header, MemorySegment memory, long at, int length) {
    put(word(lane), header, memory, at, length, length);
  }

  /** Puts a message in of which the span tells the rest; the driver's. */
  void put(Lane lane, long header, Span span) {
    spans.put(span);
    put(word(lane) | WITH_SPAN, header, MemorySegment.NULL, 0, 0, 0);
  }

  /** Puts something in that the program is to be told between two messages; the driver's. */
  void put(Consumer<MessageEvents> tiding, Span span) {
    span.tiding = tiding;
    spans.put(span);
    put(WITH_SPAN, TIDING, MemorySegment.NULL, 0, 0, 0);
  }

  /** Puts the start of a long message in, with what it says; the driver's. */
  void put(Lane lane, long header, MemorySegment memory, long at, Span span) {
    spans.put(span);
    put(word(lane) | WITH_SPAN, header, memory, at, Bodies.START_BYTES, Bodies.START_BYTES);
  }

  private void put(
      long from, long header, MemorySegment memory, long at, int length, int entryLength) {
    int bytes = entryBytes(entryLength);
    Chunk chunk = last;
    int place = chunk.written; // only we write it
    if (bytes > CHUNK_BYTES - place) {
      Chunk fresh = fresh();
      chunk.next = fresh;
      last = fresh;
      chunk = fresh;
      place = 0;
    }
    chunk.memory.set(Little.LONG, place, header);
    chunk.memory.set(Little.LONG, place + 8, from);
    MemorySegment.copy(memory, at, chunk.memory, place + PREFIX_BYTES, length);
    chunk.write(place + bytes);
    ARRIVED.setRelease(this, arrived + 1);
  }

  private static long word(Lane lane) {
    return lane.peer() | (long) lane.tag() << SOURCE_SHIFT;
  }

  private static int entryBytes(int length) {
    return PREFIX_BYTES + length + Records.padding(length);
  }

  private Chunk fresh() {
    Chunk spare = spares.poll();
    return spare == null ? new Chunk() : spare;
  }

  /** Whether no message waits; from any thread, as a hint. */
  boolean isEmpty() {
    Chunk chunk = first;
    return chunk.read == chunk.written() && chunk.next == null;
  }

  /** How many messages are there to be taken; the extractor's. */
  long size() {
    return (long) ARRIVED.getAcquire(this) - extracted;
  }

  /** Goes to the next message; the extractor's. False when there is none. */
  boolean next() {
    Chunk chunk = first;
    if (chunk.read < chunk.written()) {
      return true;
    }
    Chunk next = chunk.next;
    if (next == null || chunk.read < chunk.written()) { // written before the next one was linked
      return next != null;
    }
    first = next;
    recycle(chunk);
    return next.read < next.written();
  }

  private void recycle(Chunk chunk) {
    if (spares.size() < SPARES_MAX) {
      chunk.read = 0;
      chunk.write(0);
      chunk.next = null;
      spares.add(chunk);
    }
  }

  /** The record's header of the message that is next. */
  long header() {
    return first.memory.get(Little.LONG, first.read);
  }

  private long fromWord() {
    return first.memory.get(Little.LONG, first.read + 8);
  }

  /** Who sent it. */
  int from() {
    return (int) fromWord();
  }

  /** The tag of the lane by which it came. */
  int source() {
    return (int) (fromWord() >>> SOURCE_SHIFT);
  }

  /** Whether the rest of it is in a span. */
  boolean hasSpan() {
    return (fromWord() & WITH_SPAN) != 0;
  }

  /** The span of the message that is next, if it has one; once. */
  @Nullable Span takeSpan(Done done) {
    return spans.take(done);
  }

  /** Where its bytes are. */
  MemorySegment memory() {
    return first.memory;
  }

  long at() {
    return (long) first.read + PREFIX_BYTES;
  }

  /** It was dealt with. */
  void remove() {
    boolean start = Records.kind(header()) == Records.START;
    int length = hasSpan() && !start ? 0 : Records.length(header());
    first.read += entryBytes(length);
    extracted++;
  }
}
