package io.busbar.lab.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.fabric.Nic;
import io.busbar.fabric.NicCount;
import io.busbar.fabric.NicEvents;
import io.busbar.fabric.udp.UdpAddress;
import io.busbar.fabric.udp.UdpConfig;
import io.busbar.fabric.udp.UdpNic;
import io.busbar.lab.bed.TestBed;
import io.busbar.lab.bed.TestHost;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What happens to cables and hosts is told, and work goes on when it is over. */
class UdpFaultsTest {
  private static final int HEADERS = 28;
  private static final long PATIENCE_NS = 5_000_000_000L;

  /** How often an interface that is polled looks at its device. */
  private static final int POLLS_PER_LOOK = 1 << 14;

  /** Notes what an interface reports. */
  private static final class Events implements NicEvents {
    final List<Integer> frameBytes = new ArrayList<>();
    final List<String> warnings = new ArrayList<>();

    @Override
    public void onFrameBytesMax(int peer, int bytes) {
      frameBytes.add(bytes);
    }

    @Override
    public void onWarning(String what) {
      warnings.add(what);
    }
  }

  private final Arena arena = Arena.ofShared();
  private final MemorySegment memory = arena.allocate(64 << 10);
  private final Events events = new Events();
  private TestBed bed;
  private UdpNic one;
  private UdpNic other;
  private int peer;
  private long arrived;

  @BeforeEach
  void connect() {
    bed = TestBed.create(2);
    one = open(bed.host(0), events);
    other = open(bed.host(1), NicEvents.NONE);
    peer = UdpRig.in(bed.host(0), () -> one.open(other.address()));
  }

  private static UdpNic open(TestHost host, NicEvents events) {
    UdpConfig config =
        UdpConfig.builder()
            .bind(UdpAddress.parse(host.address4().getHostAddress() + ":0"))
            .buffers(256 << 10, 256 << 10)
            .build();
    return UdpRig.in(host, () -> new UdpNic(config, events));
  }

  @AfterEach
  void close() {
    one.close();
    other.close();
    bed.close();
    arena.close();
  }

  private void onFrame(int from, MemorySegment frame, long offset, int length, long name) {
    arrived++;
  }

  /** Sends one frame, and says whether it came within a moment. */
  private boolean crosses(int length) {
    return UdpRig.in(bed.host(0), () -> crossesHere(length));
  }

  /** On a thread of the host, where the interface finds its routes. */
  private boolean crossesHere(int length) {
    long before = arrived;
    if (!Nic.isTicket(one.transmit(peer, memory, 0, length))) {
      return false;
    }
    one.flush();
    for (int i = 0; i < 200 && arrived == before; i++) {
      other.poll(this::onFrame, 16);
      one.poll(this::onFrame, 16);
      LockSupport.parkNanos(50_000);
    }
    return arrived > before;
  }

  private void awaitCrossing(int length) {
    long since = System.nanoTime();
    while (!crosses(length)) {
      assertThat(System.nanoTime() - since)
          .as("frames of %d bytes", length)
          .isLessThan(PATIENCE_NS);
    }
  }

  @Test
  void framesCrossTheCable() throws Exception {
    boolean crossed =
        bed.crossed(
            bed.host(0),
            bed.host(1),
            100L * (1000 + HEADERS),
            () -> {
              for (int i = 0; i < 100; i++) {
                awaitCrossing(1000);
              }
              return true;
            });
    assertThat(crossed).isTrue();
  }

  @Test
  void aCableThatIsDownLosesFramesUnderAName() {
    awaitCrossing(100);
    bed.host(0).down();
    for (int i = 0; i < 50; i++) {
      assertThat(crosses(100)).isFalse();
    }
    assertThat(one.counters().get(NicCount.LOST_SENDING)).isPositive();
    assertThat(events.warnings).anyMatch(text -> text.contains("ENETUNREACH"));
    bed.host(0).up();
    awaitCrossing(100);
    assertThat(events.warnings).hasSizeLessThan(5);
  }

  @Test
  void aSmallerMtuIsLearned() {
    int most = one.frameBytesMax(peer);
    assertThat(most).isEqualTo(1500 - HEADERS);
    awaitCrossing(most);
    bed.host(0).setMtu(1000);
    long since = System.nanoTime();
    while (one.frameBytesMax(peer) == most) {
      assertThat(crosses(most)).isFalse();
      assertThat(System.nanoTime() - since).isLessThan(PATIENCE_NS);
    }
    assertThat(one.frameBytesMax(peer)).isEqualTo(1000 - HEADERS);
    assertThat(events.frameBytes).contains(1000 - HEADERS);
    assertThat(one.transmit(peer, memory, 0, most)).isEqualTo(Nic.TOO_LONG);
    awaitCrossing(1000 - HEADERS);
  }

  @Test
  void aLargerMtuIsLearned() {
    bed.host(0).setMtu(4000);
    bed.host(1).setMtu(4000);
    int polls = UdpRig.in(bed.host(0), () -> pollsUntil(4000 - HEADERS));
    assertThat(polls).as("polls until the new MTU is known").isLessThanOrEqualTo(POLLS_PER_LOOK);
    awaitCrossing(4000 - HEADERS);
  }

  /** Polls until frames may be as long as this, by the count of polls: no clock is in it. */
  private int pollsUntil(int frameBytesMax) {
    int polls = 0;
    while (one.frameBytesMax(peer) != frameBytesMax && polls <= POLLS_PER_LOOK) {
      one.poll(this::onFrame, 16);
      polls++;
    }
    return polls;
  }

  @Test
  void aReceiverThatStopsLosesUnderANameAndGoesOn() {
    for (int i = 0; i < 20_000; i++) {
      if (!Nic.isTicket(one.transmit(peer, memory, 0, 1000))) {
        one.flush();
      }
    }
    one.flush();
    long since = System.nanoTime();
    while (other.counters().get(NicCount.LOST_ARRIVING) == 0) {
      other.poll(this::onFrame, 64);
      Nic.isTicket(one.transmit(peer, memory, 0, 1000));
      one.flush();
      assertThat(System.nanoTime() - since).as("a counted loss").isLessThan(PATIENCE_NS);
    }
    awaitCrossing(1000);
    long sent = one.counters().get(NicCount.FRAMES_SENT);
    assertThat(arrived + other.counters().get(NicCount.LOST_ARRIVING)).isLessThanOrEqualTo(sent);
  }

  @Test
  void lossesOnTheCableAreOnlyLosses() {
    awaitCrossing(500); // the hosts know each other's hardware: who asks for it may lose, too
    bed.loss(bed.host(0), 0.3);
    int came = 0;
    for (int i = 0; i < 200; i++) {
      came += crosses(500) ? 1 : 0;
    }
    assertThat(came).isBetween(80, 195);
    bed.heal(bed.host(0));
    awaitCrossing(500);
  }

  @Test
  void whatIsNoFrameIsCounted() throws Exception {
    UdpAddress to = other.address();
    UdpRig.in(
        bed.host(0),
        () -> {
          try (var socket = new java.net.DatagramSocket()) {
            byte[] nothing = {};
            socket.send(new java.net.DatagramPacket(nothing, 0, bed.host(1).address4(), to.port()));
          }
          return true;
        });
    long since = System.nanoTime();
    while (other.counters().get(NicCount.DROPPED_FOREIGN) == 0) {
      other.poll(this::onFrame, 16);
      assertThat(System.nanoTime() - since).isLessThan(PATIENCE_NS);
    }
    assertThat(arrived).isZero();
    awaitCrossing(64);
  }
}
