package io.busbar.bus;

import io.busbar.wire.CastBlock;
import io.busbar.wire.FrameView;
import io.busbar.wire.Header;
import java.util.Arrays;

/** A stream that this node reads: what has come, what is missing, and when to ask for it. */
public final class CastIn {
  private static final int FRAMES = CastConfig.WINDOW_MAX;
  private static final int NEWS_NS = 20_000;
  private static final long NAK_NS_MIN = 20_000;
  private static final long AGAIN_NS_MIN = 1_000_000;
  private static final int TRIES_MAX = 6;
  private static final int SPANS_MAX = 16;
  private static final long JOIN_NS = 30_000_000;
  private static final long JOIN_NS_MAX = 2_000_000_000;

  final int sender;
  final long life;
  final long key;
  private final CastCore core;
  private final CastStore held;
  private final long[] heldSeqs = new long[FRAMES];
  private final RoundTime roundTime = new RoundTime();

  // Frames: the first that is missing, and where the stream is known to end.
  private long next;
  private long known;

  /** Where this node was welcomed last. */
  private long start;

  /** Of frames that wait for one before them. */
  private long heldBytes;

  private long parkedBytes;
  private long toldLimit;

  /** Up to where its sender may have been told that it may go, before frames became longer. */
  private long promised;

  private final CastWeight weight = new CastWeight();

  private int others = 1;
  private long nakAtNs = CastCore.NEVER;
  private long nakNs;
  private int tries;
  private long statusAtNs = CastCore.NEVER;
  private long joinAtNs = CastCore.NEVER;
  private int token;
  private long joinNs = JOIN_NS;
  private int tag;
  private long group;
  private boolean begun;
  private boolean evicted;

  /** Whether its bytes made no sense, until it goes on elsewhere. */
  private boolean torn;

  /** Whether its sender is held to be dead. */
  private boolean dead;

  CastIn(CastCore core, int sender, long life, long key) {
    this.core = core;
    this.sender = sender;
    this.life = life;
    this.key = key;
    this.held = new CastStore(core.payloadBytes);
    Arrays.fill(heldSeqs, -1);
  }

  /** Who sends it. */
  public int sender() {
    return sender;
  }

  /** In which life. */
  public long life() {
    return life;
  }

  /** Its name, which no other stream has. */
  public long key() {
    return key;
  }

  /** Whom it is for, as its sender says; known once it {@link #hasBegun}. */
  public long group() {
    return group;
  }

  /** Whether this node was welcomed to it. */
  public boolean hasBegun() {
    return begun;
  }

  /** Whether its sender is held to be dead: nothing is heard of it until it comes back. */
  public boolean isDead() {
    return dead;
  }

  /** The user's own number for it, which it gave with {@link #tag(int)}. */
  public int tag() {
    return tag;
  }

  /** Gives it a number of the user's own. */
  public void tag(int number) {
    tag = number;
  }

  void others(int number) {
    others = Math.max(1, number);
  }

  // Who is there.

  /** Its sender is held to be dead: nobody is asked for anything. */
  void onDead() {
    if (dead) {
      return;
    }
    dead = true;
    nakAtNs = CastCore.NEVER;
    statusAtNs = CastCore.NEVER;
    joinAtNs = CastCore.NEVER;
    if (begun) {
      core.user.onDead(this);
    }
  }

  /** Its sender lives the same life: what is missing is asked for again. */
  void onBack(long nowNs) {
    if (!dead) {
      return;
    }
    dead = false;
    tries = 0;
    joinNs = JOIN_NS;
    planNak(nowNs);
    if (!begun || evicted) {
      want(nowNs);
    }
  }

  /** It is over: what was held of it is free. */
  void forget() {
    held.clear();
  }

  // What the sender says.

  void onWelcome(long nowNs, FrameView view, int index) {
    long from = CastBlock.readerStart(view, index);
    long message = CastBlock.readerMessage(view, index);
    joinNs = JOIN_NS;
    if (!begun) {
      begun = true;
      group = CastBlock.group(view);
      next = from;
      known = from;
      core.user.onBegin(this, message);
    } else if (from > next || (torn && from == next)) {
      torn = false;
      skipTo(from);
      core.count(CastCount.GAPS);
      core.user.onGap(this, message);
    }
    if (from >= next) {
      start = from;
      evicted = false;
      joinAtNs = CastCore.NEVER;
    }
    knowEnd(nowNs, CastBlock.seq(view));
    answerSoon(nowNs, index, CastBlock.token(view));
    deliverHeld();
  }

  private void skipTo(long from) {
    next = from;
    known = Math.max(known, from);
    nakAtNs = CastCore.NEVER;
    tries = 0;
    for (int i = 0; i < FRAMES; i++) {
      if (heldSeqs[i] >= 0 && heldSeqs[i] < from) {
        unhold(heldSeqs[i]);
      }
    }
  }

  private void answerSoon(long nowNs, int index, int withToken) {
    token = withToken;
    statusAtNs = Math.min(statusAtNs, nowNs + (long) index * NEWS_NS);
  }

  void onPoll(long nowNs, FrameView view, int index) {
    if (!begun) {
      want(nowNs); // it does not know where it begins
      return;
    }
    knowEnd(nowNs, CastBlock.seq(view));
    if (index >= 0) {
      answerSoon(nowNs, index, CastBlock.token(view));
    }
  }

  /** Unless it was welcomed again since. */
  void onEvict(long nowNs, long since) {
    if (!begun || evicted) {
      want(nowNs);
    } else if (since >= start) {
      evict(nowNs);
    }
  }

  /** Asks to be taken in, soon: it may be under way. */
  void want(long nowNs) {
    if (joinAtNs == CastCore.NEVER) {
      joinAtNs = nowNs + core.jitter(joinNs);
      joinNs = Math.min(2 * joinNs, JOIN_NS_MAX);
    }
  }

  private void evict(long nowNs) {
    evicted = true;
    nakAtNs = CastCore.NEVER;
    want(nowNs);
    core.user.onEvicted(this);
  }

  /** The bytes that were given last make no sense: whoever put them in, it begins anew. */
  void tear(long nowNs) {
    core.count(CastCount.DROP_UNSOUND);
    if (!torn) {
      torn = true;
      next--;
      evict(nowNs);
    }
  }

  private void knowEnd(long nowNs, long end) {
    known = Math.max(known, Math.min(end, next + FRAMES));
    planNak(nowNs);
  }

  void onData(long nowNs, FrameView view) {
    long seq = view.seq();
    if (dead) {
      core.count(CastCount.DROP_STRANGE);
      return; // what it is told when it comes back may differ from what it says now
    }
    if (!begun || evicted) {
      core.count(CastCount.DROP_STRANGE);
      want(nowNs);
      return; // whoever was evicted begins again where it is welcomed
    }
    long base = Header.extend(view.rseqLow(), seq);
    if (base > next) {
      evict(nowNs); // what is missing is held no longer
      return;
    }
    if (seq < next || isHeld(seq)) {
      core.count(CastCount.DUPLICATES_IN);
    } else if (!mayTake(seq, view.length()) || (seq > next && !hasRoom(view.length()))) {
      core.count(CastCount.DROP_EARLY);
    } else {
      take(nowNs, seq, view);
    }
    if (view.creditUnits() == core.config.id()) {
      token = (int) seq | Integer.MIN_VALUE;
      statusAtNs = nowNs;
    }
  }

  private void take(long nowNs, long seq, FrameView view) {
    core.count(CastCount.DATA_IN);
    weight.add(core.weight(view.length()));
    if (tries > 0 && nakNs > 0) {
      roundTime.sample(nowNs - nakNs);
      nakNs = 0;
    }
    known = Math.max(known, seq + 1);
    if (seq == next) {
      next++;
      deliver(view);
      deliverHeld();
      tries = 0;
      nakAtNs = next < known ? nakAtNs : CastCore.NEVER;
    } else {
      held.hold(seq, view.segment(), view.payloadAt(), view.length());
      heldSeqs[(int) (seq % FRAMES)] = seq;
      heldBytes += view.length();
    }
    planNak(nowNs);
  }

  /** What was promised is taken, but not much more bytes than that of the own length would have. */
  private boolean mayTake(long seq, int bytes) {
    return seq < limit()
        || (seq < Math.max(promised, start + FRAMES)
            && seq < next + FRAMES
            && parkedBytes + heldBytes + bytes <= 2L * FRAMES * core.payloadBytes);
  }

  /** Frames of a sender whose carriers take longer ones count for as many of this node's. */
  private boolean hasRoom(int bytes) {
    return heldBytes + bytes <= (long) FRAMES * core.payloadBytes;
  }

  private void unhold(long seq) {
    heldSeqs[(int) (seq % FRAMES)] = -1;
    heldBytes -= held.length(seq);
  }

  private boolean isHeld(long seq) {
    return heldSeqs[(int) (seq % FRAMES)] == seq;
  }

  private void deliver(FrameView view) {
    parkedBytes += view.length();
    core.user.onBytes(this, view.segment(), view.payloadAt(), view.length());
  }

  private void deliverHeld() {
    while (!evicted && isHeld(next)) {
      long seq = next++;
      unhold(seq);
      parkedBytes += held.length(seq);
      core.user.onBytes(this, held.memory(seq), held.at(seq), held.length(seq));
      held.free(seq);
    }
  }

  // What this reader says.

  /** The user is done with so many bytes. */
  void done(long nowNs, long bytes) {
    parkedBytes = Math.max(0, parkedBytes - bytes); // of a torn stream more is said to be done
    int few = Math.max(1, FRAMES / 4 / weight.value());
    boolean mayBlock = toldLimit - known < few;
    if (mayBlock && limit() - toldLimit >= few && !dead) {
      statusAtNs = Math.min(statusAtNs, nowNs);
    }
  }

  private long limit() {
    long parked = (parkedBytes + core.payloadBytes - 1) / core.payloadBytes;
    return next + Math.max(0, FRAMES - parked) / weight.value();
  }

  /** Draws when to ask: the more there are, the later most of them do. */
  private void planNak(long nowNs) {
    if (next < known && nakAtNs == CastCore.NEVER && !evicted && !dead) {
      double spread = others <= 1 ? 0 : roundTime.ns() * (1 + Math.log(others) / Math.log(2));
      double skew = Math.log(others) + 1;
      double drawn = Math.log((Math.exp(skew) - 1) * core.random.nextDouble() + 1) / skew;
      nakAtNs = nowNs + NAK_NS_MIN + (long) (spread * drawn);
    }
  }

  /** Another reader asks for something. */
  void onOtherNak(long nowNs, FrameView view) {
    if (nakAtNs == CastCore.NEVER) {
      return;
    }
    for (int i = 0; i < CastBlock.count(view); i++) {
      if (CastBlock.spanFrom(view, i) <= next && next < CastBlock.spanTo(view, i)) {
        long laterNs = nowNs + core.jitter(2 * Math.max(AGAIN_NS_MIN, roundTime.ns()));
        if (laterNs > nakAtNs) {
          nakAtNs = laterNs;
          core.count(CastCount.NAKS_SPARED);
        }
        return;
      }
    }
  }

  long dueNs() {
    return Math.min(Math.min(nakAtNs, statusAtNs), joinAtNs);
  }

  void poll(long nowNs) {
    if (nakAtNs <= nowNs) {
      ask(nowNs);
    }
    if (statusAtNs <= nowNs) {
      statusAtNs = CastCore.NEVER;
      say(CastBlock.STATUS);
      core.count(CastCount.STATUS_OUT);
    }
    if (joinAtNs <= nowNs) {
      joinAtNs = CastCore.NEVER;
      if ((limit() - next) * weight.value() > FRAMES / 2) {
        say(CastBlock.JOIN);
      }
      if (evicted) {
        want(nowNs);
      }
    }
  }

  private void say(int kind) {
    toldLimit = limit();
    promised = Math.max(promised, toldLimit);
    long _ = core.beginControl(kind, 0, 0, token, next, toldLimit);
    core.sink.to(sender, core.finishControl(sender, key));
  }

  private void ask(long nowNs) {
    long[] spans = new long[2 * SPANS_MAX];
    int count = 0;
    long seq = next;
    while (seq < known && count < SPANS_MAX) {
      long from = seq;
      while (seq < known && !isHeld(seq)) {
        seq++;
      }
      if (seq > from) {
        spans[2 * count] = from;
        spans[2 * count + 1] = seq;
        count++;
      }
      while (seq < known && isHeld(seq)) {
        seq++;
      }
    }
    nakAtNs = CastCore.NEVER;
    if (count == 0) {
      return;
    }
    long at = core.beginControl(CastBlock.NAK, count, CastBlock.SPAN_BYTES, 0, next, limit());
    for (int i = 0; i < count; i++) {
      CastBlock.writeSpan(core.scratch(), at, spans[2 * i], spans[2 * i + 1]);
      at += CastBlock.SPAN_BYTES;
    }
    core.count(CastCount.NAKS_OUT);
    boolean _ = core.sink.toAll(core.finishControl(Header.EVERYONE, key));
    nakNs = nowNs;
    long againNs = (2 * Math.max(AGAIN_NS_MIN, roundTime.ns())) << Math.min(tries++, TRIES_MAX);
    nakAtNs = nowNs + core.jitter(againNs);
  }
}
