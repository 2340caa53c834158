package io.busbar.fabric.udp;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.fabric.Nic;
import io.busbar.fabric.NicCount;
import io.busbar.fabric.NicEvents;
import io.busbar.linux.Errno;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What leaves in which call, and what becomes of what the kernel refuses. */
class DeparturesTest {
  private @Nullable FlakyOutlet made;
  private final Ends ends = new Ends(Ends.config().build(), Ends.config().build(), this::over);
  private final FlakyOutlet outlet = Objects.requireNonNull(made);
  private final UdpNic nic = ends.left;

  private Outlet over(Outlet real) {
    made = new FlakyOutlet(real);
    return made;
  }

  @AfterEach
  void close() {
    ends.close();
  }

  private long lost() {
    return nic.counters().get(NicCount.LOST_SENDING);
  }

  private void sendAndCompare(int... lengths) {
    List<byte[]> frames = Frames.of(lengths);
    Frames.transmit(nic, ends.toRight, frames);
    assertThat(nic.flush()).isZero();
    ends.inbox.await(ends.right, lengths.length);
    assertThat(ends.inbox.frames).containsExactlyElementsOf(frames);
  }

  private static int[] repeated(int length, int count) {
    int[] lengths = new int[count];
    Arrays.fill(lengths, length);
    return lengths;
  }

  @Test
  void loneFrameTakesOneCall() {
    sendAndCompare(100);
    assertThat(outlet.calls).isEqualTo(1);
    assertThat(outlet.messages).isEqualTo(1);
  }

  @Test
  void nothingTakesNoCall() {
    assertThat(nic.flush()).isZero();
    assertThat(outlet.calls).isZero();
  }

  @Test
  void runOfEqualFramesIsOneMessage() {
    sendAndCompare(1000, 1000, 1000, 1000, 400);
    assertThat(outlet.calls).isEqualTo(1);
    assertThat(outlet.messages).isEqualTo(1);
    assertThat(ends.right.counters().get(NicCount.CALLS_RECEIVED)).isEqualTo(1);
  }

  @Test
  void runEndsAfterAShorterFrameAndBeforeALongerOne() {
    sendAndCompare(1000, 1000, 400, 400, 400, 500, 500);
    assertThat(outlet.calls).isEqualTo(1);
    assertThat(outlet.messages).isEqualTo(3);
  }

  @Test
  void runHasABoundOfFrames() {
    sendAndCompare(repeated(100, 65));
    assertThat(outlet.messages).isEqualTo(2);
  }

  @Test
  void runHasABoundOfBytes() {
    sendAndCompare(repeated(1472, 45));
    assertThat(outlet.messages).isEqualTo(2);
    assertThat(outlet.calls).isEqualTo(1);
  }

  @Test
  void longestFramesGoOneByOne() {
    assertThat(nic.frameBytesMax(ends.toRight)).isEqualTo(65_507);
    sendAndCompare(65_507, 65_507, 65_507);
    assertThat(outlet.messages).isEqualTo(3);
    assertThat(outlet.calls).isEqualTo(1);
  }

  @Test
  void callHasABoundOfMessages() {
    int[] lengths = new int[100];
    for (int i = 0; i < lengths.length; i++) {
      lengths[i] = 200 + i;
    }
    sendAndCompare(lengths);
    assertThat(outlet.calls).isEqualTo(2);
    assertThat(outlet.messages).isEqualTo(100);
  }

  @Test
  void peersAreNotMixed() {
    try (UdpNic third = new UdpNic(Ends.config().build(), new Recorder())) {
      int toThird = nic.open(third.address());
      List<byte[]> frames = Frames.of(300, 300, 300, 300, 300);
      int[] to = {ends.toRight, ends.toRight, toThird, ends.toRight, toThird};
      for (int i = 0; i < to.length; i++) {
        Frames.transmit(nic, to[i], frames.subList(i, i + 1));
      }
      assertThat(nic.flush()).isZero();
      assertThat(outlet.calls).isEqualTo(1);
      assertThat(outlet.messages).isEqualTo(4);
      ends.inbox.await(ends.right, 3);
      Inbox other = new Inbox();
      other.await(third, 2);
      assertThat(ends.inbox.frames).containsExactly(frames.get(0), frames.get(1), frames.get(3));
      assertThat(other.frames).containsExactly(frames.get(2), frames.get(4));
    }
  }

  @Test
  void callsAndFramesAreCounted() {
    sendAndCompare(1000, 1000, 500);
    assertThat(nic.counters().get(NicCount.CALLS_SENT)).isEqualTo(1);
    assertThat(nic.counters().get(NicCount.FRAMES_SENT)).isEqualTo(3);
    assertThat(nic.counters().get(NicCount.BYTES_SENT)).isEqualTo(2500);
    assertThat(nic.counters().get(NicCount.COPIED)).isEqualTo(3);
    assertThat(ends.right.counters().get(NicCount.FRAMES_RECEIVED)).isEqualTo(3);
    assertThat(ends.right.counters().get(NicCount.BYTES_RECEIVED)).isEqualTo(2500);
  }

  // Refusals.

  @ParameterizedTest
  @ValueSource(ints = {Errno.EAGAIN, Errno.ENOBUFS, Errno.EINTR, Errno.ENOMEM})
  void framesWithoutRoomStay(int errno) {
    for (int count : new int[] {1, 5}) {
      List<byte[]> frames = Frames.of(repeated(700, count));
      outlet.refuse(errno);
      Frames.transmit(nic, ends.toRight, frames);
      assertThat(nic.flush()).isEqualTo(count);
      assertThat(nic.flush()).isZero();
      ends.inbox.frames.clear();
      ends.inbox.await(ends.right, count);
      assertThat(ends.inbox.frames).containsExactlyElementsOf(frames);
    }
    assertThat(lost()).isZero();
    assertThat(ends.events.warnings).isEmpty();
  }

  @Test
  void fullStageRefusesUntilItHasLeft() {
    int count = 0;
    byte[] frame = Frames.one(60_000, 1);
    MemorySegment from = MemorySegment.ofArray(frame);
    while (nic.transmit(ends.toRight, from, 0, frame.length) == Nic.DONE) {
      count++;
    }
    assertThat(count).isEqualTo((1 << 20) / frame.length);
    assertThat(nic.reserve(ends.toRight, 60_000)).isEqualTo(Nic.FULL);
    assertThat(nic.counters().get(NicCount.REFUSED_FULL)).isEqualTo(2);
    outlet.refuse(Errno.EAGAIN);
    assertThat(nic.flush()).isEqualTo(count);
    assertThat(nic.transmit(ends.toRight, from, 0, frame.length)).isEqualTo(Nic.FULL);
    assertThat(nic.flush()).isZero();
    assertThat(nic.transmit(ends.toRight, from, 0, frame.length)).isEqualTo(Nic.DONE);
  }

  @ParameterizedTest
  @ValueSource(
      ints = {
        Errno.EPERM,
        Errno.ENETUNREACH,
        Errno.ENETDOWN,
        Errno.EHOSTUNREACH,
        Errno.EINVAL,
        Errno.ECONNREFUSED,
        Errno.EMSGSIZE
      })
  void refusedFrameIsLostAndTheOthersGoOn(int errno) {
    List<byte[]> frames = Frames.of(500, 600, 700);
    outlet.refuse(errno);
    Frames.transmit(nic, ends.toRight, frames);
    assertThat(nic.flush()).isZero();
    ends.inbox.await(ends.right, 2);
    assertThat(ends.inbox.frames).containsExactly(frames.get(1), frames.get(2));
    outlet.refuse(errno);
    Frames.transmit(nic, ends.toRight, frames.subList(0, 1));
    assertThat(nic.flush()).isZero();
    assertThat(lost()).isEqualTo(2);
    assertThat(ends.events.warnings)
        .singleElement()
        .asString()
        .contains("cannot send frames to " + ends.right.address())
        .contains(Errno.name(errno));
  }

  @Test
  void refusedRunIsLostByFrames() {
    outlet.refuse(Errno.EPERM);
    Frames.transmit(nic, ends.toRight, Frames.of(500, 500, 500, 800));
    assertThat(nic.flush()).isZero();
    ends.inbox.await(ends.right, 1);
    assertThat(lost()).isEqualTo(3);
    assertThat(nic.counters().get(NicCount.FRAMES_SENT)).isEqualTo(1);
  }

  @Test
  void eachKindOfRefusalIsReportedOnce() {
    for (int errno : new int[] {Errno.EPERM, Errno.ENETDOWN, Errno.EPERM, Errno.ENETDOWN}) {
      outlet.refuse(errno);
      Frames.transmit(nic, ends.toRight, Frames.of(500));
      assertThat(nic.flush()).isZero();
    }
    assertThat(ends.events.warnings).hasSize(2);
  }

  @ParameterizedTest
  @ValueSource(ints = {Errno.EIO, Errno.EINVAL, Errno.EOPNOTSUPP})
  void kernelThatDoesNotCutLosesNothing(int errno) {
    outlet.refuse(errno);
    sendAndCompare(500, 500, 500);
    assertThat(lost()).isZero();
    assertThat(outlet.calls).isEqualTo(2);
    assertThat(outlet.messages).isEqualTo(1 + 3);
    assertThat(nic.report().gso()).isFalse();
    assertThat(ends.events.warnings)
        .singleElement()
        .asString()
        .startsWith("frames leave one by one")
        .contains(Errno.name(errno));
  }

  @Test
  void longRunGoesOneByOneInSeveralCalls() {
    outlet.refuse(Errno.EIO);
    sendAndCompare(repeated(300, 64));
    ends.inbox.frames.clear();
    outlet.calls = 0;
    int[] lengths = repeated(200, 150);
    lengths[149] = 33;
    sendAndCompare(lengths);
    assertThat(outlet.calls).isEqualTo(3);
    assertThat(nic.counters().get(NicCount.BYTES_SENT)).isEqualTo(64 * 300 + 149 * 200 + 33);
  }

  @Test
  void framesOfARunThatNoLongerFitAreLostAndTheShortLastOneIsNot() {
    List<byte[]> frames = Frames.of(5000, 5000, 5000, 700);
    Frames.transmit(nic, ends.toRight, frames);
    nic.opened(ends.toRight).frameBytesMax = 1000;
    assertThat(nic.flush()).isZero();
    assertThat(lost()).isEqualTo(3);
    ends.inbox.await(ends.right, 1);
    assertThat(ends.inbox.frames.getFirst()).isEqualTo(frames.get(3));
  }

  @Test
  void framesBehindThoseThatStayedAreARunOfTheirOwn() {
    outlet.refuse(Errno.EAGAIN);
    List<byte[]> frames = Frames.of(500, 500, 500, 500);
    Frames.transmit(nic, ends.toRight, frames.subList(0, 2));
    assertThat(nic.flush()).isEqualTo(2);
    Frames.transmit(nic, ends.toRight, frames.subList(2, 4));
    outlet.messages = 0;
    assertThat(nic.flush()).isZero();
    assertThat(outlet.messages).isEqualTo(2);
    ends.inbox.await(ends.right, 4);
    assertThat(ends.inbox.frames).containsExactlyElementsOf(frames);
  }

  @Test
  void narrowerPathCostsOnlyWhatDoesNotFit() {
    // The loopback takes 65,507 bytes: a peer that is believed to take more shows what happens when
    // a path has become narrower since it was looked at.
    nic.opened(ends.toRight).frameBytesMax = 70_000;
    List<byte[]> frames = Frames.of(66_000, 66_000, 1000, 65_507, 66_000, 900);
    Frames.transmit(nic, ends.toRight, frames);
    assertThat(nic.flush()).isZero();
    assertThat(lost()).isEqualTo(3);
    ends.inbox.await(ends.right, 3);
    assertThat(ends.inbox.frames).containsExactly(frames.get(2), frames.get(3), frames.get(5));
    assertThat(nic.frameBytesMax(ends.toRight)).isEqualTo(65_507);
    assertThat(ends.events.sizes).containsExactly(ends.toRight + ": 65507");
    assertThat(nic.transmit(ends.toRight, MemorySegment.ofArray(frames.get(0)), 0, 66_000))
        .isEqualTo(Nic.TOO_LONG);
    assertThat(nic.counters().get(NicCount.REFUSED_TOO_LONG)).isEqualTo(1);
  }

  @Test
  void widerPathIsSeenWhenThePeerIsOpenedAgain() {
    nic.opened(ends.toRight).frameBytesMax = 1000;
    assertThat(nic.open(ends.right.address())).isEqualTo(ends.toRight);
    assertThat(nic.frameBytesMax(ends.toRight)).isEqualTo(65_507);
    assertThat(ends.events.sizes).containsExactly(ends.toRight + ": 65507");
    assertThat(nic.open(ends.right.address())).isEqualTo(ends.toRight);
    assertThat(ends.events.sizes).hasSize(1);
  }

  @Test
  void widerPathIsSeenAfterManySleeps() {
    nic.opened(ends.toRight).frameBytesMax = 1000;
    for (int i = 0; i < 64 * 64; i++) {
      assertThat(nic.arm()).isTrue();
      nic.disarm();
    }
    assertThat(ends.events.sizes).containsExactly(ends.toRight + ": 65507");
  }

  /** Who hears of a lost frame may send the next one at once. */
  @Test
  void listenerMaySendFromAnEvent() {
    List<UdpNic> sender = new ArrayList<>();
    List<FlakyOutlet> flaky = new ArrayList<>();
    NicEvents sends =
        new NicEvents() {
          @Override
          public void onWarning(String what) {
            UdpNic self = sender.getFirst();
            Frames.transmit(self, self.open(ends.right.address()), Frames.of(33));
            assertThat(self.flush()).isZero();
          }
        };
    UnaryOperator<Outlet> over =
        real -> {
          flaky.add(new FlakyOutlet(real));
          return flaky.getFirst();
        };
    try (UdpNic self = new UdpNic(Ends.config().build(), sends, over)) {
      sender.add(self);
      flaky.getFirst().refuse(Errno.EPERM);
      Frames.transmit(self, self.open(ends.right.address()), Frames.of(11, 22));
      assertThat(self.flush()).isZero();
      ends.inbox.await(ends.right, 2);
      assertThat(ends.inbox.frames).extracting(frame -> frame.length).containsExactly(22, 33);
    }
  }
}
