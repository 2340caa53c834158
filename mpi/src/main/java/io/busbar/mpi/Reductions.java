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
        spare = spare == null ? new Scratch(type, count) : spare;
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
    Scratch spare = new Scratch(type, count);
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
      send(mine, peerRank);
      Collectives.finish(came);
      Scratch made = combine(mine, spare, peer < me);
      spare = other(made, mine, spare);
      mine = made;
    }
    if (isPaired) {
      send(mine, rank - 1);
    }
    return mine;
  }

  /** Round the ring twice: each part is combined on its way to its owner, then shown to all. */
  Scratch inParts(Scratch mine) {
    Scratch part = new Scratch(type, partLength(0));
    for (int step = 0; step < size - 1; step++) {
      int gone = (rank - step + size) % size;
      int came = (gone - 1 + size) % size;
      passOn(mine, gone, part.array, 0, came);
      int place = (int) (partPlace(came) / type.base().bytes());
      operation.action().apply(part.array, 0, mine.array, place, partLength(came), type);
    }
    for (int step = 0; step < size - 1; step++) {
      int gone = (rank + 1 - step + size) % size;
      int came = (gone - 1 + size) % size;
      passOn(mine, gone, mine.array, partPlace(came), came);
    }
    return mine;
  }

  /** A part goes to the right, and another one comes from the left. */
  private void passOn(Scratch mine, int gone, Object in, long inAt, int came) {
    int right = (rank + 1) % size;
    int left = (rank - 1 + size) % size;
    Request coming = messages.startReceive(in, inAt, partLength(came), type, left);
    messages.send(mine.array, partPlace(gone), partLength(gone), type, right);
    Collectives.finish(coming);
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
        came = new Scratch(type, count);
        receive(came, rank - step);
      }
      if (sent != null) {
        Collectives.finish(sent);
      }
      if (came != null) {
        Scratch copy = new Scratch(type, count).fill(came.array, came.atBytes());
        sum = combine(sum, copy, true);
        before = before == null ? came : combine(before, came, true);
      }
    }
    return exclusive ? before : sum;
  }
}
