package io.busbar.wire;

import java.lang.foreign.MemorySegment;

/** What a message of MPI begins with: by whom, in which context, with which tag. */
public final class MpiEnvelope {
  static final int CONTEXT_AT = 0;
  static final int EPOCH_AT = 4;
  static final int FLAGS_AT = 6;
  static final int SOURCE_AT = 8;
  static final int TAG_AT = 12;
  static final int LENGTH_AT = 16;
  static final int NAME_AT = 24;
  static final int OBJECTS_AT = 28;

  /** Bytes of an envelope. */
  public static final int BYTES = 32;

  /** The sender waits until a receive has matched. */
  public static final int SYNC = 1;

  /** The payload does not follow: it is asked for. */
  public static final int LATER = 2;

  /** The payload is a stream of serialised objects. */
  public static final int OBJECTS = 4;

  private MpiEnvelope() {}

  /**
   * Writes one.
   *
   * @param name the sender's, if it wants an answer
   * @param objects that the payload holds, if it holds objects
   */
  public static void write(
      MemorySegment to,
      int context,
      int epoch,
      int flags,
      int source,
      int tag,
      long length,
      int name,
      int objects) {
    to.set(Le.INT, CONTEXT_AT, context);
    to.set(Le.SHORT, EPOCH_AT, (short) epoch);
    to.set(Le.SHORT, FLAGS_AT, (short) flags);
    to.set(Le.INT, SOURCE_AT, source);
    to.set(Le.INT, TAG_AT, tag);
    to.set(Le.LONG, LENGTH_AT, length);
    to.set(Le.INT, NAME_AT, name);
    to.set(Le.INT, OBJECTS_AT, objects);
  }

  /** The context of its communicator. */
  public static int context(MemorySegment envelope) {
    return envelope.get(Le.INT, CONTEXT_AT);
  }

  /** How often its sender had initialised MPI; 16 bits of it. */
  public static int epoch(MemorySegment envelope) {
    return Short.toUnsignedInt(envelope.get(Le.SHORT, EPOCH_AT));
  }

  /** {@link #SYNC}, {@link #LATER} and {@link #OBJECTS}. */
  public static int flags(MemorySegment envelope) {
    return Short.toUnsignedInt(envelope.get(Le.SHORT, FLAGS_AT));
  }

  /** The sender's rank in the communicator. */
  public static int source(MemorySegment envelope) {
    return envelope.get(Le.INT, SOURCE_AT);
  }

  /** The message's tag. */
  public static int tag(MemorySegment envelope) {
    return envelope.get(Le.INT, TAG_AT);
  }

  /** How long its payload is. */
  public static long length(MemorySegment envelope) {
    return envelope.get(Le.LONG, LENGTH_AT);
  }

  /** The sender's name for it. */
  public static int name(MemorySegment envelope) {
    return envelope.get(Le.INT, NAME_AT);
  }

  /** How many objects the payload holds. */
  public static int objects(MemorySegment envelope) {
    return envelope.get(Le.INT, OBJECTS_AT);
  }
}
