package io.busbar.cli;

import io.busbar.mpi.RankState;
import io.busbar.mpi.Wait;
import io.busbar.mpi.WaitGraph;
import io.busbar.mpi.WaitGraph.Kind;
import io.busbar.mpi.WaitGraph.Member;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Reads what the ranks of a job say they wait for. When nobody has gone on for long, it shows who
 * waits for whom; when some of them wait for each other, so that they cannot go on, it ends the
 * job. It believes only what two looks have in common, and what was said again between them.
 */
final class DeadlockWatch {
  private static final long LOOK_NS_MIN = 500_000_000L; // a rank speaks twice in that time
  private static final long LOOK_NS_MAX = 2_000_000_000L;

  private final Path folder;
  private final int size;
  private final long patienceMs;
  private final long lookMs;
  private final Job job;
  private final Thread thread;
  private List<@Nullable RankState> before = List.of();
  private List<List<Wait>> shown = List.of();

  /** Over a folder in which the processes of a job write; each may wait for so long. */
  DeadlockWatch(Path folder, int size, long patienceNs, Job job) {
    this.folder = folder;
    this.size = size;
    this.patienceMs = TimeUnit.NANOSECONDS.toMillis(patienceNs);
    this.lookMs =
        TimeUnit.NANOSECONDS.toMillis(Math.clamp(patienceNs / 4, LOOK_NS_MIN, LOOK_NS_MAX));
    this.job = job;
    this.thread = Thread.ofPlatform().daemon().name("busbar-run-watch").unstarted(this::run);
  }

  /** Begins to look. */
  DeadlockWatch start() {
    thread.start();
    return this;
  }

  /** Looks no more. */
  void stop() throws InterruptedException {
    thread.interrupt();
    thread.join();
  }

  private void run() {
    try {
      boolean goesOn = true;
      while (goesOn) {
        Thread.sleep(lookMs);
        goesOn = look();
      }
    } catch (IOException e) {
      job.say("busbar run: cannot watch for deadlocks any more: " + e);
    } catch (InterruptedException e) {
      // The job is over.
    }
  }

  /** Whether there is something to look for still. */
  private boolean look() throws IOException {
    List<@Nullable RankState> now = new ArrayList<>();
    for (int rank = 0; rank < size; rank++) {
      now.add(RankState.read(folder, rank));
    }
    List<@Nullable RankState> last = before;
    before = now;
    if (last.isEmpty()) {
      return true;
    }
    List<Member> seen =
        IntStream.range(0, size).mapToObj(i -> seen(i, last.get(i), now.get(i))).toList();
    WaitGraph graph =
        new WaitGraph(
            IntStream.range(0, size).mapToObj(i -> sure(seen.get(i), now.get(i))).toList());
    if (!graph.stuck().isEmpty()) {
      job.say(WaitTable.of("deadlock, who waits for whom:", seen, now));
      job.fail("deadlock: " + graph.reason());
      return false;
    }
    List<List<Wait>> waits = seen.stream().map(Member::waits).toList();
    boolean allWait =
        seen.stream().noneMatch(one -> one.kind() == Kind.GOES_ON)
            && seen.stream().anyMatch(one -> one.kind() == Kind.WAITS);
    if (allWait && !waits.equals(shown)) {
      shown = waits;
      String title = "all ranks wait, which need not be a deadlock:";
      job.say(WaitTable.of(title, seen, now));
    }
    return true;
  }

  /** How a rank was between two looks. */
  private Member seen(int rank, @Nullable RankState last, @Nullable RankState now) {
    if (job.hasEnded(rank)) {
      return new Member(Kind.ENDED, List.of());
    }
    if (last == null || now == null || last.beat() == now.beat()) {
      return new Member(Kind.GOES_ON, List.of());
    }
    if (now.finalised()) {
      return new Member(Kind.FINALISED, List.of());
    }
    boolean waits =
        !now.waits().isEmpty()
            && now.waits().equals(last.waits())
            && now.waits().stream().allMatch(wait -> now.saidMs() - wait.sinceMs() >= patienceMs);
    return waits ? new Member(Kind.WAITS, now.waits()) : new Member(Kind.GOES_ON, List.of());
  }

  /** Who has another thread of the program may go on. */
  private static Member sure(Member seen, @Nullable RankState now) {
    boolean mayGoOn = seen.kind() == Kind.WAITS && now != null && !now.busy().isEmpty();
    return mayGoOn ? new Member(Kind.GOES_ON, List.of()) : seen;
  }
}
