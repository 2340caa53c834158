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

  /** Fewer reach each other as soon without the bus. */
  private static final int BUS_RANKS_MIN = 3;

  /** Longer messages reach others as soon by a tree. */
  private static final int BUS_BYTES_MAX = 32 << 10;

  /** And those of one host, with fewer copies. */
  private static final int BUS_BYTES_MAX_HERE = 2 << 10;

  /** What goes by the bus is told by its tag from what goes from one to one in the same call. */
  private static final int BUS_TAG = Integer.MIN_VALUE;

  /** No collective between two sides makes more of one side. */
  static final int ON_SIDE_MAX = 4;

  private final Communicator communicator;
  private final int call;

  /** Those who take part, if not all do; places in it are the ranks that are spoken of here. */
  private final int @Nullable [] members;

  private final int size;
  private final int rank;
  private final boolean started;

  /** Whether all have still to be asked what they call. */
  private boolean asks;

  /** How many collectives of its side this one has made. */
  private int onSide;

  Collectives(Communicator communicator, int call, boolean asks, boolean started) {
    this.communicator = communicator;
    this.call = call;
    this.members = null;
    this.size = communicator.size();
    this.rank = communicator.rank();
    this.asks = asks;
    this.started = started;
  }

  // What all call.

  /** Whether all have to be asked, for the first time and the last. */
  private boolean asks() {
    boolean first = asks;
    asks = false;
    return first;
  }

  private void agree(Call mine) {
    new Agreement(communicator, call).reach(started ? mine.started() : mine);
  }

  /** In the memory that counts at the root, or that which counts elsewhere. */
  private boolean isRoot(int root) {
    return root == (communicator.isInter() ? Communicator.ROOT : rank);
  }

  /** What only pairs agree on between two sides, and all on one side. */
  private Call onOneSide(Call mine, int @Nullable [] counts, Datatype type) {
    return communicator.isInter() || counts == null ? mine : mine.with(counts, type);
  }

  /** A collective of this side; numbered by this one, whichever thread runs it. */
  Collectives onSide() {
    return communicator.side().inner(ON_SIDE_MAX * call + onSide++);
  }

  private Collectives(Communicator communicator, int call, int[] members, int rank) {
    this.communicator = communicator;
    this.call = call;
    this.members = members;
    this.size = members.length;
    this.rank = rank;
    this.started = false;
  }

  /** A part of this call that only some make, of whom this process is one. */
  private Collectives among(int[] some) {
    int me = 0;
    while (some[me] != rank) {
      me++;
    }
    return new Collectives(communicator, call, some, me);
  }

  private int member(int index) {
    return members == null ? index : members[index];
  }

  /** Whether it pays that those of each host agree first. */
  private boolean isByHost() {
    return members == null && size > 2 && !communicator.topology().isFlat();
  }

  /**
   * Whether one message to all by the bus is better than a tree of messages. The same for all who
   * say the same of it, as those of one call do.
   */
  private boolean isByBus(int count, Datatype type) {
    return members == null
        && size >= BUS_RANKS_MIN
        && type.base() != Base.OBJECT
        && count * type.size() <= BUS_BYTES_MAX
        && communicator.topology().isOnBus()
        && (count * type.size() <= BUS_BYTES_MAX_HERE || !communicator.topology().isOneHost());
  }

  // Its messages.

  void send(@Nullable Object memory, long at, int count, Datatype type, int to) {
    communicator.sendIn(
        communicator.collectiveContext(), memory, at, count, type, member(to), call, false);
  }

  void receive(@Nullable Object memory, long at, int count, Datatype type, int from) {
    communicator.receiveIn(
        communicator.collectiveContext(), memory, at, count, type, member(from), call, null);
  }

  Request startSend(@Nullable Object memory, long at, int count, Datatype type, int to) {
    return communicator.startSendIn(
        communicator.collectiveContext(), memory, at, count, type, member(to), call, false);
  }

  Request startReceive(@Nullable Object memory, long at, int count, Datatype type, int from) {
    return communicator.startReceiveIn(
        communicator.collectiveContext(), memory, at, count, type, member(from), call);
  }

  static void finish(Request request) {
    request.awaitOrTakeBack();
    MpiError error = request.error();
    if (error != null) {
      throw error.again();
    }
  }

  static void finish(List<Request> requests) {
    int over = 0;
    try {
      while (over < requests.size()) {
        finish(requests.get(over));
        over++;
      }
    } catch (MpiError e) {
      takeBackIfInterrupted(requests.subList(over, requests.size()));
      throw e;
    }
  }

  /** Who is interrupted gives up: the program's memory is its own again. */
  private static void takeBackIfInterrupted(List<Request> requests) {
    if (Thread.currentThread().isInterrupted()) {
      requests.forEach(Request::takeBack);
    }
  }

  /** Sends while something is coming, and waits for that. */
  void sendAndFinish(
      @Nullable Object memory, long at, int count, Datatype type, int to, Request coming) {
    try {
      send(memory, at, count, type, to);
    } catch (MpiError e) {
      takeBackIfInterrupted(List.of(coming));
      throw e;
    }
    finish(coming);
  }

  void exchange(
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
    sendAndFinish(out, outAt, outCount, type, to, came);
  }

  private InterCollectives between() {
    return new InterCollectives(communicator, this);
  }

  private void checkRoot(int root) {
    if (root < 0 || root >= size) {
      throw new MpiError(Kind.ROOT, "root %d; allowed: 0 to %d".formatted(root, size - 1));
    }
  }

  static void checkMemory(@Nullable Object memory, long at, int count, Datatype type) {
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

  /** There are as many parts as processes, or more. */
  static void checkParts(String what, int parts, int needed) {
    if (parts < needed) {
      throw new MpiError(
          Kind.ARG, "%s: %d, and there are %d processes".formatted(what, parts, needed));
    }
  }

  /** The same of lengths or places, which have to be given where they matter. */
  static void checkParts(String what, int @Nullable [] parts, int needed) {
    if (parts == null) {
      throw new MpiError(Kind.ARG, "no " + what);
    }
    checkParts(what, parts.length, needed);
  }

  /** Refuses a part that does not fit into its memory, before anything is sent. */
  static void checkParts(
      @Nullable Object memory, long at, int[] counts, int[] places, Datatype type, int parts) {
    checkParts("counts", counts, parts);
    checkParts("displacements", places, parts);
    for (int i = 0; i < parts; i++) {
      checkMemory(memory, at + places[i] * type.extent(), counts[i], type);
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
      checkMemory(from, fromAt, fromCount, fromType);
      checkMemory(to, toAt, toCount, toType);
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
    if (asks()) {
      agree(Call.of("barrier"));
    }
    if (communicator.isInter()) {
      between().barrier();
      return;
    }
    if (isByBus(0, Datatype.BYTE) && !communicator.topology().isOneHost()) {
      among(communicator.topology().byHost()).gatherUp();
      cast(null, 0, 0, Datatype.BYTE, 0);
      return;
    }
    if (isByHost()) {
      barrierByHost();
      return;
    }
    for (int step = 1; step < size; step <<= 1) {
      exchange(
          null, 0, 0, (rank + step) % size, null, 0, 0, (rank - step + size) % size, Datatype.BYTE);
    }
  }

  private void barrierByHost() {
    Topology topology = communicator.topology();
    Collectives here = among(topology.mine());
    here.gatherUp();
    if (topology.leads(rank)) {
      among(topology.leaders()).barrier();
    }
    here.spread(null, 0, 0, Datatype.BYTE, 0);
  }

  /** The first one knows that all are here. */
  private void gatherUp() {
    for (int mask = 1; mask < size; mask <<= 1) {
      if ((rank & mask) != 0) {
        send(null, 0, 0, Datatype.BYTE, rank - mask);
        return;
      }
      if (rank + mask < size) {
        receive(null, 0, 0, Datatype.BYTE, rank + mask);
      }
    }
  }

  // From one to all, and back.

  /** All get what the root has. */
  public void broadcast(@Nullable Object memory, long at, int count, Datatype type, int root) {
    if (asks()) {
      agree(Call.of("bcast").at(root).with(count, type));
    }
    checkMemory(memory, at, count, type);
    if (communicator.isInter()) {
      between().broadcast(memory, at, count, type, root);
      return;
    }
    checkRoot(root);
    if (isByBus(count, type)) {
      cast(memory, at, count, type, root);
    } else if (isByHost()) {
      broadcastByHost(memory, at, count, type, root);
    } else {
      spread(memory, at, count, type, root);
    }
  }

  /**
   * By the bus: the root sends once. Where somebody has not received so much of what the root cast
   * before that there is no credit, the root sends it to each, and waits for those. Either way it
   * is received from the root.
   */
  private void cast(@Nullable Object memory, long at, int count, Datatype type, int root) {
    int in = communicator.collectiveContext();
    int tag = BUS_TAG + call;
    if (rank != root) {
      communicator.receiveIn(in, memory, at, count, type, root, tag, null);
    } else if (!communicator.mail().casts().trySend(in, rank, tag, memory, at, count, type)) {
      List<Request> sent = new ArrayList<>();
      for (int i = 1; i < size; i++) {
        int to = (root + i) % size;
        sent.add(communicator.startSendIn(in, memory, at, count, type, to, tag, false));
      }
      finish(sent);
    }
  }

  private void broadcastByHost(
      @Nullable Object memory, long at, int count, Datatype type, int root) {
    Topology topology = communicator.topology();
    Collectives here = among(topology.mine());
    if (topology.isMine(root)) {
      here.spread(memory, at, count, type, topology.indexOfMine(root));
    }
    if (topology.leads(rank)) {
      int first = topology.indexOfLeader(root);
      among(topology.leaders()).spread(memory, at, count, type, first);
    }
    if (!topology.isMine(root)) {
      here.spread(memory, at, count, type, 0);
    }
  }

  /** By a tree: who has it passes it on. */
  private void spread(@Nullable Object memory, long at, int count, Datatype type, int root) {
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
    if (asks()) {
      agree(
          isRoot(root)
              ? Call.of("gather").at(root).with(inCount, inType)
              : Call.of("gather").at(root).with(outCount, outType));
    }
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
    if (asks()) {
      agree(Call.of("gatherv").at(root));
    }
    if (communicator.isInter()) {
      between().gatherv(out, outAt, outCount, outType, in, inAt, inCounts, inPlaces, inType, root);
      return;
    }
    checkRoot(root);
    if (rank != root) {
      checkMemory(out, outAt, outCount, outType);
      send(given(out), outAt, outCount, outType, root);
      return;
    }
    if (!(out instanceof Marker)) {
      checkMemory(out, outAt, outCount, outType);
    }
    checkParts(in, inAt, inCounts, inPlaces, inType, size);
    List<Request> coming = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      long at = inAt + inPlaces[i] * inType.extent();
      if (i != rank) {
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
    if (asks()) {
      agree(
          isRoot(root)
              ? Call.of("scatter").at(root).with(outCount, outType)
              : Call.of("scatter").at(root).with(inCount, inType));
    }
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
    if (asks()) {
      agree(Call.of("scatterv").at(root));
    }
    if (communicator.isInter()) {
      between()
          .scatterv(out, outAt, outCounts, outPlaces, outType, in, inAt, inCount, inType, root);
      return;
    }
    checkRoot(root);
    if (rank != root) {
      checkMemory(in, inAt, inCount, inType);
      receive(in, inAt, inCount, inType, root);
      return;
    }
    if (!(in instanceof Marker)) {
      checkMemory(in, inAt, inCount, inType);
    }
    checkParts(out, outAt, outCounts, outPlaces, outType, size);
    List<Request> leaving = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      long at = outAt + outPlaces[i] * outType.extent();
      if (i != rank) {
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
    if (asks()) {
      agree(
          communicator.isInter()
              ? Call.of("allgather")
              : Call.of("allgather").with(inCount, inType));
    }
    int others = communicator.remoteSize();
    checkMemory(in, inAt, inCount * others, inType);
    if (!(out instanceof Marker)) {
      checkMemory(out, outAt, outCount, outType);
    }
    boolean isSmall = inCount * inType.size() * size <= PARTS_BYTES_MIN;
    if (!communicator.isInter() && Integer.bitCount(size) == 1 && isSmall) {
      long block = inCount * inType.extent();
      copy(out, outAt, outCount, outType, in, inAt + rank * block, inCount, inType);
      allGatherByDoubling(in, inAt, inCount, inType);
      return;
    }
    allGatherInTurn(out, outAt, outCount, outType, in, inAt, inCount, inType);
  }

  /** The same, from each to the next. */
  void allGatherInTurn(
      @Nullable Object out,
      long outAt,
      int outCount,
      Datatype outType,
      @Nullable Object in,
      long inAt,
      int inCount,
      Datatype inType) {
    int[] counts = new int[communicator.remoteSize()];
    int[] places = new int[counts.length];
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
    if (asks()) {
      agree(onOneSide(Call.of("allgatherv"), inCounts, inType));
    }
    if (communicator.isInter()) {
      between().allGatherv(out, outAt, outCount, outType, in, inAt, inCounts, inPlaces, inType);
      return;
    }
    long extent = inType.extent();
    if (!(out instanceof Marker)) {
      checkMemory(out, outAt, outCount, outType);
    }
    checkParts(in, inAt, inCounts, inPlaces, inType, size);
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
    if (asks()) {
      agree(Call.of("alltoall"));
    }
    int others = communicator.remoteSize();
    checkParts("receive counts", inCounts, others);
    checkParts("receive types", inTypes.length, others);
    checkParts("receive displacements", inAt.length, others);
    if (!(out instanceof Marker)) {
      checkParts("send counts", outCounts, others);
      checkParts("send types", outTypes.length, others);
      checkParts("send displacements", outAt.length, others);
    }
    List<Request> coming = new ArrayList<>();
    List<Request> leaving = new ArrayList<>();
    if (out instanceof Marker) {
      allToAllInPlace(in, inAt, inCounts, inTypes);
      return;
    }
    for (int i = 0; i < others; i++) {
      checkMemory(in, inAt[i], inCounts[i], inTypes[i]);
      checkMemory(out, outAt[i], outCounts[i], outTypes[i]);
    }
    for (int step = 0; step < others; step++) {
      int other = (rank - step + others) % others;
      if (other == rank && !communicator.isInter()) {
        copy(
            out,
            outAt[other],
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
        leaving.add(startSend(out, outAt[other], outCounts[other], outTypes[other], other));
      }
    }
    finish(coming);
    finish(leaving);
  }

  /** Pairs of processes exchange their parts, one pair after the other. */
  private void allToAllInPlace(@Nullable Object in, long[] inAt, int[] counts, Datatype[] types) {
    for (int other = 0; other < size; other++) {
      if (other != rank && in != null) {
        checkMemory(in, inAt[other], counts[other], types[other]);
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
    if (asks()) {
      agree(Call.of("reduce").at(root).with(count, type).by(operation, type));
    }
    checkReduction(type, operation);
    if (communicator.isInter()) {
      between().reduce(out, outAt, in, inAt, count, type, operation, root);
      return;
    }
    checkRoot(root);
    boolean inPlace = out instanceof Marker;
    checkMemory(inPlace ? in : out, inPlace ? inAt : outAt, count, type);
    if (rank == root) {
      checkMemory(in, inAt, count, type);
    }
    @Nullable Object from = inPlace ? in : out;
    Scratch mine = new Scratch(type, count, from).fill(from, inPlace ? inAt : outAt);
    Scratch result =
        isByHost(operation)
            ? reduceByHost(mine, count, type, operation, root)
            : reduceTo(root, mine, count, type, operation);
    if (rank == root) {
      result.drain(in, inAt);
    }
  }

  private Scratch reduceTo(int root, Scratch mine, int count, Datatype type, Operation operation) {
    int base = operation.commutes() ? root : 0; // in the order of ranks, if that matters
    Scratch result = reductions(count, type, operation).to(base, mine);
    if (base != root && rank == base) {
      send(result.array, result.atBytes(), count, type, root);
    }
    if (base != root && rank == root) {
      receive(result.array, result.atBytes(), count, type, base);
    }
    return result;
  }

  private boolean isByHost(Operation operation) {
    return isByHost() && (operation.commutes() || communicator.topology().isInOrder());
  }

  private Scratch reduceByHost(
      Scratch mine, int count, Datatype type, Operation operation, int root) {
    Topology topology = communicator.topology();
    Collectives here = among(topology.mine());
    Scratch made = here.reduceTo(0, mine, count, type, operation);
    if (topology.leads(rank)) {
      int last = topology.indexOfLeader(root);
      made = among(topology.leaders()).reduceTo(last, made, count, type, operation);
    }
    if (topology.isMine(root) && !topology.leads(root)) {
      if (topology.leads(rank)) {
        send(made.array, made.atBytes(), count, type, root);
      } else if (rank == root) {
        receive(made.array, made.atBytes(), count, type, topology.mine()[0]);
      }
    }
    return made;
  }

  private Scratch allReduceByHost(Scratch mine, int count, Datatype type, Operation operation) {
    Topology topology = communicator.topology();
    Collectives here = among(topology.mine());
    Scratch made = here.reduceTo(0, mine, count, type, operation);
    if (topology.leads(rank)) {
      Collectives leaders = among(topology.leaders());
      made = leaders.reductions(count, type, operation).byDoubling(made);
    }
    here.spread(made.array, made.atBytes(), count, type, 0);
    return made;
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
    if (asks()) {
      agree(Call.of("allreduce").with(count, type).by(operation, type));
    }
    checkReduction(type, operation);
    if (communicator.isInter()) {
      between().allReduce(out, outAt, in, inAt, count, type, operation);
      return;
    }
    boolean inPlace = out instanceof Marker;
    checkMemory(inPlace ? in : out, inPlace ? inAt : outAt, count, type);
    checkMemory(in, inAt, count, type);
    @Nullable Object from = inPlace ? in : out;
    Scratch mine =
        (operation.isPredefined()
                ? Scratch.forResult(in, inAt, type, count)
                : new Scratch(type, count, from))
            .fill(from, inPlace ? inAt : outAt);
    boolean inParts =
        operation.commutes()
            && operation.isPredefined() // programs' own may mean the whole, wherever they are told
            && type.isDense()
            && type.base() != Base.OBJECT
            && count >= size
            && count * type.size() >= PARTS_BYTES_MIN;
    Scratch result;
    if (inParts && Integer.bitCount(size) == 1 && !isByHost()) {
      result = reductions(count, type, operation).byHalves(mine);
    } else if (inParts && size > 2) {
      Collectives ring = isByHost() ? among(communicator.topology().byHost()) : this;
      result = ring.reductions(count, type, operation).inParts(mine);
    } else if (isByHost(operation)) {
      result = allReduceByHost(mine, count, type, operation);
    } else {
      result = reductions(count, type, operation).byDoubling(mine);
    }
    result.drain(in, inAt);
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
    if (asks()) {
      agree(onOneSide(Call.of("reduce_scatter"), counts, type).by(operation, type));
    }
    checkReduction(type, operation);
    checkParts("receive counts", counts, size);
    int total = 0;
    int[] places = new int[size];
    for (int i = 0; i < places.length; i++) {
      places[i] = total;
      total += counts[i];
    }
    if (communicator.isInter()) {
      between().reduceScatter(out, outAt, in, inAt, counts, places, total, type, operation);
      return;
    }
    boolean inPlace = out instanceof Marker;
    checkMemory(inPlace ? in : out, inPlace ? inAt : outAt, total, type);
    checkMemory(in, inAt, counts[rank], type);
    @Nullable Object from = inPlace ? in : out;
    Scratch mine = new Scratch(type, total, from).fill(from, inPlace ? inAt : outAt);
    Scratch result = reductions(total, type, operation).to(0, mine);
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
    if (asks()) {
      agree(Call.of(exclusive ? "exscan" : "scan").with(count, type).by(operation, type));
    }
    checkReduction(type, operation);
    if (communicator.isInter()) {
      throw new MpiError(Kind.COMM, "a scan needs a communicator with one side");
    }
    boolean inPlace = out instanceof Marker;
    @Nullable Object from = inPlace ? in : out;
    long fromAt = inPlace ? inAt : outAt;
    checkMemory(from, fromAt, count, type);
    checkMemory(in, inAt, count, type);
    Scratch mine = new Scratch(type, count, from).fill(from, fromAt);
    Scratch result = reductions(count, type, operation).prefix(mine, exclusive);
    if (result != null) {
      result.drain(in, inAt);
    }
  }

  private Reductions reductions(int count, Datatype type, Operation operation) {
    return new Reductions(this, size, rank, count, type, operation);
  }

  /** Combines two memories of this process: {@code inout = in op inout}. */
  public static void reduceHere(
      Object in, long inAt, Object inout, long inoutAt, int count, Datatype type, Operation op) {
    checkMemory(in, inAt, count, type);
    checkMemory(inout, inoutAt, count, type);
    Scratch from = new Scratch(type, count, in).fill(in, inAt);
    Scratch to = new Scratch(type, count, inout).fill(inout, inoutAt);
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
    if (asks()) {
      agree(Call.of("neighbor exchange"));
    }
    checkParts("receive counts", inCounts, from.length);
    checkParts("receive displacements", inAt.length, from.length);
    checkParts("send counts", outCounts, to.length);
    checkParts("send displacements", outAt.length, to.length);
    for (int i = 0; i < from.length; i++) {
      checkMemory(in, inAt[i], inCounts[i], inType);
    }
    for (int i = 0; i < to.length; i++) {
      checkMemory(out, outAt[i], outCounts[i], outType);
    }
    List<Request> all = new ArrayList<>();
    for (int i : order) {
      if (from[i] != Communicator.NOBODY) {
        all.add(startReceive(in, inAt[i], inCounts[i], inType, from[i]));
      }
    }
    for (int i = 0; i < to.length; i++) {
      if (to[i] != Communicator.NOBODY) {
        all.add(startSend(out, outAt[i], outCounts[i], outType, to[i]));
      }
    }
    finish(all);
  }
}
