package io.busbar.bus;

import io.busbar.wire.CastBlock;
import io.busbar.wire.Format;
import io.busbar.wire.FrameView;
import io.busbar.wire.Incarnation;
import io.busbar.wire.Key;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * One node's broadcasts: the streams that it sends, and those of others that it reads. It is told
 * who is a member, the time, and the frames that arrive, and gives frames, bytes and the next
 * deadline. One caller at a time.
 */
public final class Casting {
  /** Streams that one sender may have: to everyone, and to groups. */
  public static final int STREAMS_PER_SENDER = 128;

  /**
   * Of those, as many to which this node was not welcomed yet: anybody on the segment can make some
   * up. One more takes the place of the oldest, and if that was none made up, it is heard of again.
   */
  private static final int NOT_BEGUN_MAX = 16;

  private final CastCore core;
  private final Map<Integer, Member> members = new TreeMap<>();
  private final List<Sent> sent = new ArrayList<>();
  private final Map<Integer, Map<Long, CastIn>> read = new HashMap<>();
  private final List<CastIn> all = new ArrayList<>();
  private final FrameView view = new FrameView();
  private @Nullable CastIn last;

  private record Sent(CastOut stream, Predicate<Member> belongs) {}

  /** One without streams, that knows nobody. */
  public Casting(CastConfig config, CastSink sink, CastUser user) {
    core = new CastCore(config, sink, user);
  }

  /** Streams of others of which anything is kept. */
  int streams() {
    return all.size();
  }

  /** How often something has happened. */
  public long count(CastCount what) {
    return core.counted(what);
  }

  // Who is there.

  /** A node is a member, again or in another life, or says something else of itself. */
  public void onMember(long nowNs, Member member) {
    if (member.id() == core.config.id()) {
      return;
    }
    members.put(member.id(), member);
    endStreamsOf(member.id(), member.incarnation());
    streamsOf(member.id()).forEach(in -> in.onBack(nowNs));
    for (Sent each : sent) {
      if (each.belongs.test(member)) {
        each.stream.welcome(nowNs, member.id(), member.incarnation());
      } else {
        each.stream.onGone(nowNs, member.id());
      }
    }
    tellNumber();
  }

  /**
   * A node did not answer for long: nobody waits for it, and nothing of it is heard or asked for.
   * If it comes back in the same life, its streams go on where they stopped.
   */
  public void onDead(long nowNs, int id) {
    withoutMember(nowNs, id);
    List.copyOf(streamsOf(id)).forEach(CastIn::onDead);
  }

  private void withoutMember(long nowNs, int id) {
    members.remove(id);
    sent.forEach(each -> each.stream.onGone(nowNs, id));
    tellNumber();
  }

  /** A member is reached by a carrier that takes no longer frames than all carriers do. */
  public void onShorter(long nowNs, int id) {
    sent.forEach(each -> each.stream.onShorter(nowNs, id));
  }

  /** A node has left, or is forgotten. */
  public void onGone(long nowNs, int id) {
    withoutMember(nowNs, id);
    endStreamsOf(id, Incarnation.UNKNOWN);
  }

  private Collection<CastIn> streamsOf(int id) {
    Map<Long, CastIn> streams = read.get(id);
    return streams == null ? List.of() : streams.values();
  }

  /** Those of all its lives but one end. */
  private void endStreamsOf(int id, long butOfLife) {
    List<CastIn> over = streamsOf(id).stream().filter(in -> in.life != butOfLife).toList();
    if (over.isEmpty()) {
      return;
    }
    last = null;
    all.removeAll(over);
    streamsOf(id).removeAll(over);
    if (streamsOf(id).isEmpty()) {
      read.remove(id);
    }
    for (CastIn in : over) {
      core.user.onEnd(in);
      in.forget();
    }
  }

  private void tellNumber() {
    all.forEach(in -> in.others(members.size()));
  }

  // Streams.

  /**
   * Opens a stream.
   *
   * @param index another one for each of this node's streams
   * @param group whom it is for, as readers are told
   * @param belongs whether a member is one of them
   */
  public CastOut open(long nowNs, int index, long group, Predicate<Member> belongs) {
    CastOut out = new CastOut(core, Key.of(index, 0, core.config.incarnation()), group);
    sent.add(new Sent(out, belongs));
    for (Member member : members.values()) {
      if (belongs.test(member)) {
        out.welcome(nowNs, member.id(), member.incarnation());
      }
    }
    return out;
  }

  /**
   * Puts a record into a stream; it is copied, and leaves with the next {@link #poll}.
   *
   * @param isMessage whether readers are told of it in numbers
   * @return false when there is no room; {@link CastUser#onRoom} follows
   */
  public boolean trySend(CastOut out, long header, MemorySegment from, long at, boolean isMessage) {
    return out.trySend(header, from, at, isMessage);
  }

  /**
   * Who sends waits for something else, and will not put anything in for now. Whether {@link #poll}
   * has something to send therefore.
   */
  public boolean hurry() {
    boolean any = false;
    for (int i = 0; i < sent.size(); i++) {
      any |= sent.get(i).stream.hurry();
    }
    return any;
  }

  /** The user is done with bytes of a stream. */
  public void done(long nowNs, CastIn in, long bytes) {
    in.done(nowNs, bytes);
  }

  /**
   * The user can make nothing of the bytes that {@link CastUser#onBytes} gives it now. Nothing more
   * of the stream is heard; this node asks to be taken in again, as one that was evicted.
   */
  public void tear(long nowNs, CastIn in) {
    in.tear(nowNs);
  }

  // Time and frames.

  /** When {@link #poll} is to be called next; {@link Long#MAX_VALUE} for never. */
  public long dueNs() {
    long due = CastCore.NEVER;
    for (int i = 0; i < sent.size(); i++) {
      due = Math.min(due, sent.get(i).stream.dueNs());
    }
    for (int i = 0; i < all.size(); i++) {
      due = Math.min(due, all.get(i).dueNs());
    }
    return due;
  }

  /** Does what is due; returns when something will be. */
  public long poll(long nowNs) {
    long next = CastCore.NEVER;
    for (int i = 0; i < sent.size(); i++) {
      CastOut out = sent.get(i).stream;
      long due = out.dueNs();
      if (due <= nowNs) {
        out.poll(nowNs);
        due = out.dueNs();
      }
      next = Math.min(next, due);
    }
    for (int i = 0; i < all.size(); i++) {
      CastIn in = all.get(i);
      long due = in.dueNs();
      if (due <= nowNs) {
        in.poll(nowNs);
        due = in.dueNs();
      }
      next = Math.min(next, due);
    }
    return next;
  }

  /** A frame of format CAST or CASTC has arrived; false when it was of no use. */
  public boolean onFrame(long nowNs, MemorySegment bytes, long at, int length) {
    if (!view.wrap(bytes, at, length).ok()
        || view.format() < Format.CAST
        || !CastBlock.check(view).ok()) {
      core.count(CastCount.DROP_MALFORMED);
      return false;
    }
    if (view.from() == core.config.id()) {
      return true; // a bridge gave back what this node said
    }
    boolean used = view.format() == Format.CAST ? onData(nowNs) : onControl(nowNs);
    if (!used) {
      core.count(CastCount.DROP_STRANGE);
    }
    return used;
  }

  private boolean onData(long nowNs) {
    CastIn in = last;
    if (in == null || in.key != view.key() || in.sender != view.from()) {
      in = find(view.from(), view.key());
      last = in;
    }
    if (in == null) {
      return meet(nowNs, members.get(view.from())) != null;
    }
    in.onData(nowNs, view);
    return true;
  }

  /** There is a stream that this node has not been welcomed to: it may have missed that. */
  private @Nullable CastIn meet(long nowNs, @Nullable Member sender) {
    CastIn in = sender == null ? null : begin(sender);
    if (in != null) {
      in.want(nowNs);
    }
    return in;
  }

  private @Nullable CastIn find(int sender, long key) {
    Map<Long, CastIn> streams = read.get(sender);
    return streams == null ? null : streams.get(key);
  }

  private boolean onControl(long nowNs) {
    Member from = members.get(view.from());
    if (from == null || from.incarnation() != view.seq()) {
      return false;
    }
    return switch (CastBlock.kind(view)) {
      case CastBlock.STATUS, CastBlock.NAK, CastBlock.JOIN -> onReaderSays(nowNs);
      default -> onSenderSays(nowNs, from);
    };
  }

  private boolean onReaderSays(long nowNs) {
    int kind = CastBlock.kind(view);
    for (Sent each : sent) {
      CastOut out = each.stream;
      if (out.key == view.key()) {
        if (kind == CastBlock.JOIN) {
          rejoin(nowNs, each);
        } else if (kind == CastBlock.STATUS) {
          out.onStatus(nowNs, view);
        } else {
          out.onNak(nowNs, view);
        }
        return true;
      }
    }
    for (int i = 0; i < all.size() && kind == CastBlock.NAK; i++) {
      if (all.get(i).key == view.key()) {
        all.get(i).onOtherNak(nowNs, view);
        return true;
      }
    }
    return kind == CastBlock.NAK;
  }

  private void rejoin(long nowNs, Sent to) {
    Member member = members.get(view.from());
    if (member != null && to.belongs.test(member)) {
      to.stream.rejoin(nowNs, member.id(), member.incarnation(), CastBlock.seq(view));
    }
  }

  private boolean onSenderSays(long nowNs, Member sender) {
    int index = CastBlock.indexOf(view, core.config.id(), core.config.incarnation());
    CastIn in = find(sender.id(), view.key());
    switch (CastBlock.kind(view)) {
      case CastBlock.WELCOME -> {
        in = in == null && index >= 0 ? begin(sender) : in;
        if (in != null && index >= 0) {
          in.onWelcome(nowNs, view, index);
        }
      }
      case CastBlock.POLL -> {
        if (in != null) {
          in.onPoll(nowNs, view, index);
        } else if (index >= 0) {
          CastIn _ = meet(nowNs, sender); // it is waited for, and has forgotten the stream
        }
      }
      default -> {
        in = in == null && index >= 0 ? begin(sender) : in;
        if (in != null && index >= 0) {
          in.onEvict(nowNs, CastBlock.readerStart(view, index));
        }
      }
    }
    return true;
  }

  private void makeRoom(Map<Long, CastIn> streams) {
    CastIn oldest = null;
    int notBegun = 0;
    for (CastIn in : streams.values()) {
      if (!in.hasBegun()) {
        oldest = oldest == null ? in : oldest;
        notBegun++;
      }
    }
    if (oldest != null && notBegun >= NOT_BEGUN_MAX) {
      streams.remove(oldest.key);
      all.remove(oldest);
      last = null;
      oldest.forget();
    }
  }

  private @Nullable CastIn begin(Member sender) {
    Map<Long, CastIn> streams = read.computeIfAbsent(sender.id(), id -> new LinkedHashMap<>());
    boolean isOwn = Key.incarnationBits(view.key()) == Incarnation.keyBits(sender.incarnation());
    if (!isOwn) {
      return null;
    }
    makeRoom(streams);
    if (streams.size() >= STREAMS_PER_SENDER) {
      return null;
    }
    CastIn in = new CastIn(core, sender.id(), sender.incarnation(), view.key());
    streams.put(view.key(), in);
    all.add(in);
    in.others(members.size());
    return in;
  }
}
