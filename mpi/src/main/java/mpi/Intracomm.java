package mpi;

import io.busbar.mpi.Collectives;
import io.busbar.mpi.Communicator;
import io.busbar.mpi.MpiError;
import io.busbar.mpi.MpiError.Kind;
import java.nio.Buffer;
import java.util.Arrays;

/** Processes with one side: most communicators are such. */
public class Intracomm extends Comm {
  Intracomm(Communicator core) {
    super(core);
  }

  @Override
  public Intracomm clone() {
    return dup();
  }

  @Override
  public Intracomm dup() throws MPIException {
    return inherit(new Intracomm(get("dup", () -> core().duplicate())));
  }

  @Override
  public Intracomm iDup() throws MPIException {
    return later(new Intracomm(null));
  }

  @Override
  public Intracomm dupWithInfo(Info hints) throws MPIException {
    return hinted(dup(), hints);
  }

  // New ones.

  /** Those with the same colour, in the order of their keys. */
  public final Intracomm split(int colour, int key) throws MPIException {
    return split("split", colour, key);
  }

  private Intracomm split(String call, int colour, int key) {
    return descend(new Intracomm(get(call, () -> core().split(colour, key))));
  }

  /** Those that share memory, in the order of their keys. */
  public final Intracomm splitType(int splitType, int key, Info info) throws MPIException {
    if (splitType == MPI.UNDEFINED) {
      return split(MPI.UNDEFINED, key);
    }
    run("splitType", () -> checkSplitType(splitType));
    return descend(new Intracomm(get("splitType", () -> core().splitByHost(key))));
  }

  private static void checkSplitType(int splitType) {
    if (splitType != TYPE_SHARED) {
      throw new MpiError(Kind.ARG, "type %d; allowed: TYPE_SHARED".formatted(splitType));
    }
  }

  /** Those of a group; all processes call it. */
  public final Intracomm create(Group group) throws MPIException {
    return create("create", group);
  }

  private Intracomm create(String call, Group group) {
    return descend(
        new Intracomm(get(call, () -> core().create(mpi.Group.core(group, "the group")))));
  }

  /** Those of a group, who alone call it. */
  public final Intracomm createGroup(Group group, int tag) throws MPIException {
    return descend(
        new Intracomm(
            get("createGroup", () -> core().createGroup(mpi.Group.core(group, "the group"), tag))));
  }

  private static <T extends Comm> T orNull(T made) {
    return made.isNull() ? null : made;
  }

  /** Those with the same colour; null for who has none. */
  public Intracomm Split(int colour, int key) throws MPIException {
    return orNull(split("Split", colour, key));
  }

  /** Those of a group; null for who is not in it. */
  public Intracomm Create(Group group) throws MPIException {
    return orNull(create("Create", group));
  }

  /** How two compare. */
  public static int Compare(Comm comm1, Comm comm2) throws MPIException {
    return Comm.compare(comm1, comm2);
  }

  // Topologies.

  /** A grid of processes; null, as isNull says, for those who are not in it. */
  public final CartComm createCart(int[] dims, boolean[] periods, boolean reorder)
      throws MPIException {
    BusbarGrid grid = get("createCart", () -> BusbarGrid.of(dims, periods, core().size()));
    return descend(new CartComm(first("createCart", grid.size()), grid));
  }

  /** A grid of processes; null for those who are not in it. */
  public Cartcomm Create_cart(int[] dims, boolean[] periods, boolean reorder) throws MPIException {
    BusbarGrid grid = get("Create_cart", () -> BusbarGrid.of(dims, periods, core().size()));
    return orNull(descend(new Cartcomm(first("Create_cart", grid.size()), grid)));
  }

  private Communicator first(String call, int count) {
    int[] ranks = new int[count];
    Arrays.setAll(ranks, i -> i);
    return get(call, () -> core().create(core().group().include(ranks)));
  }

  /** A graph of processes. */
  public final GraphComm createGraph(int[] index, int[] edges, boolean reorder)
      throws MPIException {
    BusbarWeb web = get("createGraph", () -> BusbarWeb.of(index, edges, core().size()));
    return descend(new GraphComm(first("createGraph", index.length), web));
  }

  /** A graph of processes; null for those who are not in it. */
  public Graphcomm Create_graph(int[] index, int[] edges, boolean reorder) throws MPIException {
    BusbarWeb web = get("Create_graph", () -> BusbarWeb.of(index, edges, core().size()));
    return orNull(descend(new Graphcomm(first("Create_graph", index.length), web)));
  }

  /** A graph, of which each process gives some edges. */
  public final GraphComm createDistGraph(
      int[] sources, int[] degrees, int[] destinations, int[] weights, Info info, boolean reorder)
      throws MPIException {
    return distributed(sources, degrees, destinations, weights, true);
  }

  /** A graph, of which each process gives some edges. */
  public final GraphComm createDistGraph(
      int[] sources, int[] degrees, int[] destinations, Info info, boolean reorder)
      throws MPIException {
    return distributed(sources, degrees, destinations, new int[destinations.length], false);
  }

  private GraphComm distributed(
      int[] sources, int[] degrees, int[] destinations, int[] weights, boolean weighted) {
    run("createDistGraph", () -> BusbarWeb.check(sources, degrees, destinations, weights));
    Communicator made = get("createDistGraph", () -> core().duplicate());
    return descend(
        new GraphComm(
            made,
            get(
                "createDistGraph",
                () ->
                    BusbarWeb.distributed(
                        made, sources, degrees, destinations, weights, weighted))));
  }

  /** A graph, of which each process gives its own edges. */
  public final GraphComm createDistGraphAdjacent(
      int[] sources,
      int[] sourceWeights,
      int[] destinations,
      int[] destWeights,
      Info info,
      boolean reorder)
      throws MPIException {
    BusbarWeb web = BusbarWeb.adjacent(sources, sourceWeights, destinations, destWeights, true);
    return descend(new GraphComm(get("createDistGraphAdjacent", () -> core().duplicate()), web));
  }

  /** A graph, of which each process gives its own edges. */
  public final GraphComm createDistGraphAdjacent(
      int[] sources, int[] destinations, Info info, boolean reorder) throws MPIException {
    BusbarWeb web =
        BusbarWeb.adjacent(
            sources, new int[sources.length], destinations, new int[destinations.length], false);
    return descend(new GraphComm(get("createDistGraphAdjacent", () -> core().duplicate()), web));
  }

  // Scans.

  /** Each gets the combination of what those up to it have. */
  public final void scan(Object sendbuf, Object recvbuf, int count, Datatype type, Op op)
      throws MPIException {
    run(
        "scan",
        () ->
            core()
                .collectives()
                .scan(sendbuf, 0, recvbuf, 0, count, core(type), core(op, type), false));
  }

  /** Begins to give each the combination of what those up to it have. */
  public final Request iScan(Buffer sendbuf, Buffer recvbuf, int count, Datatype type, Op op)
      throws MPIException {
    return task("iScan", type, op, (c, t, o) -> c.scan(sendbuf, 0, recvbuf, 0, count, t, o, false));
  }

  /** Each gets the combination of what those up to it have. */
  public final void scan(Object buf, int count, Datatype type, Op op) throws MPIException {
    run(
        "scan",
        () ->
            core()
                .collectives()
                .scan(Collectives.IN_PLACE, 0, buf, 0, count, core(type), core(op, type), false));
  }

  /** Begins to give each the combination of what those up to it have. */
  public final Request iScan(Buffer buf, int count, Datatype type, Op op) throws MPIException {
    return task(
        "iScan",
        type,
        op,
        (c, t, o) -> c.scan(Collectives.IN_PLACE, 0, buf, 0, count, t, o, false));
  }

  /** Each gets the combination of what those before it have. */
  public final void exScan(Object sendbuf, Object recvbuf, int count, Datatype type, Op op)
      throws MPIException {
    run(
        "exScan",
        () ->
            core()
                .collectives()
                .scan(sendbuf, 0, recvbuf, 0, count, core(type), core(op, type), true));
  }

  /** Begins to give each the combination of what those before it have. */
  public final Request iExScan(Buffer sendbuf, Buffer recvbuf, int count, Datatype type, Op op)
      throws MPIException {
    return task(
        "iExScan", type, op, (c, t, o) -> c.scan(sendbuf, 0, recvbuf, 0, count, t, o, true));
  }

  /** Each gets the combination of what those before it have. */
  public final void exScan(Object buf, int count, Datatype type, Op op) throws MPIException {
    run(
        "exScan",
        () ->
            core()
                .collectives()
                .scan(Collectives.IN_PLACE, 0, buf, 0, count, core(type), core(op, type), true));
  }

  /** Begins to give each the combination of what those before it have. */
  public final Request iExScan(Buffer buf, int count, Datatype type, Op op) throws MPIException {
    return task(
        "iExScan",
        type,
        op,
        (c, t, o) -> c.scan(Collectives.IN_PLACE, 0, buf, 0, count, t, o, true));
  }

  // The collectives of the upper-case interface.

  /** Nobody returns before all have called it. */
  public void Barrier() throws MPIException {
    barrier();
  }

  /** All get what the root has. */
  public void Bcast(Object buf, int offset, int count, Datatype type, int root)
      throws MPIException {
    run(
        "Bcast",
        () ->
            core().collectives().broadcast(buf, place(buf, offset, type), count, core(type), root));
  }

  /** The root gets what all have. */
  public void Gather(
      Object sendbuf,
      int sendoffset,
      int sendcount,
      Datatype sendtype,
      Object recvbuf,
      int recvoffset,
      int recvcount,
      Datatype recvtype,
      int root)
      throws MPIException {
    run(
        "Gather",
        () ->
            core()
                .collectives()
                .gather(
                    sendbuf,
                    place(sendbuf, sendoffset, sendtype),
                    sendcount,
                    core(sendtype),
                    recvbuf,
                    place(recvbuf, recvoffset, recvtype),
                    recvcount,
                    core(ofRoot(recvtype, root)),
                    root));
  }

  /** The root gets what all have, each at its place. */
  public void Gatherv(
      Object sendbuf,
      int sendoffset,
      int sendcount,
      Datatype sendtype,
      Object recvbuf,
      int recvoffset,
      int[] recvcount,
      int[] displs,
      Datatype recvtype,
      int root)
      throws MPIException {
    run(
        "Gatherv",
        () ->
            core()
                .collectives()
                .gatherv(
                    sendbuf,
                    place(sendbuf, sendoffset, sendtype),
                    sendcount,
                    core(sendtype),
                    recvbuf,
                    place(recvbuf, recvoffset, recvtype),
                    recvcount,
                    displs,
                    core(ofRoot(recvtype, root)),
                    root));
  }

  /** Each gets its part of what the root has. */
  public void Scatter(
      Object sendbuf,
      int sendoffset,
      int sendcount,
      Datatype sendtype,
      Object recvbuf,
      int recvoffset,
      int recvcount,
      Datatype recvtype,
      int root)
      throws MPIException {
    run(
        "Scatter",
        () ->
            core()
                .collectives()
                .scatter(
                    sendbuf,
                    place(sendbuf, sendoffset, sendtype),
                    sendcount,
                    core(ofRoot(sendtype, root)),
                    recvbuf,
                    place(recvbuf, recvoffset, recvtype),
                    recvcount,
                    core(recvtype),
                    root));
  }

  /** Each gets its part, which has its place. */
  public void Scatterv(
      Object sendbuf,
      int sendoffset,
      int[] sendcount,
      int[] displs,
      Datatype sendtype,
      Object recvbuf,
      int recvoffset,
      int recvcount,
      Datatype recvtype,
      int root)
      throws MPIException {
    run(
        "Scatterv",
        () ->
            core()
                .collectives()
                .scatterv(
                    sendbuf,
                    place(sendbuf, sendoffset, sendtype),
                    sendcount,
                    displs,
                    core(ofRoot(sendtype, root)),
                    recvbuf,
                    place(recvbuf, recvoffset, recvtype),
                    recvcount,
                    core(recvtype),
                    root));
  }

  /** All get what all have. */
  public void Allgather(
      Object sendbuf,
      int sendoffset,
      int sendcount,
      Datatype sendtype,
      Object recvbuf,
      int recvoffset,
      int recvcount,
      Datatype recvtype)
      throws MPIException {
    run(
        "Allgather",
        () ->
            core()
                .collectives()
                .allGather(
                    sendbuf,
                    place(sendbuf, sendoffset, sendtype),
                    sendcount,
                    core(sendtype),
                    recvbuf,
                    place(recvbuf, recvoffset, recvtype),
                    recvcount,
                    core(recvtype)));
  }

  /** All get what all have, each at its place. */
  public void Allgatherv(
      Object sendbuf,
      int sendoffset,
      int sendcount,
      Datatype sendtype,
      Object recvbuf,
      int recvoffset,
      int[] recvcount,
      int[] displs,
      Datatype recvtype)
      throws MPIException {
    run(
        "Allgatherv",
        () ->
            core()
                .collectives()
                .allGatherv(
                    sendbuf,
                    place(sendbuf, sendoffset, sendtype),
                    sendcount,
                    core(sendtype),
                    recvbuf,
                    place(recvbuf, recvoffset, recvtype),
                    recvcount,
                    displs,
                    core(recvtype)));
  }

  /** Each gives each a part. */
  public void Alltoall(
      Object sendbuf,
      int sendoffset,
      int sendcount,
      Datatype sendtype,
      Object recvbuf,
      int recvoffset,
      int recvcount,
      Datatype recvtype)
      throws MPIException {
    int n = others();
    run(
        "Alltoall",
        () ->
            core()
                .collectives()
                .allToAll(
                    sendbuf,
                    places(place(sendbuf, sendoffset, sendtype), sendcount, core(sendtype), n),
                    equal(sendcount, n),
                    cores(core(sendtype), n),
                    recvbuf,
                    places(place(recvbuf, recvoffset, recvtype), recvcount, core(recvtype), n),
                    equal(recvcount, n),
                    cores(core(recvtype), n)));
  }

  /** Each gives each a part, which has its length and place. */
  public void Alltoallv(
      Object sendbuf,
      int sendoffset,
      int[] sendcount,
      int[] sdispls,
      Datatype sendtype,
      Object recvbuf,
      int recvoffset,
      int[] recvcount,
      int[] rdispls,
      Datatype recvtype)
      throws MPIException {
    int n = others();
    run(
        "Alltoallv",
        () ->
            core()
                .collectives()
                .allToAll(
                    sendbuf,
                    places(place(sendbuf, sendoffset, sendtype), sdispls, core(sendtype)),
                    sendcount,
                    cores(core(sendtype), n),
                    recvbuf,
                    places(place(recvbuf, recvoffset, recvtype), rdispls, core(recvtype)),
                    recvcount,
                    cores(core(recvtype), n)));
  }

  /** The root gets the combination of what all have. */
  public void Reduce(
      Object sendbuf,
      int sendoffset,
      Object recvbuf,
      int recvoffset,
      int count,
      Datatype type,
      Op op,
      int root)
      throws MPIException {
    run(
        "Reduce",
        () ->
            core()
                .collectives()
                .reduce(
                    sendbuf,
                    place(sendbuf, sendoffset, type),
                    recvbuf,
                    place(recvbuf, recvoffset, type),
                    count,
                    core(type),
                    core(op, type),
                    root));
  }

  /** All get the combination of what all have. */
  public void Allreduce(
      Object sendbuf,
      int sendoffset,
      Object recvbuf,
      int recvoffset,
      int count,
      Datatype type,
      Op op)
      throws MPIException {
    run(
        "Allreduce",
        () ->
            core()
                .collectives()
                .allReduce(
                    sendbuf,
                    place(sendbuf, sendoffset, type),
                    recvbuf,
                    place(recvbuf, recvoffset, type),
                    count,
                    core(type),
                    core(op, type)));
  }

  /** Each gets its part of the combination of what all have. */
  public void Reduce_scatter(
      Object sendbuf,
      int sendoffset,
      Object recvbuf,
      int recvoffset,
      int[] recvcounts,
      Datatype type,
      Op op)
      throws MPIException {
    run(
        "Reduce_scatter",
        () ->
            core()
                .collectives()
                .reduceScatter(
                    sendbuf,
                    place(sendbuf, sendoffset, type),
                    recvbuf,
                    place(recvbuf, recvoffset, type),
                    recvcounts,
                    core(type),
                    core(op, type)));
  }

  /** Each gets the combination of what those up to it have. */
  public void Scan(
      Object sendbuf,
      int sendoffset,
      Object recvbuf,
      int recvoffset,
      int count,
      Datatype type,
      Op op)
      throws MPIException {
    run(
        "Scan",
        () ->
            core()
                .collectives()
                .scan(
                    sendbuf,
                    place(sendbuf, sendoffset, type),
                    recvbuf,
                    place(recvbuf, recvoffset, type),
                    count,
                    core(type),
                    core(op, type),
                    false));
  }

  // The same, begun: MPJ Express has them though mpiJava has not.

  /** Begins a barrier. */
  public Request Ibarrier() throws MPIException {
    return task("Ibarrier", Collectives::barrier);
  }

  /** Begins: all get what the root has. */
  public Request Ibcast(Object buf, int offset, int count, Datatype type, int root)
      throws MPIException {
    long at = place(buf, offset, type);
    return task("Ibcast", type, (c, t) -> c.broadcast(buf, at, count, t, root));
  }

  /** Begins: the root gets what all have. */
  public Request Igather(
      Object sendbuf,
      int sendoffset,
      int sendcount,
      Datatype sendtype,
      Object recvbuf,
      int recvoffset,
      int recvcount,
      Datatype recvtype,
      int root)
      throws MPIException {
    long out = place(sendbuf, sendoffset, sendtype);
    long in = place(recvbuf, recvoffset, recvtype);
    return task(
        "Igather",
        sendtype,
        ofRoot(recvtype, root),
        (c, s, r) -> c.gather(sendbuf, out, sendcount, s, recvbuf, in, recvcount, r, root));
  }

  /** Begins: the root gets what all have, each at its place. */
  public Request Igatherv(
      Object sendbuf,
      int sendoffset,
      int sendcount,
      Datatype sendtype,
      Object recvbuf,
      int recvoffset,
      int[] recvcount,
      int[] displs,
      Datatype recvtype,
      int root)
      throws MPIException {
    long out = place(sendbuf, sendoffset, sendtype);
    long in = place(recvbuf, recvoffset, recvtype);
    return task(
        "Igatherv",
        sendtype,
        ofRoot(recvtype, root),
        (c, s, r) ->
            c.gatherv(sendbuf, out, sendcount, s, recvbuf, in, recvcount, displs, r, root));
  }

  /** Begins: each gets its part of what the root has. */
  public Request Iscatter(
      Object sendbuf,
      int sendoffset,
      int sendcount,
      Datatype sendtype,
      Object recvbuf,
      int recvoffset,
      int recvcount,
      Datatype recvtype,
      int root)
      throws MPIException {
    long out = place(sendbuf, sendoffset, sendtype);
    long in = place(recvbuf, recvoffset, recvtype);
    return task(
        "Iscatter",
        ofRoot(sendtype, root),
        recvtype,
        (c, s, r) -> c.scatter(sendbuf, out, sendcount, s, recvbuf, in, recvcount, r, root));
  }

  /** Begins: each gets its part, which has its place. */
  public Request Iscatterv(
      Object sendbuf,
      int sendoffset,
      int[] sendcount,
      int[] displs,
      Datatype sendtype,
      Object recvbuf,
      int recvoffset,
      int recvcount,
      Datatype recvtype,
      int root)
      throws MPIException {
    long out = place(sendbuf, sendoffset, sendtype);
    long in = place(recvbuf, recvoffset, recvtype);
    return task(
        "Iscatterv",
        ofRoot(sendtype, root),
        recvtype,
        (c, s, r) ->
            c.scatterv(sendbuf, out, sendcount, displs, s, recvbuf, in, recvcount, r, root));
  }

  /** Begins: all get what all have. */
  public Request Iallgather(
      Object sendbuf,
      int sendoffset,
      int sendcount,
      Datatype sendtype,
      Object recvbuf,
      int recvoffset,
      int recvcount,
      Datatype recvtype)
      throws MPIException {
    long out = place(sendbuf, sendoffset, sendtype);
    long in = place(recvbuf, recvoffset, recvtype);
    return task(
        "Iallgather",
        sendtype,
        recvtype,
        (c, s, r) -> c.allGather(sendbuf, out, sendcount, s, recvbuf, in, recvcount, r));
  }

  /** Begins: all get what all have, each at its place. */
  public Request Iallgatherv(
      Object sendbuf,
      int sendoffset,
      int sendcount,
      Datatype sendtype,
      Object recvbuf,
      int recvoffset,
      int[] recvcount,
      int[] displs,
      Datatype recvtype)
      throws MPIException {
    long out = place(sendbuf, sendoffset, sendtype);
    long in = place(recvbuf, recvoffset, recvtype);
    return task(
        "Iallgatherv",
        sendtype,
        recvtype,
        (c, s, r) -> c.allGatherv(sendbuf, out, sendcount, s, recvbuf, in, recvcount, displs, r));
  }

  /** Begins: each gives each a part. */
  public Request Ialltoall(
      Object sendbuf,
      int sendoffset,
      int sendcount,
      Datatype sendtype,
      Object recvbuf,
      int recvoffset,
      int recvcount,
      Datatype recvtype)
      throws MPIException {
    int n = others();
    long out = place(sendbuf, sendoffset, sendtype);
    long in = place(recvbuf, recvoffset, recvtype);
    return task(
        "Ialltoall",
        sendtype,
        recvtype,
        (c, s, r) ->
            c.allToAll(
                sendbuf,
                places(out, sendcount, s, n),
                equal(sendcount, n),
                cores(s, n),
                recvbuf,
                places(in, recvcount, r, n),
                equal(recvcount, n),
                cores(r, n)));
  }

  /** Begins: each gives each a part, which has its length and place. */
  public Request Ialltoallv(
      Object sendbuf,
      int sendoffset,
      int[] sendcount,
      int[] sdispls,
      Datatype sendtype,
      Object recvbuf,
      int recvoffset,
      int[] recvcount,
      int[] rdispls,
      Datatype recvtype)
      throws MPIException {
    int n = others();
    long out = place(sendbuf, sendoffset, sendtype);
    long in = place(recvbuf, recvoffset, recvtype);
    return task(
        "Ialltoallv",
        sendtype,
        recvtype,
        (c, s, r) ->
            c.allToAll(
                sendbuf,
                places(out, sdispls, s),
                sendcount,
                cores(s, n),
                recvbuf,
                places(in, rdispls, r),
                recvcount,
                cores(r, n)));
  }

  /** Begins: the root gets the combination of what all have. */
  public Request Ireduce(
      Object sendbuf,
      int sendoffset,
      Object recvbuf,
      int recvoffset,
      int count,
      Datatype type,
      Op op,
      int root)
      throws MPIException {
    long out = place(sendbuf, sendoffset, type);
    long in = place(recvbuf, recvoffset, type);
    return task(
        "Ireduce", type, op, (c, t, o) -> c.reduce(sendbuf, out, recvbuf, in, count, t, o, root));
  }

  /** Begins: all get the combination of what all have. */
  public Request Iallreduce(
      Object sendbuf,
      int sendoffset,
      Object recvbuf,
      int recvoffset,
      int count,
      Datatype type,
      Op op)
      throws MPIException {
    long out = place(sendbuf, sendoffset, type);
    long in = place(recvbuf, recvoffset, type);
    return task(
        "Iallreduce", type, op, (c, t, o) -> c.allReduce(sendbuf, out, recvbuf, in, count, t, o));
  }

  // What comes later.

  private static MPIException later(String call) {
    return BusbarErrors.refusal(
        "Intracomm." + call, "Busbar starts all processes of a job together: see busbar run");
  }

  /** Refused: processes cannot be added to a job. */
  public static String openPort() throws MPIException {
    throw later("openPort");
  }

  /** Refused: processes cannot be added to a job. */
  public static String openPort(Info info) throws MPIException {
    throw later("openPort");
  }

  /** Refused: processes cannot be added to a job. */
  public static void closePort(String name) throws MPIException {
    throw later("closePort");
  }

  /** Refused: processes cannot be added to a job. */
  public final Intercomm accept(String port, int root) throws MPIException {
    throw later("accept");
  }

  /** Refused: processes cannot be added to a job. */
  public final Intercomm accept(String port, Info info, int root) throws MPIException {
    throw later("accept");
  }

  /** Refused: processes cannot be added to a job. */
  public final Intercomm connect(String port, int root) throws MPIException {
    throw later("connect");
  }

  /** Refused: processes cannot be added to a job. */
  public final Intercomm connect(String port, Info info, int root) throws MPIException {
    throw later("connect");
  }

  /** Refused: processes cannot be added to a job. */
  public static void publishName(String service, String port) throws MPIException {
    throw later("publishName");
  }

  /** Refused: processes cannot be added to a job. */
  public static void publishName(String service, Info info, String port) throws MPIException {
    throw later("publishName");
  }

  /** Refused: processes cannot be added to a job. */
  public static void unpublishName(String service, String port) throws MPIException {
    throw later("unpublishName");
  }

  /** Refused: processes cannot be added to a job. */
  public static void unpublishName(String service, Info info, String port) throws MPIException {
    throw later("unpublishName");
  }

  /** Refused: processes cannot be added to a job. */
  public static String lookupName(String service) throws MPIException {
    throw later("lookupName");
  }

  /** Refused: processes cannot be added to a job. */
  public static String lookupName(String service, Info info) throws MPIException {
    throw later("lookupName");
  }

  /** Refused: processes cannot be added to a job. */
  public final Intercomm spawn(
      String command, String[] argv, int maxprocs, Info info, int root, int[] errcodes)
      throws MPIException {
    throw later("spawn");
  }

  /** Refused: processes cannot be added to a job. */
  public final Intercomm spawnMultiple(
      String[] commands, String[][] argv, int[] maxprocs, Info[] info, int root, int[] errcodes)
      throws MPIException {
    throw later("spawnMultiple");
  }
}
