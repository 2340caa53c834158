package io.busbar.bus;

import io.busbar.wire.CastBlock;
import io.busbar.wire.FrameView;
import io.busbar.wire.Header;
import io.busbar.wire.Options;
import io.busbar.wire.Records;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A stream that this node sends: what of it is held, who has how much, and what is due. */
public final class CastOut {
  private static final long POLL_NS_MIN = 500_000;
  private static final long POLL_NS_MAX = 100_000_000;
  private static final long WELCOME_NS = 20_000_000;
  private static final long WELCOME_NS_MAX = 1_000_000_000;
  private static final long RETRY_NS = 20_000;
  private static final long REMIND_NS = 500_000_000;

  /** Frames that are repaired before anything else is looked at. */
  private static final int REPAIRS_AT_ONCE = 64;

  /**
   * While something is on its way, frames leave so many at a time, or when the oldest has waited
   * for so long: a carrier moves several for little more than one.
   */
  private static final int BATCH = 32;

  private static final long HOLD_NS = 50_000;

  private static final int FLIGHT_FIRST = 256;
  private static final int FLIGHT_MIN = 16;

  final long key;
  final long group;
  private final CastCore core;
  private final CastStore store;
  private final RoundTime roundTime = new RoundTime();
  private final Map<Integer, CastReader> readers = new TreeMap<>();
  private final List<CastReader> inTurn = new ArrayList<>();
  private final ArrayDeque<Long> repairs = new ArrayDeque<>();

  /** Members that were evicted, with their lives, until they are taken in again. */
  private final Map<Integer, Long> outside = new TreeMap<>();

  // Frames: what all have, what has left, and where the stream ends.
  private long base;
  private long next;
  private long end;

  /** Frames before this one take nothing more: somebody begins behind them. */
  private long closed;

  private long messages;

  /** What may be on its way, as losses allow. */
  private double flight = FLIGHT_FIRST;

  private double flightBefore = CastConfig.WINDOW_MAX;
  private long cutNs = -CastCore.NEVER / 2;

  private int turn;
  private int sinceAsked;
  private int token;
  private long tokenNs;
  private long pollAtNs = CastCore.NEVER;
  private long pollNs = POLL_NS_MIN;
  private long welcomeAtNs = CastCore.NEVER;
  private long welcomeNs = WELCOME_NS;
  private long retryAtNs = CastCore.NEVER;
  private long blockedNs = CastCore.NEVER;
  private long evictAtNs = CastCore.NEVER;
  private long remindAtNs;
  private boolean wanted;

  /** The lowest of the readers'. */
  private long limit = CastCore.NEVER;

  /** Since when frames wait for more. */
  private long heldNs = CastCore.NEVER;

  CastOut(CastCore core, long key, long group) {
    this.core = core;
    this.key = key;
    this.group = group;
    this.store = new CastStore(core.payloadBytes);
  }

  /** Messages that were put into it. */
  public long messages() {
    return messages;
  }

  /** Who reads it. */
  public int readers() {
    return readers.size();
  }

  /** Whether all readers have all. */
  public boolean isSettled() {
    return base == end;
  }

  /** Frames that not all have said to have. */
  public long unsettledFrames() {
    return end - base;
  }

  /** The first frame behind all that was put in so far; see {@link #hasReached}. */
  public long end() {
    return end;
  }

  /** Whether all readers have all frames before one. */
  public boolean hasReached(long frame) {
    return base >= frame;
  }

  // Readers.

  void welcome(long nowNs, int id, long life) {
    CastReader known = readers.get(id);
    if (known != null && known.life == life) {
      return;
    }
    remove(id);
    outside.remove(id);
    closed = end;
    CastReader reader = new CastReader(id, life, end, messages, nowNs);
    readers.put(id, reader);
    inTurn.add(reader);
    welcomeNs = WELCOME_NS;
    welcomeAtNs = nowNs;
    advance(nowNs);
  }

  /** A reader has gone, or is not waited for any longer. */
  void remove(int id) {
    CastReader gone = readers.remove(id);
    if (gone != null) {
      inTurn.remove(gone);
    }
  }

  void onGone(long nowNs, int id) {
    outside.remove(id);
    if (readers.containsKey(id)) {
      remove(id);
      advance(nowNs);
    }
  }

  boolean reads(int id) {
    return readers.containsKey(id);
  }

  /**
   * A member that was evicted, or believes so, has dealt with what it had.
   *
   * @param has the first frame that it has not
   */
  void rejoin(long nowNs, int id, long life, long has) {
    CastReader known = readers.get(id);
    if (known != null && known.life == life && has <= known.start) {
      welcomeAtNs = nowNs; // it was welcomed, and has not heard it
      known.confirmed = false;
    } else {
      remove(id);
      welcome(nowNs, id, life);
    }
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
      messages += isMessage ? 1 : 0;
      core.count(CastCount.MESSAGES_OUT);
      return true; // nobody is there
    }
    boolean isOpen = end > Math.max(next, closed) && store.length(end - 1) < core.payloadBytes;
    int room = isOpen ? core.payloadBytes - store.length(end - 1) : 0;
    long bytes = Records.streamBytes(length);
    long frames = Math.max(0, (bytes - room + core.payloadBytes - 1) / core.payloadBytes);
    if (end + frames - base > CastConfig.window(readers.size())) {
      wanted = true;
      return false;
    }
    if (!isOpen) {
      begin();
    }
    put(header, from, at, length);
    messages += isMessage ? 1 : 0;
    core.count(CastCount.MESSAGES_OUT);
    return true;
  }

  private void begin() {
    store.begin(end++);
  }

  /** Payloads of frames are multiples of eight, so a header never spans two. */
  private void put(long header, MemorySegment from, long at, int length) {
    makeRoom();
    store.appendLong(end - 1, header);
    int done = 0;
    while (done < length) {
      makeRoom();
      int some = Math.min(length - done, core.payloadBytes - store.length(end - 1));
      store.append(end - 1, from, at + done, some);
      done += some;
    }
    int padding = Records.padding(length);
    if (padding > 0) {
      store.appendZeros(end - 1, padding); // a frame that has room has eight bytes of it
    }
  }

  private void makeRoom() {
    if (store.length(end - 1) == core.payloadBytes) {
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
    return Math.min(due, Math.min(evictAtNs, outside.isEmpty() ? CastCore.NEVER : remindAtNs));
  }

  private boolean maySend() {
    return next < end && next - base < (long) flight && next < limit;
  }

  /** Whether what waits should not wait for more. */
  private boolean isBatch() {
    return base == next || end - next >= BATCH;
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
    if (next == end && !wanted) {
      blockedNs = CastCore.NEVER;
      evictAtNs = CastCore.NEVER;
    } else {
      blockedNs = Math.min(blockedNs, nowNs);
      evictWhoBlocks(nowNs);
    }
    if (pollAtNs <= nowNs) {
      ask(nowNs);
    }
    if (remindAtNs <= nowNs && !outside.isEmpty()) {
      remind(nowNs);
    }
  }

  /** Who is outside may not know it. */
  private void remind(long nowNs) {
    List<CastReader> named = new ArrayList<>();
    outside.forEach((id, life) -> named.add(new CastReader(id, life, end, messages, nowNs)));
    int most = core.listMax(CastBlock.READER_BYTES);
    sendList(CastBlock.EVICT, named.subList(0, Math.min(most, named.size())), token);
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
    int n = inTurn.size();
    int span = (int) Math.min(CastConfig.window(n), (long) flight);
    int every = Math.max(1, span / 2 / Math.max(1, n));
    while (next < end && next - base < (long) flight && next < limit) {
      boolean asks = n > 0 && sinceAsked + 1 >= every;
      int asked = asks ? inTurn.get(turn % n).id : CastBlock.NOBODY;
      if (!transmit(next, asked, 0)) {
        return false;
      }
      core.count(CastCount.DATA_OUT);
      sinceAsked = asks ? 0 : sinceAsked + 1;
      turn = asks ? (turn + 1) % n : turn;
      store.time(next, nowNs);
      next++;
      any = true;
    }
    if (any) {
      heldNs = CastCore.NEVER;
      blockedNs = CastCore.NEVER;
      pollNs = Math.max(POLL_NS_MIN, 2 * roundTime.ns());
      pollAtNs = nowNs + pollNs;
    }
    return true;
  }

  /** Asks those who have not said that they have what was sent. */
  private void ask(long nowNs) {
    List<CastReader> behind = inTurn.stream().filter(one -> one.has < next).toList();
    if (behind.isEmpty() && next == end) {
      pollAtNs = CastCore.NEVER;
      return;
    }
    List<CastReader> stuck =
        behind.isEmpty() ? inTurn.stream().filter(one -> one.limit <= next).toList() : behind;
    int most = core.listMax(CastBlock.READER_BYTES);
    List<CastReader> named = stuck.subList(0, Math.min(most, stuck.size()));
    tokenNs = nowNs;
    sendList(CastBlock.POLL, named, ++token);
    core.count(CastCount.POLLS_OUT);
    pollNs = Math.min(2 * pollNs, POLL_NS_MAX);
    pollAtNs = nowNs + core.jitter(pollNs);
  }

  private void sendWelcome(long nowNs) {
    List<CastReader> unheard = inTurn.stream().filter(one -> !one.confirmed).toList();
    if (unheard.isEmpty()) {
      welcomeAtNs = CastCore.NEVER;
      return;
    }
    int most = core.listMax(CastBlock.READER_BYTES);
    for (int i = 0; i < unheard.size(); i += most) {
      sendList(CastBlock.WELCOME, unheard.subList(i, Math.min(unheard.size(), i + most)), token);
      core.count(CastCount.WELCOMES_OUT);
    }
    welcomeAtNs = nowNs + core.jitter(welcomeNs);
    welcomeNs = Math.min(2 * welcomeNs, WELCOME_NS_MAX);
  }

  private void sendList(int kind, List<CastReader> named, int withToken) {
    long at =
        core.beginControl(kind, named.size(), CastBlock.READER_BYTES, withToken, next, base, group);
    for (CastReader reader : named) {
      CastBlock.writeReader(
          core.scratch(), at, reader.id, reader.life, reader.start, reader.message);
      at += CastBlock.READER_BYTES;
    }
    boolean _ = core.sink.toAll(core.finishControl(Header.EVERYONE, key));
  }

  // Who is slow.

  private void evictWhoBlocks(long nowNs) {
    long paceNs = core.config.paceNs();
    if (paceNs >= CastCore.NEVER / 2) {
      return; // for ever
    }
    evictAtNs = nowNs + paceNs;
    for (CastReader reader : List.copyOf(inTurn)) {
      boolean blocks = (reader.has == base && base < next) || reader.limit <= next;
      long sinceNs = Math.max(blockedNs, reader.progressNs);
      if (blocks && nowNs - sinceNs < paceNs) {
        evictAtNs = Math.min(evictAtNs, sinceNs + paceNs);
      } else if (blocks) {
        core.count(CastCount.EVICTIONS);
        remove(reader.id);
        outside.put(reader.id, reader.life);
        blockedNs = nowNs;
        remind(nowNs);
        advance(nowNs);
        core.user.onEvicted(this, reader.id);
      }
    }
  }

  // What readers say.

  void onStatus(long nowNs, FrameView view) {
    CastReader reader = reader(view);
    long has = CastBlock.seq(view);
    long upTo = CastBlock.limit(view);
    boolean isSound = has <= next && upTo >= has && upTo - has <= CastConfig.WINDOW_MAX;
    if (reader == null || !isSound) {
      core.count(CastCount.DROP_STRANGE);
      return;
    }
    core.count(CastCount.STATUS_IN);
    reader.confirmed = true;
    sampleTime(nowNs, CastBlock.token(view));
    if (has > reader.has || upTo > reader.limit) {
      reader.has = Math.max(reader.has, has);
      reader.limit = Math.max(reader.limit, upTo);
      reader.progressNs = nowNs;
      pollNs = Math.max(POLL_NS_MIN, 2 * roundTime.ns());
    }
    advance(nowNs);
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

  private @Nullable CastReader reader(FrameView view) {
    CastReader reader = readers.get(view.from());
    return reader == null || reader.life != view.seq() ? null : reader;
  }

  void onNak(long nowNs, FrameView view) {
    CastReader reader = reader(view);
    if (reader == null) {
      core.count(CastCount.DROP_STRANGE);
      return;
    }
    core.count(CastCount.NAKS_IN);
    reader.confirmed = true;
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
    if (lost && nowNs - cutNs > roundTime.ns()) {
      cutNs = nowNs;
      flight = Math.max(FLIGHT_MIN, flight / 2);
      flightBefore = flight;
    }
  }

  /** What all have is not held any longer. */
  private void advance(long nowNs) {
    long all = inTurn.isEmpty() ? end : CastCore.NEVER;
    limit = CastCore.NEVER;
    for (int i = 0; i < inTurn.size(); i++) {
      all = Math.min(all, inTurn.get(i).has);
      limit = Math.min(limit, inTurn.get(i).limit);
    }
    if (inTurn.isEmpty()) {
      next = end;
      repairs.clear();
      pollAtNs = CastCore.NEVER;
    }
    long freed = all - base;
    if (freed > 0) {
      base = all;
      flight += flight < flightBefore ? freed : freed / flight;
      flight = Math.min(flight, CastConfig.WINDOW_MAX);
      blockedNs = blockedNs == CastCore.NEVER ? blockedNs : nowNs;
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
