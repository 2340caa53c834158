package io.busbar.bench.contest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Each contender moves messages of every size, again and again, between its two ends. */
@Timeout(60)
@Tag("long")
class ContendersTest {
  private static final Duration PATIENCE = Duration.ofSeconds(40);

  private final ExecutorService answering = Executors.newSingleThreadExecutor();

  @AfterEach
  void end() {
    answering.shutdownNow();
  }

  private interface Side {
    void run() throws Exception;
  }

  /** Both sides at one time. */
  private void both(Side ask, Side answer)
      throws ExecutionException, InterruptedException, TimeoutException {
    Callable<Boolean> other =
        () -> {
          answer.run();
          return true;
        };
    Future<Boolean> answered = answering.submit(other);
    try {
      ask.run();
    } catch (Exception e) {
      throw new ExecutionException(e);
    }
    assertThat(answered.get(PATIENCE.toNanos(), TimeUnit.NANOSECONDS)).isTrue();
  }

  /** Both ends of a contender, joined. */
  private final class Ends implements AutoCloseable {
    final Contender one;
    final Contender other;

    Ends(String name, Path folder) throws Exception {
      one = Contenders.open(name, new Place(true, "127.0.0.1", 1472, folder.toString()));
      other = Contenders.open(name, new Place(false, "127.0.0.1", 1472, folder.toString()));
      String here = one.address();
      String there = other.address();
      both(() -> one.connect(there), () -> other.connect(here));
    }

    @Override
    public void close() {
      try (one) {
        other.close();
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "bare-ring, 1048576",
    "bare-udp, 65536",
    "tcp-nio, 1048576",
    "tcp-nio-sleep, 1048576",
    "udp-nio, 65536",
    "nic-shm, 131072",
    "nic-udp, 65536",
    "datagrams-udp, 65536",
    "stream-udp, 1048576",
    "lane-shm, 65536",
    "lane-udp, 65536",
    "face-udp-whole, 131072",
    "face-shm-pieces, 131072",
    "face-shm-given, 131072",
    "face-udp-waiting, 131072",
    "face-shm-resumable, 131072",
    "messages-shm, 65536",
    "messages-shm-sleep, 65536",
    "messages-udp, 65536",
    "messages-udp-sleep, 65536",
    "messages-shm-pieces, 65536",
    "messages-udp-give, 65536"
  })
  void movesMessages(String name, int bytesMax, @TempDir Path folder) throws Exception {
    try (Ends ends = new Ends(name, folder)) {
      Contender one = ends.one;
      Contender other = ends.other;
      for (int round = 0; round < 2; round++) {
        for (int bytes : IntStream.of(1, 64, 1024, 65536, bytesMax).distinct().toArray()) {
          long[] roundTripsNs = new long[20];
          both(() -> one.ask(bytes, 20, roundTripsNs), () -> other.answer(bytes, 20));
          assertThat(roundTripsNs).as("round trips of %d bytes", bytes).doesNotContain(0);
          both(() -> one.flood(bytes, 100), () -> other.sink(bytes, 100));
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"passed", "passed-read"})
  void passesBuffers(String name, @TempDir Path folder) throws Exception {
    try (Ends ends = new Ends(name, folder)) {
      Contender one = ends.one;
      Contender other = ends.other;
      long[] roundTripsNs = new long[20];
      both(() -> one.ask(1 << 20, 20, roundTripsNs), () -> other.answer(1 << 20, 20));
      assertThat(roundTripsNs).doesNotContain(0);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"messages-shm", "messages-udp", "tcp-nio-pair"})
  void movesAMix(String name, @TempDir Path folder) throws Exception {
    Mix mix = new Mix(64, 50, 200_000, 65536, 100_000);
    try (Ends ends = new Ends(name, folder)) {
      Contender one = ends.one;
      Contender other = ends.other;
      for (int round = 0; round < 2; round++) {
        long[] latenciesNs = new long[50];
        long startNs = System.nanoTime();
        both(() -> one.mix(mix, latenciesNs), () -> other.takeMix(mix));
        assertThat(System.nanoTime() - startNs).isGreaterThanOrEqualTo(99 * 100_000);
        assertThat(latenciesNs).doesNotContain(0);
      }
    }
  }

  /** A question that waits for its turn is late from when it was due. */
  @Test
  void latenciesOfAMixCountFromWhenTheyWereDue() {
    long[] latenciesNs = new long[2];
    Mix.Agenda agenda = new Mix(64, 2, 1, 1, 1).new Agenda(latenciesNs);
    assertThat(agenda.wantsQuestion()).isTrue();
    agenda.asked();
    assertThat(agenda.wantsQuestion()).as("one at a time").isFalse();
    LockSupport.parkNanos(2_000_000);
    agenda.answered();
    agenda.asked();
    agenda.answered();
    assertThat(latenciesNs[1]).isGreaterThan(1_500_000);
    assertThat(agenda.isOver()).as("two long messages are left").isFalse();
  }

  @Test
  void messagesCountRecordsAndFrames(@TempDir Path folder) throws Exception {
    try (Ends ends = new Ends("messages-udp", folder)) {
      Contender one = ends.one;
      Contender other = ends.other;
      both(() -> one.flood(64, 1000), () -> other.sink(64, 1000));
      assertThat(one.counters().get("records")).isGreaterThanOrEqualTo(1000);
      assertThat(one.counters().get("frames")).isBetween(1L, 2000L);
    }
  }

  @Test
  void onlyPeersMayBeMissing() {
    assertThat(Contenders.isOptional("aeron-udp")).isTrue();
    assertThat(Contenders.isOptional("messages-udp")).isFalse();
    assertThat(Contenders.isOptional("bare-ring")).isFalse();
  }

  @Test
  void onlyPeersGetWhatPeersNeed() {
    assertThat(Contenders.options("messages-shm")).noneMatch(option -> option.contains("--add"));
    assertThat(Contenders.options("tcp-nio")).noneMatch(option -> option.contains("--add"));
    assertThat(Contenders.options("aeron-ipc")).anyMatch(option -> option.contains("--add-opens"));
  }

  @Test
  void unknownNameIsRefused(@TempDir Path folder) {
    Place place = new Place(true, "127.0.0.1", 1472, folder.toString());
    assertThatThrownBy(() -> Contenders.open("nosuch", place)).hasMessageContaining("nosuch");
  }
}
