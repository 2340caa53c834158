import java.io.Serializable;
import java.util.Arrays;
import mpi.CartParms;
import mpi.Cartcomm;
import mpi.Comm;
import mpi.Datatype;
import mpi.GraphParms;
import mpi.Graphcomm;
import mpi.Group;
import mpi.Intercomm;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.Op;
import mpi.Prequest;
import mpi.Request;
import mpi.ShiftParms;
import mpi.Status;
import mpi.User_function;

/** A program of the upper-case interface: it uses all of it, and checks what it gets. */
public class UpperCase {
  static int rank;
  static int size;
  static int checks;

  static void check(boolean holds, String what) {
    checks++;
    if (!holds) {
      throw new IllegalStateException("rank " + rank + ": " + what);
    }
  }

  static class Point implements Serializable {
    private static final long serialVersionUID = 1;
    final int x;
    final int[] rest;

    Point(int x) {
      this.x = x;
      this.rest = new int[] {x, x + 1};
    }
  }

  public static void main(String[] args) throws MPIException {
    check(!MPI.Initialized(), "initialised too early");
    String[] mine = MPI.Init(args);
    check(MPI.Initialized(), "not initialised");
    rank = MPI.COMM_WORLD.Rank();
    size = MPI.COMM_WORLD.Size();
    check(mine.length == 1 && mine[0].equals("argument"), "arguments " + Arrays.toString(mine));
    check(MPI.COMM_SELF.Size() == 1 && MPI.COMM_SELF.Rank() == 0, "self");
    check(MPI.Get_processor_name().length() > 0, "name");
    check(MPI.Wtime() > 0 || MPI.Wtick() > 0, "time");
    types();
    kinds();
    modes();
    requests();
    persistent();
    objects();
    derived();
    packing();
    collectives();
    operations();
    groups();
    communicators();
    topologies();
    errors();
    MPI.COMM_WORLD.Barrier();
    MPI.Finalize();
    check(!MPI.Initialized(), "still initialised");
    String[] again = MPI.Init(args);
    check(again.length == 1, "arguments again");
    int[] sum = {1};
    int[] all = new int[1];
    MPI.COMM_WORLD.Allreduce(sum, 0, all, 0, 1, MPI.INT, MPI.SUM);
    check(all[0] == size, "second time");
    MPI.Finalize();
    System.out.println("rank " + rank + " of " + size + ": all hold");
  }

  static int right() {
    return (rank + 1) % size;
  }

  static int left() {
    return (rank + size - 1) % size;
  }

  /** Every kind of array, from a place in it to another. */
  static void types() throws MPIException {
    byte[] b = {0, 1, 2, (byte) rank, 4};
    byte[] bi = new byte[9];
    Status s = MPI.COMM_WORLD.Sendrecv(b, 2, 3, MPI.BYTE, right(), 1, bi, 5, 4, MPI.BYTE, left(), 1);
    check(bi[6] == left() && bi[7] == 4 && bi[8] == 0, "bytes");
    check(s.source == left() && s.tag == 1 && s.Get_count(MPI.BYTE) == 3, "status");
    char[] c = {'a', (char) ('b' + rank)};
    char[] ci = new char[2];
    MPI.COMM_WORLD.Sendrecv(c, 0, 2, MPI.CHAR, right(), 2, ci, 0, 2, MPI.CHAR, left(), 2);
    check(ci[1] == 'b' + left(), "chars");
    short[] h = {(short) -rank};
    short[] hi = new short[1];
    MPI.COMM_WORLD.Sendrecv(h, 0, 1, MPI.SHORT, right(), 3, hi, 0, 1, MPI.SHORT, left(), 3);
    check(hi[0] == -left(), "shorts");
    boolean[] z = {true, false, rank % 2 == 0};
    boolean[] zi = new boolean[3];
    MPI.COMM_WORLD.Sendrecv(z, 0, 3, MPI.BOOLEAN, right(), 4, zi, 0, 3, MPI.BOOLEAN, left(), 4);
    check(zi[0] && !zi[1] && zi[2] == (left() % 2 == 0), "booleans");
    long[] l = {1L << 40 | rank};
    long[] li = new long[1];
    MPI.COMM_WORLD.Sendrecv(l, 0, 1, MPI.LONG, right(), 5, li, 0, 1, MPI.LONG, left(), 5);
    check(li[0] == (1L << 40 | left()), "longs");
    float[] f = {0.5f + rank};
    float[] fi = new float[1];
    MPI.COMM_WORLD.Sendrecv(f, 0, 1, MPI.FLOAT, right(), 6, fi, 0, 1, MPI.FLOAT, left(), 6);
    check(fi[0] == 0.5f + left(), "floats");
    double[] d = {7, rank / 3.0};
    MPI.COMM_WORLD.Sendrecv_replace(d, 1, 1, MPI.DOUBLE, right(), 7, left(), 7);
    check(d[0] == 7 && d[1] == left() / 3.0, "doubles");
    double[] none = null;
    MPI.COMM_WORLD.Sendrecv(none, 0, 0, MPI.DOUBLE, right(), 8, none, 0, 0, MPI.DOUBLE, left(), 8);
  }

  /** What is too long for one frame, and what is for nobody. */
  static void kinds() throws MPIException {
    int[] big = new int[300_000];
    Arrays.fill(big, rank);
    int[] in = new int[300_000];
    Request r = MPI.COMM_WORLD.Irecv(in, 0, in.length, MPI.INT, left(), 9);
    MPI.COMM_WORLD.Send(big, 0, big.length, MPI.INT, right(), 9);
    Status s = r.Wait();
    check(in[0] == left() && in[299_999] == left() && s.Get_count(MPI.INT) == 300_000, "long");
    check(s.Get_elements(MPI.INT) == 300_000, "elements");
    MPI.COMM_WORLD.Send(big, 0, 1, MPI.INT, MPI.PROC_NULL, 1);
    s = MPI.COMM_WORLD.Recv(in, 0, 1, MPI.INT, MPI.PROC_NULL, 1);
    check(s.source == MPI.PROC_NULL && s.tag == MPI.ANY_TAG && s.Get_count(MPI.INT) == 0, "nobody");
  }

  static void modes() throws MPIException {
    int[] word = {rank};
    int[] in = new int[1];
    MPI.Buffer_attach(new byte[1000]);
    MPI.COMM_WORLD.Bsend(word, 0, 1, MPI.INT, right(), 10);
    word[0] = -1;
    MPI.COMM_WORLD.Recv(in, 0, 1, MPI.INT, left(), 10);
    check(in[0] == left(), "buffered");
    check(MPI.Buffer_detach().length == 1000, "detached");
    word[0] = rank;
    Request r = MPI.COMM_WORLD.Issend(word, 0, 1, MPI.INT, right(), 11);
    Status s = MPI.COMM_WORLD.Probe(MPI.ANY_SOURCE, 11);
    check(s.source == left() && s.Get_count(MPI.INT) == 1, "probed");
    MPI.COMM_WORLD.Recv(in, 0, 1, MPI.INT, s.source, s.tag);
    r.Wait();
    Request posted = MPI.COMM_WORLD.Irecv(in, 0, 1, MPI.INT, left(), 12);
    MPI.COMM_WORLD.Barrier();
    MPI.COMM_WORLD.Rsend(word, 0, 1, MPI.INT, right(), 12);
    posted.Wait();
    check(in[0] == left(), "ready");
    check(MPI.COMM_WORLD.Iprobe(MPI.ANY_SOURCE, 12) == null, "nothing is left");
  }

  static void requests() throws MPIException {
    int n = 6;
    int[] out = new int[n];
    int[] in = new int[n];
    Request[] receives = new Request[n + 1];
    Request[] sends = new Request[n];
    for (int i = 0; i < n; i++) {
      receives[i] = MPI.COMM_WORLD.Irecv(in, i, 1, MPI.INT, left(), 20 + i);
    }
    for (int i = 0; i < n; i++) {
      out[i] = 100 * rank + i;
      sends[i] = MPI.COMM_WORLD.Isend(out, i, 1, MPI.INT, right(), 20 + i);
    }
    Status first = Request.Waitany(receives);
    check(first.tag == 20 + first.index && receives[first.index].Is_null(), "any");
    Status[] some = Request.Waitsome(receives);
    check(some.length >= 1, "some");
    Status[] rest = Request.Waitall(receives);
    check(rest.length == n + 1, "all");
    Request.Waitall(sends);
    for (int i = 0; i < n; i++) {
      check(in[i] == 100 * left() + i, "value " + i);
    }
    check(Request.Waitany(receives).index == MPI.UNDEFINED, "none of none");
    check(Request.Waitsome(receives) == null, "some of none");
    check(Request.Testall(sends) != null, "all of none");
    Request never = MPI.COMM_WORLD.Irecv(in, 0, 1, MPI.INT, left(), 99);
    check(never.Test() == null, "not yet");
    never.Cancel();
    check(never.Wait().Test_cancelled(), "cancelled");
  }

  static void persistent() throws MPIException {
    int[] out = new int[1];
    int[] in = new int[1];
    Prequest send = MPI.COMM_WORLD.Send_init(out, 0, 1, MPI.INT, right(), 30);
    Prequest receive = MPI.COMM_WORLD.Recv_init(in, 0, 1, MPI.INT, left(), 30);
    for (int i = 0; i < 5; i++) {
      out[0] = rank + i;
      Prequest.Startall(new Prequest[] {receive, send});
      Request.Waitall(new Request[] {receive, send});
      check(in[0] == left() + i, "persistent " + i);
      check(!receive.Is_null(), "inactive is not null");
    }
    send.Free();
    receive.Free();
    check(receive.Is_null(), "freed");
  }

  static void objects() throws MPIException {
    Object[] out = {"skip", new Point(rank), "text " + rank};
    Object[] in = new Object[4];
    Status s = MPI.COMM_WORLD.Sendrecv(out, 1, 2, MPI.OBJECT, right(), 40, in, 1, 3, MPI.OBJECT, left(), 40);
    check(((Point) in[1]).rest[1] == left() + 1 && in[2].equals("text " + left()), "objects");
    check(s.Get_count(MPI.OBJECT) == 2 && in[3] == null, "count of objects");
    double[][] rows = {{rank, 1}, {2, 3}};
    MPI.COMM_WORLD.Bcast(rows, 0, 2, MPI.OBJECT, size - 1);
    check(rows[0][0] == size - 1 && rows[1][1] == 3, "rows");
    Object[] all = new Object[size];
    Object[] one = {new Point(rank)};
    MPI.COMM_WORLD.Allgather(one, 0, 1, MPI.OBJECT, all, 0, 1, MPI.OBJECT);
    for (int i = 0; i < size; i++) {
      check(((Point) all[i]).x == i, "all objects");
    }
    Op join =
        new Op(
            new User_function() {
              @Override
              public void Call(Object in, int inAt, Object inout, int inoutAt, int count, Datatype type) {
                for (int i = 0; i < count; i++) {
                  ((Object[]) inout)[inoutAt + i] =
                      ((Object[]) in)[inAt + i] + "" + ((Object[]) inout)[inoutAt + i];
                }
              }
            },
            false);
    Object[] letter = {"" + (char) ('a' + rank)};
    Object[] word = new Object[1];
    MPI.COMM_WORLD.Reduce(letter, 0, word, 0, 1, MPI.OBJECT, join, 0);
    check(rank != 0 || word[0].equals("abcdefgh".substring(0, size)), "joined " + word[0]);
  }

  static void derived() throws MPIException {
    int[] matrix = new int[5 * 4];
    for (int i = 0; i < matrix.length; i++) {
      matrix[i] = 100 * rank + i;
    }
    Datatype column = Datatype.Vector(4, 1, 5, MPI.INT);
    column.Commit();
    check(column.Size() == 4 && column.Extent() == 16, "column " + column.Extent());
    int[] in = new int[20];
    MPI.COMM_WORLD.Sendrecv(matrix, 2, 1, column, right(), 50, in, 0, 4, MPI.INT, left(), 50);
    check(in[0] == 100 * left() + 2 && in[3] == 100 * left() + 17, "column");
    Arrays.fill(in, -1);
    MPI.COMM_WORLD.Sendrecv(matrix, 0, 4, MPI.INT, right(), 51, in, 1, 1, column, left(), 51);
    check(in[1] == 100 * left() && in[16] == 100 * left() + 3 && in[0] == -1 && in[2] == -1, "into a column");
    Datatype some = Datatype.Indexed(new int[] {2, 1}, new int[] {4, 0}, MPI.INT);
    some.Commit();
    check(some.Extent() == 6 && some.Size() == 3 && some.Lb() == 0 && some.Ub() == 6, "indexed");
    MPI.COMM_WORLD.Sendrecv(matrix, 0, 1, some, right(), 52, in, 0, 3, MPI.INT, left(), 52);
    check(in[0] == 100 * left() + 4 && in[1] == 100 * left() + 5 && in[2] == 100 * left(), "order of an index");
    Datatype padded =
        Datatype.Struct(new int[] {1, 1}, new int[] {0, 3}, new Datatype[] {MPI.INT, MPI.UB});
    check(padded.Extent() == 3 && padded.Size() == 1, "padded " + padded.Extent());
    MPI.COMM_WORLD.Sendrecv(matrix, 0, 3, padded, right(), 53, in, 0, 3, MPI.INT, left(), 53);
    check(in[1] == 100 * left() + 3 && in[2] == 100 * left() + 6, "every third");
    Datatype apart = Datatype.Hvector(2, 2, 7, MPI.INT);
    MPI.COMM_WORLD.Sendrecv(matrix, 0, 1, apart, right(), 54, in, 0, 4, MPI.INT, left(), 54);
    check(in[2] == 100 * left() + 7, "distance in elements");
    Datatype back = Datatype.Vector(3, 1, -2, MPI.INT);
    MPI.COMM_WORLD.Sendrecv(matrix, 10, 1, back, right(), 55, in, 0, 3, MPI.INT, left(), 55);
    check(in[0] == 100 * left() + 10 && in[2] == 100 * left() + 6, "backwards");
    column.Free();
  }

  static void packing() throws MPIException {
    byte[] buffer = new byte[200];
    int[] ints = {1, 2, rank};
    double[] doubles = {0.25, rank};
    int at = MPI.COMM_WORLD.Pack(ints, 0, 3, MPI.INT, buffer, 0);
    check(at == MPI.COMM_WORLD.Pack_size(3, MPI.INT), "packed size");
    at = MPI.COMM_WORLD.Pack(doubles, 0, 2, MPI.DOUBLE, buffer, at);
    byte[] in = new byte[200];
    MPI.COMM_WORLD.Sendrecv(buffer, 0, at, MPI.PACKED, right(), 60, in, 0, 200, MPI.PACKED, left(), 60);
    int[] i = new int[3];
    double[] d = new double[2];
    int place = MPI.COMM_WORLD.Unpack(in, 0, i, 0, 3, MPI.INT);
    place = MPI.COMM_WORLD.Unpack(in, place, d, 0, 2, MPI.DOUBLE);
    check(place == at && i[2] == left() && d[1] == left() && d[0] == 0.25, "unpacked");
  }

  static void collectives() throws MPIException {
    Intracomm world = MPI.COMM_WORLD;
    int[] one = {rank, rank * rank};
    int[] all = new int[2 * size + 1];
    world.Gather(one, 0, 2, MPI.INT, all, 1, 2, MPI.INT, 0);
    for (int i = 0; i < size && rank == 0; i++) {
      check(all[1 + 2 * i] == i && all[2 + 2 * i] == i * i, "gather");
    }
    int[] counts = new int[size + 2]; // longer than needed
    int[] places = new int[size + 2];
    int total = 0;
    for (int i = 0; i < size; i++) {
      counts[i] = i + 1;
      places[i] = total;
      total += i + 1;
    }
    int[] mine = new int[rank + 1];
    Arrays.fill(mine, rank);
    int[] many = new int[total];
    world.Gatherv(mine, 0, rank + 1, MPI.INT, many, 0, counts, places, MPI.INT, size - 1);
    check(rank != size - 1 || many[total - 1] == size - 1 && many[0] == 0, "gatherv");
    world.Allgatherv(mine, 0, rank + 1, MPI.INT, many, 0, counts, places, MPI.INT);
    for (int i = 0; i < size; i++) {
      check(many[places[i]] == i && many[places[i] + i] == i, "allgatherv");
    }
    int[] back = new int[rank + 1];
    world.Scatterv(many, 0, counts, places, MPI.INT, back, 0, rank + 1, MPI.INT, 0);
    check(back[rank] == rank, "scatterv");
    int[] part = new int[1];
    int[] numbers = new int[size];
    Arrays.setAll(numbers, i -> 10 * i);
    world.Scatter(numbers, 0, 1, MPI.INT, part, 0, 1, MPI.INT, size - 1);
    check(part[0] == 10 * rank, "scatter");
    int[] out = new int[size];
    int[] in = new int[size];
    Arrays.setAll(out, i -> 100 * rank + i);
    world.Alltoall(out, 0, 1, MPI.INT, in, 0, 1, MPI.INT);
    for (int i = 0; i < size; i++) {
      check(in[i] == 100 * i + rank, "alltoall");
    }
    int[] ones = new int[size];
    int[] line = new int[size];
    Arrays.fill(ones, 1);
    Arrays.setAll(line, i -> size - 1 - i);
    world.Alltoallv(out, 0, ones, line, MPI.INT, in, 0, ones, line, MPI.INT);
    check(in[0] == 100 * (size - 1) + size - 1 - rank, "alltoallv");
  }

  static void operations() throws MPIException {
    Intracomm world = MPI.COMM_WORLD;
    int[] v = {rank + 1, -rank};
    int[] r = new int[2];
    world.Allreduce(v, 0, r, 0, 2, MPI.INT, MPI.SUM);
    check(r[0] == size * (size + 1) / 2 && r[1] == -size * (size - 1) / 2, "sum");
    world.Allreduce(v, 0, r, 0, 2, MPI.INT, MPI.MAX);
    check(r[0] == size && r[1] == 0, "max");
    world.Allreduce(v, 0, r, 0, 2, MPI.INT, MPI.MIN);
    check(r[0] == 1 && r[1] == -(size - 1), "min");
    world.Reduce(v, 0, r, 0, 1, MPI.INT, MPI.PROD, 0);
    int factorial = 1;
    for (int i = 2; i <= size; i++) {
      factorial *= i;
    }
    check(rank != 0 || r[0] == factorial, "prod");
    boolean[] z = {rank == 0, true};
    boolean[] zr = new boolean[2];
    world.Allreduce(z, 0, zr, 0, 2, MPI.BOOLEAN, MPI.LAND);
    check(zr[0] == (size == 1) && zr[1], "land");
    world.Allreduce(z, 0, zr, 0, 2, MPI.BOOLEAN, MPI.LOR);
    check(zr[0], "lor");
    world.Allreduce(z, 0, zr, 0, 2, MPI.BOOLEAN, MPI.LXOR);
    check(zr[0] && zr[1] == (size % 2 == 1), "lxor");
    long[] bits = {1L << rank};
    long[] br = new long[1];
    world.Allreduce(bits, 0, br, 0, 1, MPI.LONG, MPI.BOR);
    check(br[0] == (1L << size) - 1, "bor");
    double[] place = {(rank * 3 + 1) % size, rank};
    double[] found = new double[2];
    world.Allreduce(place, 0, found, 0, 1, MPI.DOUBLE2, MPI.MAXLOC);
    double best = -1;
    int where = -1;
    for (int i = 0; i < size; i++) {
      if ((i * 3 + 1) % size > best) {
        best = (i * 3 + 1) % size;
        where = i;
      }
    }
    check(found[0] == best && found[1] == where, "maxloc");
    int[] scan = new int[1];
    world.Scan(v, 0, scan, 0, 1, MPI.INT, MPI.SUM);
    check(scan[0] == (rank + 1) * (rank + 2) / 2, "scan");
    int[] ones = new int[size];
    Arrays.fill(ones, 1);
    int[] row = new int[size];
    Arrays.setAll(row, i -> rank + i);
    world.Reduce_scatter(row, 0, scan, 0, ones, MPI.INT, MPI.SUM);
    check(scan[0] == size * (size - 1) / 2 + size * rank, "reduce_scatter");
  }

  static void groups() throws MPIException {
    Group all = MPI.COMM_WORLD.Group();
    check(all.Size() == size && all.Rank() == rank, "group");
    Group first = all.Incl(new int[] {0});
    check(first.Rank() == (rank == 0 ? 0 : MPI.UNDEFINED), "not a member");
    Group rest = Group.Difference(all, first);
    check(rest.Size() == size - 1, "difference");
    check(Group.Compare(Group.Union(first, rest), all) == MPI.IDENT, "union");
    check(Group.Intersection(first, rest).Size() == 0, "intersection");
    Group reversed = all.Range_incl(new int[][] {{size - 1, 0, -1}});
    check(reversed.Rank() == size - 1 - rank, "range");
    check(Group.Compare(reversed, all) == (size == 1 ? MPI.IDENT : MPI.SIMILAR), "similar");
    check(Group.Translate_ranks(all, new int[] {0}, reversed)[0] == size - 1, "translated");
    check(all.Excl(new int[] {0}).Size() == size - 1, "excluded");
    Intracomm made = MPI.COMM_WORLD.Create(first);
    check((made == null) == (rank != 0), "created");
  }

  static void communicators() throws MPIException {
    Intracomm twin = (Intracomm) MPI.COMM_WORLD.clone();
    check(Comm.Compare(twin, MPI.COMM_WORLD) == MPI.CONGRUENT, "congruent");
    int[] a = {rank};
    int[] b = new int[1];
    Request r = twin.Irecv(b, 0, 1, MPI.INT, left(), 0);
    MPI.COMM_WORLD.Sendrecv(new int[] {-1}, 0, 1, MPI.INT, right(), 0, new int[1], 0, 1, MPI.INT, left(), 0);
    twin.Send(a, 0, 1, MPI.INT, right(), 0);
    r.Wait();
    check(b[0] == left(), "apart");
    Intracomm half = MPI.COMM_WORLD.Split(rank % 2, size - rank);
    check(half.Size() == (size + 1 - rank % 2) / 2, "half");
    int[] sum = new int[1];
    half.Allreduce(a, 0, sum, 0, 1, MPI.INT, MPI.SUM);
    int expected = 0;
    for (int i = rank % 2; i < size; i += 2) {
      expected += i;
    }
    check(sum[0] == expected, "sum of a half");
    check(MPI.COMM_WORLD.Split(rank == 0 ? 0 : MPI.UNDEFINED, 0) == null == (rank != 0), "no colour");
    if (size > 1) {
      Intracomm mine = MPI.COMM_WORLD.Split(rank % 2, rank);
      Intercomm between = MPI.COMM_WORLD.Create_intercomm(mine, 0, 1 - rank % 2, 3);
      check(between.Remote_size() == size - mine.Size() && between.Test_inter(), "between");
      if (mine.Rank() == 0) {
        between.Sendrecv(a, 0, 1, MPI.INT, 0, 1, b, 0, 1, MPI.INT, 0, 1);
        check(b[0] == 1 - rank % 2, "across");
      }
      Intracomm merged = between.Merge(rank % 2 == 1);
      check(merged.Size() == size && (rank != 0 || merged.Rank() == 0), "merged");
      merged.Allreduce(a, 0, sum, 0, 1, MPI.INT, MPI.SUM);
      check(sum[0] == size * (size - 1) / 2, "sum of the merged");
    }
    twin.Free();
  }

  static void topologies() throws MPIException {
    int[] dims = {0, 0};
    Cartcomm.Dims_create(size, dims);
    check(dims[0] * dims[1] == size && dims[0] >= dims[1], "dims " + Arrays.toString(dims));
    Cartcomm grid = MPI.COMM_WORLD.Create_cart(dims, new boolean[] {true, false}, false);
    CartParms parms = grid.Get();
    check(grid.Rank(parms.coords) == rank && grid.Topo_test() == MPI.CART, "coords");
    ShiftParms shift = grid.Shift(1, 1);
    check(parms.coords[1] > 0 || shift.rank_source == MPI.PROC_NULL, "edge");
    Cartcomm line = grid.Sub(new boolean[] {false, true});
    check(line.Size() == dims[1] && line.Rank() == parms.coords[1], "line");
    int[] index = new int[size];
    int[] edges = new int[2 * size];
    for (int i = 0; i < size; i++) {
      index[i] = 2 * (i + 1);
      edges[2 * i] = (i + size - 1) % size;
      edges[2 * i + 1] = (i + 1) % size;
    }
    Graphcomm ring = MPI.COMM_WORLD.Create_graph(index, edges, false);
    GraphParms graph = ring.Get();
    check(graph.edges.length == 2 * size && ring.Neighbours(rank)[1] == right(), "graph");
  }

  static void errors() throws MPIException {
    int[] word = new int[1];
    try {
      MPI.COMM_WORLD.Send(word, 0, 1, MPI.INT, size, 0);
      check(false, "a rank too many");
    } catch (MPIException e) {
      check(e.getErrorClass() == MPI.ERR_RANK && e.getMessage().contains("Send"), e.getMessage());
    }
    try {
      MPI.COMM_WORLD.Send(word, 0, 2, MPI.INT, 0, 0);
      check(false, "more than there is");
    } catch (MPIException e) {
      check(e.getErrorClass() == MPI.ERR_BUFFER, e.getMessage());
    }
    try {
      MPI.COMM_WORLD.Recv(word, 0, -1, MPI.INT, 0, 0);
      check(false, "less than nothing");
    } catch (MPIException e) {
      check(e.getErrorClass() == MPI.ERR_COUNT, e.getMessage());
    }
    try {
      MPI.COMM_WORLD.Send(word, 0, 1, MPI.INT, 0, -5);
      check(false, "a wrong tag");
    } catch (MPIException e) {
      check(e.getErrorClass() == MPI.ERR_TAG, e.getMessage());
    }
    try {
      MPI.COMM_WORLD.Bcast(word, 0, 1, MPI.INT, size);
      check(false, "a wrong root");
    } catch (MPIException e) {
      check(e.getErrorClass() == MPI.ERR_ROOT, e.getMessage());
    }
  }
}
