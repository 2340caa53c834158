package io.busbar.mpi;

import org.jspecify.annotations.Nullable;

/**
 * How the values of all processes become one: {@code lower op higher} is kept in all of it, so that
 * operations need not commute.
 */
final class Reductions {
  private final Collectives messages;
  private final int size;
  private final int rank;
  private final int count;
  private final Datatype type;
  private final Operation operation;

  Reductions(
      Collectives messages, int size, int rank, int count, Datatype type, Operation operation) {
    this.messages = messages;
    this.size = size;
    this.rank = rank;
    this.count = count;
    this.type = type;
    this.operation = operation;
  }

  private void send(Scratch values, int to) {
    messages.send(values.array, values.atBytes(), count, type, to);
  }

  private void receive(Scratch values, int from) {
    messages.receive(values.array, values.atBytes(), count, type, from);
  }

  /** {@code mine = theirs op mine}, or the other way round if theirs are of a higher rank. */
  private Scratch combine(Scratch mine, Scratch theirs, boolean theirsIsLower) {
    boolean inOrder = theirsIsLower || operation.commutes();
    Scratch in = inOrder ? theirs : mine;
    Scratch inout = inOrder ? mine : theirs;
    operation.action().apply(in.array, in.at, inout.array, inout.at, count, type);
    return inout;
  }

  private static Scratch other(Scratch one, Scratch a, Scratch b) {
    return one == a ? b : a;
  }

  /** By a tree, to one process; there it is the result. */
  Scratch to(int base, Scratch own) {
    int me = (rank - base + size) % size;
    Scratch mine = own;
    Scratch spare = null;
    for (int mask = 1; mask < size; mask <<= 1) {
      if ((me & mask) != 0) {
        send(mine, (me - mask + base) % size);
        return mine;
      }
      if (me + mask < size) {
        spare = spare == null ? own.another() : spare;
        receive(spare, (me + mask + base) % size);
        Scratch made = combine(mine, spare, false);
        spare = other(made, mine, spare);
        mine = made;
      }
    }
    return mine;
  }

  /** Each pair exchanges all; those above the highest power of two are represented by others. */
  Scratch byDoubling(Scratch own) {
    Scratch mine = own;
    Scratch spare = own.another();
    int pow2 = Integer.highestOneBit(size);
    int extra = size - pow2;
    boolean isPaired = rank < 2 * extra;
    if (isPaired && rank % 2 == 0) {
      send(mine, rank + 1);
      receive(mine, rank + 1);
      return mine;
    }
    if (isPaired) {
      receive(spare, rank - 1);
      Scratch made = combine(mine, spare, true);
      spare = other(made, mine, spare);
      mine = made;
    }
    int me = isPaired ? rank / 2 : rank - extra;
    for (int mask = 1; mask < pow2; mask <<= 1) {
      int peer = me ^ mask;
      int peerRank = peer < extra ? 2 * peer + 1 : peer + extra;
      Request came = messages.startReceive(spare.array, spare.atBytes(), count, type, peerRank);
      messages.sendAndFinish(mine.array, mine.atBytes(), count, type, peerRank, came);
      Scratch made = combine(mine, spare, peer < me);
      spare = other(made, mine, spare);
      mine = made;
    }
    if (isPaired) {
      send(mine, rank - 1);
    }
    return mine;
  }

  /**
   * Each pair shares what it has to combine, and each of the two goes on with its half; then they
   * show each other what has come of it, in the opposite order. As many bytes as round the ring, in
   * fewer messages, and each one is answered by another. For a power of two of processes.
   */
  Scratch byHalves(Scratch mine) {
    int steps = Integer.numberOfTrailingZeros(size);
    int[] from = new int[steps + 1];
    int[] to = new int[steps + 1];
    to[0] = count;
    Scratch part = new Scratch(type, count - count / 2);
    for (int step = 0; step < steps; step++) {
      int middle = (from[step] + to[step]) >>> 1;
      boolean isLower = (rank >> step & 1) == 0;
      from[step + 1] = isLower ? from[step] : middle;
      to[step + 1] = isLower ? middle : to[step];
      int kept = to[step + 1] - from[step + 1];
      int gone = isLower ? middle : from[step];
      swap(mine, gone, to[step] - from[step] - kept, part.array, 0, kept, rank ^ 1 << step);
      int place = mine.at + from[step + 1] * units();
      operation.action().apply(part.array, 0, mine.array, place, kept, type);
    }
    for (int step = steps - 1; step >= 0; step--) {
      boolean isLower = (rank >> step & 1) == 0;
      int came = isLower ? to[step + 1] : from[step];
      int here = to[step + 1] - from[step + 1];
      int there = to[step] - from[step] - here;
      int peer = rank ^ 1 << step;
      swap(mine, from[step + 1], here, mine.array, bytesAt(mine, came), there, peer);
    }
    return mine;
  }

  /** Elements of the array that are one of the type. */
  private int units() {
    return (int) (type.extent() / type.base().bytes());
  }

  private long bytesAt(Scratch mine, int element) {
    return mine.atBytes() + element * type.extent();
  }

  /** Some of this process's elements go to another one, and others come from it. */
  private void swap(
      Scratch mine, int gone, int goneCount, Object in, long inAt, int inCount, int peer) {
    messages.exchange(
        mine.array, bytesAt(mine, gone), goneCount, peer, in, inAt, inCount, peer, type);
  }

  /** Round the ring twice: each part is combined on its way to its owner, then shown to all. */
  Scratch inParts(Scratch mine) {
    Scratch part = new Scratch(type, partLength(0));
    for (int step = 0; step < size - 1; step++) {
      int gone = (rank - step + size) % size;
      int came = (gone - 1 + size) % size;
      passOn(mine, gone, part.array, 0, came);
      int place = mine.at + (int) (partPlace(came) / type.base().bytes());
      operation.action().apply(part.array, 0, mine.array, place, partLength(came), type);
    }
    for (int step = 0; step < size - 1; step++) {
      int gone = (rank + 1 - step + size) % size;
      int came = (gone - 1 + size) % size;
      passOn(mine, gone, mine.array, mine.atBytes() + partPlace(came), came);
    }
    return mine;
  }

  /** A part goes to the right, and another one comes from the left. */
  private void passOn(Scratch mine, int gone, Object in, long inAt, int came) {
    int right = (rank + 1) % size;
    int left = (rank - 1 + size) % size;
    Request coming = messages.startReceive(in, inAt, partLength(came), type, left);
    long place = mine.atBytes() + partPlace(gone);
    messages.sendAndFinish(mine.array, place, partLength(gone), type, right, coming);
  }

  private int partLength(int part) {
    return count / size + (part < count % size ? 1 : 0);
  }

  private long partPlace(int part) {
    long start = (long) part * (count / size) + Math.min(part, count % size);
    return start * type.extent();
  }

  /**
   * Those up to this process, or before it.
   *
   * @return null if nobody is before it
   */
  @Nullable Scratch prefix(Scratch own, boolean exclusive) {
    Scratch before = null; // of those below, as far as they have been heard of
    Scratch sum = own; // with this one
    for (int step = 1; step < size; step <<= 1) {
      Request sent =
          rank + step < size
              ? messages.startSend(sum.array, sum.atBytes(), count, type, rank + step)
              : null;
      Scratch came = null;
      if (rank >= step) {
        came = own.another();
        receive(came, rank - step);
      }
      if (sent != null) {
        Collectives.finish(sent);
      }
      if (came != null) {
        Scratch copy = own.another().fill(came.array, came.atBytes());
        sum = combine(sum, copy, true);
        before = before == null ? came : combine(before, came, true);
      }
    }
    return exclusive ? before : sum;
  }
}
