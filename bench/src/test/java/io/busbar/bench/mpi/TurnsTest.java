package io.busbar.bench.mpi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.busbar.bench.Figure;
import io.busbar.bench.Listening;
import io.busbar.bench.contest.Effort;
import io.busbar.bench.contest.Quiet;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What ranks are told and say, and what is made of it. */
class TurnsTest {
  private static final Effort LEAST = new Effort(0, 1_000_000, 3);
  private static final Task TASK = new Task(Task.What.BCAST, 8, 64, 1);

  /** A crew of known speed. */
  private static final class Known implements Crew {
    final List<Task> told = new ArrayList<>();
    final long eachNs;
    final long sentEach;
    private long sent;
    private int left = Integer.MAX_VALUE;
    private boolean closed;

    Known(long eachNs, long sentEach) {
      this.eachNs = eachNs;
      this.sentEach = sentEach;
    }

    @Override
    public Did run(Task task) {
      if (left-- <= 0) {
        throw new IllegalStateException("it is gone");
      }
      told.add(task);
      sent += sentEach * task.count();
      return new Did(eachNs * task.count(), 24L * task.count(), 0);
    }

    @Override
    public void settle() {}

    @Override
    public long sentBytes() {
      return sent;
    }

    @Override
    public void close() {
      closed = true;
    }
  }

  private final Listening report = new Listening();

  private Turns turns(Known ours, Known peer) {
    Turns turns = new Turns(report, "sim", true, new Quiet(0));
    turns.enter(ours);
    turns.enterPeer(Turns.OPEN_MPI, () -> peer);
    return turns;
  }

  private static Figure figure(Turns.Measured measured) {
    return measured.rounds().figure(Figure.plain("mpi", "sim", 64, "bcast", "us", "lower"));
  }

  @ParameterizedTest
  @EnumSource(Task.What.class)
  void tasksAreReadAsTheyAreWritten(Task.What what) {
    Task task = new Task(what, 8, 1 << 20, 12);
    assertThat(Task.parse(task.line())).isEqualTo(task);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "bcast",
        "bcast 8 64",
        "bcast 8 64 1 1",
        "gather 8 64 1",
        "bcast 1 64 1",
        "bcast 8 0 1",
        "bcast 8 64 0",
        "bcast 8 x 1"
      })
  void otherTasksAreRefused(String line) {
    assertThatThrownBy(() -> Task.parse(line)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void ranksSpeakAsOne() {
    Did first = Did.parse("took 5000000 allocated 3 compiled 0");
    assertThat(Did.parse(first.line())).isEqualTo(first);
    assertThat(first.wasReady()).isTrue();
    Did both = first.with(Did.parse("took 9000000 allocated 7 compiled 2"));
    assertThat(both).isEqualTo(new Did(5_000_000, 7, 2));
    assertThat(both.wasReady()).isFalse();
    assertThat(Did.parse("took 4")).isEqualTo(new Did(4, 0, 0));
    assertThatThrownBy(() -> Did.parse("opened")).hasMessageContaining("opened");
  }

  @Test
  void callsAreMicrosecondsAndTheirRatioIsTheKnownOne() {
    Known ours = new Known(30_000, 64);
    try (Turns turns = turns(ours, new Known(40_000, 64))) {
      Turns.Measured measured = turns.calls(TASK, LEAST);
      Figure figure = figure(measured);
      assertThat(figure.systems()).containsEntry("busbar", 30.0).containsEntry("open-mpi", 40.0);
      assertThat(figure.ratios().get("open-mpi")).containsExactly(0.75, 0.75, 0.75);
      assertThat(measured.allocatedBytes()).isEqualTo(24);
      assertThat(measured.n()).as("a run takes a millisecond").isBetween(30, 36);
      assertThat(ours.told).as("a warm-up, then four rounds").hasSizeGreaterThan(5);
    }
    assertThat(ours.closed).isTrue();
  }

  @Test
  void wholesAreSeconds() {
    Known ours = new Known(30_000, 64);
    try (Turns turns = turns(ours, new Known(40_000, 64))) {
      Figure figure = figure(turns.wholes(TASK.times(1000), 1, 3));
      assertThat(figure.systems()).containsEntry("busbar", 0.03).containsEntry("open-mpi", 0.04);
      assertThat(ours.told).hasSize(4).allMatch(task -> task.count() == 1000);
    }
  }

  @Test
  void whatDidNotCrossTheCableIsNoFigure() {
    try (Turns turns = turns(new Known(30_000, 64), new Known(40_000, 7))) {
      Figure figure = figure(turns.calls(TASK, LEAST));
      assertThat(figure.systems().get("open-mpi")).isNull();
      assertThat(report.missing).singleElement().asString().contains("on the cable");
    }
    try (Turns turns = turns(new Known(30_000, 7), new Known(40_000, 64))) {
      assertThatThrownBy(() -> turns.calls(TASK, LEAST)).hasMessageContaining("on the cable");
    }
  }

  @Test
  void peerThatFailsIsMissingAndBusbarGoesOn() {
    Known peer = new Known(40_000, 64);
    peer.left = 3;
    try (Turns turns = turns(new Known(30_000, 64), peer)) {
      assertThat(figure(turns.calls(TASK, LEAST)).systems())
          .containsEntry("busbar", 30.0)
          .doesNotContainEntry("open-mpi", 40.0);
      assertThat(peer.closed).isTrue();
      assertThat(report.missing).singleElement().asString().contains("it is gone");
      assertThat(figure(turns.calls(TASK, LEAST)).systems()).containsEntry("busbar", 30.0);
    }
  }
}
