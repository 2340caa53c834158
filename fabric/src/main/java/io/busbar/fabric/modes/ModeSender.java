package io.busbar.fabric.modes;

import io.busbar.fabric.Nic;
import io.busbar.linux.MemoryFile;
import io.busbar.linux.OfdLock;
import io.busbar.linux.ProcessMemory;
import io.busbar.linux.ThisProcess;
import io.busbar.memory.Crossover;
import io.busbar.memory.ExchangeBank;
import io.busbar.memory.Pinning;
import io.busbar.memory.ResidentMemory;
import io.busbar.memory.SendPages;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The sending end of a channel to one process of this host, which opens it by its {@link #path}.
 * One thread. Sending returns {@link Nic#DONE} when the memory is the caller's again, a positive
 * ticket when it is in use until {@link #isReady}, or {@link Nic#FULL}, {@link Nic#TOO_LONG} or
 * (closed) {@link Nic#GONE}, which left no trace. Who is refused as full for long asks {@link
 * #isReceiverAlive}. It allocates nothing.
 */
public final class ModeSender implements AutoCloseable {
  private final ModesConfig config;
  private final MemoryFile file;

  /** The path that {@link #close} removes; empty when there is none. */
  private final String made;

  private final OfdLock life;
  private final ResidentMemory control;
  private final ExchangeBank bank;
  private final ChannelWords words;
  private final SenderExtents extents;
  private final Arena arena = Arena.ofShared();

  /** Who reads this process's memory reads this, too, to know that it is this one's. */
  private final MemorySegment probe = arena.allocateFrom(ValueLayout.JAVA_LONG, ChannelWords.MAGIC);

  private SendPages[] views = {};
  private long last;
  private long buried;
  private boolean gone;

  /**
   * Makes a channel, which nobody hears yet; what is sent waits in it. It has no place in a file
   * system: the receiver has the right to look at this process, and the channel ends with both.
   */
  public ModeSender(ModesConfig config) {
    this(config, anonymous(config), "");
  }

  /**
   * Makes a channel at a path, for a receiver that may not look at this process. It is removed when
   * this end closes, and stays when this process is killed.
   *
   * @param path of a new file, on tmpfs such as {@code /dev/shm}; for large pages on one that has
   *     them ({@code mount -o huge=always})
   */
  public ModeSender(ModesConfig config, String path) {
    this(config, MemoryFile.create(path), path);
  }

  private static MemoryFile anonymous(ModesConfig config) {
    String name = "transfer modes";
    return config.largePages() ? MemoryFile.anonymousLarge(name) : MemoryFile.anonymous(name);
  }

  private ModeSender(ModesConfig config, MemoryFile file, String made) {
    this.config = config;
    this.file = file;
    this.made = made;
    try {
      long bankAt = ChannelWords.bankAt(config.cells(), config.largePages());
      int all = config.extents() + config.inboundExtents();
      file.reserve(bankAt + all * config.messageBytesMax());
      life = OfdLock.exclusive(file, ChannelWords.SENDER_LIFE, 1);
      control = ResidentMemory.part(file, 0, bankAt, Pinning.none());
      long page = config.largePages() ? Crossover.LARGE : ThisProcess.pageBytes();
      bank = new ExchangeBank(file, bankAt, all, config.messageBytesMax(), page);
    } catch (RuntimeException e) {
      file.close();
      if (!made.isEmpty()) {
        MemoryFile.unlink(made);
      }
      throw e;
    }
    words = ChannelWords.of(control.segment(), config.cells());
    extents = new SenderExtents(words, config.extents());
    for (int inbound = config.extents(); inbound < bank.extents(); inbound++) {
      words.setOwner(inbound, ChannelWords.RECEIVERS);
    }
    words.writeHeader(config, ThisProcess.pid(), probe.address());
  }

  /** Where the receiver opens it, while this process lives. */
  public String path() {
    return made.isEmpty()
        ? "/proc/%d/fd/%d".formatted(ThisProcess.pid(), file.descriptor().number())
        : made;
  }

  /**
   * Memory for {@link SendMode#DIRECT}, as long as the longest message. It is the application's;
   * what was sent from it is not written to before the ticket is ready.
   */
  public MemorySegment direct() {
    return bank.segment().asSlice(bank.offset(extents.keep()), bank.extentBytes());
  }

  /** Memory for {@link SendMode#EXCHANGE}, as long as the longest message. */
  public MemorySegment pages() {
    int extent = extents.keep();
    SendPages pages = new SendPages(bank, extent);
    views = Arrays.copyOf(views, views.length + 1);
    views[views.length - 1] = pages;
    return pages.segment();
  }

  /**
   * Sends bytes.
   *
   * @param from any memory; DIRECT and VIRTUAL refuse memory on the heap, because it moves
   * @param length at least 1
   * @return done, a ticket, or a refusal: see the class
   */
  public long send(SendMode mode, MemorySegment from, long offset, long length) {
    Objects.requireNonNull(from, "memory to send from");
    Objects.checkFromIndexSize(offset, length, from.byteSize());
    if (length < 1) {
      throw new IllegalArgumentException("a message has at least 1 byte, not " + length);
    }
    if (!mode.isReusableAtReturn() && !from.isNative()) {
      throw new IllegalArgumentException(
          mode + " needs native memory, and this is on the heap, which moves: use COPY");
    }
    if (length > (mode == SendMode.PIO ? ModesConfig.PIO_BYTES_MAX : bank.extentBytes())) {
      return Nic.TOO_LONG;
    }
    if (gone) {
      return Nic.GONE;
    }
    if (words.done(last + 1) < last + 1 - config.cells()) {
      return Nic.FULL;
    }
    return switch (mode) {
      case PIO -> store(from, offset, length);
      case COPY -> copy(from, offset, length);
      case DIRECT -> direct(from, offset, length);
      case VIRTUAL -> virtual(from, offset, length);
      case EXCHANGE -> exchange(from, offset, length);
    };
  }

  private long store(MemorySegment from, long offset, long length) {
    long serial = last + 1;
    MemorySegment.copy(from, offset, words.memory(), words.dataAt(serial), length);
    return publish(ChannelWords.IN_CELL, length, 0, 0, Nic.DONE);
  }

  private long copy(MemorySegment from, long offset, long length) {
    if (config.inboundExtents() > 0 && redirect(from, offset, length)) {
      return Nic.DONE;
    }
    int extent = extents.free();
    if (extent == ExchangeBank.NONE) {
      return Nic.FULL;
    }
    long at = bank.offset(extent);
    MemorySegment.copy(from, offset, bank.segment(), at, length);
    extents.give(extent);
    return publish(ChannelWords.GIVEN, length, at, extent, Nic.DONE);
  }

  /**
   * Writes into the receiver's posted buffer, where it is in the bank. Only when all former
   * messages were delivered is the oldest buffer this one's; then nothing else can fill it.
   */
  private boolean redirect(MemorySegment from, long offset, long length) {
    if (words.delivered() != last) {
      return false;
    }
    long post = words.filled();
    if (post >= words.posted()) {
      return false;
    }
    long at = words.postOffset(post);
    if (at < 0 || words.postBytes(post) < length) {
      return false;
    }
    MemorySegment.copy(from, offset, bank.segment(), at, length);
    long _ = publish(ChannelWords.POSTED, length, at, post, Nic.DONE);
    return true;
  }

  private long direct(MemorySegment from, long offset, long length) {
    long at = from.address() + offset - bank.segment().address();
    boolean inside = at >= 0 && at + length <= bank.segment().byteSize();
    int extent = inside ? (int) (at / bank.extentBytes()) : ExchangeBank.NONE;
    if (!inside || !extents.isKept(extent)) {
      return copy(from, offset, length);
    }
    return publish(ChannelWords.LENT, length, at, extent, last + 1);
  }

  private long virtual(MemorySegment from, long offset, long length) {
    if (words.receiver() != ChannelWords.READS_ACROSS) {
      return copy(from, offset, length);
    }
    return publish(ChannelWords.ACROSS, length, from.address() + offset, 0, last + 1);
  }

  private long exchange(MemorySegment from, long offset, long length) {
    SendPages view = length >= config.crossover().sendBytes() ? view(from) : null;
    if (view == null) {
      return copy(from, offset, length);
    }
    long at = from.address() + offset - view.segment().address();
    boolean inside = at >= 0 && at + length <= view.segment().byteSize();
    if (!inside || !SendPages.canLend(at, length) || !extents.isHere(view.home())) {
      return copy(from, offset, length);
    }
    view.lend(at, length);
    extents.lend(view.home());
    return publish(
        ChannelWords.GIVEN, length, bank.offset(view.home()) + at, view.home(), Nic.DONE);
  }

  private @Nullable SendPages view(MemorySegment from) {
    for (SendPages view : views) {
      long at = from.address() - view.segment().address();
      if (from.isNative() && at >= 0 && at < view.segment().byteSize()) {
        return view;
      }
    }
    return null;
  }

  private long publish(int kind, long length, long where, long of, long result) {
    last++;
    words.publish(last, kind, length, where, of);
    return result;
  }

  /** Whether the memory of a send is the caller's again; {@link Nic#DONE} always is. */
  public boolean isReady(long ticket) {
    if (ticket < 0 || ticket > last) {
      throw new IllegalArgumentException("no send returned the ticket " + ticket);
    }
    return ticket <= buried || words.done(ticket) >= ticket;
  }

  /**
   * Makes pages that were sent by EXCHANGE writable without copies again, if the receiver has given
   * theirs back; whether they are.
   *
   * @param pages memory from {@link #pages}
   */
  public boolean reown(MemorySegment pages) {
    SendPages view = view(pages);
    if (view == null) {
      throw new IllegalArgumentException("this memory is not from pages()");
    }
    if (!extents.isHere(view.home())) {
      return false;
    }
    view.reown();
    return true;
  }

  /** Why VIRTUAL copies; empty when it does not. */
  public String virtualRefusal() {
    long state = words.receiver();
    if (state == ChannelWords.READS_ACROSS) {
      return "";
    }
    if (state == ChannelWords.NOBODY) {
      return "nobody has opened the channel yet; until then VIRTUAL copies";
    }
    int errno = words.probeErrno();
    String why =
        errno == 0
            ? "it sees another process under this one's number; let both see the same processes"
            : new ProcessMemory(ThisProcess.pid()).failure(-errno).getMessage();
    return "the receiver cannot read this process's memory, so VIRTUAL copies: " + why;
  }

  /** Whether a process has the receiving end; costs a system call. */
  public boolean isReceiverAlive() {
    return OfdLock.isHeld(file, ChannelWords.RECEIVER_LIFE, 1);
  }

  /**
   * Takes back all that a receiver had that is dead or has closed: its extents, and the memory of
   * every send. Another one may open the channel then, and hears what is sent from now on.
   *
   * @return how many messages nobody has received, or -1 when there is a living receiver
   */
  public long bury() {
    if (isReceiverAlive()) {
      return -1;
    }
    long lost = last - Math.min(last, words.delivered());
    if (words.receiver() == ChannelWords.NOBODY) {
      return 0; // they wait for the first one
    }
    extents.reclaim();
    for (int inbound = config.extents(); inbound < bank.extents(); inbound++) {
      words.setOwner(inbound, ChannelWords.RECEIVERS);
    }
    words.setAllDone(last);
    words.clearReceiver(last);
    buried = last;
    return lost;
  }

  /** Ends the channel: what is published can still be received, but for sends by VIRTUAL. */
  @Override
  public void close() {
    if (gone) {
      return;
    }
    gone = true;
    for (SendPages view : views) {
      view.close();
    }
    views = new SendPages[0];
    probe.set(ValueLayout.JAVA_LONG, 0, 0);
    life.close();
    bank.close();
    control.close();
    arena.close();
    if (!made.isEmpty()) {
      MemoryFile.unlink(made);
    }
    file.close();
  }
}
