package io.busbar.fabric.shm;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.fabric.FabricException;
import io.busbar.fabric.Nic;
import io.busbar.fabric.NicEvents;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Two that do the same at the same moment. */
@Timeout(120)
class RaceTest {
  private static final String TAKEN = "a living process has it; choose another name";

  private final Folder folder = new Folder();
  private final ExecutorService threads = Executors.newCachedThreadPool();

  @AfterEach
  void close() {
    threads.close();
    folder.close();
  }

  private List<String> both(Callable<String> one, Callable<String> other) throws Exception {
    List<String> results = new ArrayList<>();
    for (Future<String> result : threads.invokeAll(List.of(one, other))) {
      results.add(result.get());
    }
    return results;
  }

  @Test
  void oneOfTwoThreadsGetsTheName() throws Exception {
    for (int round = 0; round < 10; round++) {
      ShmConfig config = Station.config(folder).named(5 + round % 2);
      CyclicBarrier start = new CyclicBarrier(2);
      CyclicBarrier end = new CyclicBarrier(2);
      Callable<String> make =
          () -> {
            start.await();
            try (ShmNic nic = new ShmNic(config, NicEvents.NONE)) {
              end.await();
              return "won " + nic.address();
            } catch (FabricException e) {
              end.await();
              return String.valueOf(e.getMessage());
            }
          };
      List<String> results = both(make, make);
      assertThat(results).filteredOn(result -> result.startsWith("won ")).hasSize(1);
      assertThat(results).filteredOn(result -> result.contains(TAKEN)).hasSize(1);
      assertThat(folder.names()).isEmpty();
    }
  }

  @Test
  void oneOfTwoProcessesGetsTheName() throws Exception {
    try (ChildJvm one = new ChildJvm(Deed.RACE, folder.path);
        ChildJvm other = new ChildJvm(Deed.RACE, folder.path)) {
      assertThat(one.line()).isEqualTo("ready");
      assertThat(other.line()).isEqualTo("ready");
      for (int round = 0; round < 10; round++) {
        one.tell("99");
        other.tell("99");
        List<String> results = List.of(one.line(), other.line());
        assertThat(results).filteredOn(result -> result.startsWith("won shm:")).hasSize(1);
        assertThat(results).filteredOn(result -> result.contains(TAKEN)).hasSize(1);
        one.tell("close");
        other.tell("close");
        assertThat(List.of(one.line(), other.line())).containsOnly("closed");
      }
      one.tell("99");
      assertThat(one.line()).startsWith("won");
      one.kill();
      other.tell("99");
      assertThat(other.line()).as("after the owner was killed").startsWith("won");
    }
  }

  /** A sweeper must not remove what is just being made, neither file nor bell. */
  @Test
  void sweepersLeaveTheLivingAlone() throws Exception {
    AtomicBoolean done = new AtomicBoolean();
    SegmentFiles files = new SegmentFiles(folder.path.toString());
    List<Future<Integer>> sweepers = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      sweepers.add(
          threads.submit(
              () -> {
                int sweeps = 0;
                for (; !done.get(); sweeps++) {
                  files.sweep();
                }
                return sweeps;
              }));
    }
    try (Station witness = new Station(folder)) {
      for (int round = 0; round < 100; round++) {
        try (Station maker = new Station(Station.config(folder).named(7 + round % 3))) {
          ShmAddress address = maker.nic.address();
          assertThat(Files.exists(Path.of(files.segment(address.token())))).isTrue();
          assertThat(Files.exists(Path.of(files.bell(address.token())))).isTrue();
          if (round % 10 == 0) {
            assertThat(witness.send(witness.open(maker), round, 8)).isEqualTo(Nic.DONE);
            assertThat(maker.poll()).isEqualTo(1);
          }
        }
      }
    } finally {
      done.set(true);
    }
    for (Future<Integer> sweeper : sweepers) {
      assertThat(sweeper.get()).isPositive();
    }
    assertThat(folder.names()).isEmpty();
  }

  /** Leftovers of the dead, which all find at once: each name can be taken, and by one. */
  @Test
  void leftoversAreTakenOverByOne() throws Exception {
    for (int round = 0; round < 20; round++) {
      for (int token = 1; token <= 4; token++) {
        String name = "busbar-%016x".formatted(token);
        Files.createFile(folder.path.resolve(name + ".seg"));
        Files.createFile(folder.path.resolve(name + ".bell"));
      }
      CyclicBarrier start = new CyclicBarrier(4);
      List<Callable<Long>> makers = new ArrayList<>();
      for (int token = 1; token <= 4; token++) {
        ShmConfig config = Station.config(folder).named(token);
        makers.add(
            () -> {
              start.await();
              try (ShmNic nic = new ShmNic(config, NicEvents.NONE)) {
                return nic.address().token();
              }
            });
      }
      Set<Long> made = new HashSet<>();
      for (Future<Long> result : threads.invokeAll(makers)) {
        made.add(result.get());
      }
      assertThat(made).containsExactlyInAnyOrder(1L, 2L, 3L, 4L);
      assertThat(folder.names()).isEmpty();
    }
  }

  @Test
  void firstContactsCross() throws Exception {
    int frames = 40;
    for (int round = 0; round < 60; round++) {
      try (Station one = new Station(folder);
          Station other = new Station(folder)) {
        CyclicBarrier start = new CyclicBarrier(2);
        List<String> results =
            both(
                () -> converse(one, other.nic.address(), frames, start),
                () -> converse(other, one.nic.address(), frames, start));
        assertThat(results).containsOnly("well");
        assertThat(one.told).isEmpty();
        assertThat(other.told).isEmpty();
      }
    }
  }

  private static String converse(Station self, ShmAddress other, int frames, CyclicBarrier start)
      throws Exception {
    start.await();
    int peer = self.nic.open(other);
    for (int i = 0; i < frames; ) {
      if (self.send(peer, i, i % 3 == 0 ? 3000 : 50) == Nic.DONE) {
        i++;
      } else {
        self.poll();
      }
    }
    Station.await("all frames", () -> self.heard.size() >= frames, self);
    start.await();
    self.poll();
    List<Long> all = LongStream.range(0, frames).boxed().toList();
    return self.numbersFrom(peer).equals(all) ? "well" : self.heard.toString();
  }

  /**
   * One closes the way and opens it again, while the other sends and opens it again when it hears
   * that it was closed. Frames may be lost with the way that they were in; none comes twice, none
   * is damaged, and those of one way come in order, without a gap.
   */
  @Test
  void waysAreClosedWhileFramesAreOnThem() throws Exception {
    int closings = 40;
    Station closer = new Station(folder);
    Station sender = new Station(folder);
    AtomicBoolean done = new AtomicBoolean();
    Future<Long> sending =
        threads.submit(
            () -> {
              SplittableRandom random = new SplittableRandom(2);
              int peer = sender.open(closer);
              long number = 0;
              while (!done.get()) {
                long result = sender.send(peer, number, 8 + random.nextInt(4000));
                number += result == Nic.DONE ? 1 : 0;
                if (result == Nic.GONE) {
                  peer = sender.open(closer);
                } else if (result == Nic.FULL || random.nextInt(16) == 0) {
                  sender.poll();
                }
              }
              return number;
            });
    Set<Long> seen = new HashSet<>();
    Map<Integer, Long> last = new HashMap<>();
    SplittableRandom random = new SplittableRandom(1);
    int peer = closer.open(sender);
    int closed = 0;
    try {
      while (closed < closings) {
        closer.poll();
        for (Station.Heard one : closer.heard) {
          assertThat(one.number()).isNotNegative();
          assertThat(seen.add(one.number())).as("twice: %s", one).isTrue();
          Long before = last.put(one.peer(), one.number());
          assertThat(before == null || before + 1 == one.number()).as("after %s", before).isTrue();
        }
        int lastPeer = closer.heard.isEmpty() ? -1 : closer.heard.getLast().peer();
        closer.heard.clear();
        if (lastPeer >= 0 && random.nextInt(3) == 0) {
          last.remove(lastPeer);
          closer.nic.close(lastPeer);
          closed++;
          if (random.nextBoolean()) {
            peer = closer.open(sender);
            long result = closer.send(peer, 1, 100);
            assertThat(result).isIn(Nic.DONE, Nic.FULL);
          }
        }
        for (String news : closer.told) {
          if (news.startsWith("gone")) {
            last.remove(Integer.parseInt(news.substring(5, news.indexOf(':'))));
          }
        }
        closer.told.clear();
      }
    } finally {
      done.set(true);
    }
    assertThat(sending.get()).isGreaterThan(closings);
    assertThat(seen).hasSizeGreaterThan(closings);
    assertThat(sender.heard).allMatch(one -> one.number() == 1);
    Station.await(
        "all blocks are free",
        () -> {
          closer.heard.clear();
          return closer.restsWithAllBlocksFree() && sender.restsWithAllBlocksFree();
        },
        closer,
        sender);
    closer.close();
    sender.close();
  }
}
