package io.busbar.lab.mpi;

import io.busbar.mpi.Collectives;
import io.busbar.mpi.Datatype;
import io.busbar.mpi.Operation;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/** One collective, with what every rank has, and what it must get. */
final class Sums {
  /** What is asked for. */
  private enum What {
    BARRIER,
    BROADCAST,
    REDUCE,
    ALL_REDUCE,
    SCAN,
    GATHER,
    ALL_GATHER,
    SCATTER,
    ALL_TO_ALL
  }

  private static final List<Operation> OPERATIONS =
      List.of(Operation.SUM, Operation.MAX, Operation.BXOR, Operation.REPLACE, Operation.NO_OP);

  private final Team team;
  private final What what;
  private final Operation operation;
  private final int root;
  private final int length;
  private final long[][] all;
  private final long[] mine;
  private final long[] in;
  private final long[] right;

  Sums(Team team, int salt) {
    this.team = team;
    SplittableRandom shared = new SplittableRandom(salt);
    int n = team.size();
    what = What.values()[shared.nextInt(What.values().length)];
    operation = OPERATIONS.get(shared.nextInt(OPERATIONS.size()));
    root = shared.nextInt(n);
    length =
        switch (shared.nextInt(6)) {
          case 0 -> shared.nextInt(3);
          case 1, 2, 3 -> shared.nextInt(200);
          case 4 -> (32 << 10) / Long.BYTES - 1 + shared.nextInt(3);
          default -> shared.nextInt(6_000);
        };
    boolean isForEach = what == What.SCATTER || what == What.ALL_TO_ALL;
    all = new long[n][];
    for (int r = 0; r < n; r++) {
      all[r] = shared.split().longs(isForEach ? (long) n * length : length).toArray();
    }
    mine = all[team.rank()].clone();
    in = new long[what == What.GATHER || what == What.ALL_GATHER ? n * length : mine.length];
    right = right();
  }

  private long[] right() {
    int me = team.rank();
    boolean isRoot = me == root;
    long[] blank = new long[in.length];
    return switch (what) {
      case BARRIER -> blank;
      case BROADCAST -> all[root];
      case REDUCE -> isRoot ? combined(all.length) : blank;
      case ALL_REDUCE -> combined(all.length);
      case SCAN -> combined(me + 1);
      case GATHER -> isRoot ? joined() : blank;
      case ALL_GATHER -> joined();
      case SCATTER -> Arrays.copyOf(part(root, me), in.length);
      case ALL_TO_ALL -> {
        for (int r = 0; r < all.length; r++) {
          System.arraycopy(part(r, me), 0, blank, r * length, length);
        }
        yield blank;
      }
    };
  }

  private long[] part(int of, int number) {
    return Arrays.copyOfRange(all[of], number * length, (number + 1) * length);
  }

  private long[] joined() {
    return Arrays.stream(all).flatMapToLong(Arrays::stream).toArray();
  }

  /** What the first so many have, one after the other. */
  private long[] combined(int ranks) {
    long[] sum = all[0].clone();
    for (int r = 1; r < ranks; r++) {
      for (int i = 0; i < length; i++) {
        sum[i] =
            switch (operation.name()) {
              case "sum" -> sum[i] + all[r][i];
              case "max" -> Math.max(sum[i], all[r][i]);
              case "bxor" -> sum[i] ^ all[r][i];
              case "replace" -> sum[i];
              default -> all[r][i];
            };
      }
    }
    return sum;
  }

  void run(Collectives on) {
    Datatype type = Datatype.LONG;
    switch (what) {
      case BARRIER -> on.barrier();
      case BROADCAST -> {
        on.broadcast(mine, 0, length, type, root);
        System.arraycopy(mine, 0, in, 0, length);
      }
      case REDUCE -> on.reduce(mine, 0, in, 0, length, type, operation, root);
      case ALL_REDUCE -> on.allReduce(mine, 0, in, 0, length, type, operation);
      case SCAN -> on.scan(mine, 0, in, 0, length, type, operation, false);
      case GATHER -> on.gather(mine, 0, length, type, in, 0, length, type, root);
      case ALL_GATHER -> on.allGather(mine, 0, length, type, in, 0, length, type);
      case SCATTER -> on.scatter(mine, 0, length, type, in, 0, length, type, root);
      case ALL_TO_ALL -> {
        int n = all.length;
        long[] places = new long[n];
        int[] counts = new int[n];
        Datatype[] types = new Datatype[n];
        Arrays.setAll(places, r -> (long) r * length * Long.BYTES);
        Arrays.fill(counts, length);
        Arrays.fill(types, type);
        on.allToAll(mine, places, counts, types, in, places, counts, types);
      }
    }
  }

  void check() {
    int at = Arrays.mismatch(in, right);
    Promise.check(
        at < 0,
        "collectives are right",
        "rank %d of %d has something else at %d of %d after %s with %s",
        team.rank(),
        team.size(),
        at,
        length,
        what,
        operation.name());
  }
}
