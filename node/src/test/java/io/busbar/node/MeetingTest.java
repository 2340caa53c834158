package io.busbar.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
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

  @Test
  void folderThatIsNotThereIsNamed() {
    Path nowhere = folder.resolve("nowhere");
    assertThatThrownBy(() -> new Meeting(nowhere, 1).publish(0, List.of()))
        .isInstanceOf(NodeException.class)
        .hasMessageContaining(nowhere.toString());
  }
}
