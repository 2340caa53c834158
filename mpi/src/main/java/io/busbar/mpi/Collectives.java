package io.busbar.mpi;

import io.busbar.mpi.MpiError.Kind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One call of a collective operation: all processes of the communicator make it, in the same order.
 * Its number tells its messages from those of other calls. Where memory for what is sent is {@link
 * #IN_PLACE}, the data are in the memory for what is received.
 */
public final class Collectives {
  /** The data are where the result will be. */
  public static final Object IN_PLACE = Marker.IN_PLACE;

  private enum Marker {
    IN_PLACE
  }

  /** From here on a reduction for all is made in parts. */
  private static final int PARTS_BYTES_MIN = 32 << 10;

  private final Communicator communicator;
  private final int call;
  private final int size;
  private final int rank;

  Collectives(Communicator communicator, int call) {
    this.communicator = communicator;
    this.call = call;
    this.size = communicator.size();
    this.rank = communicator.rank();
  }

  // Its messages.

  private void send(@Nullable Object memory, long at, int count, Datatype type, int to) {
    communicator.sendIn(communicator.collectiveContext(), memory, at, count, type, to, call, false);
  }

  private void receive(@Nullable Object memory, long at, int count, Datatype type, int from) {
    communicator.receiveIn(
        communicator.collectiveContext(), memory, at, count, type, from, call, null);
  }

  private Request startSend(@Nullable Object memory, long at, int count, Datatype type, int to) {
    return communicator.startSendIn(
        communicator.collectiveContext(), memory, at, count, type, to, call, false);
  }

  private Request startReceive(
      @Nullable Object memory, long at, int count, Datatype type, int from) {
    return communicator.startReceiveIn(
        communicator.collectiveContext(), memory, at, count, type, from, call);
  }

  private static void finish(Request request) {
    request.await();
    MpiError error = request.error();
    if (error != null) {
      throw error.again();
    }
  }

  private static void finish(List<Request> requests) {
    requests.forEach(Collectives::finish);
  }

  private void exchange(
      @Nullable Object out,
      long outAt,
      int outCount,
      int to,
      @Nullable Object in,
      long inAt,
      int inCount,
      int from,
      Datatype type) {
    Request came = startReceive(in, inAt, inCount, type, from);
    send(out, outAt, outCount, type, to);
    finish(came);
  }

  private void checkRoot(int root) {
    if (root < 0 || root >= size) {
      throw new MpiError(Kind.ROOT, "root %d; allowed: 0 to %d".formatted(root, size - 1));
    }
  }

  private static void checkMemory(@Nullable Object memory, long at, int count, Datatype type) {
    if (count < 0) {
      throw new MpiError(Kind.COUNT, "count %d; allowed: 0 or more".formatted(count));
    }
    if (memory == null && count > 0 && type.size() > 0) {
      throw new MpiError(Kind.BUFFER, "no buffer, but %d elements of it".formatted(count));
    }
    if (memory != null && !(memory instanceof Marker)) {
      type.check(memory, at, count);
    }
  }

  private static @Nullable Object given(@Nullable Object memory) {
    return memory instanceof Marker ? null : memory;
  }

  private void copy(
      @Nullable Object from,
      long fromAt,
      int fromCount,
      Datatype fromType,
      @Nullable Object to,
      long toAt,
      int toCount,
      Datatype toType) {
    if (from != null && to != null && !(from instanceof Marker)) {
      if (fromType.base() != Base.OBJECT && fromCount * fromType.size() > toCount * toType.size()) {
        throw new MpiError(
            Kind.TRUNCATE,
            "%d bytes for this process, and there is room for %d"
                .formatted(fromCount * fromType.size(), toCount * toType.size()));
      }
      Scratch.copy(from, fromAt, fromCount, fromType, to, toAt, toCount, toType);
    }
  }

  // Synchronisation.

  /** Nobody returns before all have called it. */
  public void barrier() {
    if (communicator.isInter()) {
      new InterCollectives(communicator, this).barrier();
      return;
    }
    for (int step = 1; step < size; step <<= 1) {
      exchange(
          null, 0, 0, (rank + step) % size, null, 0, 0, (rank - step + size) % size, Datatype.BYTE);
    }
  }

  // From one to all, and back.

  /** All get what the root has. */
  public void broadcast(@Nullable Object memory, long at, int count, Datatype type, int root) {
    checkMemory(memory, at, count, type);
    if (communicator.isInter()) {
      new InterCollectives(communicator, this).broadcast(memory, at, count, type, root);
      return;
    }
    checkRoot(root);
    int me = (rank - root + size) % size;
    int mask = 1;
    while (mask < size && (me & mask) == 0) {
      mask <<= 1;
    }
    if (me != 0) {
      receive(memory, at, count, type, (me - mask + root) % size);
    }
    List<Request> sent = new ArrayList<>();
    for (mask >>= 1; mask > 0; mask >>= 1) {
      if (me + mask < size) {
        sent.add(startSend(memory, at, count, type, (me + mask + root) % size));
      }
    }
    finish(sent);
  }

  /** The root gets what all have, in the order of ranks. */
  public void gather(
      @Nullable Object out,
      long outAt,
      int outCount,
      Datatype outType,
      @Nullable Object in,
      long inAt,
      int inCount,
      Datatype inType,
      int root) {
    int[] counts = new int[communicator.remoteSize()];
    int[] places = new int[counts.length];
    Arrays.fill(counts, inCount);
    Arrays.setAll(places, i -> i * inCount);
    gatherv(out, outAt, outCount, outType, in, inAt, counts, places, inType, root);
  }

  /** The root gets what all have, each at its place, in extents of the type. */
  public void gatherv(
      @Nullable Object out,
      long outAt,
      int outCount,
      Datatype outType,
      @Nullable Object in,
      long inAt,
      int[] inCounts,
      int[] inPlaces,
      Datatype inType,
      int root) {
    if (communicator.isInter()) {
      new InterCollectives(communicator, this)
          .gatherv(out, outAt, outCount, outType, in, inAt, inCounts, inPlaces, inType, root);
      return;
    }
    checkRoot(root);
    if (rank != root) {
      checkMemory(out, outAt, outCount, outType);
      send(given(out), outAt, outCount, outType, root);
      return;
    }
    List<Request> coming = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      long at = inAt + inPlaces[i] * inType.extent();
      if (i != rank) {
        checkMemory(in, at, inCounts[i], inType);
        coming.add(startReceive(in, at, inCounts[i], inType, i));
      } else {
        copy(out, outAt, outCount, outType, in, at, inCounts[i], inType);
      }
    }
    finish(coming);
  }

  /** Each gets its part of what the root has. */
  public void scatter(
      @Nullable Object out,
      long outAt,
      int outCount,
      Datatype outType,
      @Nullable Object in,
      long inAt,
      int inCount,
      Datatype inType,
      int root) {
    int[] counts = new int[communicator.remoteSize()];
    int[] places = new int[counts.length];
    Arrays.fill(counts, outCount);
    Arrays.setAll(places, i -> i * outCount);
    scatterv(out, outAt, counts, places, outType, in, inAt, inCount, inType, root);
  }

  /** Each gets its part of what the root has, which has its place, in extents of the type. */
  public void scatterv(
      @Nullable Object out,
      long outAt,
      int[] outCounts,
      int[] outPlaces,
      Datatype outType,
      @Nullable Object in,
      long inAt,
      int inCount,
      Datatype inType,
      int root) {
    if (communicator.isInter()) {
      new InterCollectives(communicator, this)
          .scatterv(out, outAt, outCounts, outPlaces, outType, in, inAt, inCount, inType, root);
      return;
    }
    checkRoot(root);
    if (rank != root) {
      checkMemory(in, inAt, inCount, inType);
      receive(in, inAt, inCount, inType, root);
      return;
    }
    List<Request> leaving = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      long at = outAt + outPlaces[i] * outType.extent();
      if (i != rank) {
        checkMemory(out, at, outCounts[i], outType);
        leaving.add(startSend(out, at, outCounts[i], outType, i));
      } else if (!(in instanceof Marker)) {
        copy(out, at, outCounts[i], outType, in, inAt, inCount, inType);
      }
    }
    finish(leaving);
  }

  // From all to all.

  /** All get what all have, in the order of ranks. */
  public void allGather(
      @Nullable Object out,
      long outAt,
      int outCount,
      Datatype outType,
      @Nullable Object in,
      long inAt,
      int inCount,
      Datatype inType) {
    int others = communicator.remoteSize();
    checkMemory(in, inAt, inCount * others, inType);
    boolean isSmall = inCount * inType.size() * size <= PARTS_BYTES_MIN;
    if (!communicator.isInter() && Integer.bitCount(size) == 1 && isSmall) {
      long block = inCount * inType.extent();
      copy(out, outAt, outCount, outType, in, inAt + rank * block, inCount, inType);
      allGatherByDoubling(in, inAt, inCount, inType);
      return;
    }
    int[] counts = new int[others];
    int[] places = new int[others];
    Arrays.fill(counts, inCount);
    Arrays.setAll(places, i -> i * inCount);
    allGatherv(out, outAt, outCount, outType, in, inAt, counts, places, inType);
  }

  private void allGatherByDoubling(@Nullable Object in, long inAt, int count, Datatype type) {
    long block = count * type.extent();
    for (int mask = 1; mask < size; mask <<= 1) {
      int mine = rank & ~(mask - 1);
      int theirs = mine ^ mask;
      exchange(
          in,
          inAt + mine * block,
          count * mask,
          rank ^ mask,
          in,
          inAt + theirs * block,
          count * mask,
          rank ^ mask,
          type);
    }
  }

  /** All get what all have, each at its place, in extents of the type. */
  public void allGatherv(
      @Nullable Object out,
      long outAt,
      int outCount,
      Datatype outType,
      @Nullable Object in,
      long inAt,
      int[] inCounts,
      int[] inPlaces,
      Datatype inType) {
    if (communicator.isInter()) {
      new InterCollectives(communicator, this)
          .allGatherv(out, outAt, outCount, outType, in, inAt, inCounts, inPlaces, inType);
      return;
    }
    long extent = inType.extent();
    for (int i = 0; i < size; i++) {
      checkMemory(in, inAt + inPlaces[i] * extent, inCounts[i], inType);
    }
    copy(out, outAt, outCount, outType, in, inAt + inPlaces[rank] * extent, inCounts[rank], inType);
    int right = (rank + 1) % size;
    int left = (rank - 1 + size) % size;
    for (int step = 0; step < size - 1; step++) {
      int gone = (rank - step + size) % size;
      int came = (gone - 1 + size) % size;
      exchange(
          in,
          inAt + inPlaces[gone] * extent,
          inCounts[gone],
          right,
          in,
          inAt + inPlaces[came] * extent,
          inCounts[came],
          left,
          inType);
    }
  }

  /**
   * Each sends each a part, of its own length, place and type; places are in bytes. Without memory
   * to send from, what came takes the place of what went.
   */
  public void allToAll(
      @Nullable Object out,
      long[] outAt,
      int[] outCounts,
      Datatype[] outTypes,
      @Nullable Object in,
      long[] inAt,
      int[] inCounts,
      Datatype[] inTypes) {
    int others = communicator.remoteSize();
    List<Request> coming = new ArrayList<>();
    List<Request> leaving = new ArrayList<>();
    @Nullable Object from = out;
    long[] fromAt = outAt;
    if (out instanceof Marker) {
      allToAllInPlace(in, inAt, inCounts, inTypes);
      return;
    }
    for (int step = 0; step < others; step++) {
      int other = (rank - step + others) % others;
      checkMemory(in, inAt[other], inCounts[other], inTypes[other]);
      checkMemory(from, fromAt[other], outCounts[other], outTypes[other]);
      if (other == rank && !communicator.isInter()) {
        copy(
            from,
            fromAt[other],
            outCounts[other],
            outTypes[other],
            in,
            inAt[other],
            inCounts[other],
            inTypes[other]);
      } else {
        coming.add(startReceive(in, inAt[other], inCounts[other], inTypes[other], other));
      }
    }
    for (int step = 0; step < others; step++) {
      int other = (rank + step) % others;
      if (other != rank || communicator.isInter()) {
        leaving.add(startSend(from, fromAt[other], outCounts[other], outTypes[other], other));
      }
    }
    finish(coming);
    finish(leaving);
  }

  /** Pairs of processes exchange their parts, one pair after the other. */
  private void allToAllInPlace(@Nullable Object in, long[] inAt, int[] counts, Datatype[] types) {
    for (int other = 0; other < size; other++) {
      if (other != rank && in != null) {
        Scratch gone = new Scratch(types[other], counts[other]).fill(in, inAt[other]);
        Request sent = startSend(gone.array, gone.atBytes(), counts[other], types[other], other);
        receive(in, inAt[other], counts[other], types[other], other);
        finish(sent);
      }
    }
  }

  // Reductions.

  private void checkReduction(Datatype type, Operation operation) {
    if (type.base() == Base.OBJECT && operation.action() instanceof Arithmetic) {
      throw Operation.refused(operation.name(), type);
    }
  }

  /** {@code mine = theirs op mine}, or the other way round if theirs are of a higher rank. */
  private static Scratch combine(
      Scratch mine, Scratch theirs, boolean theirsIsLower, int count, Datatype type, Operation op) {
    if (theirsIsLower || op.commutes()) {
      op.action().apply(theirs.array, theirs.at, mine.array, mine.at, count, type);
      return mine;
    }
    op.action().apply(mine.array, mine.at, theirs.array, theirs.at, count, type);
    return theirs;
  }

  private static Scratch other(Scratch one, Scratch a, Scratch b) {
    return one == a ? b : a;
  }

  /** The root gets the combination of what all have. */
  public void reduce(
      @Nullable Object out,
      long outAt,
      @Nullable Object in,
      long inAt,
      int count,
      Datatype type,
      Operation operation,
      int root) {
    checkReduction(type, operation);
    if (communicator.isInter()) {
      new InterCollectives(communicator, this)
          .reduce(out, outAt, in, inAt, count, type, operation, root);
      return;
    }
    checkRoot(root);
    boolean inPlace = out instanceof Marker;
    checkMemory(inPlace ? in : out, inPlace ? inAt : outAt, count, type);
    Scratch mine = new Scratch(type, count).fill(inPlace ? in : out, inPlace ? inAt : outAt);
    int base = operation.commutes() ? root : 0; // in the order of ranks, if that matters
    Scratch result = reduceTo(base, mine, count, type, operation);
    if (base != root && rank == base) {
      send(result.array, result.atBytes(), count, type, root);
    }
    if (rank == root) {
      if (base != root) {
        receive(result.array, result.atBytes(), count, type, base);
      }
      checkMemory(in, inAt, count, type);
      result.drain(in, inAt);
    }
  }

  private Scratch reduceTo(int base, Scratch own, int count, Datatype type, Operation operation) {
    int me = (rank - base + size) % size;
    Scratch mine = own;
    Scratch spare = null;
    for (int mask = 1; mask < size; mask <<= 1) {
      if ((me & mask) != 0) {
        send(mine.array, mine.atBytes(), count, type, (me - mask + base) % size);
        return mine;
      }
      if (me + mask < size) {
        spare = spare == null ? new Scratch(type, count) : spare;
        receive(spare.array, spare.atBytes(), count, type, (me + mask + base) % size);
        Scratch made = combine(mine, spare, false, count, type, operation);
        spare = other(made, mine, spare);
        mine = made;
      }
    }
    return mine;
  }

  /** All get the combination of what all have. */
  public void allReduce(
      @Nullable Object out,
      long outAt,
      @Nullable Object in,
      long inAt,
      int count,
      Datatype type,
      Operation operation) {
    checkReduction(type, operation);
    if (communicator.isInter()) {
      new InterCollectives(communicator, this)
          .allReduce(out, outAt, in, inAt, count, type, operation);
      return;
    }
    boolean inPlace = out instanceof Marker;
    checkMemory(inPlace ? in : out, inPlace ? inAt : outAt, count, type);
    checkMemory(in, inAt, count, type);
    Scratch mine = new Scratch(type, count).fill(inPlace ? in : out, inPlace ? inAt : outAt);
    boolean inParts =
        operation.commutes()
            && type.isDense()
            && type.base() != Base.OBJECT
            && count >= size
            && count * type.size() >= PARTS_BYTES_MIN;
    if (inParts && size > 2) {
      reduceInParts(mine, count, type, operation);
      mine.drain(in, inAt);
    } else {
      reduceByDoubling(mine, count, type, operation).drain(in, inAt);
    }
  }

  /** Each pair exchanges all; those above the highest power of two are represented by others. */
  private Scratch reduceByDoubling(Scratch own, int count, Datatype type, Operation operation) {
    Scratch mine = own;
    Scratch spare = new Scratch(type, count);
    int pow2 = Integer.highestOneBit(size);
    int extra = size - pow2;
    boolean isPaired = rank < 2 * extra;
    if (isPaired && rank % 2 == 0) {
      send(mine.array, mine.atBytes(), count, type, rank + 1);
      receive(mine.array, mine.atBytes(), count, type, rank + 1);
      return mine;
    }
    if (isPaired) {
      receive(spare.array, spare.atBytes(), count, type, rank - 1);
      Scratch made = combine(mine, spare, true, count, type, operation);
      spare = other(made, mine, spare);
      mine = made;
    }
    int me = isPaired ? rank / 2 : rank - extra;
    for (int mask = 1; mask < pow2; mask <<= 1) {
      int peer = me ^ mask;
      int peerRank = peer < extra ? 2 * peer + 1 : peer + extra;
      exchange(
          mine.array,
          mine.atBytes(),
          count,
          peerRank,
          spare.array,
          spare.atBytes(),
          count,
          peerRank,
          type);
      Scratch made = combine(mine, spare, peer < me, count, type, operation);
      spare = other(made, mine, spare);
      mine = made;
    }
    if (isPaired) {
      send(mine.array, mine.atBytes(), count, type, rank - 1);
    }
    return mine;
  }

  /** Round the ring twice: each part is combined on its way to its owner, then shown to all. */
  private void reduceInParts(Scratch mine, int count, Datatype type, Operation operation) {
    int right = (rank + 1) % size;
    int left = (rank - 1 + size) % size;
    long extent = type.extent();
    Scratch part = new Scratch(type, partLength(count, 0));
    for (int step = 0; step < size - 1; step++) {
      int gone = (rank - step + size) % size;
      int came = (gone - 1 + size) % size;
      exchange(
          mine.array,
          partStart(count, gone) * extent,
          partLength(count, gone),
          right,
          part.array,
          0,
          partLength(count, came),
          left,
          type);
      int place = (int) (partStart(count, came) * extent / type.base().bytes());
      operation.action().apply(part.array, 0, mine.array, place, partLength(count, came), type);
    }
    for (int step = 0; step < size - 1; step++) {
      int gone = (rank + 1 - step + size) % size;
      int came = (gone - 1 + size) % size;
      exchange(
          mine.array,
          partStart(count, gone) * extent,
          partLength(count, gone),
          right,
          mine.array,
          partStart(count, came) * extent,
          partLength(count, came),
          left,
          type);
    }
  }

  private int partLength(int count, int part) {
    return count / size + (part < count % size ? 1 : 0);
  }

  private long partStart(int count, int part) {
    return (long) part * (count / size) + Math.min(part, count % size);
  }

  /** Each gets its part of the combination of what all have. */
  public void reduceScatter(
      @Nullable Object out,
      long outAt,
      @Nullable Object in,
      long inAt,
      int[] counts,
      Datatype type,
      Operation operation) {
    checkReduction(type, operation);
    int total = 0;
    int[] places = new int[communicator.isInter() ? communicator.size() : size];
    for (int i = 0; i < places.length; i++) {
      places[i] = total;
      total += counts[i];
    }
    if (communicator.isInter()) {
      new InterCollectives(communicator, this)
          .reduceScatter(out, outAt, in, inAt, counts, places, total, type, operation);
      return;
    }
    boolean inPlace = out instanceof Marker;
    checkMemory(inPlace ? in : out, inPlace ? inAt : outAt, total, type);
    Scratch mine = new Scratch(type, total).fill(inPlace ? in : out, inPlace ? inAt : outAt);
    Scratch result = reduceTo(0, mine, total, type, operation);
    scatterv(result.array, result.atBytes(), counts, places, type, in, inAt, counts[rank], type, 0);
  }

  /** Each gets the combination of what those up to itself have; or, if so wanted, before it. */
  public void scan(
      @Nullable Object out,
      long outAt,
      @Nullable Object in,
      long inAt,
      int count,
      Datatype type,
      Operation operation,
      boolean exclusive) {
    checkReduction(type, operation);
    if (communicator.isInter()) {
      throw new MpiError(Kind.COMM, "a scan needs a communicator with one side");
    }
    boolean inPlace = out instanceof Marker;
    @Nullable Object from = inPlace ? in : out;
    long fromAt = inPlace ? inAt : outAt;
    checkMemory(from, fromAt, count, type);
    Scratch before = null; // of those below, as far as they have been heard of
    Scratch sum = new Scratch(type, count).fill(from, fromAt); // with this one
    for (int step = 1; step < size; step <<= 1) {
      Request sent =
          rank + step < size ? startSend(sum.array, sum.atBytes(), count, type, rank + step) : null;
      Scratch came = null;
      if (rank >= step) {
        came = new Scratch(type, count);
        receive(came.array, came.atBytes(), count, type, rank - step);
      }
      if (sent != null) {
        finish(sent);
      }
      if (came != null) {
        sum = combine(sum, copyOf(came, count, type), true, count, type, operation);
        before = before == null ? came : combine(before, came, true, count, type, operation);
      }
    }
    if (!exclusive) {
      sum.drain(in, inAt);
    } else if (before != null) {
      before.drain(in, inAt);
    }
  }

  private static Scratch copyOf(Scratch one, int count, Datatype type) {
    return new Scratch(type, count).fill(one.array, one.atBytes());
  }

  /** Combines two memories of this process: {@code inout = in op inout}. */
  public static void reduceHere(
      Object in, long inAt, Object inout, long inoutAt, int count, Datatype type, Operation op) {
    checkMemory(in, inAt, count, type);
    checkMemory(inout, inoutAt, count, type);
    Scratch from = new Scratch(type, count).fill(in, inAt);
    Scratch to = new Scratch(type, count).fill(inout, inoutAt);
    op.action().apply(from.array, from.at, to.array, to.at, count, type);
    to.drain(inout, inoutAt);
  }

  // Among neighbours.

  /**
   * Sends a part to each of some processes, and receives one from each of others.
   *
   * @param order in which those who send more than once are received from
   */
  public void exchangeWith(
      int[] to,
      @Nullable Object out,
      long[] outAt,
      int[] outCounts,
      Datatype outType,
      int[] from,
      int[] order,
      @Nullable Object in,
      long[] inAt,
      int[] inCounts,
      Datatype inType) {
    List<Request> all = new ArrayList<>();
    for (int i : order) {
      if (from[i] != Communicator.NOBODY) {
        checkMemory(in, inAt[i], inCounts[i], inType);
        all.add(startReceive(in, inAt[i], inCounts[i], inType, from[i]));
      }
    }
    for (int i = 0; i < to.length; i++) {
      if (to[i] != Communicator.NOBODY) {
        checkMemory(out, outAt[i], outCounts[i], outType);
        all.add(startSend(out, outAt[i], outCounts[i], outType, to[i]));
      }
    }
    finish(all);
  }

  // For those between two groups.

  void sendTo(@Nullable Object memory, long at, int count, Datatype type, int to) {
    send(memory, at, count, type, to);
  }

  void receiveFrom(@Nullable Object memory, long at, int count, Datatype type, int from) {
    receive(memory, at, count, type, from);
  }

  Request startSendTo(@Nullable Object memory, long at, int count, Datatype type, int to) {
    return startSend(memory, at, count, type, to);
  }

  Request startReceiveFrom(@Nullable Object memory, long at, int count, Datatype type, int from) {
    return startReceive(memory, at, count, type, from);
  }
}
