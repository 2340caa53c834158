package io.busbar.lab.stack;

import io.busbar.lab.Pattern;
import io.busbar.lab.Violation;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What one life of a node sent to another node, in order, and how far that has arrived. */
final class Book {
  private final SimProcess from;
  private final int to;
  private final List<Sent> sent = new ArrayList<>();
  private @Nullable SimProcess reader;
  private int arrived;
  private long acceptedBytes;
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

  /** Who reads it; null before the first message has arrived. */
  @Nullable SimProcess reader() {
    return reader;
  }

  int sent() {
    return sent.size();
  }

  int arrived() {
    return arrived;
  }

  /** Bytes of the messages that were taken to be sent. */
  long acceptedBytes() {
    return acceptedBytes;
  }

  boolean isComplete() {
    return arrived == sent.size();
  }

  /** Whether the writer was told that not everything has arrived. */
  boolean isTold() {
    return gone != null || undelivered;
  }

  boolean isGone() {
    return gone != null;
  }

  // The writer.

  void add(Sent message) {
    Promise.check(
        gone == null, "gone means gone", "%s: message %d was taken afterwards", name(), sent());
    sent.add(message);
    acceptedBytes += message.length();
  }

  void onGone(String why) {
    gone = why;
  }

  void onUndelivered() {
    undelivered = true;
  }

  // The reader.

  /** Whether what came can be the next message of this book. */
  boolean isNext(Deed deed, int length, MemorySegment bytes, int read) {
    return !isComplete() && fits(sent.get(arrived), deed, length, bytes, read);
  }

  private static boolean fits(Sent one, Deed deed, int length, MemorySegment bytes, int read) {
    return one.deed() == deed
        && one.length() == length
        && Pattern.matches(bytes, 0, read, one.id(), 0);
  }

  /** A message has come: it must be the next one, unchanged, and in the life that reads this. */
  Sent onArrival(SimProcess by, Deed deed, int length, MemorySegment bytes, int read) {
    if (!isNext(deed, length, bytes, read)) {
      throw wrong(deed, length, bytes, read);
    }
    Promise.check(
        reader == null || by.equals(reader),
        "nothing across incarnations",
        "%s: message %d was read by another life than those before",
        name(),
        arrived);
    reader = by;
    return sent.get(arrived++);
  }

  private Violation wrong(Deed deed, int length, MemorySegment bytes, int read) {
    for (int i = 0; i < sent.size(); i++) {
      if (read > 0 && fits(sent.get(i), deed, length, bytes, read)) {
        return new Violation(
            "once and in order",
            "%s: message %d came when %d was next".formatted(name(), i, arrived));
      }
    }
    return new Violation(
        isComplete() ? "nothing invented" : "complete and unchanged",
        "%s: %s of %d bytes came when message %d of %d was next: %s"
            .formatted(
                name(),
                deed,
                length,
                arrived,
                sent.size(),
                isComplete() ? "there is none" : sent.get(arrived)));
  }

  String name() {
    return "node %d (life %d) to node %d".formatted(from.node(), from.life(), to);
  }

  @Override
  public String toString() {
    return "%s: %d of %d arrived%s".formatted(name(), arrived, sent(), isTold() ? ", told" : "");
  }
}
