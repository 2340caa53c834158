package io.busbar.lab.mpi;

import io.busbar.mpi.Communicator;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What was sent, in the order of sending, and what was asked for. Ranks are those of the world. */
final class Letters {
  private record Way(int team, int from, int to) {}

  private record Box(int team, int of) {}

  private record Wish(int source, int tag, int phase) {
    boolean fits(int from, int withTag, int inPhase) {
      return phase == inPhase
          && (source == Communicator.ANY || source == from)
          && (tag == Communicator.ANY || tag == withTag);
    }
  }

  private final Map<Way, List<Letter>> sent = new HashMap<>();
  private final Map<Box, List<Wish>> wishes = new HashMap<>();
  private long flows;

  /** A send begins. */
  Letter add(int team, int from, int to, int tag, int length) {
    List<Letter> before = of(team, from, to);
    int same = 0;
    for (Letter letter : before) {
      same += letter.tag == tag ? 1 : 0;
    }
    Letter made = new Letter(flows++, tag, length, same);
    before.add(made);
    return made;
  }

  /** All from one rank to another, in order. */
  List<Letter> of(int team, int from, int to) {
    return sent.computeIfAbsent(new Way(team, from, to), _ -> new ArrayList<>());
  }

  /** A receive begins. */
  void ask(int team, int of, int source, int tag, int phase) {
    wishes
        .computeIfAbsent(new Box(team, of), _ -> new ArrayList<>())
        .add(new Wish(source, tag, phase));
  }

  /** Whether receives have begun for a letter and for all that come before it. */
  boolean isAskedFor(Letter letter, int team, int from, int to, int phase) {
    int fitting = 0;
    for (Wish wish : wishes.getOrDefault(new Box(team, to), List.of())) {
      fitting += wish.fits(from, letter.tag, phase) ? 1 : 0;
    }
    return fitting > letter.before;
  }
}
