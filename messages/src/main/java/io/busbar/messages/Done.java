package io.busbar.messages;

import io.busbar.node.Lane;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * What the extractor has dealt with and whoever drives has to hear of: room that is free again,
 * memory that is needed no longer, links of queues, bodies of which no more is wanted.
 */
final class Done {
  private static final int MAX = 64;
  private static final int URGENT_BYTES = 4 << 10;

  /**
   * Of what came by a lane that copies, so many times as much: its window is wide from the start,
   * and both ends touch the words of buffers less often if they are freed several at a time.
   */
  private static final int LENIENCE = 16;

  private final Copies copies;
  private final ArrayDeque<Span> spares;
  private final int[] sources = new int[MAX];
  private final long[] bodies = new long[MAX];
  private final int[] lengths = new int[MAX];
  private final long[] claims = new long[MAX];
  private final Copies.@Nullable Chunk[] chunks = new Copies.@Nullable Chunk[MAX];
  private int count;
  private long bytes;
  private boolean urgent;
  private final ArrayDeque<Span> links = new ArrayDeque<>();
  private final ArrayDeque<Body> ended = new ArrayDeque<>();

  /**
   * Nothing done.
   *
   * @param spares where links go that may be used again; the driver's
   */
  Done(Copies copies, ArrayDeque<Span> spares) {
    this.copies = copies;
    this.spares = spares;
  }

  /**
   * A message that lay in the inbox, or where it came.
   *
   * @param lane by which it came
   */
  void message(Lane lane, int length, long claim) {
    bytes += lane.copies() ? length / LENIENCE : length;
    add(lane.tag(), Lane.NO_BODY, length, claim, null);
  }

  /** A piece of a body: the sender of one waits for its room, whatever the size. */
  void piece(Body body, int length, long claim, Copies.@Nullable Chunk chunk) {
    urgent = true;
    add(body.source, body.name, body.isWhole() ? body.wholeBytes : length, claim, chunk);
  }

  private void add(int source, long body, int length, long claim, Copies.@Nullable Chunk chunk) {
    sources[count] = source;
    bodies[count] = body;
    lengths[count] = length;
    claims[count] = claim;
    chunks[count++] = chunk;
  }

  /** A link that is not needed any more. */
  void unlink(Span link) {
    links.add(link);
  }

  /** A body of which no more is wanted. */
  void body(Body body) {
    ended.add(body);
  }

  /** Whether it has to be reported before more can be done. */
  boolean isFull() {
    return count == MAX;
  }

  /**
   * Whether the lanes should hear of it at once: of less they would not tell the peer, either, and
   * it is reported with the next, or before anybody waits.
   */
  boolean isUrgent() {
    return urgent || bytes >= URGENT_BYTES || !ended.isEmpty();
  }

  /** What has not been reported. */
  int size() {
    return count + ended.size();
  }

  boolean isEmpty() {
    return count == 0 && ended.isEmpty();
  }

  /** Reports all; the driver's role is needed. */
  void report(IntFunction<Source> origins) {
    for (int i = 0; i < count; i++) {
      report(origins.apply(sources[i]), i);
      Copies.Chunk chunk = chunks[i];
      if (chunk != null) {
        chunks[i] = null;
        copies.release(chunk);
      }
    }
    count = 0;
    bytes = 0;
    urgent = false;
    for (Span link = links.poll(); link != null; link = links.poll()) {
      link.clear();
      spares.add(link);
    }
  }

  /** Nobody is left who could hear of it. */
  void forget() {
    Arrays.fill(chunks, null);
    count = 0;
    bytes = 0;
    urgent = false;
    links.clear();
    ended.clear();
  }

  private void report(Source source, int i) {
    Lane lane = source.lane;
    if (claims[i] != Lane.NO_CLAIM) {
      lane.release(claims[i]);
    }
    if (bodies[i] == Lane.NO_BODY) {
      source.onRecordDone();
      lane.done(lengths[i]);
    } else {
      lane.bodyDone(bodies[i], lengths[i]);
    }
  }

  /** The next body of which no more is wanted. */
  @Nullable Body nextEnded() {
    return ended.poll();
  }
}
