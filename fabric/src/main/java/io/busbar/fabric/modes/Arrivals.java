package io.busbar.fabric.modes;

import static io.busbar.fabric.modes.ChannelWords.ACROSS;
import static io.busbar.fabric.modes.ChannelWords.GIVEN;
import static io.busbar.fabric.modes.ChannelWords.IN_CELL;
import static io.busbar.fabric.modes.ChannelWords.LENT;
import static io.busbar.fabric.modes.ChannelWords.POSTED;

import io.busbar.fabric.FabricException;
import io.busbar.fabric.Nic;
import io.busbar.linux.ProcessMemory;
import io.busbar.memory.ExchangeBank;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * The messages of a channel in their order: first those in the overflow, then those in cells. What
 * a cell says is checked before it is used.
 */
final class Arrivals {
  private static final int BOUNCE_BYTES = 64 << 10;

  private final ChannelWords words;
  private final ExchangeBank bank;
  private final Overflow overflow;
  private final ProcessMemory sender;
  private final MemorySegment bounce;
  private final MemorySegment bankToRead;
  private final MemorySegment cellsToRead;
  private long serial;
  private long delivered;
  private boolean lent;
  private MemorySegment borrowed = MemorySegment.NULL;
  private long borrowedAt;

  Arrivals(ChannelWords words, ExchangeBank bank, Overflow overflow, Arena arena) {
    this.words = words;
    this.bank = bank;
    this.overflow = overflow;
    this.sender = new ProcessMemory(words.senderPid());
    this.bounce = arena.allocate(BOUNCE_BYTES, 64);
    this.bankToRead = bank.segment().asReadOnly();
    this.cellsToRead = words.memory().asReadOnly();
    this.serial = words.firstSerial();
    this.delivered = serial - 1;
  }

  /** Tells the sender that somebody receives, and whether its memory can be read. */
  void attach() {
    long result = probe();
    long state = result > 0 ? ChannelWords.READS_ACROSS : ChannelWords.CANNOT_READ_ACROSS;
    words.setReceiver(state, -Math.min(0, result));
  }

  /** Positive when the process is the sender and has not closed; 0 when not, or an errno. */
  private long probe() {
    long result = sender.read(words.probeAddress(), bounce, 0, Long.BYTES);
    if (result < 0) {
      return result;
    }
    return bounce.get(ValueLayout.JAVA_LONG, 0) == ChannelWords.MAGIC ? result : 0;
  }

  /** Bytes of the next message, or {@link ModeReceiver#NOTHING}. */
  long next() {
    if (lent) {
      throw new IllegalStateException("a message is borrowed: give it back first");
    }
    if (!overflow.isEmpty()) {
      return overflow.length();
    }
    if (!words.isPublished(serial)) {
      return ModeReceiver.NOTHING;
    }
    check();
    return words.length(serial);
  }

  private void check() {
    long length = words.length(serial);
    long where = words.where(serial);
    long of = words.of(serial);
    boolean inBank = where >= 0 && where + length <= bank.segment().byteSize();
    boolean sound =
        switch (words.kind(serial)) {
          case IN_CELL -> length <= ModesConfig.PIO_BYTES_MAX;
          case GIVEN -> inBank && of >= 0 && of < bank.extents() && where >= bank.offset((int) of);
          case LENT, POSTED -> inBank;
          case ACROSS -> true;
          default -> false;
        };
    if (!sound || length < 1 || length > bank.extentBytes()) {
      throw new FabricException(
          "message %d of the channel makes no sense: its sender is broken; close it"
              .formatted(serial));
    }
  }

  /** The extent that the next message lies in and that can be kept, or none. */
  int givenExtent() {
    boolean given = overflow.isEmpty() && words.kind(serial) == GIVEN;
    return given ? (int) words.of(serial) : ExchangeBank.NONE;
  }

  long offsetInExtent() {
    return words.where(serial) - bank.offset((int) words.of(serial));
  }

  /** The next message is done, and its extent stays with the receiver. */
  void keepExtent() {
    finish();
  }

  /** Copies the next message out and ends it; its bytes, or GONE when it ended with its sender. */
  long copyOut(MemorySegment into, long offset, long length) {
    if (!overflow.isEmpty()) {
      MemorySegment.copy(overflow.memory(), overflow.offset(), into, offset, length);
      overflow.remove();
      delivered++;
      return length;
    }
    long where = words.where(serial);
    long result = length;
    switch (words.kind(serial)) {
      case IN_CELL ->
          MemorySegment.copy(words.memory(), words.dataAt(serial), into, offset, length);
      case ACROSS -> result = readAcross(where, into, offset, length);
      case POSTED -> {
        if (into.address() + offset != bank.segment().address() + where) {
          MemorySegment.copy(bank.segment(), where, into, offset, length);
        }
      }
      default -> MemorySegment.copy(bank.segment(), where, into, offset, length);
    }
    end();
    return result;
  }

  /** Ends the next message of the cells, and gives its extent back. */
  private void end() {
    if (words.kind(serial) == GIVEN) {
      words.setOwner((int) words.of(serial), ChannelWords.SENDERS);
    }
    finish();
  }

  private void finish() {
    words.setDone(serial);
    serial++;
    delivered++;
  }

  /** Tells how far the application is, after the buffers that were filled. */
  void tellDelivered() {
    words.setDelivered(delivered);
  }

  /** The probe comes last: it says that the sender lived, and kept its memory, until then. */
  private long readAcross(long from, MemorySegment into, long offset, long length) {
    long done = 0;
    while (done < length) {
      boolean straight = into.isNative();
      long part = straight ? length - done : Math.min(BOUNCE_BYTES, length - done);
      long read =
          sender.read(from + done, straight ? into : bounce, straight ? offset + done : 0, part);
      if (read <= 0) {
        return Nic.GONE;
      }
      if (!straight) {
        MemorySegment.copy(bounce, 0, into, offset + done, read);
      }
      done += read;
    }
    return probe() > 0 ? length : Nic.GONE; // what was read may be another process's
  }

  /** Takes what waits in the sender's own memory, as far as there is room; how many messages. */
  int buffer() {
    int taken = 0;
    while (!lent && words.isPublished(serial) && words.kind(serial) == ACROSS) {
      check();
      long length = words.length(serial);
      long at = overflow.room(length);
      if (at < 0 || readAcross(words.where(serial), overflow.memory(), at, length) < 0) {
        return taken; // who asks for it hears that it is gone
      }
      overflow.add(at, length);
      words.setDone(serial);
      serial++;
      taken++;
    }
    return taken;
  }

  long borrow() {
    long length = next();
    if (length == ModeReceiver.NOTHING) {
      return length;
    }
    if (overflow.isEmpty() && words.kind(serial) == ACROSS && buffer() == 0) {
      return length > overflow.memory().byteSize() ? Nic.FULL : Nic.GONE;
    }
    if (!overflow.isEmpty()) {
      borrowed = overflow.memory();
      borrowedAt = overflow.offset();
    } else if (words.kind(serial) == IN_CELL) {
      borrowed = cellsToRead;
      borrowedAt = words.dataAt(serial);
    } else {
      borrowed = bankToRead;
      borrowedAt = words.where(serial);
    }
    lent = true;
    return length;
  }

  MemorySegment borrowed() {
    checkLent();
    return borrowed;
  }

  long borrowedAt() {
    checkLent();
    return borrowedAt;
  }

  private void checkLent() {
    if (!lent) {
      throw new IllegalStateException("no message is borrowed");
    }
  }

  void giveBack() {
    checkLent();
    lent = false;
    endFirst();
  }

  boolean skip() {
    if (next() == ModeReceiver.NOTHING) {
      return false;
    }
    endFirst();
    return true;
  }

  private void endFirst() {
    if (overflow.isEmpty()) {
      end();
    } else {
      overflow.remove();
      delivered++;
    }
    tellDelivered();
  }
}
