package io.busbar.lab;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.transport.Count;
import io.busbar.transport.Criteria;
import io.busbar.transport.TransportConfig;
import io.busbar.wire.Format;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Two ends on a link of 10 Gbit/s and 20 µs round trip, and what they tell each other. */
class PairTest {
  private static final long MS = 1_000_000;
  private static final LinkSpec LINK = new LinkSpec(10_000_000_000L, 10_000, 100, 256);

  private final Witness a = new Witness();
  private final Witness b = new Witness();
  private final FrameLog log = new FrameLog();

  private Pair pair(UnaryOperator<TransportConfig.Builder> shape) {
    Pair pair = new Pair(1, shape, a, b);
    a.attach(pair.a());
    b.attach(pair.b());
    pair.cluster().network().watch(log);
    pair.b().transport().listen(Criteria.port(Witness.PROTO, Witness.PORT));
    return pair;
  }

  private Pair pair() {
    return pair(UnaryOperator.identity());
  }

  /** Makes the lives known to each other, and forgets what it took. */
  private void meet(Pair pair) {
    a.send(a.open(1), 0, 0, 1);
    pair.run(MS);
    log.lines.clear();
    a.told.clear();
    b.told.clear();
  }

  @Test
  void firstContactCostsOneRoundTripAndThenFirstBringsItsData() {
    Pair pair = pair();
    a.send(a.open(1), 0, 0, 100);
    pair.run(MS);
    assertThat(log.all(line -> line.what().equals("arrived")).subList(0, 4))
        .containsExactly(
            "FIRST arrived by 0", "DIAG arrived by 1", "FIRST arrived by 0", "CNTL arrived by 1");
    assertThat(b.told).containsExactly("accepted from 0", "100 bytes");
    assertThat(a.told).containsExactly("opened");
  }

  @Test
  void onceTheLifeIsKnownBytesArriveAfterHalfARoundTrip() {
    Pair pair = pair();
    meet(pair);
    long sentNs = pair.cluster().schedule().nowNs();
    a.send(a.open(1), 0, 0, 100);
    pair.run(MS);
    FrameLog.Line first = log.lines.getFirst();
    assertThat(first.isSent(Format.FIRST)).isTrue();
    long onTheWayNs = LINK.latencyNs() + 2 * LINK.durationNs(first.bytes());
    assertThat(b.firstBytesNs - sentNs).isEqualTo(onTheWayNs);
    assertThat(log.all(line -> line.isSent(Format.DIAG))).isEmpty();
  }

  @Test
  void lostFrameIsAskedForAndComesAgain() {
    Pair pair = pair();
    long association = a.open(1);
    a.send(association, 0, 0, 1);
    pair.run(MS);
    Faults faults = pair.cluster().faults();
    pair.cluster()
        .network()
        .watch(
            (now, what, bytes, length) -> {
              log.onFrame(now, what, bytes, length);
              if (what.equals("lost")) {
                faults.cut(0, 1, false);
              }
            });
    faults.cut(0, 1, true);
    a.send(association, 0, 1, 8 * 1440);
    pair.run(MS);

    assertThat(log.all(line -> line.what().equals("lost"))).containsExactly("DATA lost by 0");
    assertThat(log.all(line -> line.isSent(Format.ECNTL))).isNotEmpty();
    assertThat(log.all(line -> line.isSent(Format.DATA)))
        .containsOnlyOnce("DATA sent by 0 again")
        .endsWith("DATA sent by 0 again");
    assertThat(b.bytes).isEqualTo(1 + 8 * 1440);
    assertThat(pair.a().transport().counters().get(Count.REPAIRS_OUT)).isEqualTo(1);
    assertThat(pair.a().transport().counters().get(Count.TIMEOUTS)).isZero();
  }

  @Test
  void endThatClosedForWritingGoesOnReading() {
    Pair pair = pair();
    long association = a.open(1);
    a.send(association, 0, 0, 10);
    a.closeWrite(association);
    pair.run(MS);
    assertThat(b.told).containsExactly("accepted from 0", "10 bytes", "read end");
    assertThat(a.told).containsExactly("opened", "write end, undelivered 0");

    b.send(b.accepted, 1, 0, 100_000);
    pair.run(10 * MS);
    assertThat(a.bytes).isEqualTo(100_000);
    b.closeWrite(b.accepted);
    pair.run(10 * MS);
    assertThat(a.told).endsWith("100000 bytes", "read end", "ended DISSOLVED");
    assertThat(b.told).endsWith("write end, undelivered 0", "ended DISSOLVED");
  }

  /** The end of a stream has a number, and no credit: it must not need any. */
  @Test
  void streamThatFillsItsWindowToTheLastByteEnds() {
    Pair pair = pair(config -> config.windowBytesMax(4096));
    b.consumes = false;
    long association = a.open(1);
    a.send(association, 0, 0, 4096);
    a.closeWrite(association);
    pair.run(100 * MS);
    assertThat(b.told).containsExactly("accepted from 0", "4096 bytes", "read end");
    assertThat(a.told).containsExactly("opened", "write end, undelivered 0");
    assertThat(pair.a().transport().counters().dropped()).isEqualTo(0);
  }

  /** A bit that flips in FIRST's version makes the peer refuse it; it comes again unharmed. */
  @Test
  void damagedVersionIsNoRefusal() {
    Pair pair = pair(config -> config.crc(true));
    meet(pair);
    pair.cluster().network().watch(this::damageFirst);
    a.send(a.open(1), 0, 0, 100);
    pair.run(100 * MS);
    assertThat(pair.b().transport().counters().get(Count.DROP_VERSION)).isEqualTo(1);
    assertThat(b.told).containsExactly("accepted from 0", "100 bytes");
    assertThat(a.told).containsExactly("opened");
  }

  private void damageFirst(long nowNs, String what, MemorySegment bytes, int length) {
    boolean first = bytes.get(ValueLayout.JAVA_BYTE, 0) == (0x10 | Format.FIRST);
    if (first && what.equals("sent") && log.lines.isEmpty()) {
      log.onFrame(nowNs, what, bytes, length);
      bytes.set(ValueLayout.JAVA_BYTE, 0, (byte) (0x30 | Format.FIRST));
    }
  }

  @Test
  void endsThatSayNothingHaveNoTimer() {
    Pair pair = pair();
    a.send(a.open(1), 0, 0, 100_000);
    pair.run(1000 * MS);
    assertThat(b.bytes).isEqualTo(100_000);
    assertThat(pair.step()).as("something is planned, and nothing is to be done").isFalse();
  }
}
