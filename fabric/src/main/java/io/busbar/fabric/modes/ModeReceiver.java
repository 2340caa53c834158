package io.busbar.fabric.modes;

import io.busbar.fabric.FabricException;
import io.busbar.fabric.Nic;
import io.busbar.linux.Mapping;
import io.busbar.linux.MemoryFile;
import io.busbar.linux.OfdLock;
import io.busbar.linux.ThisProcess;
import io.busbar.memory.Crossover;
import io.busbar.memory.ExchangeBank;
import io.busbar.memory.Pinning;
import io.busbar.memory.ReceivePages;
import io.busbar.memory.ResidentMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The receiving end of a channel. One thread. Messages come in order, each once: into buffers that
 * were {@linkplain #post posted}, or when they are asked for. Results are bytes, or {@link
 * #NOTHING}, {@link #TOO_SHORT} or {@link Nic#GONE}. Receiving allocates nothing.
 */
public final class ModeReceiver implements AutoCloseable {
  /** No message has arrived. */
  public static final long NOTHING = -11;

  /** The message does not fit, and stays where it is; {@link #next} says how long it is. */
  public static final long TOO_SHORT = -12;

  /** The buffer is not filled yet. */
  public static final long PENDING = -13;

  private final Crossover crossover;
  private final MemoryFile file;
  private final OfdLock life;
  private final ResidentMemory control;
  private final ExchangeBank bank;
  private final ChannelWords words;
  private final Arrivals arrivals;
  private final Posts posts;
  private final Arena arena = Arena.ofShared();
  private final int extents;
  private final int keptMax;
  private ReceivePages[] views = {};
  private int inboundGiven;
  private int kept;

  /**
   * Opens a channel.
   *
   * @param path from {@link ModeSender#path}
   * @param config of this end: the overflow and the crossover; all else is the sender's
   */
  public ModeReceiver(String path, ModesConfig config) {
    crossover = config.crossover();
    file = MemoryFile.open(path);
    try {
      life =
          OfdLock.tryExclusive(file, ChannelWords.RECEIVER_LIFE, 1)
              .orElseThrow(
                  () -> new FabricException("a living process receives at %s".formatted(path)));
      long[] header = header(path);
      int cells = (int) header[0];
      extents = (int) header[1];
      boolean large = header[4] != 0;
      long bankAt = ChannelWords.bankAt(cells, large);
      control = ResidentMemory.part(file, 0, bankAt, Pinning.none());
      words = ChannelWords.of(control.segment(), cells);
      if (words.receiver() != ChannelWords.NOBODY) {
        throw new FabricException(
            "the receiver before this one was not buried: let the sender of %s do it"
                .formatted(path));
      }
      long page = large ? Crossover.LARGE : ThisProcess.pageBytes();
      bank = new ExchangeBank(file, bankAt, extents + (int) header[2], header[3], page);
    } catch (RuntimeException e) {
      file.close();
      throw e;
    }
    keptMax = extents / 2;
    posts = new Posts(words);
    arrivals = new Arrivals(words, bank, new Overflow(arena, config.overflowBytes()), arena);
    arrivals.attach();
  }

  private long[] header(String path) {
    try (Mapping first = Mapping.of(file, 0, ChannelWords.HEADER_BYTES)) {
      MemorySegment memory = first.segment();
      if (ChannelWords.header(memory, 0) != ChannelWords.MAGIC) {
        throw new FabricException("%s is no channel, or is being made".formatted(path));
      }
      long[] header = new long[5];
      for (int i = 0; i < header.length; i++) {
        header[i] = ChannelWords.header(memory, 8 + i * 8L);
      }
      return header;
    }
  }

  /** Memory that the sender writes to, for buffers that are posted as DIRECT. */
  public MemorySegment inbound() {
    if (extents + inboundGiven == bank.extents()) {
      throw new IllegalStateException(
          "all %d inbound extents are in use; give the channel more".formatted(inboundGiven));
    }
    long at = bank.offset(extents + inboundGiven++);
    return bank.segment().asSlice(at, bank.extentBytes());
  }

  /** Memory for {@link ReceiveMode#EXCHANGE}, of so many bytes, whole pages. */
  public MemorySegment pages(long bytes) {
    ReceivePages pages = new ReceivePages(bank, bytes);
    views = Arrays.copyOf(views, views.length + 1);
    views[views.length - 1] = pages;
    return pages.segment();
  }

  /**
   * Says where a message is to go; buffers are filled in the order in which they are posted, by
   * {@link #poll}.
   *
   * @return a ticket for {@link #bytes}; {@link Nic#FULL} when too many wait already
   */
  public long post(ReceiveMode mode, MemorySegment into, long offset, long capacity) {
    check(mode, into, offset, capacity);
    if (posts.isFull()) {
      return Nic.FULL;
    }
    long inBank = mode == ReceiveMode.DIRECT ? inboundAt(into, offset, capacity) : -1;
    return posts.add(mode, into, offset, capacity, inBank);
  }

  /** Where memory is in the bank, if it is the receiver's there; -1 otherwise. */
  private long inboundAt(MemorySegment into, long offset, long capacity) {
    long at = into.address() + offset - bank.segment().address();
    boolean inside =
        extents < bank.extents()
            && at >= bank.offset(extents)
            && at + capacity <= bank.segment().byteSize();
    return inside ? at : -1;
  }

  private static void check(ReceiveMode mode, MemorySegment into, long offset, long capacity) {
    Objects.requireNonNull(into, "memory to receive into");
    Objects.checkFromIndexSize(offset, capacity, into.byteSize());
    if (into.isReadOnly()) {
      throw new IllegalArgumentException("a message cannot be received into read-only memory");
    }
    if (!mode.isBuffered() && !into.isNative()) {
      throw new IllegalArgumentException(
          mode + " needs native memory, and this is on the heap, which moves: use COPY");
    }
  }

  /**
   * Fills posted buffers with what has arrived. With none posted, takes what waits in the sender's
   * own memory into the overflow, so that the sender may go on.
   *
   * @return how many buffers were filled
   */
  public int poll() {
    int filled = 0;
    while (!posts.isEmpty()) {
      long length = arrivals.next();
      if (length == NOTHING || length > posts.capacity()) {
        return filled;
      }
      posts.fill(take(posts.mode(), posts.buffer(), posts.offset(), length));
      arrivals.tellDelivered();
      filled++;
    }
    arrivals.buffer();
    return filled;
  }

  /** Bytes that arrived in a posted buffer; {@link #PENDING}, or {@link Nic#GONE}. */
  public long bytes(long ticket) {
    return posts.result(ticket, PENDING);
  }

  /** Bytes of the next message; {@link #NOTHING} when none has arrived. */
  public long next() {
    return arrivals.next();
  }

  /**
   * Receives the next message, if it has arrived. While buffers are posted, only one that does not
   * fit the oldest of them.
   */
  public long receive(ReceiveMode mode, MemorySegment into, long offset, long capacity) {
    check(mode, into, offset, capacity);
    long length = next();
    if (length == NOTHING) {
      return NOTHING;
    }
    if (!posts.isEmpty() && length <= posts.capacity()) {
      throw new IllegalStateException("this message is for a posted buffer: poll");
    }
    if (length > capacity) {
      return TOO_SHORT;
    }
    long result = take(mode, into, offset, length);
    arrivals.tellDelivered();
    return result;
  }

  private long take(ReceiveMode mode, MemorySegment into, long offset, long length) {
    if (mode == ReceiveMode.EXCHANGE && length >= crossover.receiveBytes()) {
      ReceivePages view = view(into);
      if (view != null && tryExchange(view, into, offset, length)) {
        return length;
      }
    }
    return arrivals.copyOut(into, offset, length);
  }

  private boolean tryExchange(ReceivePages view, MemorySegment into, long offset, long length) {
    long at = into.address() + offset - view.segment().address();
    int extent = arrivals.givenExtent();
    boolean further = view.extent() == ExchangeBank.NONE;
    if (extent == ExchangeBank.NONE
        || (further && kept == keptMax)
        || !ReceivePages.canTake(arrivals.offsetInExtent(), at, length)) {
      return false;
    }
    int before = view.take(extent, arrivals.offsetInExtent(), at, length);
    giveBack(before);
    kept += further ? 1 : 0;
    arrivals.keepExtent();
    return true;
  }

  private void giveBack(int extent) {
    if (extent != ExchangeBank.NONE) {
      words.setOwner(extent, ChannelWords.SENDERS);
    }
  }

  private @Nullable ReceivePages view(MemorySegment into) {
    for (ReceivePages view : views) {
      long at = into.address() - view.segment().address();
      if (into.isNative() && at >= 0 && at < view.segment().byteSize()) {
        return view;
      }
    }
    return null;
  }

  /** Gives the pages back that a memory from {@link #pages} shows; its bytes stay. */
  public void release(MemorySegment pages) {
    ReceivePages view = view(pages);
    if (view == null) {
      throw new IllegalArgumentException("this memory is not from pages()");
    }
    if (view.extent() != ExchangeBank.NONE) {
      giveBack(view.release());
      kept--;
    }
  }

  /**
   * Lends the next message where it is, for reading, until {@link #giveBack()}: at {@link
   * #borrowedAt} of {@link #borrowed}. Not while buffers are posted.
   *
   * @return its bytes; {@link #NOTHING}; {@link Nic#FULL} when it is in the sender's own memory and
   *     the overflow has no room
   */
  public long borrow() {
    if (!posts.isEmpty()) {
      throw new IllegalStateException("messages are for posted buffers: poll");
    }
    return arrivals.borrow();
  }

  /** Memory in which the borrowed message is. */
  public MemorySegment borrowed() {
    return arrivals.borrowed();
  }

  /** Where in it. */
  public long borrowedAt() {
    return arrivals.borrowedAt();
  }

  /** Ends the use of the borrowed message. */
  public void giveBack() {
    arrivals.giveBack();
  }

  /** Passes over the next message, unread; whether there was one. */
  public boolean skip() {
    return arrivals.skip();
  }

  /** Whether the sender lives; costs a system call. */
  public boolean isSenderAlive() {
    return OfdLock.isHeld(file, ChannelWords.SENDER_LIFE, 1);
  }

  /** Leaves the channel; the sender buries what is left of this end. */
  @Override
  public void close() {
    if (!file.descriptor().isOpen()) {
      return;
    }
    for (ReceivePages view : views) {
      view.close();
    }
    views = new ReceivePages[0];
    life.close();
    bank.close();
    control.close();
    arena.close();
    file.close();
  }
}
