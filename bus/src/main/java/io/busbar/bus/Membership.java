package io.busbar.bus;

import io.busbar.wire.BusBlock;
import io.busbar.wire.Format;
import io.busbar.wire.FrameBuilder;
import io.busbar.wire.FrameView;
import io.busbar.wire.Header;
import io.busbar.wire.Incarnation;
import io.busbar.wire.Key;
import io.busbar.wire.MemberRecord;
import io.busbar.wire.Verdict;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.function.Consumer;

/**
 * One life of a node, and its part in knowing who is there. It is given the time and the frames
 * that arrive, and gives frames, events and the next deadline. It ends when the node leaves, or
 * loses its id; whoever joins again does so with another one. One caller at a time.
 */
public final class Membership {
  private final Core core;
  private final Announcer announcer;
  private final Detector detector;
  private final Exchange exchange;
  private final FrameView view = new FrameView();
  private long dueNs = Core.NEVER;

  /** One that has not started. */
  public Membership(BusConfig config, BusSink sink, MemberEvents events) {
    core = new Core(config, sink, events);
    announcer = new Announcer(core);
    detector = new Detector(core);
    exchange = new Exchange(core);
  }

  /** Begins to look for others, and to be found. */
  public void start(long nowNs) {
    announcer.start(nowNs);
    detector.start(nowNs);
    dueNs = nextNs();
  }

  /** Says that this node leaves, once; nothing is due then. */
  public void leave() {
    announcer.leave();
    dueNs = Core.NEVER;
  }

  /**
   * The kernel has told that the process of a node has ended, in this life: it is dead to this node
   * at once, and the others hear of it.
   */
  public void onProcessEnded(long nowNs, int id, long incarnation) {
    if (core.isMember) {
      detector.onProcessEnded(nowNs, id, incarnation);
      dueNs = nextNs();
    }
  }

  /** What this node says of itself, to somebody who hears it before anything else. */
  public FrameBuilder hello() {
    return core.frames.hello(core.self, 0, Header.EVERYONE);
  }

  /** This node's id; not yet its own while it is no member. */
  public int id() {
    return core.self.id;
  }

  /** Whether this node has its id. */
  public boolean isMember() {
    return core.isMember;
  }

  /** All members, and those that have gone and are remembered, by id. */
  public List<Member> members() {
    return core.roster.all().stream().map(Entry::member).toList();
  }

  /** How many nodes are members, this one included. */
  public int size() {
    return core.roster.members();
  }

  /** Nodes whose members are the same have the same. */
  public long viewHash() {
    return core.roster.hash();
  }

  /** Counts the changes of what this node knows. */
  public long viewNumber() {
    return core.viewNumber();
  }

  /** How often something has happened. */
  public long count(BusCount what) {
    return core.counted(what);
  }

  /** When {@link #poll} is to be called next; {@link Long#MAX_VALUE} for never. */
  public long dueNs() {
    return dueNs;
  }

  /** Does what is due; returns when something will be. */
  public long poll(long nowNs) {
    if (dueNs == Core.NEVER) {
      return dueNs;
    }
    if (nowNs - dueNs > core.times.answerNs()) {
      core.events.onPaused(nowNs - dueNs);
      detector.forgive(nowNs, nowNs - dueNs);
    }
    announcer.poll(nowNs);
    if (core.isMember) {
      detector.poll(nowNs);
      exchange.poll(nowNs);
      if (core.newsAtNs <= nowNs) {
        core.tellNews(nowNs);
      }
    }
    dueNs = nextNs();
    return dueNs;
  }

  private long nextNs() {
    if (announcer.hasLeft()) {
      return Core.NEVER;
    }
    long due = announcer.dueNs();
    if (core.isMember) {
      due = Math.min(due, Math.min(detector.dueNs(), exchange.dueNs()));
      due = Math.min(due, core.newsAtNs);
    }
    return due;
  }

  /**
   * A frame has arrived.
   *
   * @param reply takes a frame to whoever sent this one
   * @return whether it was one of this cluster's bus
   */
  public boolean onFrame(
      long nowNs, MemorySegment bytes, long at, int length, Consumer<FrameBuilder> reply) {
    BusCount refusal = judge(view.wrap(bytes, at, length));
    if (refusal != BusCount.FRAMES_IN) {
      core.count(refusal);
      return false;
    }
    if (dueNs == Core.NEVER || view.seq() == core.self.life) {
      return true; // it has left, or a bridge gave back what it said
    }
    core.count(BusCount.FRAMES_IN);
    if (view.from() == core.self.id) {
      if (view.format() == Format.HELLO) {
        announcer.onRival(nowNs, view, reply);
      } else if (core.isMember) {
        announcer.helloSoon(nowNs);
      }
    } else {
      hear(nowNs, reply);
    }
    dueNs = nextNs();
    return true;
  }

  /**
   * A frame of a broadcast has arrived, which is sound: who sends it lives. A member that speaks is
   * not taken for dead because it is too busy to answer.
   */
  public void onSign(long nowNs, FrameView frame) {
    Entry entry = core.roster.get(frame.from());
    if (entry == null) {
      return;
    }
    boolean isSame =
        frame.format() == Format.CAST
            ? Key.incarnationBits(frame.key()) == Incarnation.keyBits(entry.life)
            : frame.seq() == entry.life;
    if (isSame) {
      detector.onSign(nowNs, entry);
    }
  }

  private BusCount judge(Verdict verdict) {
    if (verdict == Verdict.VERSION) {
      return BusCount.DROP_VERSION;
    }
    if (!verdict.ok()) {
      return BusCount.DROP_MALFORMED;
    }
    if (view.format() < Format.BUS) {
      return BusCount.DROP_FORMAT;
    }
    if (!BusBlock.check(view).ok() || !isOwnCard() || isForTooMany()) {
      return BusCount.DROP_MALFORMED;
    }
    return view.key() == core.config.cluster() ? BusCount.FRAMES_IN : BusCount.DROP_CLUSTER;
  }

  /** A hello is about its sender. */
  private boolean isOwnCard() {
    long at = BusBlock.listAt(view);
    return view.format() != Format.HELLO
        || (MemberRecord.id(view.segment(), at) == view.from()
            && MemberRecord.life(view.segment(), at) == view.seq());
  }

  /** A question, or an answer, is for one: else all of them would answer. */
  private boolean isForTooMany() {
    return view.to() == Header.EVERYONE
        && view.format() != Format.HELLO
        && view.format() != Format.NEWS;
  }

  private void hear(long nowNs, Consumer<FrameBuilder> reply) {
    boolean claims = view.format() == Format.HELLO && BusBlock.has(view, BusBlock.CLAIMS);
    switch (view.format()) {
      case Format.HELLO -> {
        if (!claims) {
          core.hear(nowNs, view, BusBlock.listAt(view), true);
        }
        if (BusBlock.has(view, BusBlock.ASKS)) {
          exchange.onQuestion(view, reply);
        }
      }
      case Format.SYNC -> exchange.onSync(view, reply);
      case Format.VIEW -> exchange.onView(nowNs, view);
      case Format.NEWS -> core.hearRecords(nowNs, view);
      case Format.PROBE -> {
        core.hearRecords(nowNs, view);
        if (core.isMember) {
          detector.onProbe(view, reply);
        }
      }
      default -> {
        core.hearRecords(nowNs, view);
        detector.onAnswer(view);
      }
    }
    announcer.onHeard(nowNs);
    if (core.isMember && !claims) {
      exchange.onHash(nowNs, view, reply);
    }
  }
}
