package io.busbar.lab.stack;

import io.busbar.lab.Pattern;
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
  Sent draft(Deed deed, long size, int hops) {
    return new Sent(nextId++, deed, size, hops);
  }

  /** Messages of which a handler was done. */
  long arrivals() {
    return arrivals;
  }

  /** Bytes that handlers received. */
  long bytes() {
    return bytes;
  }

  void onOver(long received) {
    arrivals++;
    bytes += received;
  }

  private static Way reading(SimProcess by, int from) {
    return new Way(by.node(), by.life(), from);
  }

  /** Whether a process has heard a node before; if not, it shows what its first message says. */
  boolean hasHeard(SimProcess by, int from) {
    return read.containsKey(reading(by, from));
  }

  /** Which life of the sender's it is shows in the bytes of its first message. */
  void onFirst(SimProcess by, int from, Deed deed, int tag, byte[] first) {
    read.put(reading(by, from), find(by, from, deed, tag, first));
  }

  private Book find(SimProcess by, int from, Deed deed, int tag, byte[] first) {
    List<Book> all = new ArrayList<>();
    for (Book book : written.values()) {
      if (book.from().node() == from && book.to() == by.node()) {
        Sent next = book.peek(deed, tag, first.length);
        MemorySegment memory = MemorySegment.ofArray(first);
        if (next != null && Pattern.matches(memory, 0, first.length, next.id(), 0)) {
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
        first.length,
        from,
        all);
    return all.getFirst();
  }

  /** A handler is called for a message of somebody who was heard before. */
  Sent onStart(SimProcess by, int from, Deed deed, int tag, long length) {
    Book book = read.get(reading(by, from));
    if (book == null) {
      throw new IllegalStateException("node %d has not heard node %d".formatted(by.node(), from));
    }
    return book.onStart(by, deed, tag, length);
  }
}
