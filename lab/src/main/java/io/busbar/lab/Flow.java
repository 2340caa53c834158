package io.busbar.lab;

import io.busbar.wire.Records;
import java.lang.foreign.MemorySegment;
import java.util.BitSet;

/**
 * The books of one direction of a conversation: what its writer gave to send, and what its reader
 * got. Every entry is checked when it is made.
 */
final class Flow {
  private final long id;
  private final boolean datagrams;
  private final LongQueue messageEnds = new LongQueue();
  private final BitSet datagramsSeen = new BitSet();
  private long written;
  private long overhead;
  private long messages;
  private long read;
  private long undelivered;
  private boolean readEnded;
  private boolean writeEnded;

  Flow(long id, boolean datagrams) {
    this.id = id;
    this.datagrams = datagrams;
  }

  long id() {
    return id;
  }

  long written() {
    return written;
  }

  long read() {
    return read;
  }

  /** Frames that what was written fits in, if each message begins a frame. */
  long framesNeeded(int frameBytes) {
    return messages + (datagrams ? 0 : written / frameBytes);
  }

  /** The writer's transport took bytes; datagrams count as one byte each. */
  void onWritten(int length, boolean endsMessage) {
    written += datagrams ? 1 : length;
    messages++;
    if (endsMessage && !datagrams) {
      messageEnds.add(written);
    }
  }

  /** What was written last travels as a record: its header and padding are bytes of the stream. */
  void onRecordWritten(int length) {
    overhead += Records.streamBytes(length) - length;
  }

  /** The reader got bytes: they must be the next ones, and end a message where the writer did. */
  void onRead(MemorySegment segment, long at, int length, boolean endsMessage) {
    Violation.check(!readEnded, "nothing behind the end", "flow %d got bytes after its end", id);
    Violation.check(
        read + length <= written,
        "nothing invented",
        "flow %d got %d bytes at %d, %d were written",
        id,
        length,
        read,
        written);
    Violation.check(
        Pattern.matches(segment, at, length, id, read),
        "once and in order",
        "flow %d got %d other bytes than those at %d",
        id,
        length,
        read);
    read += length;
    boolean due = !messageEnds.isEmpty() && messageEnds.first() == read;
    boolean missed = !messageEnds.isEmpty() && messageEnds.first() < read;
    Violation.check(
        due == endsMessage && !missed,
        "ends of messages",
        "flow %d at %d: a message %s here, the transport says it %s",
        id,
        read,
        due ? "ends" : "does not end",
        endsMessage ? "does" : "does not");
    if (due) {
      messageEnds.removeFirst();
    }
  }

  /** The reader got a datagram: whole, unchanged, and for the first time. */
  void onDatagram(MemorySegment segment, long at, int length, int number) {
    Violation.check(
        number >= 0 && number < written, "nothing invented", "flow %d datagram %d", id, number);
    Violation.check(
        !datagramsSeen.get(number), "once and in order", "flow %d datagram %d twice", id, number);
    datagramsSeen.set(number);
    Violation.check(
        Pattern.matches(segment, at, length, id, number * 8L),
        "once and in order",
        "flow %d datagram %d changed",
        id,
        number);
    read++;
  }

  void onReadEnd() {
    Violation.check(!readEnded, "once and in order", "flow %d ended twice", id);
    Violation.check(
        read == written, "complete", "flow %d ended at %d of %d bytes", id, read, written);
    readEnded = true;
  }

  /** A buffer came back as delivered: then the reader has all of it. */
  void onReleasedDelivered(long bufferEnd) {
    Violation.check(
        read >= bufferEnd,
        "delivered means delivered",
        "flow %d: bytes up to %d were called delivered, %d were",
        id,
        bufferEnd,
        read);
  }

  /** The writer was told how many bytes were not acknowledged. */
  void onWriteEnd(long undeliveredBytes) {
    if (!datagrams && !writeEnded) {
      writeEnded = true;
      undelivered = undeliveredBytes;
      Violation.check(
          undelivered >= 0 && undelivered <= written + overhead && read >= written - undelivered,
          "every byte delivered or reported",
          "flow %d: %d written, %d read, %d reported undelivered",
          id,
          written,
          read,
          undelivered);
    }
  }
}
