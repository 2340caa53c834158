package io.busbar.mpi;

import io.busbar.node.Content;
import io.busbar.wire.MpiEnvelope;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * An envelope, and the payload if it goes with it, as they are written to where they leave from.
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

  /** How long it is. */
  int length() {
    return MpiEnvelope.BYTES + (memory == null ? 0 : (int) bytes);
  }

  /** The program's memory is not held any longer than it must be. */
  void clear() {
    memory = null;
  }

  @Override
  public void write(MemorySegment into, long place) {
    MpiEnvelope.write(into, place, context, epoch, flags, source, tag, bytes, name, objects);
    if (memory != null && bytes > 0) {
      type.packAll(memory, at, count, into, place + MpiEnvelope.BYTES);
    }
  }
}
