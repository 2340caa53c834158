package io.busbar.lab.stack;

import io.busbar.lab.Pattern;
import io.busbar.messages.InMessage;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.SplittableRandom;

/** A message inside its handler: what was received of it, each byte looked at. */
final class Reading {
  private static final int PIECE_BYTES_MAX = 1 << 18;

  /** So many pieces, about, are enough for a long message. */
  private static final int PIECES = 200;

  private final Sent sent;
  private final int from;
  private final Gauge.Waiting waiting;
  private final SplittableRandom random;
  private final int scale;
  private long received;
  private long limit;
  private boolean over;

  Reading(Sent sent, int from, Gauge.Waiting waiting, SplittableRandom random) {
    this.sent = sent;
    this.from = from;
    this.waiting = waiting;
    this.random = random;
    int drawn = 16 << random.nextInt(14);
    this.scale =
        (int)
            Math.min(
                PIECE_BYTES_MAX, Math.max(drawn, Math.max(sent.size(), sent.given()) / PIECES));
  }

  Sent sent() {
    return sent;
  }

  int from() {
    return from;
  }

  long received() {
    return received;
  }

  /** Until when it is left alone, or how much of it is wanted. */
  long limit() {
    return limit;
  }

  void limit(long drawn) {
    limit = drawn;
  }

  boolean isOver() {
    return over;
  }

  void over() {
    over = true;
    waiting.over();
    sent.over();
  }

  /** What was received before is accounted for. */
  void onFirst(byte[] bytes) {
    got(MemorySegment.ofArray(bytes), 0, bytes.length);
  }

  private void got(MemorySegment memory, long at, int bytes) {
    Promise.check(
        Pattern.matches(memory, at, bytes, sent.id(), received),
        "complete and unchanged",
        "%d bytes of %s from node %d, from byte %d on, are not those that were sent",
        bytes,
        sent,
        from,
        received);
    received += bytes;
  }

  // Handlers that can wait.

  /** Receives so many bytes, or up to the end, in pieces of any size and by any means. */
  void read(InMessage in, long wanted) {
    while (received < wanted && in.remaining() != 0) {
      long most = Math.min(scale, wanted - received);
      if (in.remaining() < 0) {
        if (!readSome(in, (int) most)) {
          return;
        }
      } else {
        int bytes = 1 + random.nextInt((int) Math.min(most, in.remaining()));
        readPiece(in, bytes);
      }
    }
  }

  private boolean readSome(InMessage in, int most) {
    byte[] into = new byte[most];
    waiting.ask(1);
    int bytes = in.receiveSome(into, 0, most);
    if (bytes < 0) {
      return false;
    }
    waiting.ask(bytes - 1L);
    got(MemorySegment.ofArray(into), 0, bytes);
    return true;
  }

  private void readPiece(InMessage in, int bytes) {
    waiting.ask(bytes);
    switch (random.nextInt(8)) {
      case 0 -> {
        in.skip(bytes);
        received += bytes;
      }
      case 1 -> {
        try (Arena own = Arena.ofConfined()) { // nobody else may write there
          MemorySegment into = own.allocate(bytes);
          in.receive(into);
          got(into, 0, bytes);
        }
      }
      case 2 -> {
        ByteBuffer into = ByteBuffer.allocate(bytes);
        in.receive(into);
        got(MemorySegment.ofArray(into.array()), 0, bytes);
      }
      case 3, 4 -> {
        byte[] into = new byte[bytes + 3];
        in.receive(into, 3, bytes);
        got(MemorySegment.ofArray(into), 3, bytes);
      }
      default -> {
        MemorySegment into = MemorySegment.ofArray(new byte[bytes]);
        in.receive(into);
        got(into, 0, bytes);
      }
    }
  }

  // Handlers that cannot.

  /** Receives at most so many bytes of those that are there. */
  void sip(InMessage in, long wanted) {
    long left = Math.min(wanted, in.available());
    while (left > 0) {
      int bytes = (int) Math.min(scale, left);
      waiting.ask(bytes);
      byte[] into = new byte[bytes];
      in.receive(into);
      got(MemorySegment.ofArray(into), 0, bytes);
      left -= bytes;
    }
  }

  /** All of it was received that its sender gave. */
  void checkComplete(InMessage in) {
    Promise.check(
        in.remaining() == 0 && received == sent.given() && in.length() == received,
        "complete and unchanged",
        "%d of %d bytes of %s from node %d were received, %d remain",
        received,
        in.length(),
        sent,
        from,
        in.remaining());
  }

  @Override
  public String toString() {
    return "%s from node %d, %d received".formatted(sent, from, received);
  }
}
