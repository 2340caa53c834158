import java.nio.ByteBuffer;
import java.nio.DoubleBuffer;
import java.nio.IntBuffer;
import java.util.Arrays;
import mpi.CartComm;
import mpi.Comm;
import mpi.Datatype;
import mpi.DoubleComplex;
import mpi.DoubleInt;
import mpi.GraphComm;
import mpi.Group;
import mpi.Info;
import mpi.Intercomm;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.Message;
import mpi.Op;
import mpi.Prequest;
import mpi.Request;
import mpi.Status;
import mpi.Struct;
import mpi.UserFunction;

/** A program of the lower-case interface: it uses all of it, and checks what it gets. */
public class LowerCase {
  static int rank;
  static int size;

  static void check(boolean holds, String what) {
    if (!holds) {
      throw new IllegalStateException("rank " + rank + ": " + what);
    }
  }

  /** A number, a weight and three letters. */
  static class Item extends Struct {
    final int number = addInt();
    final int weight = setOffset(8).addDouble();
    final int letters = addChar(3);

    @Override
    protected Data newData() {
      return new Data();
    }

    class Data extends Struct.Data {
      int number() {
        return getInt(number);
      }

      void number(int v) {
        putInt(number, v);
      }

      double weight() {
        return getDouble(weight);
      }

      void weight(double v) {
        putDouble(weight, v);
      }

      char letter(int i) {
        return getChar(letters, i);
      }

      void letter(int i, char v) {
        putChar(letters, i, v);
      }
    }
  }

  public static void main(String[] args) throws MPIException {
    check(!MPI.isInitialized(), "initialised too early");
    check(MPI.newIntBuffer(3).capacity() == 3, "buffers before the beginning");
    check(MPI.InitThread(args, MPI.THREAD_MULTIPLE) == MPI.THREAD_MULTIPLE, "threads");
    rank = MPI.COMM_WORLD.getRank();
    size = MPI.COMM_WORLD.getSize();
    check(MPI.isInitialized() && !MPI.isFinalized() && MPI.isThreadMain(), "begun");
    pointToPoint();
    buffers();
    matched();
    structs();
    blocking();
    inPlace();
    nonBlocking();
    functions();
    pairsAndComplex();
    communicators();
    topologies();
    attributes();
    manyBarriers();
    MPI.COMM_WORLD.barrier();
    MPI.Finalize();
    check(MPI.isFinalized() && MPI.isInitialized(), "ended");
    try {
      MPI.COMM_WORLD.barrier();
      check(false, "after the end");
    } catch (MPIException e) {
      check(e.getMessage().contains("finalised"), e.getMessage());
    }
    System.out.println("rank " + rank + " of " + size + ": all hold");
  }

  static int right() {
    return (rank + 1) % size;
  }

  static int left() {
    return (rank + size - 1) % size;
  }

  static void pointToPoint() throws MPIException {
    int[] out = {rank, 2 * rank};
    int[] in = new int[2];
    Status s = MPI.COMM_WORLD.sendRecv(out, 2, MPI.INT, right(), 1, in, 2, MPI.INT, left(), 1);
    check(in[1] == 2 * left() && s.getSource() == left() && s.getCount(MPI.INT) == 2, "sendRecv");
    MPI.COMM_WORLD.sendRecvReplace(out, 2, MPI.INT, right(), 2, left(), 2);
    check(out[0] == left(), "replaced");
    byte[] odd = {1, 2, 3};
    MPI.COMM_WORLD.bSend(odd, 3, MPI.BYTE, right(), 3);
    s = MPI.COMM_WORLD.recv(in, 2, MPI.INT, left(), 3);
    check(s.getCount(MPI.INT) == MPI.UNDEFINED && s.getCount(MPI.BYTE) == 3, "part of an element");
    double[] d = {Math.PI};
    byte[] raw = new byte[8];
    MPI.COMM_WORLD.sendRecv(d, 8, MPI.BYTE, right(), 4, raw, 8, MPI.BYTE, left(), 4);
    check(
        ByteBuffer.wrap(raw).order(java.nio.ByteOrder.nativeOrder()).getDouble() == Math.PI,
        "raw bytes");
  }

  static void buffers() throws MPIException {
    IntBuffer out = MPI.newIntBuffer(100_000);
    IntBuffer in = MPI.newIntBuffer(100_000);
    for (int i = 0; i < out.capacity(); i++) {
      out.put(i, rank + i);
    }
    out.position(50).limit(60); // does not matter
    Request[] both = {
      MPI.COMM_WORLD.iRecv(in, in.capacity(), MPI.INT, left(), 5),
      MPI.COMM_WORLD.iSend(out, out.capacity(), MPI.INT, right(), 5)
    };
    Status[] done = Request.waitAllStatus(both);
    check(done[0].getCount(MPI.INT) == 100_000 && in.get(99_999) == left() + 99_999, "long buffer");
    check(both[0].isNull() && both[1].isNull(), "null afterwards");
    int[] array = {0, 0, rank, 7};
    MPI.COMM_WORLD.sendRecv(
        MPI.slice(array, 2), 2, MPI.INT, right(), 6, MPI.slice(in, 10), 2, MPI.INT, left(), 6);
    check(in.get(10) == left() && in.get(11) == 7, "slices");
    Prequest send = MPI.COMM_WORLD.sendInit(out, 1, MPI.INT, right(), 7);
    Prequest receive = MPI.COMM_WORLD.recvInit(in, 1, MPI.INT, left(), 7);
    for (int i = 0; i < 3; i++) {
      out.clear();
      out.put(0, 10 * i + rank);
      receive.start();
      send.start();
      Request.waitAll(new Request[] {send, receive});
      check(in.get(0) == 10 * i + left(), "persistent");
    }
    Request never = MPI.COMM_WORLD.iRecv(in, 1, MPI.INT, left(), 98);
    check(!never.test() && never.getStatus() == null, "not yet");
    never.cancel();
    check(never.waitStatus().isCancelled(), "cancelled");
    check(Request.testAny(new Request[0]) == MPI.UNDEFINED, "any of none");
    check(Request.waitSome(new Request[] {never}) == null, "some of none");
  }

  static void matched() throws MPIException {
    int[] word = {rank};
    MPI.COMM_WORLD.send(word, 1, MPI.INT, right(), 8);
    Message message = new Message();
    check(message.isNull(), "no message yet");
    Status s = message.mProbe(MPI.ANY_SOURCE, 8, MPI.COMM_WORLD);
    check(s.getSource() == left() && !message.isNull(), "found");
    int[] in = new int[1];
    s = message.mRecv(in, 1, MPI.INT);
    check(in[0] == left() && message.isNull() && s.getTag() == 8, "received");
    check(message.imProbe(MPI.ANY_SOURCE, 8, MPI.COMM_WORLD) == null, "nothing more");
  }

  static void structs() throws MPIException {
    Item item = new Item();
    ByteBuffer out = MPI.newByteBuffer(2 * item.getExtent());
    check(item.getExtent() == 24, "extent " + item.getExtent());
    Item.Data data = item.getData(out, 1);
    data.number(rank);
    data.weight(rank + 0.5);
    data.letter(2, 'z');
    ByteBuffer in = MPI.newByteBuffer(2 * item.getExtent());
    MPI.COMM_WORLD.sendRecv(
        out, 2, item.getType(), right(), 9, in, 2, item.getType(), left(), 9);
    Item.Data got = item.getData(in, 1);
    check(got.number() == left() && got.weight() == left() + 0.5 && got.letter(2) == 'z', "struct");
    Datatype vector = Datatype.createVector(3, 1, 2, MPI.DOUBLE);
    vector.commit();
    check(vector.getExtent() == 5 && vector.getSize() == 3, "vector");
    Datatype wide = Datatype.createResized(vector, 0, 64);
    check(wide.getExtent() == 8 && wide.getTrueExtent() == 5, "resized");
    double[] cells = new double[16];
    Arrays.setAll(cells, i -> 100 * rank + i);
    double[] six = new double[6];
    MPI.COMM_WORLD.sendRecv(cells, 2, wide, right(), 10, six, 6, MPI.DOUBLE, left(), 10);
    check(six[1] == 100 * left() + 2 && six[3] == 100 * left() + 8, "wide");
    Datatype bytes = Datatype.createHVector(2, 1, 24, MPI.DOUBLE);
    MPI.COMM_WORLD.sendRecv(cells, 1, bytes, right(), 11, six, 2, MPI.DOUBLE, left(), 11);
    check(six[1] == 100 * left() + 3, "distance in bytes");
    byte[] packed = new byte[100];
    int at = MPI.COMM_WORLD.pack(cells, 2, MPI.DOUBLE, packed, 0);
    check(at == 16 && MPI.COMM_WORLD.unpack(packed, 8, six, 1, MPI.DOUBLE) == 16, "packed");
    check(six[0] == 100 * rank + 1, "unpacked");
  }

  static void blocking() throws MPIException {
    Comm world = MPI.COMM_WORLD;
    double[] value = {rank == size - 1 ? 4.5 : 0};
    world.bcast(value, 1, MPI.DOUBLE, size - 1);
    check(value[0] == 4.5, "bcast");
    int[] mine = {rank};
    int[] all = new int[size];
    world.gather(mine, 1, MPI.INT, all, 1, MPI.INT, 0);
    check(rank != 0 || all[size - 1] == size - 1, "gather");
    world.allGather(mine, 1, MPI.INT, all, 1, MPI.INT);
    check(all[size - 1] == size - 1, "allGather");
    world.scatter(all, 1, MPI.INT, mine, 1, MPI.INT, 0);
    check(mine[0] == rank, "scatter");
    int[] in = new int[size];
    world.allToAll(all, 1, MPI.INT, in, 1, MPI.INT);
    check(in[0] == rank && in[size - 1] == rank, "allToAll");
    int[] ones = new int[size];
    int[] bytes = new int[size];
    Datatype[] types = new Datatype[size];
    Arrays.fill(ones, 1);
    Arrays.fill(types, MPI.INT);
    Arrays.setAll(bytes, i -> 4 * i);
    world.allToAllw(all, ones, bytes, types, in, ones, bytes, types);
    check(in[size - 1] == rank, "allToAllw");
    int[] sum = new int[1];
    world.reduce(mine, sum, 1, MPI.INT, MPI.SUM, 0);
    check(rank != 0 || sum[0] == size * (size - 1) / 2, "reduce");
    world.allReduce(mine, sum, 1, MPI.INT, MPI.MAX);
    check(sum[0] == size - 1, "allReduce");
    int[] row = new int[size];
    Arrays.fill(row, rank);
    world.reduceScatterBlock(row, sum, 1, MPI.INT, MPI.SUM);
    check(sum[0] == size * (size - 1) / 2, "reduceScatterBlock");
    MPI.COMM_WORLD.scan(mine, sum, 1, MPI.INT, MPI.SUM);
    check(sum[0] == rank * (rank + 1) / 2, "scan");
    sum[0] = -1;
    MPI.COMM_WORLD.exScan(mine, sum, 1, MPI.INT, MPI.SUM);
    check(sum[0] == (rank == 0 ? -1 : rank * (rank - 1) / 2), "exScan");
    int[] inout = {1};
    Comm.reduceLocal(mine, inout, 1, MPI.INT, MPI.SUM);
    check(inout[0] == rank + 1, "reduceLocal");
  }

  static void inPlace() throws MPIException {
    Comm world = MPI.COMM_WORLD;
    int[] all = new int[size];
    all[rank] = rank + 1;
    world.allGather(all, 1, MPI.INT);
    check(all[0] == 1 && all[size - 1] == size, "allGather in place");
    int[] sum = {rank};
    world.allReduce(sum, 1, MPI.INT, MPI.SUM);
    check(sum[0] == size * (size - 1) / 2, "allReduce in place");
    sum[0] = rank;
    world.reduce(sum, 1, MPI.INT, MPI.SUM, 0);
    check(rank != 0 || sum[0] == size * (size - 1) / 2, "reduce in place");
    int[] mixed = new int[rank == 0 ? size : 1];
    mixed[0] = rank;
    world.gather(mixed, 1, MPI.INT, 0);
    check(rank != 0 || mixed[size - 1] == size - 1, "gather in place");
    int[] counts = new int[size];
    int[] places = new int[size];
    Arrays.fill(counts, 1);
    Arrays.setAll(places, i -> i);
    int[] own = {rank};
    if (rank == 0) {
      int[] table = new int[size];
      world.gatherv(table, counts, places, MPI.INT, 0);
      check(table[size - 1] == size - 1, "gatherv in place");
      world.scatterv(table, counts, places, MPI.INT, 0);
    } else {
      world.gatherv(own, 1, MPI.INT, 0);
      own[0] = -1;
      world.scatterv(own, 1, MPI.INT, 0);
      check(own[0] == rank, "scatterv in place");
    }
  }

  static void nonBlocking() throws MPIException {
    Comm world = MPI.COMM_WORLD;
    IntBuffer mine = MPI.newIntBuffer(1).put(0, rank);
    IntBuffer sum = MPI.newIntBuffer(1);
    IntBuffer all = MPI.newIntBuffer(size);
    IntBuffer cast = MPI.newIntBuffer(1).put(0, rank == 0 ? 77 : 0);
    Request[] requests = {
      world.iAllReduce(mine, sum, 1, MPI.INT, MPI.SUM),
      world.iBcast(cast, 1, MPI.INT, 0),
      world.iAllGather(mine, 1, MPI.INT, all, 1, MPI.INT),
      world.iBarrier()
    };
    Request.waitAll(requests);
    check(sum.get(0) == size * (size - 1) / 2, "iAllReduce");
    check(cast.get(0) == 77 && all.get(size - 1) == size - 1, "iBcast, iAllGather");
    IntBuffer table = MPI.newIntBuffer(size);
    Request gather = world.iGather(mine, 1, MPI.INT, table, 1, MPI.INT, size - 1);
    gather.waitFor();
    check(rank != size - 1 || table.get(0) == 0 && table.get(size - 1) == size - 1, "iGather");
    IntBuffer part = MPI.newIntBuffer(1);
    Request scatter = world.iScatter(table, 1, MPI.INT, part, 1, MPI.INT, size - 1);
    while (!scatter.test()) {
      Thread.onSpinWait();
    }
    check(part.get(0) == rank, "iScatter");
    MPI.COMM_WORLD.iScan(mine, sum, 1, MPI.INT, MPI.SUM).waitFor();
    check(sum.get(0) == rank * (rank + 1) / 2, "iScan");
  }

  static void functions() throws MPIException {
    Op byArrays =
        new Op(
            new UserFunction() {
              @Override
              public void call(Object in, Object inOut, int count, Datatype type) {
                for (int i = 0; i < count; i++) {
                  ((double[]) inOut)[i] += ((double[]) in)[i];
                }
              }
            },
            true);
    double[] one = {1, rank};
    double[] sum = new double[2];
    MPI.COMM_WORLD.allReduce(one, sum, 2, MPI.DOUBLE, byArrays);
    check(sum[0] == size && sum[1] == size * (size - 1) / 2.0, "by arrays");
    Op byBuffers =
        new Op(
            new UserFunction() {
              @Override
              public void call(ByteBuffer in, ByteBuffer inOut, int count, Datatype type) {
                DoubleBuffer a = in.asDoubleBuffer();
                DoubleBuffer b = inOut.asDoubleBuffer();
                for (int i = 0; i < count; i++) {
                  b.put(i, 10 * a.get(i) + b.get(i));
                }
              }
            },
            true);
    double[] last = new double[1];
    MPI.COMM_WORLD.reduce(new double[] {0}, last, 1, MPI.DOUBLE, byBuffers, 0);
    check(last[0] == 0 && byBuffers.isCommutative(), "by buffers");
    byArrays.free();
    check(byArrays.isNull(), "freed");
  }

  static void pairsAndComplex() throws MPIException {
    ByteBuffer mine = MPI.newByteBuffer(16);
    DoubleInt.Data pair = MPI.doubleInt.getData(mine);
    pair.putValue(-Math.abs(rank - 1));
    pair.putIndex(rank);
    ByteBuffer best = MPI.newByteBuffer(16);
    MPI.COMM_WORLD.allReduce(mine, best, 1, MPI.DOUBLE_INT, MPI.MAXLOC);
    DoubleInt.Data found = MPI.doubleInt.getData(best);
    check(found.getIndex() == (size == 1 ? 0 : 1), "maxloc " + found.getIndex());
    double[] z = {0, 1};
    double[] product = new double[2];
    MPI.COMM_WORLD.allReduce(z, product, 1, MPI.DOUBLE_COMPLEX, MPI.PROD);
    DoubleComplex power = DoubleComplex.get(product);
    double[] right = {1, 0, -1, 0};
    check(power.getReal() == right[size % 4] && power.getImag() == right[(size + 3) % 4], "i^n");
  }

  static void communicators() throws MPIException {
    Intracomm twin = MPI.COMM_WORLD.dup();
    check(Comm.compare(twin, MPI.COMM_WORLD) == MPI.CONGRUENT, "dup");
    twin.setName("twin");
    check(twin.getName().equals("twin") && MPI.COMM_WORLD.getName().equals("MPI_COMM_WORLD"), "name");
    Intracomm half = MPI.COMM_WORLD.split(rank % 2, rank);
    check(half.getRank() == rank / 2, "split");
    Intracomm none = MPI.COMM_WORLD.split(MPI.UNDEFINED, 0);
    check(none.isNull(), "no colour");
    Intracomm here = MPI.COMM_WORLD.splitType(Comm.TYPE_SHARED, rank, MPI.INFO_NULL);
    check(here.getSize() >= 1, "one host");
    Group evens = MPI.COMM_WORLD.getGroup().rangeIncl(new int[][] {{0, size - 1, 2}});
    if (rank % 2 == 0) {
      Intracomm even = MPI.COMM_WORLD.createGroup(evens, 5);
      int[] sum = {1};
      even.allReduce(sum, 1, MPI.INT, MPI.SUM);
      check(sum[0] == (size + 1) / 2, "createGroup");
    }
    if (size > 1) {
      Intercomm between = MPI.COMM_WORLD.createIntercomm(half, 0, 1 - rank % 2, 9);
      int[] sum = {rank};
      int[] theirs = new int[1];
      between.allReduce(sum, theirs, 1, MPI.INT, MPI.SUM);
      int expected = 0;
      for (int i = 1 - rank % 2; i < size; i += 2) {
        expected += i;
      }
      check(theirs[0] == expected, "across");
      int root = rank == 0 ? MPI.ROOT : rank % 2 == 0 ? MPI.PROC_NULL : 0;
      int[] cast = {rank == 0 ? 5 : 0};
      between.bcast(cast, 1, MPI.INT, root);
      check(rank % 2 == 0 || cast[0] == 5, "bcast across");
      between.barrier();
      check(between.merge(false).getSize() == size, "merged");
    }
    twin.free();
    check(twin.isNull(), "freed");
    try {
      MPI.COMM_WORLD.free();
      check(false, "the world was freed");
    } catch (MPIException e) {
      check(e.getErrorClass() == MPI.ERR_COMM, e.getMessage());
    }
  }

  static void topologies() throws MPIException {
    CartComm ring = MPI.COMM_WORLD.createCart(new int[] {size}, new boolean[] {true}, false);
    check(ring.getTopology() == MPI.CART && ring.shift(0, 1).getRankDest() == right(), "ring");
    int[] out = {10 * rank, 10 * rank + 1};
    int[] in = new int[2];
    ring.neighborAllToAll(out, 1, MPI.INT, in, 1, MPI.INT);
    check(in[0] == 10 * left() + 1 && in[1] == 10 * right(), "neighbours " + Arrays.toString(in));
    int[] mine = {rank};
    ring.neighborAllGather(mine, 1, MPI.INT, in, 1, MPI.INT);
    check(in[0] == left() && in[1] == right(), "gathered");
    GraphComm graph =
        MPI.COMM_WORLD.createDistGraphAdjacent(
            new int[] {left()}, new int[] {right()}, MPI.INFO_NULL, false);
    int[] one = new int[1];
    graph.neighborAllGather(mine, 1, MPI.INT, one, 1, MPI.INT);
    check(one[0] == left() && graph.getDistGraphNeighbors().getInDegree() == 1, "adjacent");
    GraphComm given =
        MPI.COMM_WORLD.createDistGraph(
            new int[] {left()}, new int[] {1}, new int[] {rank}, MPI.INFO_NULL, false);
    check(given.getDistGraphNeighbors().getSource(0) == left(), "given by others");
    check(given.getDistGraphNeighbors().getDestination(0) == right(), "to others");
  }

  static void attributes() throws MPIException {
    int key = Comm.createKeyval();
    MPI.COMM_WORLD.setAttr(key, "value");
    check(MPI.COMM_WORLD.getAttr(key).equals("value"), "attribute");
    check(MPI.COMM_WORLD.dup().getAttr(key).equals("value"), "copied");
    MPI.COMM_WORLD.deleteAttr(key);
    check(MPI.COMM_WORLD.getAttr(key) == null, "deleted");
    check((int) MPI.COMM_WORLD.getAttr(MPI.TAG_UB) >= 32767, "highest tag");
    Info info = new Info();
    info.set("key", "1");
    check(info.get("key").equals("1") && info.size() == 1 && info.dup().getKey(0).equals("key"), "info");
    info.free();
    check(info.isNull() && MPI.INFO_NULL.isNull(), "no info");
    check(MPI.COMM_WORLD.getErrhandler() == MPI.ERRORS_ARE_FATAL, "handler");
    MPI.COMM_WORLD.setErrhandler(MPI.ERRORS_RETURN);
    check(MPI.COMM_WORLD.getErrhandler() == MPI.ERRORS_RETURN, "chosen handler");
    try {
      MPI.COMM_WORLD.send(new int[1], 1, MPI.INT, -7, 0);
      check(false, "a wrong rank");
    } catch (MPIException e) {
      check(e.getErrorClass() == MPI.ERR_RANK && e.getErrorCode() != MPI.SUCCESS, e.getMessage());
    }
  }

  static void manyBarriers() throws MPIException {
    Request[] all = new Request[100];
    for (int i = 0; i < all.length; i++) {
      all[i] = MPI.COMM_WORLD.iBarrier();
    }
    Request.waitAll(all);
  }
}
