package io.busbar.lab.stack;

import io.busbar.lab.Pattern;
import io.busbar.messages.Handler;
import io.busbar.messages.MessageException;
import io.busbar.messages.MessageException.Mistake;
import io.busbar.messages.Messages;
import io.busbar.messages.OutMessage;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/** What one program sends: each message is written into the books in the order of beginning. */
final class Speaker {
  private static final int WORDS_BYTES = 16;
  private static final ValueLayout.OfInt INT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  /** What handlers may have sent that could not leave yet, as {@code Messages} promises. */
  private static final long DEFERRED_BYTES_MAX = 4 << 20;

  /** Headers are not counted when it is looked at that bound. */
  private static final long DEFERRED_SLACK = 1 << 10;

  private final Referee referee;
  private final SimProcess process;
  private final Messages messages;
  private long patienceNs = Long.MAX_VALUE;
  private boolean inside;

  Speaker(Referee referee, SimProcess process, Messages messages) {
    this.referee = referee;
    this.process = process;
    this.messages = messages;
  }

  /** What is sent inside a handler may be refused, because too much of it waits. */
  void inside(boolean isInside) {
    inside = isInside;
  }

  void patience(long ns) {
    patienceNs = ns;
    messages.patience(ns);
  }

  SimProcess.Moment now() {
    return process.now();
  }

  // Whole messages.

  /** Sends, and waits if it must; false when it was refused. */
  boolean send(int to, Deed deed, long length, int hops) {
    return length > Messages.WHOLE_BYTES_MAX
        ? sendLong(to, deed, length, hops)
        : sendWhole(to, deed, (int) length, hops, false);
  }

  /** Sends if it can be done at once. */
  boolean trySend(int to, Deed deed, int length) {
    return sendWhole(to, deed, length, 0, true);
  }

  private boolean sendWhole(int to, Deed deed, int length, int hops, boolean onlyTry) {
    Book book = referee.books().of(process, to);
    look(book);
    Sent sent = draft(book, deed, length, hops);
    boolean wasGone = book.isGone();
    SimProcess.Moment start = now();
    try {
      if (!give(to, sent, onlyTry)) {
        return false;
      }
    } catch (MessageException e) {
      onRefused(to, e, start);
      return false;
    }
    book.add(sent);
    book.accepted(sent, wasGone);
    referee.note(process, "sends to", to, sent.id());
    checkDeferred();
    return true;
  }

  /** The first message of a book says which life wrote it. */
  private Sent draft(Book book, Deed deed, int length, int hops) {
    boolean first = book.sent() == 0;
    Deed what = first && !deed.canBeFirst() ? Deed.TAKE : deed;
    int bytes = what == Deed.WORDS ? WORDS_BYTES : first ? Math.max(length, WORDS_BYTES) : length;
    Sent sent = referee.books().draft(what, bytes, hops);
    sent.give(bytes);
    return sent.end();
  }

  private static MemorySegment bytes(Sent sent) {
    MemorySegment memory = MemorySegment.ofArray(new byte[(int) sent.given()]);
    Pattern.write(memory, 0, (int) sent.given(), sent.id(), 0);
    return memory;
  }

  private boolean give(int to, Sent sent, boolean onlyTry) {
    Handler handler = sent.deed().handler(sent.tag());
    MemorySegment memory = bytes(sent);
    int length = (int) sent.given();
    if (sent.deed() == Deed.WORDS) {
      messages.send(
          to,
          handler,
          memory.get(INT, 0),
          memory.get(INT, 4),
          memory.get(INT, 8),
          memory.get(INT, 12));
      return true;
    }
    if (onlyTry) {
      return messages.trySend(to, handler, memory, 0, length);
    }
    messages.send(to, handler, memory, 0, length);
    memory.fill((byte) 0x55); // it may be changed now
    return true;
  }

  // Long messages.

  private boolean sendLong(int to, Deed deed, long length, int hops) {
    Book book = referee.books().of(process, to);
    if (!introduce(book)) {
      return false;
    }
    Sent sent = referee.books().draft(deed, length, hops);
    sent.give(length);
    MemorySegment memory = bytes(sent);
    boolean wasGone = book.isGone();
    look(book);
    book.add(sent.end());
    book.waits(sent);
    referee.note(process, "sends long to", to, sent.id());
    SimProcess.Moment start = now();
    try {
      messages.send(to, deed.handler(sent.tag()), memory, 0, length);
    } catch (MessageException e) {
      sent.breakOff();
      onRefused(to, e, start);
      return false;
    } finally {
      hasWaited(book, sent);
    }
    memory.fill((byte) 0x55);
    book.accepted(sent, wasGone);
    checkDeferred();
    return true;
  }

  private boolean introduce(Book book) {
    return book.sent() > 0 || sendWhole(book.to(), Deed.TAKE, WORDS_BYTES, 0, false);
  }

  /** Begins a message; null when it was refused, or has to wait and shall not. */
  @Nullable Speech begin(int to, Deed deed, long size, int hops, boolean onlyTry) {
    Book book = referee.books().of(process, to);
    if (!introduce(book)) {
      return null;
    }
    Deed what = deed == Deed.WORDS ? Deed.TAKE : deed;
    Sent sent = referee.books().draft(what, size, hops);
    Handler handler = what.handler(sent.tag());
    boolean wasGone = book.isGone();
    look(book);
    book.add(sent);
    if (size > Messages.WHOLE_BYTES_MAX) {
      book.waits(sent);
    }
    referee.note(process, "begins one to", to, sent.id());
    SimProcess.Moment start = now();
    OutMessage out;
    try {
      out = onlyTry ? messages.tryBegin(to, size, handler) : messages.begin(to, size, handler);
    } catch (MessageException e) {
      sent.breakOff();
      onRefused(to, e, start);
      return null;
    } finally {
      hasWaited(book, sent);
    }
    if (out == null) {
      sent.breakOff();
      return null;
    }
    book.accepted(sent, wasGone);
    return new Speech(this, out, to, sent);
  }

  // Messages that wait for a channel, and are passed.

  /** A message may need a channel now, and wait for it. */
  void mayWait(int to, Sent sent) {
    Book book = referee.books().of(process, to);
    look(book);
    book.waits(sent);
  }

  /** The same message has been sent, or some of it: outside of handlers that waited for it. */
  void hasWaited(int to, Sent sent) {
    hasWaited(referee.books().of(process, to), sent);
  }

  private void hasWaited(Book book, Sent sent) {
    if (inside) {
      look(book);
    } else {
      book.hasBegun(sent);
    }
  }

  /** What was passed so far is not passed any more, if nothing waits for a channel. */
  private void look(Book book) {
    if (book.hasWaiting() && messages.held().waiting() == 0) {
      book.allHaveBegun();
    }
  }

  void onSpoken(Speech speech, String what, long id) {
    referee.note(process, what, speech.to(), id);
    checkDeferred();
  }

  // Refusals.

  /**
   * A node that is gone, too much sent inside handlers, a patience that has ended: nothing else is
   * a reason to refuse.
   */
  void onRefused(int to, MessageException why, SimProcess.Moment start) {
    if (why.mistake() == Mistake.NODE_GONE) {
      referee.onGone(process, to, String.valueOf(why.getMessage()));
      referee.note(process, "is refused by", to, 0);
    } else if (why.mistake() == Mistake.TOO_MUCH_DEFERRED && inside) {
      referee.onRefused();
      referee.note(process, "defers too much for", to, 0);
    } else if (why.mistake() == Mistake.TIMED_OUT && !inside) {
      Promise.check(
          process.sinceNs(start) >= patienceNs,
          "patience",
          "%s after %d ns of %d",
          why,
          process.sinceNs(start),
          patienceNs);
      referee.onTimedOut();
      referee.note(process, "waits no longer for", to, 0);
    } else {
      throw why;
    }
  }

  /** What handlers sent and could not leave waits in memory: within its bound. */
  private void checkDeferred() {
    long deferred = messages.held().deferredBytes();
    Promise.check(
        deferred <= DEFERRED_BYTES_MAX + DEFERRED_SLACK,
        "memory within its bound",
        "handlers of node %d have sent %d bytes that could not leave",
        process.node(),
        deferred);
  }
}
