package io.busbar.bus;

import java.lang.foreign.MemorySegment;

/** Who sends and reads broadcasts. Called inside {@link Casting}'s calls. */
public interface CastUser {
  /** A stream begins for this node, before a message of this number. */
  void onBegin(CastIn in, long message);

  /** The next bytes of a stream; they are borrowed. {@link Casting#done} gives their room back. */
  void onBytes(CastIn in, MemorySegment memory, long at, int length);

  /**
   * The stream goes on before a message of this number; what lies between is missing for good, and
   * of what was begun nothing more comes.
   */
  void onGap(CastIn in, long message);

  /**
   * The sender does not wait for this node any longer, or the stream was torn; the sender will say
   * where it goes on.
   */
  void onEvicted(CastIn in);

  /**
   * The sender is held to be dead: what was begun may never end. If it comes back in the same life,
   * the stream goes on with the next byte, or {@link #onGap} says where.
   */
  void onDead(CastIn in);

  /** The stream is over: its sender has left, was dead for long, or lives another life. */
  void onEnd(CastIn in);

  /** A reader has held back the sender for too long; it is not waited for any longer. */
  void onEvicted(CastOut out, int reader);

  /** A stream that refused a record takes one again. */
  void onRoom(CastOut out);
}
