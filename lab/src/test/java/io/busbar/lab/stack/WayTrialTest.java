package io.busbar.lab.stack;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.fabric.ForwardingNic;
import io.busbar.fabric.NicAddress;
import io.busbar.lab.Faults;
import io.busbar.lab.LinkSpec;
import io.busbar.lab.Network;
import io.busbar.lab.Schedule;
import io.busbar.lab.SimAddress;
import io.busbar.lab.SimNic;
import io.busbar.node.Engine;
import io.busbar.node.EngineConfig;
import io.busbar.node.Lane;
import io.busbar.node.LaneUser;
import io.busbar.transport.Count;
import io.busbar.transport.FrameSink;
import io.busbar.transport.TransportConfig;
import io.busbar.wire.Format;
import io.busbar.wire.FrameBuilder;
import io.busbar.wire.Key;
import io.busbar.wire.Options;
import io.busbar.wire.Records;
import io.busbar.wire.Seal;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Two nodes with two networks between them find the better one, and lose nothing meanwhile. */
class WayTrialTest {
  private static final long SECOND_NS = 1_000_000_000;
  private static final LinkSpec NEAR = new LinkSpec(10 * SECOND_NS, 5_000, 256, 256);
  private static final LinkSpec FAR = new LinkSpec(10 * SECOND_NS, 10_000, 256, 256);
  private static final LinkSpec NEAR_AND_SLOW = new LinkSpec(SECOND_NS, 3_000, 256, 256);
  private static final int FRAME_BYTES = 1472;
  private static final int NODES_MAX = 3;

  /** Enough for an engine to look at a carrier on which nothing has come for long. */
  private static final int IDLE_ROUNDS = 33;

  private static final int LONG_FRAME_BYTES = 4096;
  private static final FrameSink NOWHERE = (peer, frame) -> true;

  private final Schedule schedule = new Schedule();
  private final Faults firstFaults = new Faults(new SplittableRandom(1), NODES_MAX);
  private final Faults lastFaults = new Faults(new SplittableRandom(2), NODES_MAX);
  private Engine[] engines = new Engine[2];
  private final List<Integer> heard = new ArrayList<>();
  private int said;
  private int longestOnLast = Integer.MAX_VALUE;

  /** An address of one of two networks. */
  private record Port(String kind, int port) implements NicAddress {
    @Override
    public String text() {
      return kind + ":" + port;
    }
  }

  /** An interface of one of two networks. */
  private final class Named extends ForwardingNic {
    private final String name;
    private final int port;

    Named(String name, int port, Network network) {
      super(new SimNic(network, port, 16, () -> {}));
      this.name = name;
      this.port = port;
    }

    @Override
    public String fabric() {
      return name;
    }

    @Override
    public NicAddress address() {
      return new Port(name, port);
    }

    @Override
    public int open(NicAddress peer) {
      return super.open(new SimAddress(((Port) peer).port));
    }

    @Override
    public long transmit(int peer, FrameBuilder frame) {
      boolean lost = name.equals("last") && frame.frameBytes() > longestOnLast;
      return lost ? DONE : super.transmit(peer, frame);
    }
  }

  private final class Listener implements LaneUser {
    @Override
    public void onLane(Lane lane) {}

    @Override
    public void onRecord(Lane lane, long header, MemorySegment memory, long at, int length) {
      heard.add(Records.handler(header));
      lane.done(length);
    }

    @Override
    public void onBody(
        Lane lane, long body, int flags, MemorySegment memory, long at, int length) {}

    @Override
    public void onReleased(Lane lane, long token, boolean delivered) {}

    @Override
    public void onSendable(Lane lane) {}

    @Override
    public void onEnded(Lane lane, String why) {}
  }

  private void connect(LinkSpec first, int firstBytes, LinkSpec last) {
    int nodes = engines.length;
    Network one = new Network(schedule, first, firstFaults, true, nodes, firstBytes);
    Network other = new Network(schedule, last, lastFaults, true, nodes, FRAME_BYTES);
    for (int node = 0; node < nodes; node++) {
      engines[node] = engine(node);
      engines[node].add(List.of(new Named("first", node, one), new Named("last", node, other)));
    }
    meet();
  }

  private Engine engine(int node) {
    TransportConfig transport =
        TransportConfig.builder(node, 1000 + node).frameBytesMax(LONG_FRAME_BYTES).build();
    EngineConfig config = new EngineConfig(transport, 1 << 20, 64, 1, 1_000 * SECOND_NS);
    return new Engine(config, schedule::nowNs, new Listener());
  }

  private void meet() {
    for (int node = 0; node < engines.length; node++) {
      for (int i = 1; i < engines.length; i++) {
        int peer = (node + i) % engines.length;
        engines[node].addPeer(peer, List.of(new Port("first", peer), new Port("last", peer)));
      }
    }
  }

  private void runFor(long ns) {
    long untilNs = schedule.nowNs() + ns;
    while (schedule.nowNs() < untilNs) {
      for (int idle = 0; idle < IDLE_ROUNDS; idle++) {
        for (Engine engine : engines) {
          idle = engine.work() ? 0 : idle;
        }
      }
      long nextNs = Math.min(schedule.nextNs(), untilNs);
      for (Engine engine : engines) {
        long dueNs = engine.dueInNs();
        nextNs = dueNs == Engine.NEVER ? nextNs : Math.min(nextNs, schedule.nowNs() + dueNs);
      }
      schedule.runUntil(Math.max(nextNs, schedule.nowNs() + 1));
    }
  }

  /** Node 0 says something to node 1 every 100 us. */
  private void talkFor(long ns) {
    Lane lane = Objects.requireNonNull(engines[0].lane(1));
    for (long left = ns; left > 0; left -= 100_000) {
      long record = Records.header(Records.WHOLE, 0, said, 0);
      said += lane.trySend(record, MemorySegment.NULL, 0, 0) == Lane.TAKEN ? 1 : 0;
      engines[0].flush();
      runFor(100_000);
    }
  }

  private void checkAllHeard() {
    runFor(SECOND_NS);
    assertThat(said).isGreaterThan(100);
    assertThat(heard).hasSize(said).isSorted().doesNotHaveDuplicates();
  }

  private String chosen(int node) {
    assertThat(engines[node].hasChosen()).isTrue();
    String fabric = Objects.requireNonNull(engines[node].lane(1 - node)).fabric();
    assertThat(engines[node].choice(1 - node)).startsWith(fabric);
    return fabric;
  }

  @Test
  void theShorterWayIsTaken() {
    connect(NEAR, FRAME_BYTES, FAR);
    assertThat(engines[0].hasChosen()).isFalse();
    assertThat(Objects.requireNonNull(engines[0].lane(1)).fabric()).isEqualTo("last");
    talkFor(SECOND_NS / 4);
    assertThat(chosen(0)).isEqualTo("first");
    assertThat(chosen(1)).isEqualTo("first");
    assertThat(engines[0].choice(1)).contains("first: round trip 1").contains("last: round trip 2");
    checkAllHeard();
  }

  @Test
  void nothingIsMeasuredWhereTheOrderIsGiven() {
    Network one = new Network(schedule, FAR, firstFaults, true, 2, FRAME_BYTES);
    Network other = new Network(schedule, NEAR, lastFaults, true, 2, FRAME_BYTES);
    for (int node = 0; node < 2; node++) {
      engines[node] = engine(node);
      engines[node].add(new Named("first", node, one));
      engines[node].add(new Named("last", node, other));
    }
    meet();
    assertThat(chosen(0)).isEqualTo("first");
    assertThat(engines[0].choice(1)).isEqualTo("first");
    talkFor(SECOND_NS / 4);
    assertThat(chosen(0)).isEqualTo("first");
    checkAllHeard();
    assertThat(engines[0].transport().counters().get(Count.ECHOES_OUT)).isZero();
  }

  @Test
  void theLastWayIsKeptIfNoneIsBetter() {
    connect(FAR, FRAME_BYTES, NEAR);
    talkFor(SECOND_NS / 4);
    assertThat(chosen(0)).isEqualTo("last");
    assertThat(chosen(1)).isEqualTo("last");
    checkAllHeard();
  }

  @Test
  void aShortWayOnWhichTrainsTakeLongIsNot() {
    connect(NEAR_AND_SLOW, FRAME_BYTES, FAR);
    talkFor(SECOND_NS / 4);
    assertThat(chosen(0)).isEqualTo("last");
    checkAllHeard();
  }

  /** The last way has shorter frames, and the trains had theirs. */
  @Test
  void framesAreNotLongerThanWereTried() {
    connect(NEAR, LONG_FRAME_BYTES, FAR);
    talkFor(SECOND_NS / 4);
    assertThat(chosen(0)).isEqualTo("first");
    long before = engines[0].transport().counters().get(Count.DATA_OUT);
    Lane lane = Objects.requireNonNull(engines[0].lane(1));
    int length = 8 * FRAME_BYTES;
    MemorySegment bytes = MemorySegment.ofArray(new byte[length]);
    long record = Records.header(Records.WHOLE, 0, said++, length);
    assertThat(lane.trySend(record, bytes, 0, 0)).isEqualTo(Lane.TAKEN);
    engines[0].flush();
    checkAllHeard();
    long frames = engines[0].transport().counters().get(Count.DATA_OUT) - before;
    assertThat(frames).isBetween(8L, 10L);
  }

  /** A hole for long frames. */
  @Test
  void aLastWayThatBringsShortFramesAloneIsLeft() {
    connect(FAR, FRAME_BYTES, NEAR);
    longestOnLast = 200;
    talkFor(4 * SECOND_NS);
    assertThat(chosen(0)).isEqualTo("first");
    assertThat(engines[0].choice(1)).contains("full frames lost some");
    checkAllHeard();
  }

  @Test
  void answersNobodyAskedForDoNothing() {
    connect(NEAR, FRAME_BYTES, FAR);
    firstFaults.loss = 1;
    FrameBuilder out = new FrameBuilder(MemorySegment.ofArray(new byte[256]), false, Seal.NONE);
    SplittableRandom random = new SplittableRandom(3);
    for (int i = 0; i < 20_000 && !engines[0].hasChosen(); i++) {
      out.begin();
      long seq = i % 2 == 0 ? i : random.nextLong() >>> 1;
      out.finish(Format.ECHO, 0, 0, 1, Key.of(0, 0, 1000), seq, 0, 0, Options.RTN);
      MemorySegment frame = MemorySegment.ofArray(new byte[out.frameBytes()]);
      out.copyTo(frame, 0);
      engines[0]
          .transport()
          .onFrame(schedule.nowNs(), frame, 0, (int) frame.byteSize(), -1, NOWHERE);
      talkFor(100_000);
    }
    assertThat(chosen(0)).isEqualTo("last");
    assertThat(engines[0].choice(1)).contains("first did not answer");
    checkAllHeard();
  }

  @Test
  void aWayThatLosesEverythingIsNotTaken() {
    connect(NEAR, FRAME_BYTES, FAR);
    firstFaults.loss = 1;
    talkFor(SECOND_NS / 4);
    assertThat(chosen(0)).isEqualTo("last");
    assertThat(engines[0].choice(1)).contains("first did not answer");
    checkAllHeard();
  }

  @Test
  void theLastWayIsLeftWhenItLosesEverything() {
    connect(FAR, FRAME_BYTES, NEAR);
    lastFaults.loss = 1;
    talkFor(SECOND_NS / 4);
    assertThat(chosen(0)).isEqualTo("first");
    assertThat(engines[0].choice(1)).contains("last did not answer");
    checkAllHeard();
  }

  /** Those that wait for their trial would be silent until then. */
  @Test
  void aCarrierThatWasSilentToOneIsAvoidedToTheNext() {
    engines = new Engine[3];
    connect(FAR, FRAME_BYTES, NEAR);
    lastFaults.loss = 1;
    Lane waiting = Objects.requireNonNull(engines[0].lane(2));
    for (int i = 0; i < 1000 && !engines[0].choice(1).startsWith("first"); i++) {
      assertThat(waiting.fabric()).isEqualTo("last");
      runFor(100_000);
    }
    assertThat(engines[0].choice(1)).contains("last did not answer");
    assertThat(engines[0].hasChosen()).isFalse();
    assertThat(engines[0].choice(2)).isEqualTo("first until others are measured");
    long sinceNs = schedule.nowNs();
    while (!engines[0].hasChosen()) {
      runFor(100_000);
    }
    assertThat(schedule.nowNs() - sinceNs).as("one question is enough").isLessThan(10_000_000);
    assertThat(engines[0].choice(2)).startsWith("first, because ").contains("last did not answer");
  }

  @Test
  void aWayThatLosesHalfIsNotTaken() {
    connect(NEAR, FRAME_BYTES, FAR);
    firstFaults.loss = 0.5;
    talkFor(SECOND_NS / 2);
    assertThat(chosen(0)).isEqualTo("last");
    checkAllHeard();
  }

  @Test
  void aWayThatLosesLittleIsTaken() {
    connect(NEAR, FRAME_BYTES, FAR);
    firstFaults.loss = 0.01;
    talkFor(SECOND_NS / 2);
    assertThat(chosen(0)).isEqualTo("first");
    checkAllHeard();
  }

  @Test
  void aWayThatFallsSilentMeanwhileIsNotTaken() {
    connect(NEAR, FRAME_BYTES, FAR);
    talkFor(10_000_000);
    assertThat(engines[0].hasChosen()).isFalse();
    firstFaults.loss = 1;
    talkFor(SECOND_NS / 4);
    assertThat(chosen(0)).isEqualTo("last");
    assertThat(engines[0].choice(1)).contains("first does not answer any more");
    checkAllHeard();
  }

  @Test
  void aNodeThatComesLateIsMeasuredAllTheSame() {
    connect(NEAR, FRAME_BYTES, FAR);
    firstFaults.loss = 1;
    lastFaults.loss = 1;
    talkFor(SECOND_NS / 4);
    firstFaults.heal();
    lastFaults.heal();
    talkFor(SECOND_NS / 4);
    assertThat(chosen(0)).isEqualTo("first");
    checkAllHeard();
  }

  @Test
  void aTrialEndsThoughNobodyAnswers() {
    connect(NEAR, FRAME_BYTES, FAR);
    firstFaults.loss = 1;
    lastFaults.loss = 1;
    runFor(5 * SECOND_NS);
    assertThat(chosen(0)).isEqualTo("last");
    firstFaults.heal();
    lastFaults.heal();
    talkFor(SECOND_NS / 4);
    checkAllHeard();
  }
}
