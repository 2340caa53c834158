package io.busbar.messages;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Streams from node to node that can be checked: numbered messages, and long messages of unknown
 * size with a counter every 4 KB. Both ends have one.
 */
final class Talk {
  static final Handler TAKE = Handler.named("take");
  static final Handler LONG = Handler.named("long");
  private static final int MESSAGE_BYTES = 1_000;
  private static final int CHUNK_BYTES = 64 << 10;
  private static final int STEP_BYTES = 4 << 10;

  private final Messages fm;

  /** Numbers of the last messages, by node. */
  final AtomicLongArray heard;

  final AtomicLongArray sent;

  /** Bytes of long messages, by node. */
  final AtomicLongArray longHeard;

  final AtomicLongArray longSent;

  /** Long messages that came to their end, by node. */
  final AtomicLongArray longEnds;

  /** What was wrong with what came. */
  final List<String> faults = Collections.synchronizedList(new ArrayList<>());

  /** What handlers of long messages were told in the middle of a message. */
  final List<MessageException> brokenOff = Collections.synchronizedList(new ArrayList<>());

  private volatile boolean enough;

  Talk(Messages fm) {
    this.fm = fm;
    int size = fm.node().size();
    heard = new AtomicLongArray(size);
    sent = new AtomicLongArray(size);
    longHeard = new AtomicLongArray(size);
    longSent = new AtomicLongArray(size);
    longEnds = new AtomicLongArray(size);
    Handler _ = fm.handler(TAKE.name(), this::take);
    Handler _ = fm.handler(LONG.name(), this::takeLong);
  }

  private void take(InMessage in, int from) {
    long number = in.receiveLong();
    long expected = heard.get(from) + 1;
    if (number != expected || in.length() != MESSAGE_BYTES) {
      faults.add("%d of node %d instead of %d".formatted(number, from, expected));
    }
    heard.set(from, number);
  }

  private void takeLong(InMessage in, int from) {
    MemorySegment chunk = Arena.ofAuto().allocate(CHUNK_BYTES, 8);
    long bytes = 0;
    try {
      int filled = 0;
      int more = 0;
      while (more >= 0) {
        more = in.receiveSome(chunk, filled, CHUNK_BYTES - filled);
        filled += Math.max(0, more);
        if (filled == CHUNK_BYTES) {
          check(chunk, bytes, from);
          bytes += filled;
          longHeard.set(from, bytes);
          filled = 0;
        }
      }
      if (filled != 0) {
        faults.add("the long message of node %d has %d bytes too many".formatted(from, filled));
      }
      longEnds.incrementAndGet(from);
    } catch (MessageException e) {
      brokenOff.add(e);
      throw e;
    }
  }

  private void check(MemorySegment chunk, long before, int from) {
    for (int at = 0; at < CHUNK_BYTES; at += STEP_BYTES) {
      long counter = chunk.get(Little.LONG, at);
      if (counter != before + at) {
        faults.add(
            "%d instead of %d in the stream of node %d".formatted(counter, before + at, from));
      }
    }
  }

  /** The streams end after what they are sending. */
  void enough() {
    enough = true;
  }

  /** Sends numbered messages until it is enough. */
  void stream(int to) {
    MemorySegment message = Arena.ofAuto().allocate(MESSAGE_BYTES, 8);
    for (long number = 1; !enough; number++) {
      message.set(Little.LONG, 0, number);
      fm.send(to, TAKE, message, 0, MESSAGE_BYTES);
      sent.set(to, number);
    }
  }

  /** Sends a message of unknown size, until it is enough or it had so many bytes. */
  void streamLong(int to, long bytesMax) {
    MemorySegment chunk = Arena.ofAuto().allocate(CHUNK_BYTES, 8);
    try (OutMessage out = fm.begin(to, Messages.SIZE_UNKNOWN, LONG)) {
      for (long bytes = 0; bytes < bytesMax && !enough; bytes += CHUNK_BYTES) {
        for (int at = 0; at < CHUNK_BYTES; at += STEP_BYTES) {
          chunk.set(Little.LONG, at, bytes + at);
        }
        out.send(chunk, 0, CHUNK_BYTES);
        longSent.set(to, bytes + CHUNK_BYTES);
      }
    }
  }
}
