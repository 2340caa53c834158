package io.busbar.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(30)
class MeetingTest {
  private static final long SECOND_NS = 1_000_000_000L;

  @TempDir Path folder;

  @Test
  void allHearOfAll() throws Exception {
    try (ExecutorService threads = Executors.newCachedThreadPool()) {
      Future<List<List<String>>> early =
          threads.submit(() -> new Meeting(folder, 3).await(20 * SECOND_NS));
      for (int rank = 2; rank >= 0; rank--) {
        new Meeting(folder, 3).publish(rank, List.of("rank " + rank, "ü"));
      }
      assertThat(early.get())
          .containsExactly(List.of("rank 0", "ü"), List.of("rank 1", "ü"), List.of("rank 2", "ü"));
    }
  }

  @Test
  void missingOnesAreNamed() {
    Meeting meeting = new Meeting(folder, 4);
    meeting.publish(1, List.of());
    assertThatThrownBy(() -> meeting.await(1_000_000))
        .isInstanceOf(NodeException.class)
        .hasMessageContaining("rank [0, 2, 3]")
        .hasMessageContaining(folder.toString());
  }

  /** A process that starts again does not come back to its job. */
  @Test
  void secondOfARankIsRefused() throws Exception {
    Meeting meeting = new Meeting(folder, 1);
    meeting.publish(0, List.of("first"));
    assertThatThrownBy(() -> meeting.publish(0, List.of("second")))
        .isInstanceOf(NodeException.class)
        .hasMessageContaining("rank 0")
        .hasMessageContaining("start the job anew");
    assertThat(meeting.await(SECOND_NS)).containsExactly(List.of("first"));
  }

  /** Both find nobody there before; one of them is the rank. */
  @Test
  void oneOfTwoAtTheSameMomentIsRefused() throws Exception {
    int ranks = 500;
    CyclicBarrier barrier = new CyclicBarrier(2);
    try (ExecutorService threads = Executors.newCachedThreadPool()) {
      List<Future<List<Integer>>> both = new ArrayList<>();
      for (String self : List.of("one", "other")) {
        both.add(threads.submit(() -> publishAll(self, ranks, barrier)));
      }
      List<Integer> one = both.getFirst().get();
      List<Integer> other = both.getLast().get();
      List<List<String>> all = new Meeting(folder, ranks).await(SECOND_NS);
      assertThat(one).doesNotContainAnyElementsOf(other);
      assertThat(one.size() + other.size()).isEqualTo(ranks);
      for (int rank = 0; rank < ranks; rank++) {
        assertThat(all.get(rank)).containsExactly(one.contains(rank) ? "one" : "other");
      }
    }
  }

  /** As whom it was not refused. */
  private List<Integer> publishAll(String self, int ranks, CyclicBarrier barrier) throws Exception {
    List<Integer> taken = new ArrayList<>();
    Meeting meeting = new Meeting(folder, ranks);
    for (int rank = 0; rank < ranks; rank++) {
      int _ = barrier.await(5, TimeUnit.SECONDS);
      try {
        meeting.publish(rank, List.of(self));
        taken.add(rank);
      } catch (NodeException e) {
        assertThat(e).hasMessageContaining("there was a rank " + rank);
      }
    }
    return taken;
  }

  @Test
  void folderThatIsNotThereIsNamed() {
    Path nowhere = folder.resolve("nowhere");
    assertThatThrownBy(() -> new Meeting(nowhere, 1).publish(0, List.of()))
        .isInstanceOf(NodeException.class)
        .hasMessageContaining(nowhere.toString());
  }
}
