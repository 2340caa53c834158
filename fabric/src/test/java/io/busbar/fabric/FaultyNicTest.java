package io.busbar.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.busbar.testkit.AllocationMeter;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Each fault does what it says, within its bounds, from the seed, and is counted. */
class FaultyNicTest {
  private static final int FRAMES = 2000;
  private static final int LENGTH = 40;

  /** A frame as it was handed up. */
  private record Got(int peer, int number, int length, int flippedBits, boolean claimable) {}

  private final EchoNic echo = new EchoNic(NicEvents.NONE);
  private final MemorySegment frame = Arena.ofAuto().allocate(256);
  private final List<Got> got = new ArrayList<>();
  private final FrameReceiver receiver = this::onFrame;

  private void onFrame(int peer, MemorySegment memory, long offset, int length, long name) {
    int number = length < 4 ? -1 : memory.get(ValueLayout.JAVA_INT_UNALIGNED, offset);
    int flipped = 0;
    for (int i = 4; i < length; i++) {
      flipped += Integer.bitCount(memory.get(ValueLayout.JAVA_BYTE, offset + i) & 0xFF);
    }
    got.add(new Got(peer, number, length, flipped, name != Nic.UNCLAIMABLE));
  }

  private void send(Nic nic, int number) {
    frame.set(ValueLayout.JAVA_INT, 0, number);
    assertThat(nic.transmit(number % EchoNic.PEERS, frame, 0, LENGTH)).isEqualTo(Nic.DONE);
  }

  /** Sends and polls until all has come that comes. */
  private List<Got> run(FaultShares shares, long seed) {
    got.clear();
    FaultyNic nic = new FaultyNic(new EchoNic(NicEvents.NONE), shares, seed);
    for (int i = 0; i < FRAMES; i++) {
      send(nic, i);
      nic.poll(receiver, 8);
    }
    for (int i = 0; i < shares.delayPollsMax(); i++) {
      nic.poll(receiver, 8);
    }
    assertThat(nic.arm()).isTrue();
    counted = nic.counters().get(NicCount.FAULTS);
    return List.copyOf(got);
  }

  private long counted;

  private static List<Integer> numbers(List<Got> frames) {
    return frames.stream().map(Got::number).toList();
  }

  private static List<Integer> all() {
    return IntStream.range(0, FRAMES).boxed().toList();
  }

  @Test
  void withoutSharesEverythingPassesUntouched() {
    List<Got> frames = run(FaultShares.defaults(), 1);
    assertThat(numbers(frames)).isEqualTo(all());
    assertThat(frames).allMatch(Got::claimable);
    assertThat(counted).isZero();
  }

  @Test
  void lostFramesNeverCome() {
    List<Got> frames = run(FaultShares.defaults().withLoss(0.1), 1);
    assertThat(frames.size()).isBetween(FRAMES * 85 / 100, FRAMES * 95 / 100);
    assertThat(numbers(frames)).doesNotHaveDuplicates().isSorted();
    assertThat(counted).isEqualTo(FRAMES - frames.size());
  }

  @Test
  void doubledFramesComeTwiceAndTheCopyCannotBeClaimed() {
    List<Got> frames = run(FaultShares.defaults().withDuplicate(0.1), 1);
    assertThat(frames).hasSize(FRAMES + (int) counted);
    assertThat(counted).isBetween(FRAMES / 20L, FRAMES / 5L);
    assertThat(frames.stream().filter(Got::claimable).map(Got::number).toList()).isEqualTo(all());
    assertThat(frames.stream().filter(got -> !got.claimable()))
        .hasSize((int) counted)
        .allMatch(copy -> frames.contains(new Got(copy.peer(), copy.number(), LENGTH, 0, true)));
  }

  @Test
  void overtakenFramesAreOvertakenByNoMoreThanTheBound() {
    int most = 5;
    List<Integer> numbers =
        numbers(run(FaultShares.defaults().withReorder(0.2, most).withDelay(0, 1000), 1));
    assertThat(numbers).containsExactlyInAnyOrderElementsOf(all());
    int furthest = 0;
    for (int at = 0; at < numbers.size(); at++) {
      int number = numbers.get(at);
      int overtakers =
          (int) numbers.subList(0, at).stream().filter(earlier -> earlier > number).count();
      furthest = Math.max(furthest, overtakers);
    }
    assertThat(furthest).isEqualTo(most);
    assertThat(counted).isPositive();
  }

  @Test
  void overtakenFrameThatNothingFollowsComesAfterSomePolls() {
    FaultShares shares = FaultShares.defaults().withReorder(1, 100).withDelay(0, 7);
    FaultyNic nic = new FaultyNic(echo, shares, 1);
    send(nic, 1);
    for (int polls = 0; polls < 7; polls++) {
      assertThat(nic.poll(receiver, 8)).as("poll %d", polls).isZero();
      assertThat(nic.arm()).as("a frame that waits for polls keeps its receiver awake").isFalse();
    }
    assertThat(nic.poll(receiver, 8)).isEqualTo(1);
    assertThat(nic.arm()).isTrue();
  }

  @Test
  void delayIsCountedInPolls() {
    FaultyNic nic = new FaultyNic(echo, FaultShares.defaults().withDelay(1, 10), 3);
    int longest = 0;
    for (int i = 0; i < 200; i++) {
      send(nic, i);
      int polls = -1;
      got.clear();
      do {
        nic.poll(receiver, 8);
        polls++;
      } while (got.isEmpty());
      longest = Math.max(longest, polls);
      assertThat(polls).isBetween(1, 10);
    }
    assertThat(longest).isEqualTo(10);
  }

  @Test
  void flippedBitsAreInACopy() {
    List<Got> frames = run(FaultShares.defaults().withFlip(1), 1);
    assertThat(frames).hasSize(FRAMES).noneMatch(Got::claimable);
    assertThat(frames.stream().filter(got -> got.flippedBits() > 0).count())
        .as("the others were hit in their first four bytes")
        .isGreaterThan(FRAMES * 8 / 10);
    assertThat(frames).allMatch(got -> got.flippedBits() <= 3 && got.length() == LENGTH);
    assertThat(numbers(frames)).isNotEqualTo(all());
    assertThat(counted).isEqualTo(FRAMES);
  }

  /** An odd number of flips, or two in different places: a frame always differs from itself. */
  @Test
  void flippedFrameIsNeverTheSame() {
    FaultyNic nic = new FaultyNic(echo, FaultShares.defaults().withFlip(1), 5);
    int[] changes = new int[1];
    for (int i = 0; i < FRAMES; i++) {
      assertThat(nic.transmit(0, frame, 0, 1)).isEqualTo(Nic.DONE);
      nic.poll(
          (peer, memory, offset, length, name) ->
              changes[0] += memory.get(ValueLayout.JAVA_BYTE, offset) == 0 ? 0 : 1,
          1);
    }
    assertThat(changes[0]).isEqualTo(FRAMES);
  }

  @Test
  void cutFramesKeepAByteAndTheirOwnMemory() {
    List<Got> frames = run(FaultShares.defaults().withTruncate(1), 1);
    assertThat(frames).hasSize(FRAMES).allMatch(Got::claimable);
    assertThat(frames).allMatch(got -> got.length() >= 1 && got.length() < LENGTH);
    assertThat(frames.stream().map(Got::length).distinct()).hasSize(LENGTH - 1);
    assertThat(counted).isEqualTo(FRAMES);
  }

  @Test
  void sameSeedGivesTheSameFaultsAndAnotherOneOthers() {
    FaultShares shares =
        FaultShares.defaults()
            .withLoss(0.1)
            .withDuplicate(0.1)
            .withReorder(0.1, 8)
            .withFlip(0.1)
            .withTruncate(0.1)
            .withDelay(0.1, 10);
    List<Got> once = run(shares, 7);
    assertThat(run(shares, 7)).isEqualTo(once);
    assertThat(run(shares, 8)).isNotEqualTo(once);
  }

  /** What a frame suffers does not hang on when it is polled for. */
  @Test
  void fateDoesNotDependOnTheBudget() {
    List<List<Integer>> runs = new ArrayList<>();
    for (int budget : new int[] {1, 8}) {
      got.clear();
      FaultyNic nic =
          new FaultyNic(new EchoNic(NicEvents.NONE), FaultShares.defaults().withLoss(0.3), 9);
      for (int i = 0; i < FRAMES; i += EchoNic.RING_FRAMES) {
        for (int k = 0; k < EchoNic.RING_FRAMES; k++) {
          send(nic, i + k);
        }
        for (int polls = 0; polls < EchoNic.RING_FRAMES; polls++) {
          nic.poll(receiver, budget);
        }
      }
      runs.add(numbers(got));
    }
    assertThat(runs.get(0)).isEqualTo(runs.get(1)).hasSizeLessThan(FRAMES);
  }

  @Test
  void budgetHoldsForCopiesToo() {
    FaultyNic nic = new FaultyNic(echo, FaultShares.defaults().withDuplicate(1), 1);
    for (int i = 0; i < EchoNic.RING_FRAMES; i++) {
      send(nic, i);
    }
    int sum = 0;
    for (int polls = 0; polls < 100; polls++) {
      got.clear();
      int count = nic.poll(receiver, 3);
      assertThat(count).isEqualTo(got.size()).isLessThanOrEqualTo(3);
      sum += count;
    }
    assertThat(sum).isEqualTo(2 * EchoNic.RING_FRAMES);
    assertThat(nic.poll(receiver, 0)).isZero();
  }

  @Test
  void noMoreIsHeldBackThanTheBound() {
    FaultShares shares = FaultShares.defaults().withDelay(1, 1_000_000).withHeld(3);
    FaultyNic nic = new FaultyNic(echo, shares, 1);
    for (int i = 0; i < 5; i++) {
      send(nic, i);
    }
    nic.poll(receiver, 8);
    assertThat(numbers(got)).containsExactly(3, 4);
    assertThat(nic.counters().get(NicCount.FAULTS)).isEqualTo(3);
  }

  @Test
  void strangersHeldBackKeepTheirAddress() {
    FaultyNic nic = new FaultyNic(echo, FaultShares.defaults().withDelay(1, 1), 1);
    nic.transmit(77, frame, 0, LENGTH);
    nic.transmit(2, frame, 0, LENGTH);
    List<String> sources = new ArrayList<>();
    for (int polls = 0; polls < 3; polls++) {
      nic.poll(
          (peer, memory, offset, length, name) -> sources.add(peer + " " + nic.source().text()), 8);
    }
    assertThat(sources).containsExactly("-1 echo:77", "2 echo:2");
  }

  @Test
  void copyCannotBeClaimedAndTheRefusalIsCounted() {
    FaultyNic nic = new FaultyNic(echo, FaultShares.defaults().withFlip(1), 1);
    send(nic, 1);
    nic.poll((peer, memory, offset, length, name) -> assertThat(nic.claim(name)).isFalse(), 1);
    assertThat(echo.claims).isZero();
    assertThat(nic.counters().get(NicCount.CLAIMS_REFUSED)).isEqualTo(1);
  }

  @Test
  void whatAClosedPeerSentIsForgotten() {
    FaultyNic nic = new FaultyNic(echo, FaultShares.defaults().withDelay(1, 2), 1);
    send(nic, 1);
    send(nic, 2);
    nic.poll(receiver, 8);
    nic.close(1);
    nic.poll(receiver, 8);
    nic.poll(receiver, 8);
    assertThat(numbers(got)).containsExactly(2);
  }

  @Test
  void closedIsClosedWithFramesHeldBack() {
    FaultyNic nic = new FaultyNic(echo, FaultShares.defaults().withDelay(1, 1), 1);
    send(nic, 1);
    nic.poll(receiver, 8);
    nic.close();
    assertThat(echo.closed).isTrue();
    assertThatThrownBy(() -> nic.poll(receiver, 8)).isInstanceOf(IllegalStateException.class);
    assertThat(got).isEmpty();
  }

  @Test
  void receiverThatThrowsLosesOnlyItsFrame() {
    FaultyNic nic = new FaultyNic(echo, FaultShares.defaults().withDelay(1, 1), 1);
    send(nic, 1);
    send(nic, 2);
    nic.poll(receiver, 8);
    assertThatThrownBy(
            () ->
                nic.poll(
                    (peer, memory, offset, length, name) -> {
                      throw new IllegalArgumentException("mine");
                    },
                    8))
        .hasMessage("mine");
    nic.poll(receiver, 8);
    assertThat(numbers(got)).containsExactly(2);
  }

  @Test
  void pollInsideADeliveryIsRefused() {
    FaultyNic nic = new FaultyNic(echo, FaultShares.defaults().withDelay(1, 1), 1);
    send(nic, 1);
    nic.poll(receiver, 8);
    FrameReceiver nested = (peer, memory, offset, length, name) -> nic.poll(receiver, 1);
    assertThatThrownBy(() -> nic.poll(nested, 8)).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void reliableIsNoLongerTrue() {
    assertThat(new FaultyNic(echo, FaultShares.defaults(), 1).capabilities())
        .containsExactlyInAnyOrder(NicCapability.CLAIMS, NicCapability.BROADCAST);
  }

  @Test
  void decoratorsStack() {
    List<String> lines = new ArrayList<>();
    NicTrace trace = new NicTrace(() -> 0, lines::add);
    FaultShares half = FaultShares.defaults().withLoss(0.5);
    Nic nic = new TracingNic(new FaultyNic(new FaultyNic(echo, half, 1), half, 2), trace);
    for (int i = 0; i < FRAMES; i++) {
      send(nic, i);
      nic.poll(receiver, 8);
    }
    assertThat(got.size()).isBetween(FRAMES / 5, FRAMES * 3 / 10);
    assertThat(lines).hasSize(FRAMES + got.size());
    assertThat(nic.counters().get(NicCount.FAULTS)).isEqualTo(FRAMES - got.size());
  }

  @Test
  void nothingIsAllocatedPerFrame() {
    FaultShares shares =
        FaultShares.defaults()
            .withLoss(0.1)
            .withDuplicate(0.1)
            .withReorder(0.1, 8)
            .withFlip(0.1)
            .withTruncate(0.1)
            .withDelay(0.1, 10);
    FaultyNic nic = new FaultyNic(echo, shares, 1);
    FrameReceiver quiet = (peer, memory, offset, length, name) -> {};
    new AllocationMeter()
        .assertAllocatesNothing(
            () -> {
              nic.transmit(1, frame, 0, LENGTH);
              nic.poll(quiet, 8);
            });
  }

  @Test
  void sharesThatCannotBeAreRefused() {
    FaultShares none = FaultShares.defaults();
    assertThatThrownBy(() -> none.withLoss(-0.1)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> none.withLoss(Double.NaN))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> none.withLoss(0.6).withFlip(0.6))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("together");
    assertThatThrownBy(() -> none.withReorder(0.1, 0)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> none.withDelay(0.1, 0)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> none.withHeld(0)).isInstanceOf(IllegalArgumentException.class);
  }
}
