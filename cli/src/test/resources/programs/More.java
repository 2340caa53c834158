import java.nio.ByteBuffer;
import java.nio.DoubleBuffer;
import java.nio.IntBuffer;
import java.util.Arrays;
import mpi.CartComm;
import mpi.Cartcomm;
import mpi.Comm;
import mpi.Count;
import mpi.Datatype;
import mpi.DoubleComplex;
import mpi.DoubleInt;
import mpi.FloatComplex;
import mpi.FloatInt;
import mpi.GraphComm;
import mpi.GraphParms;
import mpi.Group;
import mpi.Info;
import mpi.Int2;
import mpi.Intercomm;
import mpi.Intracomm;
import mpi.LongInt;
import mpi.MPI;
import mpi.MPIException;
import mpi.Message;
import mpi.Prequest;
import mpi.Request;
import mpi.ShortInt;
import mpi.Status;
import mpi.Struct;

/** What the programs of the two families leave out: every form of each call, checked. */
public class More {
  static int rank;
  static int size;
  static Intracomm world;

  static void check(boolean holds, String what) {
    if (!holds) {
      throw new IllegalStateException("rank " + rank + ": " + what);
    }
  }

  static int right() {
    return (rank + 1) % size;
  }

  static int left() {
    return (rank + size - 1) % size;
  }

  static int sum() {
    return size * (size - 1) / 2;
  }

  static IntBuffer ints(int... values) {
    return MPI.newIntBuffer(values.length).put(0, values);
  }

  static int[] fill(int length, int value) {
    int[] made = new int[length];
    Arrays.fill(made, value);
    return made;
  }

  static int[] line(int length, int step) {
    int[] made = new int[length];
    Arrays.setAll(made, i -> i * step);
    return made;
  }

  public static void main(String[] args) throws MPIException {
    beforeInit();
    MPI.Init(args);
    world = MPI.COMM_WORLD;
    rank = world.getRank();
    size = world.getSize();
    modes();
    persistent();
    severalRequests();
    upperRequests();
    collectives();
    reductions();
    lists();
    neighbours();
    types();
    statuses();
    groups();
    communicators();
    alone();
    across();
    probes();
    errors();
    numbers();
    theRest(args);
    world.barrier();
    MPI.Finalize();
    System.out.println("rank " + rank + " of " + size + ": all hold");
  }

  /** What programs use in their static fields, and before they begin. */
  static void beforeInit() throws MPIException {
    check(!MPI.Initialized() && !MPI.isInitialized() && !MPI.isFinalized(), "too early");
    check(MPI.getVersion().getVersion() == MPI.VERSION && MPI.VERSION > 2, "version");
    check(MPI.getVersion().getSubVersion() == MPI.SUBVERSION, "version after the dot");
    check(MPI.getLibVersion().startsWith("Busbar"), "library");
    check(MPI.UNDEFINED == -1 && MPI.ANY_SOURCE == -2 && MPI.PROC_NULL == -3, "constants");
    check(MPI.INT.getExtent() == 1 && MPI.DOUBLE.getSize() == 1, "types");
    check(Datatype.Vector(2, 1, 3, MPI.INT).Extent() == 4, "derived types");
    check(new Pair().getExtent() == 16 && MPI.int2.getExtent() == 8, "structs");
    int[] array = line(6, 1);
    check(MPI.slice(array, 2).get(1) == 3 && MPI.slice(new double[] {1, 2}, 1).get(0) == 2, "slices of arrays");
    IntBuffer buffer = MPI.newIntBuffer(4).put(2, 7);
    check(MPI.slice(buffer, 2).get(0) == 7 && MPI.newDoubleBuffer(1).isDirect(), "slices of buffers");
    ByteBuffer bytes = MPI.newByteBuffer(16);
    check(bytes.order() == java.nio.ByteOrder.nativeOrder() && MPI.slice(bytes, 4).capacity() == 12, "bytes");
    check(MPI.Wtime() > 0 && MPI.wtick() > 0 && !MPI.Get_processor_name().isEmpty(), "time and place");
    check(MPI.GROUP_EMPTY.Size() == 0 && MPI.COMM_NULL.isNull() && MPI.REQUEST_NULL.isNull(), "nothing");
    check(MPI.SUM.isCommutative() && MPI.EMPTY_STATUS.getCount(MPI.INT) == 0, "operations, statuses");
    Info hints = new Info();
    hints.set("key", "value");
    check(hints.get("key").equals("value") && Comm.createKeyval() > 0, "hints and keys");
    try {
      MPI.COMM_WORLD.getRank();
      check(false, "a rank before there is one");
    } catch (MPIException e) {
      check(e.getMessage().contains("not initialised"), e.getMessage());
    }
  }

  static class Pair extends Struct {
    final int a = addDouble();
    final int b = addInt();
    final int end = addInt();

    @Override
    protected Data newData() {
      return new Data();
    }

    class Data extends Struct.Data {}
  }

  /** Each process by itself: all calls of one side are there. */
  static void alone() throws MPIException {
    Intracomm self = MPI.COMM_SELF;
    check(self.Size() == 1 && self.Rank() == 0, "alone");
    int[] mine = {rank};
    int[] in = {-1};
    self.Allreduce(mine, 0, in, 0, 1, MPI.INT, MPI.SUM);
    check(in[0] == rank, "Allreduce alone");
    in[0] = -1;
    self.Scan(mine, 0, in, 0, 1, MPI.INT, MPI.MAX);
    check(in[0] == rank, "Scan alone");
    in[0] = -1;
    self.exScan(mine, in, 1, MPI.INT, MPI.SUM);
    check(in[0] == -1, "exScan alone");
    Request sent = self.Isend(mine, 0, 1, MPI.INT, 0, 5);
    self.Recv(in, 0, 1, MPI.INT, MPI.ANY_SOURCE, 5);
    sent.Wait();
    check(in[0] == rank, "to oneself");
    Cartcomm dot = self.Create_cart(new int[] {1}, new boolean[] {true}, false);
    check(dot.Size() == 1 && dot.Shift(0, 1).rank_dest == 0, "a grid of one");
    Intracomm twin = self.dup();
    twin.barrier();
    check(Comm.compare(twin, self) == MPI.CONGRUENT && self.split(0, 0).getSize() == 1, "copies of it");
    twin.free();
    if (size > 1) {
      Group one = world.Group().Incl(new int[] {rank});
      check(Group.Compare(self.Group(), one) == MPI.IDENT, "its group");
    }
  }

  /** Buffered, synchronous and ready sends, waited for or not. */
  static void modes() throws MPIException {
    byte[] space = new byte[1000];
    MPI.attachBuffer(space);
    IntBuffer in = ints(-1);
    Request[] sent = {
      world.ibSend(ints(rank), 1, MPI.INT, right(), 1),
      world.isSend(ints(rank + 10), 1, MPI.INT, right(), 2)
    };
    world.recv(in, 1, MPI.INT, left(), 1);
    check(in.get(0) == left(), "ibSend");
    world.recv(in, 1, MPI.INT, left(), 2);
    check(in.get(0) == left() + 10, "isSend");
    Request.waitAll(sent);
    Request posted = world.iRecv(in, 1, MPI.INT, left(), 3);
    world.barrier();
    Request ready = world.irSend(ints(rank + 20), 1, MPI.INT, right(), 3);
    posted.waitFor();
    ready.waitFor();
    check(in.get(0) == left() + 20, "irSend");
    posted = world.iRecv(in, 1, MPI.INT, left(), 4);
    world.barrier();
    world.rSend(ints(rank + 30), 1, MPI.INT, right(), 4);
    posted.waitFor();
    check(in.get(0) == left() + 30, "rSend");
    posted = world.iRecv(in, 1, MPI.INT, left(), 5);
    world.sSend(new int[] {rank + 40}, 1, MPI.INT, right(), 5);
    posted.waitFor();
    check(in.get(0) == left() + 40, "sSend");
    int[] array = {rank + 50};
    int[] came = new int[3];
    Request upper = world.Ibsend(array, 0, 1, MPI.INT, right(), 6);
    array[0] = -1;
    world.Recv(came, 1, 1, MPI.INT, left(), 6);
    check(came[1] == left() + 50, "Ibsend");
    upper.Wait();
    array[0] = rank + 60;
    posted = world.Irecv(came, 2, 1, MPI.INT, left(), 7);
    world.Barrier();
    upper = world.Irsend(array, 0, 1, MPI.INT, right(), 7);
    posted.Wait();
    upper.Wait();
    check(came[2] == left() + 60, "Irsend");
    posted = world.Irecv(came, 0, 1, MPI.INT, left(), 8);
    world.Ssend(array, 0, 1, MPI.INT, right(), 8);
    posted.Wait();
    check(came[0] == left() + 60, "Ssend");
    check(MPI.detachBuffer() == space, "the buffer that was attached");
    ByteBuffer direct = MPI.newByteBuffer(10);
    MPI.Buffer_attach(direct);
    check(MPI.Buffer_detach() == null, "no array");
  }

  static void persistent() throws MPIException {
    IntBuffer out = ints(0);
    IntBuffer in = ints(0);
    int[] array = new int[1];
    int[] into = new int[1];
    Prequest[][] pairs = {
      {world.recvInit(in, 1, MPI.INT, left(), 20), world.bSendInit(out, 1, MPI.INT, right(), 20)},
      {world.recvInit(in, 1, MPI.INT, left(), 21), world.sSendInit(out, 1, MPI.INT, right(), 21)},
      {world.recvInit(in, 1, MPI.INT, left(), 22), world.rSendInit(out, 1, MPI.INT, right(), 22)}
    };
    for (int i = 0; i < 3; i++) {
      for (Prequest[] pair : pairs) {
        out.put(0, 100 * i + rank);
        pair[0].start();
        world.barrier();
        Prequest.startAll(new Prequest[] {pair[1]});
        Request.waitAll(pair);
        check(in.get(0) == 100 * i + left(), "persistent modes");
      }
    }
    Prequest[][] upper = {
      {world.Recv_init(into, 0, 1, MPI.INT, left(), 23), world.Bsend_init(array, 0, 1, MPI.INT, right(), 23)},
      {world.Recv_init(into, 0, 1, MPI.INT, left(), 24), world.Ssend_init(array, 0, 1, MPI.INT, right(), 24)},
      {world.Recv_init(into, 0, 1, MPI.INT, left(), 25), world.Rsend_init(array, 0, 1, MPI.INT, right(), 25)}
    };
    for (Prequest[] pair : upper) {
      array[0] = 7 * rank;
      pair[0].Start();
      world.Barrier();
      pair[1].Start();
      Request.Waitall(pair);
      check(into[0] == 7 * left(), "persistent modes of mpiJava");
      pair[0].free();
      check(pair[0].isNull() && !pair[1].isNull(), "one was freed");
    }
    MPI.REQUEST_NULL.free();
    check(MPI.REQUEST_NULL.isNull(), "no request");
  }

  static Request[] exchange(IntBuffer in, int n, int tag) throws MPIException {
    Request[] all = new Request[2 * n];
    for (int i = 0; i < n; i++) {
      all[i] = world.iRecv(MPI.slice(in, i), 1, MPI.INT, left(), tag + i);
    }
    for (int i = 0; i < n; i++) {
      all[n + i] = world.iSend(ints(10 * rank + i), 1, MPI.INT, right(), tag + i);
    }
    return all;
  }

  static void severalRequests() throws MPIException {
    int n = 4;
    IntBuffer in = MPI.newIntBuffer(n);
    Request[] all = exchange(in, n, 30);
    while (!Request.testAll(all)) {
      Thread.onSpinWait();
    }
    check(all[0].isNull() && in.get(n - 1) == 10 * left() + n - 1, "testAll");
    check(Request.testAllStatus(all).length == 2 * n, "all of none");
    all = exchange(in, n, 40);
    Status[] statuses = null;
    while (statuses == null) {
      statuses = Request.testAllStatus(all);
    }
    check(statuses[1].getTag() == 41 && statuses[1].getSource() == left(), "testAllStatus");
    all = exchange(in, n, 50);
    boolean[] seen = new boolean[2 * n];
    for (int i = 0; i < n; i++) {
      int index = Request.waitAny(all);
      check(!seen[index] && all[index].isNull(), "waitAny");
      seen[index] = true;
    }
    for (int left = n; left > 0; ) {
      int index = Request.testAny(all);
      if (index != MPI.UNDEFINED) {
        check(!seen[index], "testAny");
        seen[index] = true;
        left--;
      }
    }
    check(Request.waitAny(all) == MPI.UNDEFINED && Request.waitAnyStatus(all).getIndex() == MPI.UNDEFINED, "any of none");
    all = exchange(in, n, 60);
    int over = 0;
    while (over < n) {
      int[] some = Request.waitSome(all);
      check(some.length > 0, "waitSome");
      over += some.length;
    }
    while (over < 2 * n) {
      int[] some = Request.testSome(all);
      check(some != null, "testSome");
      over += some.length;
    }
    check(Request.testSome(all) == null && Request.waitSome(all) == null, "some of none");
    all = exchange(in, n, 70);
    over = 0;
    while (over < 2 * n) {
      Status[] some = over % 2 == 0 ? Request.waitSomeStatus(all) : Request.testSomeStatus(all);
      over += some.length;
    }
    all = exchange(in, n, 80);
    Status first = Request.waitAnyStatus(all);
    check(all[first.getIndex()].isNull(), "waitAnyStatus");
    Status second = null;
    while (second == null) {
      second = Request.testAnyStatus(all);
    }
    check(second.getIndex() != first.getIndex(), "testAnyStatus");
    for (Request request : all) {
      Status status = request.testStatus();
      while (status == null) {
        status = request.testStatus();
      }
      check(request.getStatus() != null && request.waitStatus() != null, "null is over");
    }
  }

  static void upperRequests() throws MPIException {
    int[] out = {rank, 2 * rank};
    int[] in = new int[2];
    Request[] all = {
      world.Irecv(in, 0, 1, MPI.INT, left(), 90),
      world.Irecv(in, 1, 1, MPI.INT, left(), 91),
      world.Isend(out, 0, 1, MPI.INT, right(), 90),
      world.Isend(out, 1, 1, MPI.INT, right(), 91)
    };
    Status any = null;
    while (any == null) {
      any = Request.Testany(all);
    }
    check(all[any.index].Is_null(), "Testany");
    int over = 1;
    while (over < 3) {
      over += Request.Testsome(all).length;
    }
    Status[] rest = null;
    while (rest == null) {
      rest = Request.Testall(all);
    }
    check(rest.length == 4 && in[1] == 2 * left(), "Testall");
    check(Request.Testsome(all).length == 0 && Request.Testany(all) == null, "none");
  }

  /** Each collective that goes on by itself. */
  static void collectives() throws MPIException {
    int last = size - 1;
    int[] ones = fill(size, 1);
    int[] places = line(size, 1);
    IntBuffer mine = ints(rank);
    IntBuffer table = MPI.newIntBuffer(size);
    world.iGatherv(mine, 1, MPI.INT, table, ones, places, MPI.INT, last).waitFor();
    check(rank != last || table.get(last) == last, "iGatherv");
    IntBuffer part = ints(-1);
    world.iScatterv(table, ones, places, MPI.INT, part, 1, MPI.INT, last).waitFor();
    check(part.get(0) == rank, "iScatterv");
    if (rank == last) {
      table.put(last, 5);
      world.iGatherv(table, ones, places, MPI.INT, last).waitFor();
      check(table.get(0) == (size == 1 ? 5 : 0) && table.get(last) == 5, "iGatherv in place");
      world.iScatterv(table, ones, places, MPI.INT, last).waitFor();
    } else {
      world.iGatherv(mine, 1, MPI.INT, last).waitFor();
      world.iScatterv(part, 1, MPI.INT, last).waitFor();
      check(part.get(0) == rank, "iScatterv in place");
    }
    table = MPI.newIntBuffer(size).put(0, rank);
    world.iGather(table, 1, MPI.INT, 0).waitFor();
    check(rank != 0 || table.get(last) == last, "iGather in place");
    world.iScatter(table, 1, MPI.INT, 0).waitFor();
    check(table.get(0) == rank, "iScatter in place");
    world.scatter(table, 1, MPI.INT, 0);
    table = MPI.newIntBuffer(size).put(rank, rank);
    world.iAllGather(table, 1, MPI.INT).waitFor();
    check(table.get(last) == last, "iAllGather in place");
    int[] counts = new int[size];
    int[] starts = new int[size];
    Arrays.setAll(counts, i -> i + 1);
    Arrays.setAll(starts, i -> i * (i + 1) / 2);
    int total = size * (size + 1) / 2;
    int[] many = fill(rank + 1, rank);
    int[] all = new int[total];
    world.allGatherv(many, rank + 1, MPI.INT, all, counts, starts, MPI.INT);
    check(all[total - 1] == last && all[0] == 0, "allGatherv");
    Arrays.fill(all, 0, starts[rank], -1);
    world.allGatherv(all, counts, starts, MPI.INT);
    check(all[0] == 0 && all[total - 1] == last, "allGatherv in place");
    IntBuffer direct = MPI.newIntBuffer(total);
    world.iAllGatherv(ints(many), rank + 1, MPI.INT, direct, counts, starts, MPI.INT).waitFor();
    check(direct.get(total - 1) == last, "iAllGatherv");
    for (int i = 0; i < starts[rank]; i++) {
      direct.put(i, -1);
    }
    world.iAllGatherv(direct, counts, starts, MPI.INT).waitFor();
    check(direct.get(0) == 0 && direct.get(total - 1) == last, "iAllGatherv in place");
    int[] row = new int[size];
    int[] in = new int[size];
    Arrays.setAll(row, i -> 100 * rank + i);
    world.allToAllv(row, ones, places, MPI.INT, in, ones, places, MPI.INT);
    check(in[last] == 100 * last + rank, "allToAllv");
    IntBuffer came = MPI.newIntBuffer(size);
    world.iAllToAll(ints(row), 1, MPI.INT, came, 1, MPI.INT).waitFor();
    check(came.get(last) == 100 * last + rank, "iAllToAll");
    came.put(last, 0);
    world.iAllToAllv(ints(row), ones, places, MPI.INT, came, ones, places, MPI.INT).waitFor();
    check(came.get(last) == 100 * last + rank, "iAllToAllv");
    Datatype[] types = new Datatype[size];
    Arrays.fill(types, MPI.INT);
    int[] bytes = line(size, 4);
    came.put(0, 0);
    world.iAllToAllw(ints(row), ones, bytes, types, came, ones, bytes, types).waitFor();
    check(came.get(0) == rank, "iAllToAllw");
  }

  static void reductions() throws MPIException {
    IntBuffer mine = ints(rank);
    IntBuffer all = ints(-1);
    world.iReduce(mine, all, 1, MPI.INT, MPI.SUM, 0).waitFor();
    check(rank != 0 || all.get(0) == sum(), "iReduce");
    IntBuffer own = ints(rank);
    world.iReduce(own, 1, MPI.INT, MPI.SUM, size - 1).waitFor();
    check(rank != size - 1 || own.get(0) == sum(), "iReduce in place");
    own.put(0, rank);
    world.iAllReduce(own, 1, MPI.INT, MPI.MAX).waitFor();
    check(own.get(0) == size - 1, "iAllReduce in place");
    int[] ones = fill(size, 1);
    int[] row = line(size, 1);
    int[] part = new int[1];
    world.reduceScatter(row, part, ones, MPI.INT, MPI.SUM);
    check(part[0] == size * rank, "reduceScatter");
    int[] inPlace = line(size, 1);
    world.reduceScatter(inPlace, ones, MPI.INT, MPI.SUM);
    check(inPlace[0] == size * rank, "reduceScatter in place");
    inPlace = line(size, 1);
    world.reduceScatterBlock(inPlace, 1, MPI.INT, MPI.SUM);
    check(inPlace[0] == size * rank, "reduceScatterBlock in place");
    world.iReduceScatter(ints(row), all, ones, MPI.INT, MPI.SUM).waitFor();
    check(all.get(0) == size * rank, "iReduceScatter");
    IntBuffer rows = ints(row);
    world.iReduceScatter(rows, ones, MPI.INT, MPI.SUM).waitFor();
    check(rows.get(0) == size * rank, "iReduceScatter in place");
    world.iReduceScatterBlock(ints(row), all, 1, MPI.INT, MPI.SUM).waitFor();
    check(all.get(0) == size * rank, "iReduceScatterBlock");
    rows = ints(row);
    world.iReduceScatterBlock(rows, 1, MPI.INT, MPI.SUM).waitFor();
    check(rows.get(0) == size * rank, "iReduceScatterBlock in place");
    int upTo = rank * (rank + 1) / 2;
    int before = rank * (rank - 1) / 2;
    int[] scan = {rank};
    world.scan(scan, 1, MPI.INT, MPI.SUM);
    check(scan[0] == upTo, "scan in place");
    own.put(0, rank);
    world.iScan(own, 1, MPI.INT, MPI.SUM).waitFor();
    check(own.get(0) == upTo, "iScan in place");
    scan[0] = rank;
    world.exScan(scan, 1, MPI.INT, MPI.SUM);
    check(rank == 0 || scan[0] == before, "exScan in place");
    own.put(0, rank);
    world.iExScan(own, 1, MPI.INT, MPI.SUM).waitFor();
    check(rank == 0 || own.get(0) == before, "iExScan in place");
    world.iExScan(mine, all, 1, MPI.INT, MPI.SUM).waitFor();
    check(rank == 0 || all.get(0) == before, "iExScan");
    long[] bits = {-1L ^ 1L << rank};
    world.allReduce(bits, 1, MPI.LONG, MPI.BAND);
    check(bits[0] == -1L << size, "band");
    bits[0] = 1L << rank | 1L << 40;
    world.allReduce(bits, 1, MPI.LONG, MPI.BXOR);
    check(bits[0] == ((1L << size) - 1 | (size % 2 == 1 ? 1L << 40 : 0)), "bxor");
    short[] nearest = {(short) Math.abs(rank - 1), (short) rank};
    short[] found = new short[2];
    world.Allreduce(nearest, 0, found, 0, 1, MPI.SHORT2, MPI.MINLOC);
    check(found[1] == (size == 1 ? 0 : 1), "minloc");
  }

  /** Arrays of lengths and places may be longer than there are processes. */
  static void lists() throws MPIException {
    int[] ones = fill(size + 3, 1);
    int[] places = line(size + 3, 1);
    int[] mine = {rank};
    int[] all = new int[size];
    world.gatherv(mine, 1, MPI.INT, all, ones, places, MPI.INT, 0);
    check(rank != 0 || all[size - 1] == size - 1, "gatherv");
    int[] part = {-1};
    world.scatterv(all, ones, places, MPI.INT, part, 1, MPI.INT, 0);
    check(part[0] == rank, "scatterv");
    if (rank == 0) {
      world.Gather(mine, 0, 1, MPI.INT, all, 0, 1, MPI.INT, 0);
      world.Scatter(all, 0, 1, MPI.INT, part, 0, 1, MPI.INT, 0);
    } else { // what matters at the root alone
      world.Gather(mine, 0, 1, MPI.INT, null, 0, 0, null, 0);
      world.Scatter(null, 0, 0, MPI.DATATYPE_NULL, part, 0, 1, MPI.INT, 0);
    }
    check(part[0] == rank, "scatter");
  }

  static void neighbours() throws MPIException {
    CartComm ring = world.createCart(new int[] {size}, new boolean[] {true}, false);
    int[] out = {10 * rank, 10 * rank + 1};
    int[] in = new int[2];
    int[] ones = {1, 1};
    int[] places = {0, 1};
    int[] back = {1, 0};
    ring.neighborAllGatherv(out, 1, MPI.INT, in, ones, back, MPI.INT);
    check(in[1] == 10 * left() && in[0] == 10 * right(), "neighborAllGatherv");
    ring.neighborAllToAllv(out, ones, places, MPI.INT, in, ones, places, MPI.INT);
    check(in[0] == 10 * left() + 1 && in[1] == 10 * right(), "neighborAllToAllv");
    IntBuffer from = ints(out);
    IntBuffer to = MPI.newIntBuffer(2);
    ring.iNeighborAllGather(from, 1, MPI.INT, to, 1, MPI.INT).waitFor();
    check(to.get(0) == 10 * left() && to.get(1) == 10 * right(), "iNeighborAllGather");
    ring.iNeighborAllGatherv(from, 1, MPI.INT, to, ones, back, MPI.INT).waitFor();
    check(to.get(1) == 10 * left() && to.get(0) == 10 * right(), "iNeighborAllGatherv");
    ring.iNeighborAllToAll(from, 1, MPI.INT, to, 1, MPI.INT).waitFor();
    check(to.get(0) == 10 * left() + 1 && to.get(1) == 10 * right(), "iNeighborAllToAll");
    to.put(0, 0);
    ring.iNeighborAllToAllv(from, ones, places, MPI.INT, to, ones, places, MPI.INT).waitFor();
    check(to.get(0) == 10 * left() + 1, "iNeighborAllToAllv");
    check(ring.getTopo().getDim(0) == size && ring.getTopo().getPeriod(0), "topo");
    check(ring.getTopo().getCoord(0) == rank && ring.getTopo().getDimCount() == 1, "coordinates");
    check(ring.getRank(new int[] {right()}) == right() && ring.getCoords(left())[0] == left(), "rank");
    check(ring.shift(0, 1).getRankSource() == left(), "shift");
    int[] dims = {0, 0};
    CartComm.createDims(size, dims);
    check(dims[0] * dims[1] == size, "dims");
    check(ring.map(new int[] {size}, new boolean[] {true}) == rank, "map");
    CartComm again = ring.dup();
    check(again.getTopology() == MPI.CART && again.clone().getTopo().getDim(0) == size, "dup");
    CartComm plane = world.createCart(dims, new boolean[2], true);
    CartComm rows = plane.sub(new boolean[] {false, true});
    check(rows.getSize() == dims[1], "sub");
    Cartcomm upper = world.Create_cart(dims, new boolean[2], false);
    check(upper.Rank(upper.Coords(rank)) == rank && upper.Map(dims, new boolean[2]) == rank, "upper");
    int[] index = line(size + 1, 2);
    int[] edges = new int[2 * size];
    for (int i = 0; i < size; i++) {
      edges[2 * i] = (i + size - 1) % size;
      edges[2 * i + 1] = (i + 1) % size;
    }
    int[] ends = Arrays.copyOfRange(index, 1, size + 1);
    GraphComm graph = world.createGraph(ends, edges, false);
    GraphParms parms = graph.getDims();
    check(graph.getTopology() == MPI.GRAPH && parms.getIndex(size - 1) == 2 * size, "graph");
    check(parms.getEdge(1) == 1 % size && parms.getIndexCount() == size && parms.getEdgeCount() == 2 * size, "edges");
    check(graph.getNeighbors(rank)[1] == right() && graph.map(ends, edges) == rank, "neighbours");
    graph.neighborAllGather(out, 1, MPI.INT, in, 1, MPI.INT);
    check(in[0] == 10 * left() && in[1] == 10 * right(), "gathered in a graph");
    check(graph.dup().getTopology() == MPI.GRAPH, "dup of a graph");
    GraphComm weighted =
        world.createDistGraph(
            new int[] {rank}, new int[] {1}, new int[] {right()}, new int[] {7}, MPI.INFO_NULL, false);
    check(weighted.getDistGraphNeighbors().getDestinationWeight(0) == 7, "weights");
    check(weighted.getDistGraphNeighbors().isWeighted(), "weighted");
    check(weighted.getDistGraphNeighbors().getOutDegree() == 1, "one neighbour");
    GraphComm adjacent =
        world.createDistGraphAdjacent(
            new int[] {left()}, new int[] {2}, new int[] {right()}, new int[] {3}, MPI.INFO_NULL, false);
    check(adjacent.getDistGraphNeighbors().getSourceWeight(0) == 2, "weights of neighbours");
  }

  static void types() throws MPIException {
    double[] cells = new double[20];
    Arrays.setAll(cells, i -> 100 * rank + i);
    double[] in = new double[20];
    Datatype indexed = Datatype.createIndexed(new int[] {2, 1}, new int[] {4, 0}, MPI.DOUBLE);
    indexed.commit();
    world.sendRecv(cells, 1, indexed, right(), 100, in, 3, MPI.DOUBLE, left(), 100);
    check(in[0] == 100 * left() + 4 && in[2] == 100 * left(), "createIndexed");
    Datatype apart = Datatype.createHIndexed(new int[] {1, 1}, new int[] {24, 8}, MPI.DOUBLE);
    world.sendRecv(cells, 1, apart, right(), 101, in, 2, MPI.DOUBLE, left(), 101);
    check(in[0] == 100 * left() + 3 && in[1] == 100 * left() + 1, "createHIndexed");
    Datatype three = Datatype.createContiguous(3, MPI.DOUBLE);
    world.sendRecv(cells, 2, three, right(), 102, in, 6, MPI.DOUBLE, left(), 102);
    check(in[5] == 100 * left() + 5 && three.getSize() == 3 && three.getLb() == 0, "contiguous");
    Datatype record =
        Datatype.createStruct(
            new int[] {1, 2}, new int[] {0, 8}, new Datatype[] {MPI.INT, MPI.DOUBLE});
    check(record.getExtent() == 24 && record.getSize() == 20, "createStruct");
    check(record.getTrueLb() == 0 && record.getTrueExtent() == 24, "true extent");
    ByteBuffer out = MPI.newByteBuffer(48);
    ByteBuffer came = MPI.newByteBuffer(48);
    out.putInt(24, rank).putDouble(40, rank + 0.5);
    Status s = world.sendRecv(out, 2, record, right(), 103, came, 2, record, left(), 103);
    check(came.getInt(24) == left() && came.getDouble(40) == left() + 0.5, "structs");
    check(s.getCount(record) == 2 && s.getElements(record) == 6, "count of structs");
    check(s.getElementsX(record).getCount() == 6, "long count");
    Datatype twin = record.dup();
    twin.setName("twin");
    check(twin.getName().equals("twin") && twin.clone().getExtent() == 24, "twin");
    int key = Datatype.createKeyval();
    twin.setAttr(key, "value");
    check(twin.getAttr(key).equals("value"), "attribute of a type");
    twin.deleteAttr(key);
    Datatype.freeKeyval(key);
    twin.free();
    check(twin.isNull() && !record.isNull(), "freed");
    int[] upper = new int[10];
    Arrays.setAll(upper, i -> 10 * rank + i);
    int[] into = new int[4];
    Datatype here = Datatype.Hindexed(new int[] {1, 1}, new int[] {5, 2}, MPI.INT);
    world.Sendrecv(upper, 1, 1, here, right(), 104, into, 0, 2, MPI.INT, left(), 104);
    check(into[0] == 10 * left() + 6 && into[1] == 10 * left() + 3, "Hindexed");
    Datatype two = Datatype.Contiguous(2, MPI.INT);
    s = world.Sendrecv(upper, 0, 2, two, right(), 105, into, 0, 2, two, left(), 105);
    check(into[3] == 10 * left() + 3 && s.Get_count(two) == 2, "Contiguous");
    ByteBuffer packed = MPI.newByteBuffer(100);
    int at = world.Pack(upper, 2, 3, MPI.INT, packed, 4);
    check(at == 16 && world.Unpack(packed, 4, into, 1, 3, MPI.INT) == 16, "packed");
    check(into[1] == 10 * rank + 2 && into[3] == 10 * rank + 4, "unpacked");
    check(world.packSize(3, MPI.INT) == 12, "packSize");
    DoubleBuffer doubles = MPI.newDoubleBuffer(2).put(1, 2.5);
    check(MPI.slice(doubles, 1).get(0) == 2.5 && MPI.slice(cells, 3).get(0) == cells[3], "slices");
  }

  static void statuses() throws MPIException {
    Status s = new Status();
    s.setElements(MPI.INT, 5);
    check(s.getCount(MPI.INT) == 5 && s.getElements(MPI.INT) == 5, "setElements");
    s.setElementsX(MPI.DOUBLE, new Count(3));
    check(s.getCount(MPI.DOUBLE) == 3, "setElementsX");
    s.setCancelled(true);
    check(s.isCancelled() && s.Test_cancelled(), "setCancelled");
    check(s.getError() == MPI.SUCCESS, "no error");
    s.free();
  }

  static void groups() throws MPIException {
    Group all = world.getGroup();
    check(all.getSize() == size && all.getRank() == rank, "group");
    Group first = all.incl(new int[] {0});
    Group rest = all.excl(new int[] {0});
    check(first.getRank() == (rank == 0 ? 0 : MPI.UNDEFINED) && rest.getSize() == size - 1, "parts");
    check(Group.compare(Group.union(first, rest), all) == MPI.IDENT, "union");
    check(Group.intersection(first, rest).getSize() == 0, "intersection");
    check(Group.compare(Group.difference(all, rest), first) == MPI.IDENT, "difference");
    int[][] even = {{0, size - 1, 2}};
    check(all.rangeExcl(even).getSize() == size / 2 && all.Range_excl(even).Size() == size / 2, "excluded");
    int[] there = Group.translateRanks(all, new int[] {size - 1, MPI.PROC_NULL}, rest);
    check(there[0] == size - 2 && there[1] == MPI.PROC_NULL, "translated " + there[0]);
    first.free();
    check(first.isNull() && MPI.GROUP_NULL.isNull(), "freed");
    check(MPI.GROUP_EMPTY.getSize() == 0, "empty");
  }

  static void communicators() throws MPIException {
    Info hints = new Info();
    hints.set("a", "b");
    Intracomm twin = world.dupWithInfo(hints);
    check(twin.getInfo().get("a").equals("b"), "hints");
    hints.set("a", "c");
    twin.setInfo(hints);
    check(twin.getInfo().get("a").equals("c"), "other hints");
    hints.delete("a");
    check(hints.size() == 0, "deleted");
    check(world.dupWithInfo(MPI.INFO_NULL).getSize() == size, "without hints");
    Intracomm later = world.iDup();
    later.getRequest().waitFor();
    int[] one = {1};
    later.allReduce(one, 1, MPI.INT, MPI.SUM);
    check(one[0] == size && Comm.compare(later, world) == MPI.CONGRUENT, "iDup");
    Intracomm[] many = new Intracomm[5];
    for (int i = 0; i < many.length; i++) {
      many[i] = i % 2 == 0 ? world.iDup() : later.iDup();
    }
    Request[] requests = Arrays.stream(many).map(Comm::getRequest).toArray(Request[]::new);
    Request.waitAll(requests);
    IntBuffer[] in = new IntBuffer[many.length];
    Request[] all = new Request[many.length];
    for (int i = 0; i < many.length; i++) {
      in[i] = ints(-1);
      all[i] = many[i].iRecv(in[i], 1, MPI.INT, left(), 0);
    }
    for (int i = many.length - 1; i >= 0; i--) {
      many[i].send(new int[] {i}, 1, MPI.INT, right(), 0);
    }
    Request.waitAll(all);
    for (int i = 0; i < many.length; i++) {
      check(in[i].get(0) == i, "apart");
      many[i].free();
    }
    CartComm ring = world.createCart(new int[] {size}, new boolean[] {true}, false).iDup();
    ring.getRequest().waitFor();
    check(ring.shift(0, 1).getRankDest() == right(), "iDup of a ring");
    check(!world.isInter() && world.getTopology() == MPI.UNDEFINED && !world.isNull(), "kinds");
    Intracomm none = world.splitType(MPI.UNDEFINED, 0, MPI.INFO_NULL);
    check(none.isNull(), "no type");
    Intracomm made = world.create(world.getGroup().incl(new int[] {size - 1}));
    check(made.isNull() == (rank != size - 1), "create");
    twin.disconnect();
    check(twin.isNull(), "disconnected");
    check(Intercomm.getParent().isNull(), "nobody has spawned it");
  }

  static void across() throws MPIException {
    if (size == 1) {
      return;
    }
    int side = rank % 2;
    Intracomm half = world.split(side, rank);
    Intercomm between = world.createIntercomm(half, 0, 1 - side, 9);
    int there = between.getRemoteSize();
    check(between.getRemoteGroup().getSize() == there && between.isInter(), "sides");
    int[] mine = {rank};
    int[] all = new int[there];
    between.allGather(mine, 1, MPI.INT, all, 1, MPI.INT);
    check(all[0] == 1 - side && all[there - 1] == 1 - side + 2 * (there - 1), "allGather across");
    int[] each = new int[there];
    Arrays.fill(each, rank);
    int[] in = new int[there];
    between.allToAll(each, 1, MPI.INT, in, 1, MPI.INT);
    check(in[0] == 1 - side, "allToAll across");
    int root = side == 1 ? 0 : rank == 0 ? MPI.ROOT : MPI.PROC_NULL;
    between.gather(mine, 1, MPI.INT, all, 1, MPI.INT, root);
    check(rank != 0 || all[0] == 1, "gather across");
    int[] got = {-1};
    between.scatter(all, 1, MPI.INT, got, 1, MPI.INT, root);
    check(side == 0 || got[0] == rank, "scatter across");
    between.reduce(mine, got, 1, MPI.INT, MPI.MIN, root);
    check(rank != 0 || got[0] == 1, "reduce across");
    Intercomm twin = between.iDup();
    twin.getRequest().waitFor();
    twin.iBarrier().waitFor();
    check(between.dup().getRemoteSize() == there, "dup across");
    Intracomm merged = twin.merge(side == 1);
    check(merged.getSize() == size, "merged");
  }

  static void probes() throws MPIException {
    world.iSend(ints(rank), 1, MPI.INT, right(), 110).free();
    Status s = world.iProbe(left(), 110);
    while (s == null) {
      s = world.iProbe(left(), 110);
    }
    check(s.getCount(MPI.INT) == 1, "iProbe");
    check(world.probe(MPI.ANY_SOURCE, 110).getSource() == left(), "probe");
    Message message = new Message();
    Status matched = message.imProbe(left(), 110, world);
    check(matched != null && !message.isNoProc(), "imProbe");
    IntBuffer in = ints(-1);
    message.imRecv(in, 1, MPI.INT).waitFor();
    check(in.get(0) == left(), "imRecv");
    matched = message.mProbe(MPI.PROC_NULL, 0, world);
    check(message.isNoProc() && matched.getSource() == MPI.PROC_NULL, "nobody's");
    check(message.mRecv(new int[0], 0, MPI.INT).getSource() == MPI.PROC_NULL, "nobody sent it");
  }

  static void errors() throws MPIException {
    world.setErrhandler(MPI.ERRORS_RETURN);
    world.callErrhandler(MPI.ERR_OTHER); // is nothing's end
    check(world.Errhandler_get() == MPI.ERRORS_RETURN, "handler");
    Comm half = world.split(0, rank);
    check(half.getErrhandler() == MPI.ERRORS_RETURN, "inherited");
    try {
      half.recv(new int[1], 1, MPI.INT, size, 0);
      check(false, "a rank too many");
    } catch (MPIException e) {
      check(e.getErrorClass() == MPI.ERR_RANK && e.getMessage().contains("recv"), e.getMessage());
    }
    half.Errhandler_set(MPI.ERRORS_ARE_FATAL);
    check(half.getErrhandler() == MPI.ERRORS_ARE_FATAL, "set again");
    check(MPI.wtime() > 0 && MPI.wtick() > 0 && MPI.getVersion().getVersion() > 0, "the rest");
    check(MPI.queryThread() == MPI.THREAD_MULTIPLE && !MPI.getLibVersion().isEmpty(), "library");
    MPI.pControl(0, null);
  }

  /** A part of all kinds, with a part of its own, and one of a type. */
  static class Inner extends Struct {
    final int a = addShort(2);

    @Override
    protected Data newData() {
      return new Data();
    }

    class Data extends Struct.Data {
      short a(int i) {
        return getShort(a, i);
      }

      void a(int i, int v) {
        putShort(a, i, (short) v);
      }
    }
  }

  static class Outer extends Struct {
    final Inner inner = new Inner();
    final int b = addByte();
    final int l = addLong();
    final int f = addFloat();
    final int s = addStruct(inner);
    final int pair = addData(MPI.INT2);

    @Override
    protected Data newData() {
      return new Data();
    }

    class Data extends Struct.Data {
      void set(int v) {
        putByte(b, (byte) v);
        putLong(l, 10L * v);
        putFloat(f, 0.5f * v);
        Inner.Data part = getData(inner, s);
        part.a(1, 3 * v);
        getBuffer(MPI.INT2, pair).putInt(4, 7 * v);
      }

      boolean is(int v) {
        Inner.Data part = getData(inner, s);
        return getByte(b) == v
            && getLong(l) == 10L * v
            && getFloat(f) == 0.5f * v
            && part.a(1) == 3 * v
            && getBuffer(MPI.INT2, pair).getInt(4) == 7 * v;
      }
    }
  }

  static void numbers() throws MPIException {
    Outer outer = new Outer();
    ByteBuffer out = MPI.newByteBuffer(outer.getExtent());
    ByteBuffer in = MPI.newByteBuffer(outer.getExtent());
    Outer.Data data = outer.getData(out);
    data.set(rank + 1);
    world.sendRecv(out, 1, outer.getType(), right(), 120, in, 1, outer.getType(), left(), 120);
    Outer.Data got = outer.getData(in);
    check(got.is(left() + 1) && got.getBuffer() != null, "a struct of structs");
    ByteBuffer mine = MPI.newByteBuffer(16);
    ByteBuffer best = MPI.newByteBuffer(16);
    Int2.Data ints = MPI.int2.getData(mine);
    ints.putValue(-rank);
    ints.putIndex(rank);
    world.allReduce(mine, best, 1, MPI.INT2, MPI.MINLOC);
    Int2.Data least = MPI.int2.getData(best);
    check(least.getValue() == 1 - size && least.getIndex() == size - 1, "int2");
    LongInt.Data longs = MPI.longInt.getData(mine);
    longs.putValue((1L << 40) + rank);
    longs.putIndex(rank);
    world.allReduce(mine, best, 1, MPI.LONG_INT, MPI.MAXLOC);
    LongInt.Data most = MPI.longInt.getData(best);
    check(most.getValue() == (1L << 40) + size - 1 && most.getIndex() == size - 1, "longInt");
    ShortInt.Data shorts = MPI.shortInt.getData(mine);
    shorts.putValue((short) -rank);
    shorts.putIndex(rank);
    world.allReduce(mine, best, 1, MPI.SHORT_INT, MPI.MAXLOC);
    ShortInt.Data first = MPI.shortInt.getData(best);
    check(first.getValue() == 0 && first.getIndex() == 0, "shortInt");
    FloatInt.Data floats = MPI.floatInt.getData(mine);
    floats.putValue(rank / 2f);
    floats.putIndex(rank);
    world.allReduce(mine, best, 1, MPI.FLOAT_INT, MPI.MINLOC);
    FloatInt.Data low = MPI.floatInt.getData(best);
    check(low.getValue() == 0 && low.getIndex() == 0, "floatInt");
    DoubleInt.Data doubles = MPI.doubleInt.getData(mine);
    doubles.putValue(rank);
    doubles.putIndex(rank);
    world.allReduce(mine, best, 1, MPI.DOUBLE_INT, MPI.MAXLOC);
    DoubleInt.Data high = MPI.doubleInt.getData(best);
    check(high.getValue() == size - 1, "doubleInt");
    double[] complex = new double[4];
    DoubleComplex second = DoubleComplex.get(complex, 1);
    second.putReal(rank);
    second.putImag(1);
    double[] sum = new double[4];
    world.allReduce(complex, sum, 2, MPI.DOUBLE_COMPLEX, MPI.SUM);
    check(DoubleComplex.get(sum, 1).getReal() == sum() && sum[3] == size, "complex doubles");
    check(second.getBuffer() != null, "its buffer");
    FloatComplex single = FloatComplex.get(new float[2]);
    single.putReal(2);
    single.putImag(3);
    check(single.getReal() == 2 && single.getImag() == 3 && single.getBuffer() != null, "floats");
    Count count = new Count(5);
    count.setCount(6);
    check(count.compareTo(new Count(5)) > 0 && count.equals(new Count(6)), "counts");
  }

  static void theRest(String[] args) throws MPIException {
    int key = Comm.createKeyval();
    world.Attr_put(key, "value");
    check(world.Attr_get(key).equals("value"), "attribute");
    world.Attr_delete(key);
    check(world.Attr_get(key) == null, "no attribute");
    MPI.Errorhandler_set(MPI.ERRORS_RETURN);
    check(MPI.Errorhandler_get() == MPI.ERRORS_RETURN, "handler of all");
    check(MPI.getProcessorName().equals(MPI.INFO_ENV.get("host")), "host");
    check(MPI.isMainThread() && MPI.getVersion().getSubVersion() >= 0, "main thread");
    check(MPI.newCharBuffer(2).capacity() == 2 && MPI.newFloatBuffer(2).isDirect(), "buffers");
    check(MPI.newLongBuffer(2).capacity() == 2 && MPI.newShortBuffer(2).isDirect(), "more buffers");
    if (size > 1) {
      Intracomm half = world.Split(rank % 2, 0);
      Intercomm between = world.Create_intercomm(half, 0, 1 - rank % 2, 4);
      check(between.Remote_group().Size() == between.Remote_size(), "the other side");
    }
    world.barrier();
    MPI.Finalize();
    check(MPI.Finalized() && MPI.initThread(MPI.THREAD_MULTIPLE, 0, args).length >= 0, "again");
  }
}
