package io.busbar.fabric.modes;

import io.busbar.linux.ThisProcess;
import io.busbar.memory.Crossover;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Objects;

/** Both ends of a channel, and memory of all kinds to send from and to receive into. */
final class Channel implements AutoCloseable {
  static final int PAGE = ThisProcess.pageBytes();
  static final long MESSAGE_MAX = 8L * PAGE;

  /** Small, and exchanges whatever fills a page. */
  static final ModesConfig CONFIG =
      new ModesConfig(8, 8, 2, MESSAGE_MAX, 2 * MESSAGE_MAX, false, Crossover.at(PAGE));

  final ModeSender sender;
  final ModeReceiver receiver;
  final Arena arena = Arena.ofShared();
  private final MemorySegment direct;
  private final MemorySegment sendPages;
  private final MemorySegment privateOut = arena.allocate(MESSAGE_MAX, PAGE);
  private final MemorySegment inbound;
  private final MemorySegment receivePages;
  private final MemorySegment privateIn = arena.allocate(MESSAGE_MAX, PAGE);

  Channel() {
    this(CONFIG);
  }

  Channel(ModesConfig config) {
    sender = new ModeSender(config);
    receiver = new ModeReceiver(sender.path(), config);
    direct = sender.direct();
    sendPages = sender.pages();
    inbound = receiver.inbound();
    receivePages = receiver.pages(MESSAGE_MAX);
  }

  /** The memory that a mode is meant for. */
  MemorySegment from(SendMode mode) {
    return switch (mode) {
      case DIRECT -> direct;
      case EXCHANGE -> sendPages;
      case PIO, COPY, VIRTUAL -> privateOut;
    };
  }

  /** The memory that a mode is meant for. */
  MemorySegment into(ReceiveMode mode) {
    return switch (mode) {
      case DIRECT -> inbound;
      case EXCHANGE -> receivePages;
      case COPY, VIRTUAL -> privateIn;
    };
  }

  /** Fills memory with a message that a number names. */
  static void fill(MemorySegment memory, long offset, long length, int message) {
    for (long i = 0; i < length; i++) {
      memory.set(ValueLayout.JAVA_BYTE, offset + i, byteOf(message, i));
    }
  }

  private static byte byteOf(int message, long at) {
    return (byte) (message * 31L + at * 7 + (at >> 12));
  }

  /** Fails unless memory holds the message. */
  static void check(MemorySegment memory, long offset, long length, int message, Object what) {
    for (long i = 0; i < length; i++) {
      byte found = memory.get(ValueLayout.JAVA_BYTE, offset + i);
      if (found != byteOf(message, i)) {
        throw new AssertionError(
            "%s: byte %d of message %d is %d, and should be %d"
                .formatted(Objects.toString(what), i, message, found, byteOf(message, i)));
      }
    }
  }

  @Override
  public void close() {
    receiver.close();
    sender.close();
    arena.close();
  }
}
