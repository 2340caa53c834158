package io.busbar.lab.mpi;

import io.busbar.lab.stack.SimProcess;
import io.busbar.mpi.Communicator;
import io.busbar.mpi.Datatype;
import io.busbar.mpi.Holdings;
import io.busbar.mpi.MpiError;
import io.busbar.mpi.Request;
import io.busbar.mpi.World;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The program of one rank. All draw the same one, and differ in when and how they do things. */
final class Rank {
  private static final int TEAMS_MAX = 5;
  private static final int TASKS_MAX = 4;
  private static final int SERIES_MAX = 20;
  private static final int SERIES_BYTES_MAX = 3_000;

  /** Longer than what is sent without being asked: it costs no credit. */
  private static final int LONG_BYTES = (256 << 10) + 8;

  private final Umpire umpire;
  private final SimProcess process;
  private final Script script;
  private final Errors errors;
  private final SplittableRandom shared;
  private final List<@Nullable Team> teams = new ArrayList<>();
  private @Nullable Recalls recalls;
  private int ids;
  private int phases;

  Rank(Umpire umpire, SimProcess process, Script script) {
    this.umpire = umpire;
    this.process = process;
    this.script = script;
    errors = new Errors(umpire, process, script.manner());
    shared = new SplittableRandom(script.seed());
  }

  /** Plays to the end, or until another rank has failed. */
  void play(World world) {
    try {
      for (int epoch = 0; epoch < script.epochs(); epoch++) {
        playEpoch(world, epoch == script.epochs() - 1);
      }
    } catch (MpiError e) {
      umpire.onError(process, umpire.hasReason(), e);
    }
    umpire.note(process, "leaves", 0);
  }

  private void playEpoch(World world, boolean isLast) {
    teams.clear();
    Communicator all = world.begin();
    teams.add(new Team(ids++, all));
    recalls =
        script.changesMind() && !errors.goesOn()
            ? new Recalls(umpire, process, new Team(ids++, all.duplicate()))
            : null;
    for (int i = 0; i < script.phases(); i++) {
      playPhase();
    }
    if (isLast) {
      settle(Objects.requireNonNull(teams.getFirst()), world.holdings());
    }
    if (umpire.isOnBus() && !errors.goesOn()) {
      series(Objects.requireNonNull(teams.getFirst()), shared.nextInt()); // the end follows at once
    }
    umpire.note(process, "finalises", 0);
    world.end();
    if (isLast) {
      checkRest(world.holdings());
    }
  }

  private void playPhase() {
    int index = errors.goesOn() ? 0 : shared.nextInt(teams.size());
    int salt = shared.nextInt();
    int lot = errors.goesOn() ? 0 : shared.nextInt(12);
    int phase = phases++;
    Team team = teams.get(index);
    umpire.note(process, "plays phase", phase);
    if (recalls != null) {
      recalls.play(phase);
    }
    if (lot >= 10) {
      found(team, salt);
    } else if (team != null && lot < 5) {
      exchange(team, phase, salt);
    } else if (team != null && lot < 8) {
      Sums sums = new Sums(team, salt);
      sums.run(team.on().collectives());
      sums.check();
      umpire.onCollective();
    } else if (team != null) {
      several(team, phase, salt);
    }
    if (team != null && lot < 10 && umpire.isOnBus() && !errors.goesOn()) {
      series(team, salt);
    }
  }

  /** Broadcasts one after the other, whose roots may run ahead. */
  private void series(Team team, int salt) {
    SplittableRandom drawn = new SplittableRandom(salt);
    for (int i = drawn.nextInt(SERIES_MAX); i > 0; i--) {
      int root = drawn.nextInt(team.size());
      byte[] right = new byte[drawn.nextInt(SERIES_BYTES_MAX)];
      drawn.nextBytes(right);
      byte[] mine = root == team.rank() ? right.clone() : new byte[right.length];
      team.on().collectives().broadcast(mine, 0, mine.length, Datatype.BYTE, root);
      Promise.check(
          Arrays.equals(mine, right),
          "collectives are those of a sequential model",
          "rank %d has other bytes than root %d of %d",
          team.rank(),
          root,
          team.size());
    }
    umpire.onCollective();
  }

  private void exchange(Team team, int phase, int salt) {
    new Exchange(umpire, process, errors, team, phase, salt, script).run();
  }

  /** Collectives that nobody waits for at once, with messages meanwhile. */
  private void several(Team team, int phase, int salt) {
    List<Sums> all = new ArrayList<>();
    List<Request> requests = new ArrayList<>();
    for (int i = 0; i <= Math.floorMod(salt, TASKS_MAX); i++) {
      Sums sums = new Sums(team, salt + i);
      all.add(sums);
      requests.add(team.on().start("sums", sums::run));
    }
    exchange(team, phase, salt);
    while (!requests.isEmpty()) {
      Request next = requests.remove(process.random().nextInt(requests.size()));
      next.await();
      MpiError error = next.error();
      if (error != null) {
        throw error;
      }
    }
    for (Sums sums : all) {
      sums.check();
      umpire.onCollective();
    }
  }

  /** Another communicator, or one less. Those who are not in it leave out what it does. */
  private void found(@Nullable Team parent, int salt) {
    if (teams.size() >= TEAMS_MAX) {
      Team last = teams.removeLast();
      if (last != null) {
        last.on().free();
      }
      return;
    }
    int id = ids++;
    Communicator made = parent == null ? null : make(parent, salt);
    teams.add(made == null ? null : new Team(id, made));
  }

  private static @Nullable Communicator make(Team parent, int salt) {
    Communicator on = parent.on();
    SplittableRandom drawn = new SplittableRandom(salt);
    int what = drawn.nextInt(3);
    int[] colours = drawn.ints(on.size(), Communicator.UNDEFINED, 2).toArray();
    if (what == 0) {
      return on.duplicate();
    }
    if (what == 1) {
      return on.split(colours[on.rank()], salt % 2 == 0 ? on.rank() : -on.rank());
    }
    int[] members = new int[on.size()];
    int count = 0;
    for (int rank = 0; rank < on.size(); rank++) {
      if (colours[rank] >= 0) {
        members[count++] = rank;
      }
    }
    return on.create(on.group().include(Arrays.copyOf(members, count)));
  }

  // The end.

  /**
   * Each exchanges a long message with its neighbours: behind it there is nothing that either still
   * has to say of what was sent before.
   */
  private void settle(Team all, Holdings holdings) {
    int n = all.size();
    Set<Integer> neighbours =
        new TreeSet<>(List.of((all.rank() + 1) % n, (all.rank() + n - 1) % n));
    Waits waits = new Waits(process, errors);
    int tag = phases * Leg.TAGS;
    for (int other : neighbours) {
      byte[] out = new byte[LONG_BYTES];
      byte[] in = new byte[LONG_BYTES];
      errors.guard(
          other,
          () -> {
            waits.add(pending(all, other, in, true, tag));
            waits.add(pending(all, other, out, false, tag));
          });
    }
    waits.awaitAll();
    for (int other : neighbours) {
      umpire.settle(process.node(), other, holdings);
    }
  }

  private static Pending pending(Team all, int other, byte[] bytes, boolean isIn, int tag) {
    Communicator on = all.on();
    Request request =
        isIn
            ? on.startReceive(bytes, 0, bytes.length, Datatype.BYTE, other, tag)
            : on.startSend(bytes, 0, bytes.length, Datatype.BYTE, other, tag, false);
    return new Pending(request, other, () -> {});
  }

  private void checkRest(Holdings holdings) {
    boolean isClean = holdings.kept() == 0 && holdings.named() == 0;
    Promise.check(
        isClean || umpire.hasReason(),
        "nothing is held at rest",
        "rank %d keeps %d messages, and %d sends and receives have a name",
        process.node(),
        holdings.kept(),
        holdings.named());
  }
}
