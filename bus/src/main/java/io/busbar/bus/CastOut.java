package io.busbar.bus;

import io.busbar.wire.CastBlock;
import io.busbar.wire.FrameView;
import io.busbar.wire.Header;
import io.busbar.wire.Options;
import io.busbar.wire.Records;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.List;

/** A stream that this node sends: what of it is held, who has how much, and what is due. */
public final class CastOut {
  private static final long POLL_NS_MAX = 100_000_000;
  private static final long WELCOME_NS = 20_000_000;
  private static final long WELCOME_NS_MAX = 1_000_000_000;
  private static final long RETRY_NS = 20_000;
  private static final long REMIND_NS = 500_000_000;

  /** Who has begun and asks so often to be taken in has forgotten that it had. */
  private static final int ASKS_OF_WHO_FORGOT = 3;

  /** Who is blocked is looked after much more often: a longer pause is this node's own. */
  private static final long PAUSE_NS = 500_000_000;

  /** So often, while a reader may hold a sender back, it is looked who does. */
  private static final int LOOKS_PER_PACE = 8;

  /** Who deals with so many frames within the pace is not slow; who has room for less soon is. */
  private static final int PROGRESS_FRAMES = CastConfig.WINDOW_MAX / 4;

  /** Frames that are repaired before anything else is looked at. */
  private static final int REPAIRS_AT_ONCE = 64;

  /**
   * While something is on its way, frames leave so many at a time, or when the oldest has waited
   * for so long: a carrier moves several for little more than one.
   */
  private static final int BATCH = 32;

  private static final long HOLD_NS = 50_000;

  final long key;
  final long group;
  private final CastCore core;
  private final CastStore store;
  private final RoundTime roundTime = new RoundTime();
  private final CastReaders readers = new CastReaders();
  private final CastFlight flight = new CastFlight();

  /** As readers see them. */
  private final CastWeight sentWeight = new CastWeight();

  private final ArrayDeque<Long> repairs = new ArrayDeque<>();

  // Frames: what all have, what has left, and where the stream ends.
  private long base;
  private long next;
  private long end;

  /** Frames before this one take nothing more: somebody begins behind them. */
  private long closed;

  private long messages;

  // Bytes that were put in, that have left, and that nobody needs any more.
  private long put;
  private long sent;
  private long freed;

  private int sinceAsked;

  /** What had left when a reader was asked last. */
  private long askedAt;

  private int token;
  private long tokenNs;
  private long pollAtNs = CastCore.NEVER;
  private long pollNs;
  private long welcomeAtNs = CastCore.NEVER;
  private long welcomeNs = WELCOME_NS;
  private long retryAtNs = CastCore.NEVER;

  /**
   * When it is looked next who holds this sender back; {@link CastCore#NEVER} while nobody does.
   */
  private long evictAtNs = CastCore.NEVER;

  /** When it was last looked who blocks; {@link CastCore#NEVER} while nobody does. */
  private long lookedNs = CastCore.NEVER;

  private long remindAtNs;
  private boolean wanted;

  /** Since when frames wait for more. */
  private long heldNs = CastCore.NEVER;

  /** Whether frames do not wait for more: nobody is about to put some in. */
  private boolean hurries;

  CastOut(CastCore core, long key, long group) {
    this.core = core;
    this.key = key;
    this.group = group;
    this.store = new CastStore(core.payloadBytes);
    this.pollNs = core.config.tailNs();
  }

  /** Messages that were put into it. */
  public long messages() {
    return messages;
  }

  /** Whether all readers have all. */
  public boolean isSettled() {
    return base == end;
  }

  /** Bytes in frames that not all have said to have. */
  public long unsettledBytes() {
    return put - freed;
  }

  // Readers.

  void welcome(long nowNs, int id, long life) {
    CastReader known = readers.get(id);
    if (known != null && known.life == life) {
      return;
    }
    closed = end;
    readers.add(new CastReader(id, life, end, messages, CastConfig.WINDOW_MAX / weight()));
    welcomeNs = WELCOME_NS;
    welcomeAtNs = nowNs;
    advance();
  }

  void onGone(long nowNs, int id) {
    if (readers.remove(id)) {
      advance();
    }
  }

  /** A reader is reached by a carrier that takes no longer frames than all do. */
  void onShorter(long nowNs, int id) {
    boolean anyLonger = false;
    for (long seq = base; seq < end; seq++) {
      anyLonger |= store.length(seq) > core.payloadBytes;
    }
    if (anyLonger) {
      onGone(nowNs, id); // it cannot have them
    }
  }

  /**
   * A member that was evicted, or believes so, has dealt with what it had. One that has begun, and
   * asks as if it had not, said so before it did; or it took this node for gone meanwhile, forgot
   * the stream, and goes on asking: what it missed is not held any more.
   *
   * @param has the first frame that it has not
   */
  void rejoin(long nowNs, int id, long life, long has) {
    CastReader known = readers.get(id);
    if (known != null && known.life == life && has <= known.start) {
      if (known.has == known.start) {
        welcomeAtNs = nowNs; // it was welcomed, and has not heard it
        known.confirmed = false;
        return;
      }
      if (++known.asks < ASKS_OF_WHO_FORGOT) {
        return;
      }
    }
    boolean _ = readers.remove(id);
    welcome(nowNs, id, life);
  }

  // Putting in.

  /**
   * Puts a record in; it is copied.
   *
   * @param isMessage whether it is counted
   * @return false when there is no room; {@link CastUser#onRoom} follows
   */
  boolean trySend(long header, MemorySegment from, long at, boolean isMessage) {
    int length = Records.length(header);
    if (readers.isEmpty()) {
      skip();
      countMessage(isMessage);
      return true;
    }
    boolean isOpen = end > Math.max(next, closed) && room() > 0;
    int room = isOpen ? room() : 0;
    long bytes = Records.streamBytes(length);
    long frames = bytes <= room ? 0 : Math.ceilDiv(bytes - room, payloadBytes());
    int window = CastConfig.window(readers.size());
    if (end + frames - base > window || put + bytes - freed > bytes(window)) {
      wanted = true;
      return false;
    }
    if (!isOpen) {
      begin();
    }
    put(header, from, at, length);
    countMessage(isMessage);
    return true;
  }

  /** Nobody is there: who comes back begins behind a frame that never was, and so has a gap. */
  private void skip() {
    end++;
    next = end;
    base = end;
  }

  private void countMessage(boolean isMessage) {
    if (isMessage) {
      messages++;
      core.count(CastCount.MESSAGES_OUT);
    }
  }

  private void begin() {
    store.begin(end++, payloadBytes());
  }

  /** What the last frame still takes. */
  private int room() {
    return store.capacity(end - 1) - store.length(end - 1);
  }

  /** Of so many frames that all carriers take: longer ones are fewer, and have one bound. */
  private long bytes(long frames) {
    return frames * core.payloadBytes;
  }

  /** For how many frames that all carriers take one counts that is begun now. */
  private int weight() {
    return core.weight(payloadBytes());
  }

  /** A frame asks one reader: a window has enough of them to ask each one twice. */
  private int payloadBytes() {
    int n = Math.max(1, readers.size());
    long most = bytes(CastConfig.window(n)) / (2L * n) & -Long.BYTES;
    return Math.max(core.payloadBytes, (int) Math.min(core.payloadBytesNow(), most));
  }

  /** Payloads of frames are multiples of eight, so a header never spans two. */
  private void put(long header, MemorySegment from, long at, int length) {
    makeRoom();
    store.appendLong(end - 1, header);
    put += Records.streamBytes(length);
    int done = 0;
    while (done < length) {
      makeRoom();
      int some = Math.min(length - done, room());
      store.append(end - 1, from, at + done, some);
      done += some;
    }
    int padding = Records.padding(length);
    if (padding > 0) {
      store.appendZeros(end - 1, padding); // a frame that has room has eight bytes of it
    }
  }

  private void makeRoom() {
    if (room() == 0) {
      begin();
    }
  }

  // Sending.

  long dueNs() {
    long due = Math.min(Math.min(pollAtNs, welcomeAtNs), retryAtNs);
    if (retryAtNs == CastCore.NEVER && !repairs.isEmpty()) {
      due = 0;
    } else if (retryAtNs == CastCore.NEVER && maySend()) {
      due = Math.min(due, isBatch() || heldNs == CastCore.NEVER ? 0 : heldNs + HOLD_NS);
    }
    if (isStopped()) {
      due = 0;
    }
    return Math.min(due, Math.min(evictAtNs, readers.hasOutside() ? remindAtNs : CastCore.NEVER));
  }

  /** Whether readers, who have all that was sent, take no more: they are asked until they do. */
  private boolean isStopped() {
    return next < end && pollAtNs == CastCore.NEVER && !maySend() && !readers.isEmpty();
  }

  private boolean maySend() {
    return next < end && next - base < flight.frames() && next < readers.lowestLimit();
  }

  /** Whether what waits should not wait for more. */
  private boolean isBatch() {
    return hurries || base == next || end - next >= BATCH || put - sent >= bytes(BATCH);
  }

  /**
   * The sender waits for something else: what waits for more leaves with the next poll. Whether
   * there is something.
   */
  boolean hurry() {
    hurries = next < end && !wanted; // who was refused has more
    return hurries;
  }

  void poll(long nowNs) {
    retryAtNs = CastCore.NEVER;
    if (welcomeAtNs <= nowNs) {
      sendWelcome(nowNs);
    }
    if (!sendRepairs(nowNs) || !sendNew(nowNs)) {
      retryAtNs = nowNs + RETRY_NS;
      return;
    }
    if (isStopped()) {
      pollAtNs = nowNs + pollNs;
    }
    if (next == end && !wanted) {
      forgetWhoBlocks();
    } else {
      forgivePause(nowNs);
      evictWhoBlocks(nowNs);
    }
    if (pollAtNs <= nowNs) {
      ask(nowNs);
    }
    if (remindAtNs <= nowNs && readers.hasOutside()) {
      remind(nowNs);
    }
  }

  /** Who is outside may not know it. */
  private void remind(long nowNs) {
    sendAll(CastBlock.EVICT, readers.outside(end, messages));
    remindAtNs = nowNs + core.jitter(REMIND_NS);
  }

  private boolean sendRepairs(long nowNs) {
    for (int i = 0; i < REPAIRS_AT_ONCE; i++) {
      Long seq = repairs.peek();
      if (seq == null) {
        break;
      }
      if (seq >= base && !transmit(seq, CastBlock.NOBODY, Options.REPAIR)) {
        return false;
      }
      repairs.remove();
      if (seq >= base) {
        store.mark(seq, false);
        store.time(seq, nowNs);
        core.count(CastCount.REPAIRS_OUT);
      }
    }
    return true;
  }

  private boolean transmit(long seq, int asked, int options) {
    return core.sink.toAll(
        core.data(
            key, seq, base, asked, options, store.memory(seq), store.at(seq), store.length(seq)));
  }

  private boolean sendNew(long nowNs) {
    boolean any = false;
    if (next < end && !isBatch()) {
      if (heldNs == CastCore.NEVER) {
        heldNs = nowNs;
      }
      if (nowNs - heldNs < HOLD_NS) {
        return true;
      }
    }
    int n = readers.size();
    int span = (int) Math.min(CastConfig.window(n), flight.frames());
    int every = Math.max(1, span / 2 / Math.max(1, n));
    while (maySend()) {
      store.trim(next);
      int length = store.length(next);
      boolean isTime = sinceAsked + 1 >= every || sent + length - askedAt >= bytes(every);
      boolean asks = n > 0 && isTime;
      int asked = asks ? readers.inTurn().id : CastBlock.NOBODY;
      if (!transmit(next, asked, 0)) {
        return false;
      }
      core.count(CastCount.DATA_OUT);
      sinceAsked++;
      if (asks) {
        sinceAsked = 0;
        askedAt = sent + length;
        readers.nextTurn();
      }
      store.time(next, nowNs);
      sentWeight.add(core.weight(length));
      sent += length;
      next++;
      any = true;
    }
    if (any) {
      heldNs = CastCore.NEVER;
      hurries = false;
      pollNs = Math.max(core.config.tailNs(), 2 * roundTime.ns());
      pollAtNs = nowNs + pollNs;
    }
    return true;
  }

  /** Asks those who have not said that they have what was sent. */
  private void ask(long nowNs) {
    List<CastReader> behind = readers.those(one -> one.has < next);
    if (behind.isEmpty() && next == end) {
      pollAtNs = CastCore.NEVER;
      return;
    }
    tokenNs = nowNs;
    token++;
    sendSome(CastBlock.POLL, behind.isEmpty() ? readers.those(this::isShort) : behind);
    core.count(CastCount.POLLS_OUT);
    pollNs = Math.min(2 * pollNs, POLL_NS_MAX);
    pollAtNs = nowNs + core.jitter(pollNs);
  }

  private void sendWelcome(long nowNs) {
    List<CastReader> unheard = readers.those(one -> !one.confirmed);
    if (unheard.isEmpty()) {
      welcomeAtNs = CastCore.NEVER;
      return;
    }
    sendAll(CastBlock.WELCOME, unheard);
    welcomeAtNs = nowNs + core.jitter(welcomeNs);
    welcomeNs = Math.min(2 * welcomeNs, WELCOME_NS_MAX);
  }

  private void sendAll(int kind, List<CastReader> all) {
    int most = core.listMax(CastBlock.READER_BYTES);
    for (int i = 0; i < all.size(); i += most) {
      sendList(kind, all.subList(i, Math.min(all.size(), i + most)));
    }
  }

  /** As many of them as a frame has room for, and others the next time. */
  private void sendSome(int kind, List<CastReader> all) {
    int most = core.listMax(CastBlock.READER_BYTES);
    int parts = Math.max(1, (all.size() + most - 1) / most);
    int from = Math.floorMod(token, parts) * most;
    sendList(kind, all.subList(from, Math.min(from + most, all.size())));
  }

  private void sendList(int kind, List<CastReader> named) {
    if (kind == CastBlock.WELCOME) {
      core.count(CastCount.WELCOMES_OUT);
    }
    long at =
        core.beginControl(kind, named.size(), CastBlock.READER_BYTES, token, next, base, group);
    for (CastReader reader : named) {
      CastBlock.writeReader(
          core.scratch(), at, reader.id, reader.life, reader.start, reader.message);
      at += CastBlock.READER_BYTES;
    }
    boolean _ = core.sink.toAll(core.finishControl(Header.EVERYONE, key));
  }

  // Who is slow.

  private void forgetWhoBlocks() {
    if (evictAtNs != CastCore.NEVER) {
      evictAtNs = CastCore.NEVER;
      readers.forgetSlow();
    }
    lookedNs = CastCore.NEVER;
  }

  /** While this node stood still, or its clock jumped, nobody else was slow. */
  private void forgivePause(long nowNs) {
    if (lookedNs != CastCore.NEVER && nowNs - lookedNs > PAUSE_NS) {
      readers.forgive(nowNs - lookedNs);
    }
    lookedNs = nowNs;
  }

  /** Of long frames readers allow fewer; no more than a quarter of what this one ever did. */
  private int progressFrames(CastReader reader) {
    int ofAll = PROGRESS_FRAMES / Math.max(weight(), sentWeight.value());
    return Math.max(1, Math.min(ofAll, reader.most / 4));
  }

  /** Whether a reader has little room behind what was sent: it blocks, or would soon. */
  private boolean isShort(CastReader reader) {
    return reader.limit <= next + progressFrames(reader);
  }

  /**
   * This sender waits for somebody. Of readers that hold it back, or soon would, each has a pace's
   * time for some progress, all of them at the same time.
   */
  private void evictWhoBlocks(long nowNs) {
    long paceNs = core.config.paceNs();
    if (paceNs >= CastCore.NEVER / 2 || (evictAtNs != CastCore.NEVER && nowNs < evictAtNs)) {
      return;
    }
    evictAtNs = nowNs + Math.max(1, paceNs / LOOKS_PER_PACE);
    boolean any = false;
    for (int i = readers.size() - 1; i >= 0; i--) {
      CastReader reader = readers.at(i);
      boolean slow = (reader.has == base && base < next) || isShort(reader);
      long sinceNs = reader.slowSince(nowNs, slow, progressFrames(reader));
      if (slow && nowNs - sinceNs >= paceNs) {
        core.count(CastCount.EVICTIONS);
        readers.evict(reader);
        core.user.onEvicted(this, reader.id);
        any = true;
      } else if (slow) {
        evictAtNs = Math.min(evictAtNs, sinceNs + paceNs);
      }
    }
    if (any) {
      remind(nowNs);
      advance();
    }
  }

  // What readers say.

  void onStatus(long nowNs, FrameView view) {
    CastReader reader = readers.of(view);
    long has = CastBlock.seq(view);
    long upTo = CastBlock.limit(view);
    boolean isSound = has <= next && upTo >= has && upTo - has <= CastConfig.WINDOW_MAX;
    if (reader == null || !isSound) {
      core.count(CastCount.DROP_STRANGE);
      return;
    }
    core.count(CastCount.STATUS_IN);
    reader.confirmed |= has >= reader.start;
    reader.asks = has > reader.start ? 0 : reader.asks;
    sampleTime(nowNs, CastBlock.token(view));
    if (reader.hear(has, upTo)) {
      pollNs = Math.max(core.config.tailNs(), 2 * roundTime.ns());
    }
    advance();
  }

  /** Tokens are those of polls, or numbers of frames that asked, whose highest bit is set. */
  private void sampleTime(long nowNs, int answered) {
    if (answered == token && token != 0) {
      roundTime.sample(nowNs - tokenNs);
    } else if (answered < 0) {
      long frame = next - (((int) next - answered) & Integer.MAX_VALUE);
      if (frame >= base && frame < next && store.time(frame) > 0) {
        roundTime.sample(nowNs - store.time(frame));
      }
    }
  }

  void onNak(long nowNs, FrameView view) {
    CastReader reader = readers.of(view);
    if (reader == null) {
      core.count(CastCount.DROP_STRANGE);
      return;
    }
    core.count(CastCount.NAKS_IN);
    reader.confirmed |= CastBlock.seq(view) >= reader.start;
    boolean lost = false;
    for (int i = 0; i < CastBlock.count(view); i++) {
      long from = Math.max(base, CastBlock.spanFrom(view, i));
      long to = Math.min(next, CastBlock.spanTo(view, i));
      for (long seq = from; seq < to; seq++) {
        if (!store.isMarked(seq) && nowNs - store.time(seq) >= roundTime.ns() / 2) {
          store.mark(seq, true);
          repairs.add(seq);
          lost = true;
        }
      }
    }
    if (lost) {
      flight.onLoss(nowNs, roundTime.ns());
    }
  }

  /** What all have is not held any longer. */
  private void advance() {
    readers.look();
    if (readers.isEmpty()) {
      next = end;
      sent = put;
      repairs.clear();
      pollAtNs = CastCore.NEVER;
    }
    long some = (readers.isEmpty() ? end : readers.lowestHas()) - base;
    if (some > 0) {
      for (long seq = base; seq < base + some; seq++) {
        freed += store.length(seq);
        sent += seq < next ? 0 : store.length(seq); // whoever it was for is gone
        store.free(seq);
      }
      base += some;
      next = Math.max(next, base);
      flight.onArrived(some);
      if (base == end) {
        pollAtNs = CastCore.NEVER;
      }
      if (wanted) {
        wanted = false;
        core.user.onRoom(this);
      }
    }
  }
}
