package io.busbar.fabric.shm;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.fabric.Nic;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What was sent just before the end is heard, also by who did not know the sender yet. */
@Timeout(60)
class LastWordsTest {
  private final Folder folder = new Folder();
  private final Station a = new Station(folder);
  private final Station b = new Station(folder);

  @AfterEach
  void close() {
    a.close();
    b.close();
    folder.close();
  }

  private void sendThreeAndClose() {
    int toB = a.open(b);
    assertThat(a.send(toB, 1, 40)).isEqualTo(Nic.DONE);
    assertThat(a.send(toB, 2, 5000)).isEqualTo(Nic.DONE);
    assertThat(a.send(toB, 3, 900)).isEqualTo(Nic.DONE);
    a.nic.flush();
    a.close();
  }

  private long segments() {
    return folder.names().stream().filter(name -> name.endsWith(".seg")).count();
  }

  @Test
  void whoReadsItsMailLateHearsAll() {
    sendThreeAndClose();
    assertThat(segments()).as("the sender's and the receiver's").isEqualTo(2);
    Station.await("the end", () -> b.told.size() == 2, b);
    assertThat(b.numbers()).containsExactly(1L, 2L, 3L);
    assertThat(b.told.get(1)).startsWith("gone 0");
    b.close();
    new Station(folder).close();
    assertThat(segments()).as("swept by the next one").isZero();
  }

  /** Who knew the sender, and sees that it has left before it reads its mail, hears all from it. */
  @Test
  void whoSeesTheEndFirstHearsAll() {
    int fromA = b.open(a);
    sendThreeAndClose();
    assertThat(b.nic.arm()).isFalse();
    b.nic.disarm();
    Station.await("the end", () -> !b.told.isEmpty(), b);
    assertThat(b.numbersFrom(fromA)).containsExactly(1L, 2L, 3L);
    assertThat(b.told).hasSize(1);
    assertThat(b.told.getFirst()).startsWith("gone " + fromA);
  }

  @Test
  void whoReadsItsMailAtOnceFindsNothingLeftBehind() throws Exception {
    try (ExecutorService threads = Executors.newCachedThreadPool()) {
      Future<?> sender = threads.submit(this::sendThreeAndClose);
      Station.await("the end", () -> b.told.size() == 2, b);
      sender.get();
    }
    assertThat(b.numbers()).containsExactly(1L, 2L, 3L);
    assertThat(segments()).as("the receiver's").isEqualTo(1);
  }
}
