package io.busbar.mpi;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.StringJoiner;
import java.util.stream.IntStream;

/**
 * Who waits for whom, at one moment, and who cannot go on any more. Pure.
 *
 * <p>A rank goes on by itself if it does not wait. One that waits goes on if somebody goes on whom
 * one of its threads waits for. Whoever is not reached by this waits for ever, provided that ranks
 * that were said to wait do so with all their threads.
 *
 * @param members each rank of the world
 */
public record WaitGraph(List<Member> members) {
  /** How a rank is. */
  public enum Kind {
    /** It works, or may at any time. */
    GOES_ON,
    /** All its threads wait. */
    WAITS,
    /** It has ended MPI, and sends nothing more. */
    FINALISED,
    /** Its process has ended. */
    ENDED
  }

  /** A rank, and what it waits for if it does. */
  public record Member(Kind kind, List<Wait> waits) {}

  /** The ranks that wait for ever, in order. */
  public List<Integer> stuck() {
    boolean[] goesOn = new boolean[members.size()];
    for (int i = 0; i < goesOn.length; i++) {
      goesOn[i] = members.get(i).kind == Kind.GOES_ON;
    }
    boolean changed = true;
    while (changed) {
      changed = false;
      for (int i = 0; i < goesOn.length; i++) {
        if (!goesOn[i] && members.get(i).kind == Kind.WAITS && isReleased(i, goesOn)) {
          goesOn[i] = true;
          changed = true;
        }
      }
    }
    return IntStream.range(0, goesOn.length)
        .filter(i -> !goesOn[i] && members.get(i).kind == Kind.WAITS)
        .boxed()
        .toList();
  }

  private boolean isReleased(int rank, boolean[] goesOn) {
    List<Wait> real = members.get(rank).waits.stream().filter(w -> !w.ranks().isEmpty()).toList();
    // Who waits only for its own process does something there.
    return real.isEmpty() || real.stream().anyMatch(wait -> isReleased(wait, goesOn));
  }

  private static boolean isReleased(Wait wait, boolean[] goesOn) {
    return wait.orOne()
        ? wait.ranks().stream().anyMatch(rank -> goesOn[rank])
        : wait.ranks().stream().allMatch(rank -> goesOn[rank]);
  }

  /** Why those who are stuck are: a ring of them, or one that waits for who is no more. */
  public String reason() {
    List<Integer> stuck = stuck();
    for (int rank : stuck) {
      for (Wait wait : members.get(rank).waits) {
        for (int other : wait.ranks()) {
          Kind kind = members.get(other).kind;
          if (kind == Kind.FINALISED || kind == Kind.ENDED) {
            String how = kind == Kind.FINALISED ? "finalised" : "ended";
            return "rank %d waits for rank %d, which has %s".formatted(rank, other, how);
          }
        }
      }
    }
    return ring(stuck);
  }

  private String ring(List<Integer> stuck) {
    Set<Integer> path = new LinkedHashSet<>();
    int next = stuck.getFirst();
    while (path.add(next)) {
      next = blocker(next, stuck);
    }
    List<Integer> ring = new ArrayList<>(path);
    ring = ring.subList(ring.indexOf(next), ring.size());
    StringJoiner text = new StringJoiner(", ");
    for (int i = 0; i < ring.size(); i++) {
      int other = ring.get((i + 1) % ring.size());
      String who = other == ring.get(i) ? "itself" : "rank " + other;
      text.add("rank %d waits for %s".formatted(ring.get(i), who));
    }
    return text.toString();
  }

  /** One of those whom a rank waits for in vain; another one than itself if it can be. */
  private int blocker(int rank, List<Integer> stuck) {
    int[] all =
        members.get(rank).waits.stream()
            .flatMap(wait -> wait.ranks().stream())
            .filter(stuck::contains)
            .mapToInt(Integer::intValue)
            .toArray();
    return Arrays.stream(all).filter(other -> other != rank).findFirst().orElse(all[0]);
  }
}
