package io.busbar.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Frames on their way, against a list of records that is searched from end to end. */
class SentFramesTest {
  private enum State {
    ON_ITS_WAY,
    ARRIVED,
    LOST
  }

  private static final class Model {
    final long start;
    final int length;
    long sentNs;
    int number;
    State state = State.ON_ITS_WAY;
    boolean repaired;

    Model(long start, int length, long sentNs, int number) {
      this.start = start;
      this.length = length;
      this.sentNs = sentNs;
      this.number = number;
    }

    long end() {
      return start + length;
    }
  }

  private final SentFrames sent = new SentFrames();
  private final List<Model> model = new ArrayList<>();
  private int newest = Integer.MIN_VALUE;
  private long newestSentNs;

  private int arrive(Model frame) {
    if (frame.state == State.ARRIVED) {
      return 0;
    }
    int bytes = frame.state == State.ON_ITS_WAY ? frame.length : 0;
    frame.state = State.ARRIVED;
    if (frame.number > newest) {
      newest = frame.number;
      newestSentNs = frame.sentNs;
    }
    return bytes;
  }

  private long bytes(State state) {
    return model.stream().filter(f -> f.state == state).mapToLong(f -> f.length).sum();
  }

  private void assertSame() {
    assertThat(sent.size()).isEqualTo(model.size());
    assertThat(sent.onTheirWayBytes()).isEqualTo(bytes(State.ON_ITS_WAY));
    List<Model> lost = model.stream().filter(f -> f.state == State.LOST).toList();
    assertThat(sent.lost()).isEqualTo(lost.size());
    if (!lost.isEmpty()) {
      int k = sent.firstLost();
      assertThat(sent.start(k)).isEqualTo(lost.getFirst().start);
      assertThat(sent.length(k)).isEqualTo(lost.getFirst().length);
    }
  }

  @Test
  void anAcknowledgementInTheMiddleOfAFrameLeavesIt() {
    sent.add(0, 100, 5, 1);
    assertThat(sent.onAcked(99)).isZero();
    assertThat(sent.onAcked(100)).isEqualTo(100);
    assertThat(sent.size()).isZero();
  }

  @Test
  void aSpanTakesOnlyWholeFrames() {
    sent.add(0, 100, 5, 1);
    sent.add(100, 100, 5, 2);
    sent.add(200, 100, 5, 3);
    assertThat(sent.onSpan(50, 299)).isEqualTo(100);
    assertThat(sent.onTheirWayBytes()).isEqualTo(200);
  }

  @Test
  void nothingIsLostBeforeSomethingLaterArrived() {
    sent.add(0, 100, 5, 1);
    sent.add(100, 100, 6, 2);
    assertThat(sent.giveUpBefore(200, 0)).isZero();
    sent.onSpan(100, 200);
    assertThat(sent.giveUpBefore(200, 0)).isEqualTo(100);
    assertThat(sent.lost()).isEqualTo(1);
  }

  @Test
  void aRepairIsNotGivenUpForWhatWasSentBeforeIt() {
    sent.add(0, 100, 5, 1);
    sent.add(100, 100, 6, 2);
    sent.add(200, 100, 7, 3);
    sent.onSpan(100, 200);
    sent.giveUpBefore(200, 0);
    sent.onRepaired(sent.firstLost(), 8, 4);
    sent.onSpan(200, 300);
    assertThat(sent.giveUpBefore(300, 0)).isZero();
  }

  @Test
  void onlyAFrameSentOnceTellsTheRoundTrip() {
    sent.add(0, 100, 5, 1);
    sent.add(100, 100, 9, 2);
    assertThat(sent.sentNs(sent.findOnce(200))).isEqualTo(9);
    assertThat(sent.findOnce(150)).isNegative();
    assertThat(sent.findOnce(300)).isNegative();
    sent.onSpan(100, 200);
    sent.giveUpBefore(200, 0);
    sent.onRepaired(0, 20, 3);
    assertThat(sent.findOnce(100)).isNegative();
  }

  @Test
  void whoAsksForALostFrameThatIsNotThereIsTold() {
    assertThatThrownBy(sent::firstLost).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void fullAtTheBound() {
    for (int i = 0; i < SentFrames.MAX; i++) {
      assertThat(sent.isFull()).isFalse();
      sent.add(i, 1, i, i);
    }
    assertThat(sent.isFull()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void likeAListThatIsSearched(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    long next = 0;
    long acked = 0;
    int number = 1;
    for (long now = 0; now < 20_000; now++) {
      switch (random.nextInt(7)) {
        case 0, 1, 2 -> {
          int length = 1 + random.nextInt(50);
          sent.add(next, length, now, number);
          model.add(new Model(next, length, now, number++));
          next += length;
        }
        case 3 -> {
          if (random.nextInt(4) == 0) {
            acked += random.nextLong(next - acked + 1);
            acknowledge(acked);
          }
        }
        case 4 -> {
          long from = acked + random.nextLong(next - acked + 1);
          long to = from + random.nextLong(next - from + 1);
          span(from, to);
        }
        case 5 -> {
          long edge = acked + random.nextLong(next - acked + 1);
          giveUp(edge, random.nextInt(30));
        }
        default -> {
          if (sent.lost() > 0) {
            sent.onRepaired(sent.firstLost(), now, number);
            repair(now, number++);
          }
        }
      }
      assertSame();
    }
    int last = number;
    assertThat(sent.giveUpOlderThan(last)).isEqualTo((int) bytes(State.ON_ITS_WAY));
    assertThat(sent.onTheirWayBytes()).isZero();
  }

  private void acknowledge(long rseq) {
    int bytes = 0;
    while (!model.isEmpty() && model.getFirst().end() <= rseq) {
      bytes += arrive(model.removeFirst());
    }
    assertThat(sent.onAcked(rseq)).isEqualTo(bytes);
  }

  private void span(long from, long to) {
    int bytes = 0;
    for (Model frame : model) {
      bytes += frame.start >= from && frame.end() <= to ? arrive(frame) : 0;
    }
    assertThat(sent.onSpan(from, to)).isEqualTo(bytes);
  }

  private void giveUp(long edge, long allowanceNs) {
    int bytes = 0;
    for (Model frame : model) {
      long ageNs = newestSentNs - frame.sentNs;
      boolean older = frame.number < newest && ageNs >= (frame.repaired ? allowanceNs : 0);
      if (frame.end() <= edge && frame.state == State.ON_ITS_WAY && older) {
        frame.state = State.LOST;
        bytes += frame.length;
      }
    }
    assertThat(sent.giveUpBefore(edge, allowanceNs)).isEqualTo(bytes);
  }

  private void repair(long nowNs, int number) {
    for (Model frame : model) {
      if (frame.state == State.LOST) {
        frame.state = State.ON_ITS_WAY;
        frame.repaired = true;
        frame.sentNs = nowNs;
        frame.number = number;
        return;
      }
    }
  }
}
