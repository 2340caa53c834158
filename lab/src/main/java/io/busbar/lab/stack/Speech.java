package io.busbar.lab.stack;

import io.busbar.lab.Pattern;
import io.busbar.messages.MessageException;
import io.busbar.messages.MessageException.Mistake;
import io.busbar.messages.Messages;
import io.busbar.messages.OutMessage;
import java.lang.foreign.MemorySegment;

/** A message that is sent in pieces, and written into the books as it is. */
final class Speech {
  private final Speaker speaker;
  private final OutMessage out;
  private final int to;
  private final Sent sent;
  private boolean open = true;

  /** Whether it needs no channel any more that it might have to wait for. */
  private boolean begun;

  Speech(Speaker speaker, OutMessage out, int to, Sent sent) {
    this.speaker = speaker;
    this.out = out;
    this.to = to;
    this.sent = sent;
    this.begun = sent.size() > Messages.WHOLE_BYTES_MAX;
  }

  int to() {
    return to;
  }

  boolean isOpen() {
    return open;
  }

  /** Bytes that were announced and not given; some, if none were announced. */
  long left() {
    return sent.size() < 0 ? Long.MAX_VALUE : sent.size() - sent.given();
  }

  private MemorySegment bytes(int length) {
    MemorySegment memory = MemorySegment.ofArray(new byte[length]);
    Pattern.write(memory, 0, length, sent.id(), sent.given());
    return memory;
  }

  /** Sends a piece; waits if it must. */
  void send(int length) {
    MemorySegment piece = bytes(length);
    sent.give(length);
    SimProcess.Moment start = speaker.now();
    boolean waits = mayWait(isLong());
    try {
      out.send(piece);
    } catch (MessageException e) {
      broken(e, start);
    }
    hasWaited(waits, true);
    piece.fill((byte) 0x55); // when a call returns, its memory may be changed
  }

  /** Sends a piece if that needs no waiting. */
  boolean trySend(int length) {
    MemorySegment piece = bytes(length);
    sent.give(length);
    SimProcess.Moment start = speaker.now();
    boolean waits = mayWait(isLong());
    try {
      boolean taken = out.trySend(piece, 0, length);
      hasWaited(waits, taken);
      sent.give(taken ? 0 : -length);
      piece.fill((byte) 0x55);
      return taken;
    } catch (MessageException e) {
      broken(e, start);
      out.abandon();
      return false;
    }
  }

  /** More than was announced is refused, and changes nothing. */
  void exceed() {
    try {
      out.send(MemorySegment.ofArray(new byte[(int) left() + 1]));
    } catch (MessageException e) {
      Promise.check(
          e.mistake() == Mistake.SIZE_EXCEEDED, "refused by name", "%s after %s", e, sent);
      return;
    }
    throw Promise.broken("refused by name", "more was taken than was announced: " + sent);
  }

  void flush() {
    SimProcess.Moment start = speaker.now();
    boolean waits = mayWait(true);
    try {
      out.flush();
    } catch (MessageException e) {
      broken(e, start);
      out.abandon();
    }
    hasWaited(waits, true);
  }

  private boolean isLong() {
    return sent.size() < 0 && sent.given() > Messages.WHOLE_BYTES_MAX;
  }

  /** What needs a channel now, for the first time, is passed by others while it waits for it. */
  private boolean mayWait(boolean needsChannel) {
    boolean waits = needsChannel && !begun;
    if (waits) {
      speaker.mayWait(to, sent);
    }
    return waits;
  }

  /** It has waited, if it might; only who did not get on may wait on. */
  private void hasWaited(boolean waits, boolean done) {
    if (waits && done) {
      speaker.hasWaited(to, sent);
      begun = sent.given() > 0;
    }
  }

  /** Ends it; waits if it must. Less than was announced breaks it off. */
  void close() {
    boolean all = endsAll();
    SimProcess.Moment start = speaker.now();
    try {
      out.close();
      ended(all);
    } catch (MessageException e) {
      broken(e, start);
      out.close(); // a second call does nothing
    }
  }

  /** Ends it if that needs no waiting; whether it did. */
  boolean tryClose() {
    boolean all = endsAll();
    SimProcess.Moment start = speaker.now();
    try {
      if (out.tryClose()) {
        ended(all);
      } else if (open) {
        sent.reopen();
      }
    } catch (MessageException e) {
      broken(e, start);
      out.close();
    }
    return !open;
  }

  private boolean endsAll() {
    boolean all = sent.size() < 0 || left() == 0;
    if (all) {
      Sent _ = sent.end();
    }
    return all;
  }

  private void ended(boolean all) {
    Promise.check(all, "refused by name", "less was given than was announced: %s", sent);
    open = false;
    speaker.onSpoken(this, "ends one to", sent.id());
  }

  void abandon() {
    open = false;
    sent.breakOff();
    speaker.onSpoken(this, "abandons one to", sent.id());
    out.abandon();
  }

  private void broken(MessageException why, SimProcess.Moment start) {
    open = false;
    sent.breakOff();
    speaker.onSpoken(this, "breaks off one to", sent.id());
    if (why.mistake() == Mistake.SIZE_UNDERSHOT) {
      Promise.check(left() > 0, "refused by name", "%s: %s", why, sent);
    } else {
      speaker.onRefused(to, why, start);
    }
  }
}
