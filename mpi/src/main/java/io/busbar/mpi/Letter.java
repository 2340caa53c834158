package io.busbar.mpi;

import io.busbar.node.Content;
import io.busbar.wire.MpiEnvelope;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * An envelope, and the payload or the first part of it if that goes with it, or a later part, as
 * they are written to where they leave from.
 */
final class Letter implements Content {
  private int context;
  private int epoch;
  private int flags;
  private int source;
  private int tag;
  private long bytes;
  private int name;
  private int objects;
  private @Nullable Object memory;
  private long at;
  private int count;
  private Datatype type = Datatype.BYTE;
  private @Nullable MemorySegment part;
  private long partAt;
  private int partBytes;
  private boolean isLaterPart;

  /** The envelope. */
  void address(
      int inContext,
      int ofEpoch,
      int withFlags,
      int by,
      int withTag,
      long length,
      int as,
      int objectCount) {
    context = inContext;
    epoch = ofEpoch;
    flags = withFlags;
    source = by;
    tag = withTag;
    bytes = length;
    name = as;
    objects = objectCount;
  }

  /** The payload; null: it does not go with it. */
  void enclose(@Nullable Object from, long offset, int elements, Datatype of) {
    memory = from;
    at = offset;
    count = elements;
    type = of;
  }

  /** The first part of the payload. */
  void enclosePart(MemorySegment payload, int length) {
    part = payload;
    partAt = 0;
    partBytes = length;
  }

  /** No envelope, but a later part of a payload, under the name of the envelope. */
  void laterPart(int of, MemorySegment payload, long offset, int length) {
    isLaterPart = true;
    name = of;
    part = payload;
    partAt = offset;
    partBytes = length;
  }

  /** How long it is. */
  int length() {
    int head = isLaterPart ? Incoming.HEAD_BYTES : MpiEnvelope.BYTES;
    return head + partBytes + (memory == null ? 0 : (int) bytes);
  }

  /** The program's memory is not held any longer than it must be. */
  void clear() {
    memory = null;
    part = null;
    partBytes = 0;
    isLaterPart = false;
  }

  @Override
  public void write(MemorySegment into, long place) {
    if (isLaterPart) {
      Incoming.writeHead(into, place, name);
      writePart(into, place + Incoming.HEAD_BYTES);
      return;
    }
    MpiEnvelope.write(into, place, context, epoch, flags, source, tag, bytes, name, objects);
    if (memory != null && bytes > 0) {
      type.packAll(memory, at, count, into, place + MpiEnvelope.BYTES);
    } else {
      writePart(into, place + MpiEnvelope.BYTES);
    }
  }

  private void writePart(MemorySegment into, long place) {
    if (part != null) {
      MemorySegment.copy(part, partAt, into, place, partBytes);
    }
  }
}
