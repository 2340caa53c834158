package io.busbar.lab.stack;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The books of a run: every message that was sent, and every arrival checked against them. */
final class Books {
  /** From which life, to which node. */
  private record Way(int from, int life, int to) {}

  private final Map<Way, Book> written = new LinkedHashMap<>();

  /** What a life reads from a node: it hears but one life of it. */
  private final Map<Way, Book> read = new LinkedHashMap<>();

  private long nextId;
  private long arrivals;
  private long bytes;

  Collection<Book> all() {
    return written.values();
  }

  /** What a process sends to a node. */
  Book of(SimProcess from, int to) {
    return written.computeIfAbsent(
        new Way(from.node(), from.life(), to), way -> new Book(from, to));
  }

  /** A message that will be sent. */
  Sent draft(Deed deed, int length, int hops) {
    return new Sent(nextId++, deed, length, hops);
  }

  long arrivals() {
    return arrivals;
  }

  long bytes() {
    return bytes;
  }

  /**
   * A message has come to a process.
   *
   * @param memory its first {@code got} bytes
   */
  Sent onArrival(SimProcess by, int from, Deed deed, int length, MemorySegment memory, int got) {
    Way way = new Way(by.node(), by.life(), from);
    Book book = read.get(way);
    if (book == null) {
      book = find(by, from, deed, length, memory, got);
      read.put(way, book);
    }
    Sent sent = book.onArrival(by, deed, length, memory, got);
    arrivals++;
    bytes += length;
    return sent;
  }

  /** Which life of the sender's it is shows in the bytes of its first message. */
  private Book find(SimProcess by, int from, Deed deed, int length, MemorySegment memory, int got) {
    List<Book> all = new ArrayList<>();
    for (Book book : written.values()) {
      if (book.from().node() == from && book.to() == by.node()) {
        if (book.isNext(deed, length, memory, got)) {
          return book;
        }
        all.add(book);
      }
    }
    Promise.check(
        all.size() == 1,
        "nothing invented",
        "node %d got %s of %d bytes from node %d; its lives sent: %s",
        by.node(),
        deed,
        length,
        from,
        all);
    return all.getFirst();
  }
}
