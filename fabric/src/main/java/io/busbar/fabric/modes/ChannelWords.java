package io.busbar.fabric.modes;

import io.busbar.memory.Crossover;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/**
 * Where a channel's words are in its file, and how they are read and written.
 *
 * <pre>
 *      0  magic, cells, extents, inbound extents, bytes of an extent, large pages
 *    128  of the sender: process, address of the probe, first serial for a receiver
 *    256  of the receiver: state, errno of the probe
 *    384  of the receiver: serials delivered, buffers filled, buffers posted
 *   4096  owners of extents, a line each
 *   8192  posted buffers, a line each: offset in the bank or -1, bytes
 *  12288  what is done: the serial that a cell held, a line for each cell
 *         cells: serial, kind and length, where, extent or buffer, then room for a short message
 *         the bank
 * </pre>
 */
final class ChannelWords {
  static final long MAGIC = 0x4275_7342_4D6F_6431L;

  /** Bytes of the file that the ends lock while they live; they are read as part of the magic. */
  static final long SENDER_LIFE = 0;

  static final long RECEIVER_LIFE = 1;
  static final long HEADER_BYTES = 4096;
  static final int POSTS = 64;

  // What a receiver says.
  static final long NOBODY = 0;
  static final long READS_ACROSS = 1;
  static final long CANNOT_READ_ACROSS = 2;

  // Who has an extent.
  static final long SENDERS = 0;
  static final long RECEIVERS = 1;

  // What a cell holds.
  static final int IN_CELL = 1;
  static final int GIVEN = 2;
  static final int LENT = 3;
  static final int ACROSS = 4;
  static final int POSTED = 5;

  private static final VarHandle WORD = ValueLayout.JAVA_LONG.varHandle();
  private static final int LINE = 64;
  private static final long SENDER_PID = 128;
  private static final long PROBE_ADDRESS = 136;
  private static final long FIRST_SERIAL = 144;
  private static final long RECEIVER = 256;
  private static final long PROBE_ERRNO = 264;
  private static final long DELIVERED = 384;
  private static final long FILLED = 392;
  private static final long POSTED_COUNT = 400;
  private static final long OWNERS = 4096;
  private static final long POST_SLOTS = 8192;
  private static final long DONE = 12288;
  private static final int CELL_DATA = 32;
  private static final long CELL_BYTES = ModesConfig.PIO_BYTES_MAX + LINE;

  private final MemorySegment memory;
  private final int cells;
  private final long cellsAt;

  private ChannelWords(MemorySegment memory, int cells) {
    this.memory = memory;
    this.cells = cells;
    this.cellsAt = DONE + (long) cells * LINE;
  }

  /** Of the memory before the bank. */
  static ChannelWords of(MemorySegment memory, int cells) {
    return new ChannelWords(memory, cells);
  }

  /** Where the bank begins. */
  static long bankAt(int cells, boolean largePages) {
    long page = largePages ? Crossover.LARGE : HEADER_BYTES;
    long end = DONE + cells * (LINE + CELL_BYTES);
    return (end + page - 1) / page * page;
  }

  /** Writes what a receiver needs to find its way; the magic last. */
  void writeHeader(ModesConfig config, int pid, long probeAddress) {
    put(8, config.cells());
    put(16, config.extents());
    put(24, config.inboundExtents());
    put(32, config.messageBytesMax());
    put(40, config.largePages() ? 1 : 0);
    put(SENDER_PID, pid);
    put(PROBE_ADDRESS, probeAddress);
    put(FIRST_SERIAL, 1);
    publish(0, MAGIC);
  }

  /** A word of the header, by its offset. */
  static long header(MemorySegment memory, long at) {
    return (long) WORD.getAcquire(memory, at);
  }

  int senderPid() {
    return (int) see(SENDER_PID);
  }

  long probeAddress() {
    return see(PROBE_ADDRESS);
  }

  long firstSerial() {
    return see(FIRST_SERIAL);
  }

  void setFirstSerial(long serial) {
    publish(FIRST_SERIAL, serial);
  }

  long receiver() {
    return see(RECEIVER);
  }

  void setReceiver(long state, long errno) {
    put(PROBE_ERRNO, errno);
    publish(RECEIVER, state);
  }

  int probeErrno() {
    return (int) see(PROBE_ERRNO);
  }

  long delivered() {
    return see(DELIVERED);
  }

  /** The buffers that were filled are told before, so that who sees this sees them. */
  void setDelivered(long serial) {
    publish(DELIVERED, serial);
  }

  long filled() {
    return see(FILLED);
  }

  void setFilled(long count) {
    publish(FILLED, count);
  }

  long posted() {
    return see(POSTED_COUNT);
  }

  /** Tells of a buffer in the bank that was posted; an offset of -1 is one that is elsewhere. */
  void post(long count, long offset, long bytes) {
    put(postAt(count), offset);
    put(postAt(count) + 8, bytes);
    publish(POSTED_COUNT, count + 1);
  }

  long postOffset(long post) {
    return see(postAt(post));
  }

  long postBytes(long post) {
    return see(postAt(post) + 8);
  }

  private static long postAt(long post) {
    return POST_SLOTS + (post & (POSTS - 1)) * LINE;
  }

  void clearReceiver(long lastSerial) {
    setFilled(0);
    publish(POSTED_COUNT, 0);
    setDelivered(lastSerial);
    setFirstSerial(lastSerial + 1);
    setReceiver(NOBODY, 0);
  }

  long owner(int extent) {
    return see(OWNERS + (long) extent * LINE);
  }

  void setOwner(int extent, long owner) {
    publish(OWNERS + (long) extent * LINE, owner);
  }

  /** The last serial that the receiver was done with in this cell. */
  long done(long serial) {
    return see(doneAt(serial));
  }

  void setDone(long serial) {
    publish(doneAt(serial), serial);
  }

  void setAllDone(long serial) {
    for (int cell = 0; cell < cells; cell++) {
      publish(DONE + (long) cell * LINE, serial);
    }
  }

  private long doneAt(long serial) {
    return DONE + (serial & (cells - 1)) * LINE;
  }

  /** Publishes a cell; its data, and all else that was written, is seen by who sees it. */
  void publish(long serial, int kind, long length, long where, long of) {
    long at = cellAt(serial);
    put(at + 8, (long) kind << 32 | length);
    put(at + 16, where);
    put(at + 24, of);
    publish(at, serial);
  }

  boolean isPublished(long serial) {
    return see(cellAt(serial)) == serial;
  }

  int kind(long serial) {
    return (int) (get(cellAt(serial) + 8) >>> 32);
  }

  long length(long serial) {
    return get(cellAt(serial) + 8) & 0xFFFF_FFFFL;
  }

  long where(long serial) {
    return get(cellAt(serial) + 16);
  }

  long of(long serial) {
    return get(cellAt(serial) + 24);
  }

  /** Where a cell's room for a short message is in {@link #memory}. */
  long dataAt(long serial) {
    return cellAt(serial) + CELL_DATA;
  }

  MemorySegment memory() {
    return memory;
  }

  private long cellAt(long serial) {
    return cellsAt + (serial & (cells - 1)) * CELL_BYTES;
  }

  private long see(long at) {
    return (long) WORD.getAcquire(memory, at);
  }

  private void publish(long at, long value) {
    WORD.setRelease(memory, at, value);
  }

  private long get(long at) {
    return (long) WORD.get(memory, at);
  }

  private void put(long at, long value) {
    WORD.set(memory, at, value);
  }
}
