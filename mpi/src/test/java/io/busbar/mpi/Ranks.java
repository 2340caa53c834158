package io.busbar.mpi;

import static org.assertj.core.api.Assertions.assertThat;

import io.busbar.node.Lane;
import io.busbar.node.LaneUser;
import io.busbar.node.Node;
import io.busbar.node.NodeConfig;
import io.busbar.node.Place;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletionService;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Ranks in threads of this process, each with a node of its own. */
public abstract class Ranks {
  private static final int END_S = 50;

  /** Where the ranks of the job are. */
  final Map<Integer, Place> places = new ConcurrentHashMap<>();

  /** For tests, also of other packages. */
  protected Ranks() {}

  /** How closely programs are looked at. */
  MpiConfig config() {
    return MpiConfig.defaults();
  }

  /** What a rank does. */
  @FunctionalInterface
  public interface Program {
    void run(Communicator world) throws Exception;
  }

  /** What a rank does that begins and ends MPI itself. */
  @FunctionalInterface
  interface Life {
    void run(World world) throws Exception;
  }

  /**
   * Runs a program on so many ranks; the first failure is thrown.
   *
   * @param fabrics that they have; with strokes between them, those of the ranks in turn
   */
  protected final void run(int ranks, String fabrics, Program program) throws Exception {
    runWorlds(
        ranks,
        fabrics,
        world -> {
          program.run(world.begin());
          world.end();
        });
  }

  /** The same of one that begins and ends MPI itself. */
  final void runWorlds(int ranks, String fabrics, Life life) throws Exception {
    Path meeting = Files.createTempDirectory("busbar-ranks");
    try {
      runWorlds(ranks, fabrics, meeting, life);
    } finally {
      delete(meeting);
    }
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path one : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(one);
      }
    }
  }

  private void runWorlds(int ranks, String fabrics, Path meeting, Life life) throws Exception {
    String name = "mpi-%d-%d".formatted(ProcessHandle.current().pid(), System.nanoTime());
    String[] inTurn = fabrics.split("/", -1);
    try (ExecutorService threads = Executors.newCachedThreadPool()) {
      CompletionService<Boolean> over = new ExecutorCompletionService<>(threads);
      for (int rank = 0; rank < ranks; rank++) {
        NodeConfig node =
            NodeConfig.of(Map.of())
                .as(rank, ranks, meeting)
                .in(name)
                .withFabrics(inTurn[rank % inTurn.length].split(",", -1));
        int self = rank;
        Future<Boolean> _ =
            over.submit(
                () -> {
                  try (World world = World.join(user -> join(self, node, user), ranks, config())) {
                    life.run(world);
                  }
                  return true;
                });
      }
      boolean areOver = false;
      try {
        for (int rank = 0; rank < ranks; rank++) {
          Future<Boolean> one = over.poll(END_S, TimeUnit.SECONDS);
          assertThat(one).as("a rank did not end").isNotNull();
          Boolean _ = one.get();
        }
        areOver = true;
      } catch (ExecutionException e) {
        throw new AssertionError("a rank failed", e.getCause());
      } finally {
        if (!areOver) {
          List<Runnable> _ = threads.shutdownNow();
        }
      }
    }
  }

  private Place join(int rank, NodeConfig config, LaneUser user) throws InterruptedException {
    Place place = Node.join(config, user);
    places.put(rank, place);
    return place;
  }

  protected final void run(int ranks, Program program) throws Exception {
    run(ranks, "shm", program);
  }

  /** How many messages of `messages` a rank has sent to another one. */
  final long sent(int rank, int to) {
    Place place = Objects.requireNonNull(places.get(rank));
    place.take();
    try {
      Lane lane = place.lane(to);
      return lane == null ? 0 : lane.messagesOut();
    } finally {
      place.release();
    }
  }
}
