package io.busbar.mpi;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Notes what the threads of this rank wait for, and says it to the launcher, from a thread of its
 * own. Who waits only notes it, after it has looked for a while.
 */
final class Watch {
  private static final long LOOK_MS = 250;

  /** Shorter waits are nothing to speak of. */
  private static final long WORTH_MS = 400;

  /** One wait of a thread: for what, and since when. */
  private record Entry(BooleanSupplier what, long sinceMs) {}

  private final WatchBoard board;
  private final Ledger ledger;
  private final Map<Thread, Entry> entries = new ConcurrentHashMap<>();
  private final Thread thread;
  private volatile boolean finalised;
  private volatile boolean stopped;
  private int rank;
  private long beat;

  Watch(WatchBoard board, Ledger ledger) {
    this.board = board;
    this.ledger = ledger;
    this.thread = Thread.ofPlatform().daemon().name("busbar-mpi-watch").unstarted(this::run);
  }

  /** Begins to say so. */
  void start(int ownRank) {
    rank = ownRank;
    thread.start();
  }

  void stop() {
    stopped = true;
  }

  /** MPI has begun or ended. */
  void onFinalised(boolean now) {
    finalised = now;
  }

  /** The calling thread is about to wait; again, perhaps. */
  void begin(BooleanSupplier what) {
    Thread self = Thread.currentThread();
    if (!entries.containsKey(self)) {
      entries.put(self, new Entry(what, System.currentTimeMillis()));
    }
  }

  /** It waits no longer. */
  void end() {
    entries.remove(Thread.currentThread());
  }

  private void run() {
    try {
      while (!stopped) {
        beat++;
        board.post(rank, state());
        Thread.sleep(LOOK_MS);
      }
    } catch (IOException e) {
      // The launcher is gone, and with it who would read.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private RankState state() {
    long nowMs = System.currentTimeMillis();
    List<Wait> waits = new ArrayList<>();
    entries.forEach(
        (waiting, entry) -> {
          Wait wait = nowMs - entry.sinceMs < WORTH_MS ? null : describe(waiting, entry);
          if (wait != null) {
            waits.add(wait);
          }
        });
    waits.sort(Comparator.comparingLong(Wait::sinceMs).thenComparing(Wait::toLine));
    return new RankState(
        beat, nowMs, finalised, waits, waits.isEmpty() ? List.of() : Frames.busy(entries.keySet()));
  }

  private @Nullable Wait describe(Thread waiting, Entry entry) {
    Frames frames = Frames.of(waiting);
    Wait wait = describe(entry.what, frames, entry.sinceMs);
    // A receive may be used again: what it says is true if it was waited for all the time.
    return entry.equals(entries.get(waiting)) ? wait : null;
  }

  private Wait describe(BooleanSupplier what, Frames at, long sinceMs) {
    return switch (what) {
      case Receive one -> {
        boolean isAny = one.isPosted && one.wantedSource == Receive.ANY;
        List<Integer> from =
            isAny
                ? others(one.communicator)
                : List.of(one.communicator.nodeOf(one.isPosted ? one.wantedSource : one.source));
        String tag = one.context % 2 == 0 ? tag(one.wantedTag) : "";
        yield wait("receive", isAny, from, tag, ledger.name(one.context), at, sinceMs);
      }
      case Send one -> {
        String tag = one.context % 2 == 0 ? tag(one.withTag) : "";
        yield wait("send", false, List.of(one.to), tag, ledger.name(one.context), at, sinceMs);
      }
      case Waited.Probe one ->
          wait(
              "probe",
              one.from() == Receive.ANY,
              one.from() == Receive.ANY
                  ? others(one.communicator())
                  : List.of(one.communicator().nodeOf(one.from())),
              tag(one.tag()),
              one.communicator().name(),
              at,
              sinceMs);
      case Waited.AnyOf one -> wait("one of several", true, ranks(one), "", "", at, sinceMs);
      case Waited.Ranks one -> wait(one.why(), false, one.ranks().get(), "", "", at, sinceMs);
      default -> wait("a collective", false, List.of(), "", "", at, sinceMs);
    };
  }

  private List<Integer> ranks(Waited.AnyOf several) {
    Set<Integer> all = new LinkedHashSet<>();
    for (Request one : several.requests()) {
      all.addAll(describe(one, Frames.NONE, 0).ranks());
    }
    return List.copyOf(all);
  }

  private List<Integer> others(Communicator communicator) {
    return Wait.all(communicator.others());
  }

  private static Wait wait(
      String what,
      boolean orOne,
      List<Integer> ranks,
      String tag,
      String communicator,
      Frames at,
      long sinceMs) {
    return new Wait(what, orOne, ranks, tag, communicator, at.call(), at.place(), sinceMs);
  }

  private static String tag(int tag) {
    return tag == Receive.ANY ? "any" : Integer.toString(tag);
  }
}
