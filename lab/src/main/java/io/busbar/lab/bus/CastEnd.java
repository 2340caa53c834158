package io.busbar.lab.bus;

import io.busbar.bus.CastConfig;
import io.busbar.bus.CastCount;
import io.busbar.bus.CastIn;
import io.busbar.bus.CastOut;
import io.busbar.bus.CastSink;
import io.busbar.bus.CastUser;
import io.busbar.bus.Casting;
import io.busbar.bus.Member;
import io.busbar.bus.MemberEvent;
import io.busbar.lab.Violation;
import io.busbar.wire.FrameBuilder;
import io.busbar.wire.RecordReader;
import io.busbar.wire.Records;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * A node's broadcasts: what it says, what it hears of others, and whether that is what was
 * promised.
 */
public final class CastEnd implements CastUser, CastSink {
  /** Sender, life and number stand in front of what makes a message long. */
  static final int MESSAGE_BYTES_MIN = 24;

  private static final ValueLayout.OfLong WORD = ValueLayout.JAVA_LONG_UNALIGNED;
  private static final int EVERYONE = 0;

  private static final int SHORT_FRAME_BYTES = 512;

  /** So long frames have one length, when they have two. */
  private static final long PERIOD_NS = 70_000_000;

  private final BusNode node;
  private final boolean hasLongerFrames;
  private final int id;
  private final long life;
  private final Casting casting;
  private final CastOut out;
  private final Map<Long, Heard> heard = new HashMap<>();

  /** By id: which life it knows. */
  private final Map<Integer, Long> lives = new HashMap<>();

  private final Set<Integer> evicted = new HashSet<>();
  private final List<Runnable> undone = new ArrayList<>();

  /** Whether it takes what comes, and does not say that it is done with it. */
  private boolean asleep;

  /** What was heard of one stream. */
  private final class Heard implements RecordReader.Sink {
    private final CastIn in;
    private long number;
    private long gaps;
    private RecordReader reader = new RecordReader();
    private ByteArrayOutputStream message = new ByteArrayOutputStream();

    Heard(CastIn in, long number) {
      this.in = in;
      this.number = number;
    }

    @Override
    public void onRecord(long header) {
      message.reset();
    }

    @Override
    public void onBytes(MemorySegment segment, long at, int length, boolean isLast) {
      message.writeBytes(segment.asSlice(at, length).toArray(ValueLayout.JAVA_BYTE));
      if (isLast) {
        check(MemorySegment.ofArray(message.toByteArray()));
        number++;
      }
    }

    private void check(MemorySegment bytes) {
      if (bytes.get(WORD, 0) != in.sender() || bytes.get(WORD, 8) != in.life()) {
        throw new Violation(
            "nothing of another life", "%s hears %d of another".formatted(who(), in.sender()));
      }
      if (bytes.get(WORD, 16) != number) {
        throw new Violation(
            "in order, and once",
            "%s hears message %d of %d, and expects %d"
                .formatted(who(), bytes.get(WORD, 16), in.sender(), number));
      }
      for (long i = MESSAGE_BYTES_MIN; i < bytes.byteSize(); i++) {
        if (bytes.get(ValueLayout.JAVA_BYTE, i) != (byte) (i + number)) {
          throw new Violation("unchanged", "%s: byte %d of message %d".formatted(who(), i, number));
        }
      }
    }
  }

  CastEnd(BusNode node, int id, long life) {
    this.node = node;
    this.id = id;
    this.life = life;
    this.hasLongerFrames = node.cluster().longerFrames;
    int frameBytes = hasLongerFrames ? SHORT_FRAME_BYTES : BusCluster.FRAME_BYTES;
    CastConfig config =
        new CastConfig(id, life, node.cluster().random.nextLong(), frameBytes, paceNs(node));
    casting = new Casting(config, this, this);
    out = casting.open(nowNs(), 0, EVERYONE, member -> true);
    for (Member member : node.bus().members()) {
      if (member.state().isMember()) {
        onMember(member);
      }
    }
  }

  private void onMember(Member member) {
    lives.put(member.id(), member.incarnation());
    casting.onMember(nowNs(), member);
  }

  private static long paceNs(BusNode node) {
    return node.cluster().paceNs;
  }

  private String who() {
    return "node %d".formatted(id);
  }

  private long nowNs() {
    return node.nowNs();
  }

  /** The stream that it sends. */
  public CastOut out() {
    return out;
  }

  /** How often something has happened. */
  public long count(CastCount what) {
    return casting.count(what);
  }

  /** Members whom it has evicted. */
  public Set<Integer> evicted() {
    return evicted;
  }

  /** Says a message to all; false when there is no room. */
  public boolean say(int length) {
    int bytes = Math.max(MESSAGE_BYTES_MIN, length);
    MemorySegment message = MemorySegment.ofArray(new byte[bytes]);
    message.set(WORD, 0, id);
    message.set(WORD, 8, life);
    message.set(WORD, 16, out.messages());
    for (long i = MESSAGE_BYTES_MIN; i < bytes; i++) {
      message.set(ValueLayout.JAVA_BYTE, i, (byte) (i + out.messages()));
    }
    boolean taken =
        casting.trySend(out, Records.header(Records.WHOLE, 0, 1, bytes), message, 0, true);
    node.runNow();
    return taken;
  }

  /** Whether it deals with what comes from now on. */
  public void sleep(boolean on) {
    asleep = on;
    if (!on) {
      undone.forEach(Runnable::run);
      undone.clear();
      node.runNow();
    }
  }

  /** One that sleeps deals with so many of the frames that it has taken. */
  public void dealWith(int frames) {
    for (int i = 0; i < frames && !undone.isEmpty(); i++) {
      undone.removeFirst().run();
    }
    node.runNow();
  }

  /** The number of the message that it expects next of another one; negative when of none. */
  public long expects(CastEnd of) {
    for (Heard one : heard.values()) {
      if (one.in.sender() == of.id && one.in.life() == of.life) {
        return one.number;
      }
    }
    return -1;
  }

  /** How often it was told that it missed something of another one. */
  public long gaps(CastEnd of) {
    return heard.values().stream()
        .filter(one -> one.in.sender() == of.id && one.in.life() == of.life)
        .mapToLong(one -> one.gaps)
        .sum();
  }

  int id() {
    return id;
  }

  // Driving.

  long dueNs() {
    return casting.dueNs();
  }

  void poll(long nowNs) {
    long _ = casting.poll(nowNs);
  }

  boolean onFrame(long nowNs, MemorySegment memory, long at, int length) {
    return casting.onFrame(nowNs, memory, at, length);
  }

  void onMember(MemberEvent event) {
    Member member = event.member();
    switch (event.what()) {
      case JOINED, RESTARTED, CAME_BACK -> onMember(member);
      case DIED -> casting.onDead(nowNs(), member.id());
      case LEFT -> casting.onGone(nowNs(), member.id());
      default -> {}
    }
  }

  @Override
  public boolean toAll(FrameBuilder frame) {
    return node.broadcast(frame);
  }

  @Override
  public int frameBytesMax() {
    boolean areLong = hasLongerFrames && nowNs() / PERIOD_NS % 2 == 0;
    return areLong ? BusCluster.FRAME_BYTES : 0;
  }

  @Override
  public void to(int member, FrameBuilder frame) {
    node.unicast(member, frame);
  }

  // What is heard.

  @Override
  public void onBegin(CastIn in, long message) {
    heard.put(in.key(), new Heard(in, message));
  }

  private Heard heard(CastIn in) {
    Heard found = heard.get(in.key());
    if (found == null) {
      throw new Violation("a stream begins before it goes on", who());
    }
    return found;
  }

  @Override
  public void onBytes(CastIn in, MemorySegment memory, long at, int length) {
    Heard one = heard(in);
    if (!Objects.equals(lives.get(in.sender()), in.life())) {
      throw new Violation(
          "nothing of another life",
          "%s hears %d in a life that is over".formatted(who(), in.sender()));
    }
    if (!one.reader.feed(memory, at, length, one)) {
      throw new Violation("unchanged", who() + " hears what is no record");
    }
    if (asleep) {
      undone.add(() -> casting.done(nowNs(), in, length));
    } else {
      casting.done(nowNs(), in, length);
    }
  }

  @Override
  public void onGap(CastIn in, long message) {
    Heard one = heard(in);
    if (message < one.number) {
      throw new Violation(
          "a gap leads on", "%s is sent back from %d to %d".formatted(who(), one.number, message));
    }
    one.gaps += message > one.number ? 1 : 0;
    one.number = message;
    one.reader = new RecordReader();
  }

  @Override
  public void onEvicted(CastIn in) {}

  @Override
  public void onDead(CastIn in) {}

  @Override
  public void onEnd(CastIn in) {
    heard.remove(in.key());
  }

  @Override
  public void onEvicted(CastOut from, int reader) {
    evicted.add(reader);
  }

  @Override
  public void onRoom(CastOut in) {}
}
