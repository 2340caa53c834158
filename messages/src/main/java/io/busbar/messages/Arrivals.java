package io.busbar.messages;

import io.busbar.bus.MemberEvent;
import io.busbar.node.BroadcastEvent;
import io.busbar.node.Lane;
import io.busbar.node.LaneUser;
import io.busbar.wire.Bodies;
import io.busbar.wire.Header;
import io.busbar.wire.Records;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.IntFunction;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * What comes, as whoever drives brings it: messages into the inbox, pieces of long ones to their
 * bodies. Long messages and pieces stay where they came, if the lane can keep them.
 */
final class Arrivals implements LaneUser {
  /** Shorter ones are copied: a claim costs as much as a copy of that. */
  private static final int KEPT_BYTES_MIN = 1024;

  final Inbox inbox = new Inbox();
  final Readiness ready = new Readiness();
  private final ArrayDeque<Span> spares = new ArrayDeque<>();
  private final Copies copies = new Copies();
  final Done done = new Done(copies, spares);

  /** What the program is to be told by who extracts, besides what stands between messages. */
  final Tidings tidings = new Tidings();

  /**
   * By the tags of their lanes. A life that has ended leaves its source behind until the extractor
   * is done with all that came from it; then its tag is the next one's. The driver adds and removes
   * some, the extractor looks for those of which something has come.
   */
  private volatile @Nullable Source[] sources = new @Nullable Source[0];

  /** Those whose lanes have ended, and that something still refers to. */
  private final ArrayDeque<Source> leaving = new ArrayDeque<>();

  /** What came of messages whose STARTs never will: it is given back. */
  private final ArrayDeque<Body> orphans = new ArrayDeque<>();

  private final Targets targets;
  private final LongConsumer deferredSent;
  private final IntFunction<Source> origins = this::source;

  /**
   * Nothing has come.
   *
   * @param targets where lanes that come are added
   * @param deferredSent told how many bytes that had to wait have left
   */
  Arrivals(Targets targets, LongConsumer deferredSent) {
    this.targets = targets;
    this.deferredSent = deferredSent;
  }

  @Override
  public void onLane(Lane lane) {
    Source source = new Source(lane);
    @Nullable Source[] known = sources;
    int tag = 0;
    while (tag < known.length && known[tag] != null) {
      tag++;
    }
    @Nullable Source[] with = tag < known.length ? known : Arrays.copyOf(known, tag + 1);
    with[tag] = source;
    lane.tag(tag);
    sources = with;
    if (lane.destination() != Lane.NOWHERE) {
      targets.put(source.out);
    }
  }

  /** Where a lane's messages come from; null when it has ended and nothing is left of it. */
  private @Nullable Source source(Lane lane) {
    Source known = sources[lane.tag()];
    return known == null || known.lane != lane ? null : known;
  }

  private Source source(int tag) {
    return Objects.requireNonNull(sources[tag], "the source of what came");
  }

  /** Lives of which something is left, or that go on. */
  int sources() {
    int count = 0;
    for (Source source : sources) {
      count += source == null ? 0 : 1;
    }
    return count;
  }

  /** Tags of lives of which nothing is left are free again. */
  private void forgetOver() {
    if (!leaving.isEmpty() && leaving.removeIf(Source::isOver)) {
      @Nullable Source[] known = sources;
      for (int tag = 0; tag < known.length; tag++) {
        Source source = known[tag];
        if (source != null && source.isOver()) {
          known[tag] = null;
        }
      }
    }
  }

  private Span span() {
    Span spare = spares.poll();
    return spare == null ? new Span() : spare;
  }

  @Override
  public void onRecord(Lane lane, long header, MemorySegment memory, long at, int length) {
    Source source = source(lane);
    if (source == null) {
      return;
    }
    source.onRecord();
    if (Records.kind(header) == Records.START) {
      Span span = span();
      Body body = body(source, memory.get(Little.LONG, at + Bodies.START_BODY_AT));
      body.started = true;
      span.starts = body;
      inbox.put(lane, header, memory, at, span);
      return;
    }
    long claim = length < KEPT_BYTES_MIN ? Lane.NO_CLAIM : lane.claim();
    if (claim == Lane.NO_CLAIM) {
      inbox.put(lane, header, memory, at, length);
    } else {
      inbox.put(lane, header, kept(memory, at, length, claim));
    }
  }

  private Span kept(MemorySegment memory, long at, int length, long claim) {
    Span span = span();
    span.memory = memory;
    span.at = at;
    span.length = length;
    span.claim = claim;
    return span;
  }

  private Body body(Source source, long name) {
    List<Body> known = source.bodies;
    for (int i = 0; i < known.size(); i++) {
      if (known.get(i).name == name) {
        return known.get(i);
      }
    }
    Body fresh = new Body(source.lane.peer(), source.lane.tag(), name, span());
    source.onBody(fresh);
    return fresh;
  }

  @Override
  public void onBody(Lane lane, long name, int flags, MemorySegment memory, long at, int length) {
    Source source = source(lane);
    if (source == null) {
      return;
    }
    Body body = body(source, name);
    if (body.unwanted) {
      lane.bodyDone(name, length);
    } else if (length > 0) {
      long claim = length < KEPT_BYTES_MIN ? Lane.NO_CLAIM : lane.claim();
      Span span;
      if (claim == Lane.NO_CLAIM) {
        span = span();
        copies.copy(memory, at, length, span);
      } else {
        span = kept(memory, at, length, claim);
      }
      body.onSpan(span);
    }
    if ((flags & Bodies.BROKEN) != 0) {
      body.onBroken("node %d broke the message off".formatted(lane.peer()));
    } else if ((flags & Bodies.LAST) != 0) {
      body.onLast();
    }
    if (body.unwanted) {
      forget(body);
    } else if (body.started) {
      ready.add(body);
    }
  }

  private void forget(Body body) {
    if (body.isComplete() || body.broken() != null) {
      boolean _ = source(body.source).bodies.remove(body);
    }
  }

  /**
   * What the extractor is done with: the lanes hear of it. The driver's and the extractor's role
   * are needed.
   */
  void reportDone() {
    if (done.isEmpty() && orphans.isEmpty()) {
      return;
    }
    for (Body body = orphans.poll(); body != null; body = orphans.poll()) {
      end(body);
    }
    for (Body body = done.nextEnded(); body != null; body = done.nextEnded()) {
      end(body);
    }
    done.report(origins);
    forgetOver();
  }

  /** Long messages that come, or whose handlers are not done with them; the driver's. */
  int coming() {
    int count = 0;
    for (Source source : sources) {
      count += source == null ? 0 : source.bodies.size();
    }
    return count;
  }

  /** The lane by which a message came. */
  Lane lane(int source) {
    return source(source).lane;
  }

  private void end(Body body) {
    body.unwanted = true;
    for (Span span = body.spans.take(done); span != null; span = body.spans.take(done)) {
      if (done.isFull()) {
        done.report(origins);
      }
      done.piece(body, span.length, span.claim, span.chunk);
    }
    body.spans.dissolve(done);
    done.report(origins);
    if (!body.isWhole()) {
      Source source = source(body.source);
      if (!source.lane.isEnded()) {
        source.lane.endBody(body.name);
      }
      forget(body);
      source.onBodyDone();
    }
  }

  @Override
  public void onReleased(Lane lane, long token, boolean delivered) {
    Source source = source(lane);
    if (source == null) {
      return;
    }
    Outgoing to = source.out;
    to.onReleased(token);
    if (delivered) { // otherwise the lane is about to end, and takes nothing any more
      sendDeferred(to);
    }
  }

  /** What handlers could not send leaves as soon as there is room, whoever drives. */
  private void sendDeferred(Outgoing to) {
    if (to.hasDeferred()) {
      deferredSent.accept(to.sendDeferred());
    }
  }

  @Override
  public void onSendable(Lane lane) {
    Source source = source(lane);
    if (source != null) {
      source.out.onRoom();
      sendDeferred(source.out);
    }
  }

  @Override
  public void onEnded(Lane lane, String why) {
    Source source = source(lane);
    if (source == null) {
      return;
    }
    int node = lane.peer();
    if (lane.destination() >= Header.EVERYONE) {
      long bytes = source.out.unsettledBytes();
      if (bytes > 0) {
        inbox.put(program -> program.onUndelivered(node, bytes), span());
      }
    } else if (lane.destination() != Lane.NOWHERE) { // of a sender of broadcasts an event tells
      inbox.put(program -> program.onNodeGone(node, why), span()); // behind its last message
    }
    for (Body body : source.bodies) {
      body.onBroken(why);
      if (!body.started) {
        orphans.add(body);
      } else if (!body.unwanted) {
        ready.add(body);
      }
    }
    onSendable(lane);
    source.onEnded();
    leaving.add(source);
    forgetOver();
  }

  /** All bodies break off: this node leaves. The driver's role is needed. */
  void breakAll(String why) {
    for (Source source : sources) {
      if (source != null) {
        breakAll(source, why);
      }
    }
  }

  private void breakAll(Source source, String why) {
    for (Body body : source.bodies) {
      body.onBroken(why);
      if (body.started && !body.unwanted) {
        ready.add(body);
      }
    }
  }

  @Override
  public void onWarning(String what) {
    tidings.add(program -> program.onWarning(what));
  }

  @Override
  public void onMember(MemberEvent event) {
    tidings.addPassing(program -> program.onMember(event));
  }

  @Override
  public void onBroadcast(BroadcastEvent event) {
    inbox.put(program -> program.onBroadcast(event), span()); // between messages of its time
  }

  /** Whether there is something to extract; from any thread, as a hint. */
  boolean isEmpty() {
    return inbox.isEmpty() && ready.isEmpty();
  }
}
