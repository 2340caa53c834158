package io.busbar.bus;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The frames of a stream that somebody may still need, by their numbers; made when needed. One that
 * is longer than this node's own lies by itself: others may have longer ones, and so has this node
 * while all who read take them. The memory of those that are freed is used again.
 */
final class CastStore {
  private static final int FRAMES = CastConfig.WINDOW_MAX;
  private static final int FRAMES_PER_CHUNK = 64;

  /** As many as a window of long frames has. */
  private static final int SPARES_MAX = 96;

  private final int frameBytes;
  private final @Nullable MemorySegment[] chunks =
      new @Nullable MemorySegment[FRAMES / FRAMES_PER_CHUNK];
  private final @Nullable MemorySegment[] longer = new @Nullable MemorySegment[FRAMES];
  private final ArrayDeque<MemorySegment> spares = new ArrayDeque<>();
  private final int[] lengths = new int[FRAMES];
  private final long[] times = new long[FRAMES];
  private final boolean[] marks = new boolean[FRAMES];

  CastStore(int frameBytes) {
    this.frameBytes = frameBytes;
  }

  private static int slot(long seq) {
    return (int) (seq % FRAMES);
  }

  /** The memory in which a frame lies. */
  MemorySegment memory(long seq) {
    MemorySegment alone = longer[slot(seq)];
    if (alone != null) {
      return alone;
    }
    int chunk = slot(seq) / FRAMES_PER_CHUNK;
    MemorySegment found = chunks[chunk];
    if (found == null) {
      found = Arena.ofAuto().allocate((long) FRAMES_PER_CHUNK * frameBytes, Long.BYTES);
      chunks[chunk] = found;
    }
    return found;
  }

  /** Where it lies there. */
  long at(long seq) {
    return longer[slot(seq)] != null ? 0 : (long) (slot(seq) % FRAMES_PER_CHUNK) * frameBytes;
  }

  int length(long seq) {
    return lengths[slot(seq)];
  }

  /** How long it may become. */
  int capacity(long seq) {
    MemorySegment alone = longer[slot(seq)];
    return alone == null ? frameBytes : (int) alone.byteSize();
  }

  /** Nothing is held any more. */
  void clear() {
    Arrays.fill(chunks, null);
    Arrays.fill(longer, null);
    spares.clear();
  }

  /** A frame of this number begins, empty, which may become so long. */
  void begin(long seq, int bytes) {
    begin(seq);
    if (bytes > frameBytes) {
      longer[slot(seq)] = alone(bytes);
    }
  }

  private MemorySegment alone(int bytes) {
    MemorySegment spare = spares.poll();
    boolean fits = spare != null && spare.byteSize() == bytes; // all of them are of one length
    return fits && spare != null ? spare : Arena.ofAuto().allocate(bytes, Long.BYTES);
  }

  /** A frame becomes no longer: if it is short after all, it lies with the short ones. */
  void trim(long seq) {
    MemorySegment alone = longer[slot(seq)];
    if (alone != null && length(seq) <= frameBytes) {
      longer[slot(seq)] = null;
      MemorySegment.copy(alone, 0, memory(seq), at(seq), length(seq));
      giveBack(alone);
    }
  }

  /** Nobody needs a frame any more. */
  void free(long seq) {
    MemorySegment alone = longer[slot(seq)];
    if (alone != null) {
      longer[slot(seq)] = null;
      lengths[slot(seq)] = 0;
      giveBack(alone);
    }
  }

  private void giveBack(MemorySegment alone) {
    if (spares.size() < SPARES_MAX) {
      spares.add(alone);
    }
  }

  /** A frame of this number begins, empty. */
  private void begin(long seq) {
    longer[slot(seq)] = null;
    lengths[slot(seq)] = 0;
    times[slot(seq)] = 0;
    marks[slot(seq)] = false;
  }

  /** A whole frame, which may be longer than those of this node. */
  void hold(long seq, MemorySegment from, long at, int length) {
    begin(seq);
    if (length > frameBytes) {
      longer[slot(seq)] = alone(length);
    }
    append(seq, from, at, length);
  }

  /** Puts bytes behind those that a frame has. */
  void append(long seq, MemorySegment from, long at, int length) {
    MemorySegment.copy(from, at, memory(seq), at(seq) + lengths[slot(seq)], length);
    lengths[slot(seq)] += length;
  }

  void appendLong(long seq, long word) {
    memory(seq).set(Words.LONG, at(seq) + lengths[slot(seq)], word);
    lengths[slot(seq)] += Long.BYTES;
  }

  void appendZeros(long seq, int length) {
    memory(seq).asSlice(at(seq) + lengths[slot(seq)], length).fill((byte) 0);
    lengths[slot(seq)] += length;
  }

  /** When a frame was sent, or asked for; whatever its user notes. */
  long time(long seq) {
    return times[slot(seq)];
  }

  void time(long seq, long ns) {
    times[slot(seq)] = ns;
  }

  boolean isMarked(long seq) {
    return marks[slot(seq)];
  }

  void mark(long seq, boolean on) {
    marks[slot(seq)] = on;
  }
}
