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

  /** The payload follows as a message of its own, which is not asked for. */
  public static final int FOLLOWS = 8;

  /** It goes to all ranks at once. */
  public static final int CAST = 16;

  /** Bits of the flags that say what the elements are. */
  private static final int BASE_SHIFT = 8;

  private static final int BASE_MASK = 0xF;

  private MpiEnvelope() {}

  /** Flags that say what the elements are, by a number from 1 to 15. */
  public static int withBase(int base) {
    return base << BASE_SHIFT;
  }

  /** The number of what the elements are; 0 if that is not said. */
  public static int base(int flags) {
    return flags >> BASE_SHIFT & BASE_MASK;
  }

  /**
   * Writes one.
   *
   * @param name the sender's, if it wants an answer or the payload follows
   * @param objects that the payload holds, if it holds objects
   */
  public static void write(
      MemorySegment to,
      long at,
      int context,
      int epoch,
      int flags,
      int source,
      int tag,
      long length,
      int name,
      int objects) {
    to.set(Le.INT, at + CONTEXT_AT, context);
    to.set(Le.SHORT, at + EPOCH_AT, (short) epoch);
    to.set(Le.SHORT, at + FLAGS_AT, (short) flags);
    to.set(Le.INT, at + SOURCE_AT, source);
    to.set(Le.INT, at + TAG_AT, tag);
    to.set(Le.LONG, at + LENGTH_AT, length);
    to.set(Le.INT, at + NAME_AT, name);
    to.set(Le.INT, at + OBJECTS_AT, objects);
  }

  // It is read as four words.

  /** The context of its communicator; of the first word. */
  public static int context(long first) {
    return (int) first;
  }

  /** How often its sender had initialised MPI; 16 bits of it, of the first word. */
  public static int epoch(long first) {
    return (int) (first >>> (8 * EPOCH_AT)) & 0xFFFF;
  }

  /**
   * {@link #SYNC}, {@link #LATER}, {@link #OBJECTS}, {@link #FOLLOWS}, {@link #CAST} and {@link
   * #base}; of the first word.
   */
  public static int flags(long first) {
    return (int) (first >>> (8 * FLAGS_AT));
  }

  /** The sender's rank in the communicator; of the second word. */
  public static int source(long second) {
    return (int) second;
  }

  /** The message's tag; of the second word. */
  public static int tag(long second) {
    return (int) (second >>> 32);
  }

  // The third word is the length of the payload.

  /** The sender's name for it; of the fourth word. */
  public static int name(long fourth) {
    return (int) fourth;
  }

  /** How many objects the payload holds; of the fourth word. */
  public static int objects(long fourth) {
    return (int) (fourth >>> 32);
  }
}
