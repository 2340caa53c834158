package io.busbar.fabric.shm;

import io.busbar.wire.SharedSegment;
import java.lang.foreign.MemorySegment;

/**
 * Where a process learns that another has made a ring for it. A sender takes a slot by writing its
 * token into it, fills it, and says that it is ready; one that dies in between left its token, by
 * which the owner finds out.
 */
final class Mailbox {
  /** What to do with an announcement. */
  interface Reader {
    /** A peer made a ring for us, and knows us by a number. */
    void onAnnouncement(long token, long participant);

    /** Whether somebody who began to write still lives. */
    boolean isAlive(long token);
  }

  private final MemorySegment memory;
  private long read;

  /** The mailbox of this process's own segment. */
  Mailbox(MemorySegment memory) {
    this.memory = memory;
  }

  /** Whether something was announced since the last time. */
  boolean hasMail() {
    return Shared.acquire(memory, SharedSegment.MAIL_WORD) != read;
  }

  /** Takes what is ready. After an exception of the reader's the rest is there the next time. */
  void read(Reader reader) {
    long announced = Shared.acquire(memory, SharedSegment.MAIL_WORD);
    for (int i = 0; i < SharedSegment.MAIL_SLOTS; i++) {
      long at = slotAt(i);
      long token = Shared.acquire(memory, at + SharedSegment.MAIL_TOKEN_AT);
      if (token == 0) {
        continue;
      }
      boolean ready = Shared.acquire(memory, at + SharedSegment.MAIL_READY_AT) == token;
      if (ready) {
        long participant = Shared.acquire(memory, at + SharedSegment.MAIL_PARTICIPANT_AT);
        empty(at);
        reader.onAnnouncement(token, participant);
      } else if (!reader.isAlive(token)) {
        empty(at);
      }
    }
    read = announced;
  }

  private void empty(long at) {
    Shared.release(memory, at + SharedSegment.MAIL_READY_AT, 0);
    Shared.release(memory, at + SharedSegment.MAIL_TOKEN_AT, 0);
  }

  /**
   * Announces a ring in a peer's mailbox; false when that is full. The peer is to look either way:
   * what fills it may be of the dead.
   */
  static boolean announce(MemorySegment peer, long token, int participant) {
    boolean announced = false;
    for (int i = 0; i < SharedSegment.MAIL_SLOTS && !announced; i++) {
      long at = slotAt(i);
      if (Shared.replace(peer, at + SharedSegment.MAIL_TOKEN_AT, 0, token)) {
        Shared.release(peer, at + SharedSegment.MAIL_PARTICIPANT_AT, participant);
        Shared.release(peer, at + SharedSegment.MAIL_READY_AT, token);
        announced = true;
      }
    }
    Shared.increment(peer, SharedSegment.MAIL_WORD);
    return announced;
  }

  private static long slotAt(int slot) {
    return SharedSegment.MAILBOX + (long) slot * SharedSegment.MAIL_BYTES;
  }
}
