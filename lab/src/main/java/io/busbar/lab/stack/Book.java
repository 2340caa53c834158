package io.busbar.lab.stack;

import io.busbar.lab.Violation;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What one life of a node sent to another node, in order, and how far that has arrived. */
final class Book {
  private final SimProcess from;
  private final int to;
  private final List<Sent> sent = new ArrayList<>();
  private @Nullable SimProcess reader;

  /** Those before it have started at the reader, or never will. */
  private int next;

  /** The last one that has started at the reader; negative: none has. */
  private int last = -1;

  /** Messages that may wait for a channel. */
  private final List<Sent> waiting = new ArrayList<>();

  /** The first of which something is to be expected. */
  private int settled;

  private @Nullable String gone;
  private boolean undelivered;

  Book(SimProcess from, int to) {
    this.from = from;
    this.to = to;
  }

  SimProcess from() {
    return from;
  }

  int to() {
    return to;
  }

  int sent() {
    return sent.size();
  }

  /** Bytes of the messages that were taken to be sent. */
  long givenBytes() {
    long bytes = 0;
    for (Sent one : sent) {
      bytes += one.given();
    }
    return bytes;
  }

  /** Whether nothing of it is still to be expected. */
  boolean isComplete() {
    while (settled < sent.size() && sent.get(settled).isSettled()) {
      settled++;
    }
    for (int i = settled; i < sent.size(); i++) {
      if (!sent.get(i).isSettled()) {
        return false;
      }
    }
    return true;
  }

  /** Whether the writer was told that not everything has arrived. */
  boolean isTold() {
    return gone != null || undelivered;
  }

  boolean isGone() {
    return gone != null;
  }

  // The writer.

  /** A message was begun, or sent. */
  void add(Sent message) {
    sent.add(message);
  }

  /** What follows may pass a message, because it may wait for a channel. */
  void waits(Sent message) {
    if (!message.isWaiting()) {
      message.waits();
      waiting.add(message);
    }
  }

  boolean hasWaiting() {
    return !waiting.isEmpty();
  }

  /** A message that waited has begun. */
  void hasBegun(Sent message) {
    if (waiting.remove(message)) {
      message.hasBegun(sent.size());
    }
  }

  /** Nothing waits for a channel. */
  void allHaveBegun() {
    waiting.forEach(message -> message.hasBegun(sent.size()));
    waiting.clear();
  }

  /** A message was taken, all of it or its beginning. */
  void accepted(Sent message, boolean wasGone) {
    Promise.check(!wasGone, "gone means gone", "%s: %s was taken afterwards", name(), message);
  }

  void onGone(String why) {
    gone = why;
  }

  void onUndelivered() {
    undelivered = true;
  }

  // The reader.

  /** The message that starts next, if what came can be it; null if it cannot. */
  @Nullable Sent peek(Deed deed, int tag, long length) {
    int found = find(deed, tag, length);
    return found < 0 ? null : sent.get(found);
  }

  private int find(Deed deed, int tag, long length) {
    for (int i = next; i < sent.size() && mayPass(i); i++) {
      Sent one = sent.get(i);
      if (mayStart(i) && one.fits(deed, tag, length)) {
        return i;
      }
    }
    return -1;
  }

  /** Whether a message has not started, and was not passed by one that must not. */
  private boolean mayStart(int number) {
    Sent one = sent.get(number);
    return !one.isStarted() && (last < number || one.mayBePassedBy(last));
  }

  /** Whether all that were begun before one have started, or may start later, or never left. */
  private boolean mayPass(int number) {
    for (int i = next; i < number; i++) {
      Sent one = sent.get(i);
      if (mayStart(i) && !one.isBroken() && !one.mayBePassedBy(number)) {
        return false;
      }
    }
    return true;
  }

  /** A message starts: it must be the next one, and in the life that reads this. */
  Sent onStart(SimProcess by, Deed deed, int tag, long length) {
    int found = find(deed, tag, length);
    if (found < 0) {
      throw wrong(deed, tag, length);
    }
    Sent one = sent.get(found);
    Promise.check(
        reader == null || by.equals(reader),
        "nothing across incarnations",
        "%s: %s was read by another life than those before",
        name(),
        one);
    reader = by;
    one.start();
    last = Math.max(last, found);
    while (next < sent.size() && !mayStart(next)) {
      next++;
    }
    return one;
  }

  private Violation wrong(Deed deed, int tag, long length) {
    for (int i = 0; i < sent.size(); i++) {
      if (sent.get(i).fits(deed, tag, length)) {
        return new Violation(
            "once and in order",
            "%s: %s started when %d was next".formatted(name(), sent.get(i), next));
      }
    }
    return new Violation(
        next == sent.size() ? "nothing invented" : "complete and unchanged",
        "%s: %s (tag %d) of %d bytes started when message %d of %d was next: %s"
            .formatted(
                name(),
                deed,
                tag,
                length,
                next,
                sent.size(),
                next == sent.size() ? "there is none" : sent.get(next)));
  }

  String name() {
    return "node %d (life %d) to node %d".formatted(from.node(), from.life(), to);
  }

  /** The first message that is still to be expected. */
  private String missing() {
    return isComplete() ? "" : ", first missing " + sent.get(settled);
  }

  @Override
  public String toString() {
    return "%s: %d of %d started%s%s"
        .formatted(name(), next, sent(), isTold() ? ", told" : "", missing());
  }
}
