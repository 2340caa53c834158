package mpi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.Serializable;
import java.nio.ByteBuffer;
import java.nio.IntBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What programs may rely on that one process alone can show. */
@Timeout(60)
class AloneTest {
  private static final Intracomm SELF = MPI.COMM_WORLD;

  @BeforeEach
  void begin() {
    String[] _ = MPI.Init(new String[] {"one", "two"});
  }

  @AfterEach
  void end() {
    if (MPI.Initialized()) {
      MPI.Finalize();
    }
  }

  private static void refuses(int errorClass, String words, ThrowingCallable call) {
    MPIException e = catchThrowableOfType(MPIException.class, call);
    assertThat(e).as(words).isNotNull().hasMessageContaining(words);
    assertThat(e.getErrorClass()).as(e.getMessage()).isEqualTo(errorClass);
  }

  // Life.

  @Test
  void finalizeGivesAttachedBufferBack() {
    MPI.Buffer_attach(new byte[100]);
    MPI.Finalize();
    begin();
    byte[] second = new byte[200];
    MPI.attachBuffer(second);
    assertThat(MPI.detachBuffer()).isSameAs(second);
  }

  @Test
  void environmentIsKnown() throws Exception {
    assertThat(MPI.INFO_ENV.get("argv")).isEqualTo("one two");
    assertThat(MPI.INFO_ENV.get("maxprocs")).isEqualTo("1");
    assertThat(MPI.INFO_ENV.get("soft")).isEqualTo("1");
    assertThat(MPI.INFO_ENV.get("host")).isEqualTo(MPI.getProcessorName());
    assertThat(MPI.INFO_ENV.get("arch")).isEqualTo(System.getProperty("os.arch"));
    assertThat(Path.of(MPI.INFO_ENV.get("wdir")).toRealPath()).isEqualTo(Path.of("").toRealPath());
    assertThat(MPI.INFO_ENV.get("ompi_np")).isEqualTo("1");
    assertThat(MPI.INFO_ENV.get("ompi_num_apps")).isEqualTo("1");
    assertThat(MPI.INFO_ENV.get("ompi_first_rank")).isEqualTo("0");
    assertThat(MPI.INFO_ENV.get("thread_level")).isEqualTo("MPI_THREAD_MULTIPLE");
    assertThat(MPI.INFO_ENV.get("command")).isNotEmpty();
  }

  @Test
  void whatWasChosenForTheWorldEndsWithMpi() {
    int key = Comm.createKeyval();
    SELF.setAttr(key, "value");
    SELF.setErrhandler(MPI.ERRORS_RETURN);
    MPI.Finalize();
    begin();
    assertThat(SELF.getErrhandler()).isSameAs(MPI.ERRORS_ARE_FATAL);
    assertThat(SELF.getAttr(key)).isNull();
  }

  @Test
  void afterTheEndCallsThrow() {
    Intracomm twin = SELF.dup();
    Group group = SELF.Group();
    MPI.Finalize();
    String words = "finalised";
    refuses(MPI.ERR_OTHER, words, SELF::Rank);
    refuses(MPI.ERR_OTHER, words, SELF::getSize);
    refuses(MPI.ERR_OTHER, words, SELF::Group);
    refuses(MPI.ERR_OTHER, words, twin::getRank);
    refuses(MPI.ERR_OTHER, words, () -> Comm.compare(SELF, twin));
    refuses(MPI.ERR_OTHER, words, group::Rank);
    refuses(MPI.ERR_OTHER, words, SELF::Barrier);
    begin();
    refuses(MPI.ERR_OTHER, words, twin::getRank);
    assertThat(SELF.Rank()).isZero();
  }

  // Communicators.

  @Test
  void copiesAreMadeWithoutHints() {
    Intracomm twin = SELF.dupWithInfo(MPI.INFO_NULL);
    assertThat(twin.getSize()).isEqualTo(1);
    Info hints = new Info();
    hints.set("key", "value");
    assertThat(SELF.dupWithInfo(hints).getInfo().get("key")).isEqualTo("value");
    assertThat(SELF.createCart(new int[] {1}, new boolean[1], false).dupWithInfo(hints).getInfo())
        .matches(info -> info.size() == 1);
  }

  @Test
  void keysThatWereGivenBackStillLead() {
    int key = Comm.createKeyval();
    SELF.setAttr(key, "value");
    Comm.freeKeyval(key);
    assertThat(SELF.getAttr(key)).isEqualTo("value");
    refuses(MPI.ERR_KEYVAL, "no key", () -> SELF.setAttr(key, "other"));
    SELF.deleteAttr(key);
    refuses(MPI.ERR_KEYVAL, "no key", () -> SELF.getAttr(key));
  }

  @Test
  void communicatorsHaveGroupOfTheirs() {
    assertThat(SELF.group.Size()).isEqualTo(1);
    assertThat(Group.Compare(SELF.dup().group, SELF.Group())).isEqualTo(MPI.IDENT);
  }

  @Test
  void handlersAreInherited() {
    Intracomm parent = SELF.dup();
    parent.setErrhandler(MPI.ERRORS_RETURN);
    assertThat(parent.getErrhandler()).isSameAs(MPI.ERRORS_RETURN);
    Group group = parent.getGroup();
    int[] one = {1};
    Comm[] made = {
      parent.dup(),
      parent.split(0, 0),
      parent.splitType(Comm.TYPE_SHARED, 0, MPI.INFO_NULL),
      parent.create(group),
      parent.createGroup(group, 0),
      parent.Create(group),
      parent.createCart(one, new boolean[1], false),
      parent.Create_cart(one, new boolean[1], false),
      parent.Create_cart(one, new boolean[1], false).Sub(new boolean[] {true}),
      parent.createCart(one, new boolean[1], false).sub(new boolean[] {true}),
      parent.createGraph(one, new int[1], false),
      parent.Create_graph(one, new int[1], false),
      parent.createDistGraphAdjacent(new int[0], new int[0], MPI.INFO_NULL, false)
    };
    assertThat(made).extracting(Comm::getErrhandler).containsOnly(MPI.ERRORS_RETURN);
  }

  @Test
  void whatIsNullIsRefusedByName() {
    int[] word = new int[1];
    refuses(MPI.ERR_TYPE, "Send: the datatype", () -> SELF.Send(word, 0, 1, null, 0, 0));
    refuses(
        MPI.ERR_TYPE, "iSend", () -> SELF.iSend(MPI.slice(word, 0), 1, MPI.DATATYPE_NULL, 0, 0));
    refuses(MPI.ERR_TYPE, "bcast", () -> SELF.bcast(word, 1, null, 0));
    refuses(MPI.ERR_OP, "allReduce", () -> SELF.allReduce(word, 1, MPI.INT, null));
    refuses(MPI.ERR_TYPE, "datatype", () -> Datatype.createContiguous(2, null));
    Datatype freed = Datatype.createContiguous(2, MPI.INT);
    freed.free();
    refuses(MPI.ERR_TYPE, "Recv", () -> SELF.Recv(word, 0, 1, freed, 0, 0));
    Intracomm gone = SELF.dup();
    gone.free();
    refuses(MPI.ERR_COMM, "freed", gone::getRank);
    refuses(MPI.ERR_COMM, "Barrier", () -> MPI.COMM_NULL.iBarrier());
    refuses(MPI.ERR_COMM, "freed", gone::free);
  }

  // Datatypes.

  /** Open MPI reads what lies before a slice: it knows an address, and no more. */
  @Test
  void typesReachBackOverSlices() {
    Datatype back = Datatype.createVector(12, 1, -2, MPI.SHORT);
    ByteBuffer direct = MPI.newByteBuffer(96);
    byte[] array = new byte[96];
    for (int i = 0; i < 96; i++) {
      direct.put(i, (byte) i);
      array[i] = (byte) i;
    }
    ByteBuffer again = MPI.slice(MPI.slice(direct, 40), 8);
    ByteBuffer asShorts = MPI.newByteBuffer(96);
    ByteBuffer[] slices = {MPI.slice(direct, 48), again, MPI.slice(array, 48)};
    for (ByteBuffer slice : slices) {
      byte[] packed = new byte[48];
      assertThat(SELF.pack(slice, 2, back, packed, 0)).isEqualTo(48);
      assertThat(packed).startsWith(48, 49, 44, 45, 40, 41).endsWith(50, 51);
      assertThat(packed[23]).isEqualTo((byte) 5);
      assertThat(packed[24]).isEqualTo((byte) 94);
      ByteBuffer into = MPI.newByteBuffer(96);
      assertThat(SELF.unpack(packed, 0, MPI.slice(into, 48), 2, back)).isEqualTo(48);
      assertThat(into.get(4)).isEqualTo((byte) 4);
      assertThat(into.get(6)).isZero();
      SELF.iSend(slice, 2, back, 0, 3).free();
      Status _ = SELF.recv(MPI.slice(asShorts.asShortBuffer(), 24), 2, back, 0, 3);
      assertThat(asShorts.get(5)).isEqualTo((byte) 5);
    }
    refuses(MPI.ERR_BUFFER, "fit", () -> SELF.pack(MPI.slice(direct, 8), 1, back, new byte[48], 0));
    refuses(MPI.ERR_BUFFER, "fit", () -> SELF.pack(direct, 1, back, new byte[48], 0));
  }

  @Test
  void structsAreAlignedAsTheirParts() {
    Datatype inner =
        Datatype.createStruct(
            new int[] {1, 1}, new int[] {0, 8}, new Datatype[] {MPI.DOUBLE, MPI.INT});
    assertThat(inner.getExtent()).isEqualTo(16);
    Datatype outer =
        Datatype.createStruct(new int[] {1, 1}, new int[] {0, 16}, new Datatype[] {inner, MPI.INT});
    assertThat(outer.getExtent()).isEqualTo(24);
    Datatype bytes =
        Datatype.createStruct(
            new int[] {1, 1}, new int[] {0, 1}, new Datatype[] {MPI.BYTE, MPI.CHAR});
    assertThat(bytes.getExtent()).isEqualTo(4);
  }

  @Test
  void typesMayBeFreedWhileRequestsGoOn() {
    int[] in = new int[4];
    Datatype pair = Datatype.Contiguous(2, MPI.INT);
    Request came = SELF.Irecv(in, 0, 2, pair, 0, 1);
    Request left = SELF.Isend(new int[] {1, 2, 3, 4}, 0, 2, pair, 0, 1);
    Prequest again = SELF.Send_init(new int[] {5, 6}, 0, 1, pair, 0, 2);
    pair.Free();
    Status _ = left.Wait();
    assertThat(came.Wait().count).isEqualTo(2);
    assertThat(in).containsExactly(1, 2, 3, 4);
    again.Start();
    Status _ = again.Wait();
    Status _ = SELF.Recv(in, 0, 2, MPI.INT, 0, 2);
    assertThat(in).startsWith(5, 6);
  }

  /** Once in a while the thread of the collective came second. */
  @Test
  void operationsMayBeFreedWhileCollectivesGoOn() {
    IntBuffer in = MPI.newIntBuffer(2).put(0, 3).put(1, 4);
    IntBuffer out = MPI.newIntBuffer(2);
    for (int i = 0; i < 2_000; i++) {
      Op sum =
          new Op(
              new User_function() {
                @Override
                public void Call(Object a, int aAt, Object b, int bAt, int count, Datatype type) {}
              },
              true);
      Datatype pair = Datatype.createContiguous(2, MPI.INT);
      Request request = SELF.iAllReduce(in, out, 1, pair, sum);
      sum.free();
      pair.free();
      request.waitFor();
    }
    assertThat(out.get(1)).isEqualTo(4);
  }

  // Objects.

  private static final class Counter implements Serializable {
    private static final long serialVersionUID = 1;
    int value = 1;
  }

  /** A function that changes what it is given changes nothing of the program's. */
  @Test
  void reductionsLeaveObjectsAlone() {
    Op raise =
        new Op(
            new User_function() {
              @Override
              public void Call(Object in, int inAt, Object to, int toAt, int count, Datatype type) {
                for (int i = 0; i < count; i++) {
                  ((Counter) ((Object[]) to)[toAt + i]).value++;
                }
              }
            },
            true);
    Object[] mine = {new Counter()};
    Object[] result = {new Counter()};
    Comm.reduceLocal(mine, result, 1, MPI.OBJECT, raise);
    assertThat(((Counter) result[0]).value).isEqualTo(2);
    SELF.Allreduce(mine, 0, result, 0, 1, MPI.OBJECT, raise);
    ((Counter) result[0]).value = 7;
    SELF.Scan(mine, 0, result, 0, 1, MPI.OBJECT, raise);
    ((Counter) result[0]).value = 7;
    SELF.Allgather(mine, 0, 1, MPI.OBJECT, result, 0, 1, MPI.OBJECT);
    ((Counter) result[0]).value = 7;
    assertThat(((Counter) mine[0]).value).isEqualTo(1);
  }

  @Test
  void freedReceiveOfObjectsStillFillsTheArray() {
    Object[] in = new Object[1];
    SELF.Irecv(in, 0, 1, MPI.OBJECT, 0, 1).Free();
    SELF.Send(new Object[] {"text"}, 0, 1, MPI.OBJECT, 0, 1);
    assertThat(in[0]).isEqualTo("text");
    SELF.Isend(new Object[] {"more"}, 0, 1, MPI.OBJECT, 0, 2).Free();
    SELF.Irecv(in, 0, 1, MPI.OBJECT, 0, 2).Free();
    assertThat(in[0]).isEqualTo("more");
  }

  // Errors.

  @Test
  void bothHalvesOfAnExchangeAreCheckedFirst() {
    int[] out = {1};
    int[] in = {0};
    refuses(
        MPI.ERR_RANK,
        "Sendrecv",
        () -> SELF.Sendrecv(out, 0, 1, MPI.INT, 7, 1, in, 0, 1, MPI.INT, 0, 1));
    refuses(
        MPI.ERR_TAG, "sendRecv", () -> SELF.sendRecv(out, 1, MPI.INT, 0, 1, in, 1, MPI.INT, 0, -9));
    refuses(
        MPI.ERR_RANK,
        "Sendrecv_replace",
        () -> SELF.Sendrecv_replace(out, 0, 1, MPI.INT, 0, 1, 7, 1));
    refuses(MPI.ERR_RANK, "destination: rank 7", () -> SELF.Send(out, 0, 1, MPI.INT, 7, 1));
    refuses(MPI.ERR_RANK, "source: rank 8", () -> SELF.Recv(in, 0, 1, MPI.INT, 8, 1));
    assertThat(SELF.Iprobe(0, 1)).as("nothing was sent").isNull();
    SELF.Isend(out, 0, 1, MPI.INT, 0, 1).Free();
    int[] other = new int[1];
    Status _ = SELF.Recv(other, 0, 1, MPI.INT, 0, 1);
    assertThat(in[0]).as("nothing waits to be received").isZero();
  }

  @Test
  void requestsNameTheCallThatBeganThem() {
    Request short1 = SELF.Irecv(new int[1], 0, 1, MPI.INT, 0, 1);
    Request short2 = SELF.iRecv(MPI.newIntBuffer(1), 1, MPI.INT, 0, 1);
    Prequest short3 = SELF.Recv_init(new int[1], 0, 1, MPI.INT, 0, 1);
    short3.Start();
    for (int i = 0; i < 3; i++) {
      SELF.Send(new int[2], 0, 2, MPI.INT, 0, 1);
    }
    refuses(MPI.ERR_TRUNCATE, "Comm.Irecv: ", short1::Wait);
    refuses(MPI.ERR_TRUNCATE, "Comm.iRecv: ", short2::waitFor);
    refuses(MPI.ERR_TRUNCATE, "Comm.Recv_init: ", short3::test);
  }

  @Test
  void memoryThatIsTooShortIsRefusedEverywhere() {
    int[] two = {1, 2};
    int[] one = new int[1];
    int[] counts = {2};
    int[] places = {0};
    Datatype type = MPI.INT;
    ThrowingCallable[] calls = {
      () -> SELF.Gather(two, 0, 2, type, one, 0, 2, type, 0),
      () -> SELF.Gather(one, 0, 2, type, two, 0, 2, type, 0),
      () -> SELF.Gatherv(two, 0, 2, type, one, 0, counts, places, type, 0),
      () -> SELF.Scatter(two, 0, 2, type, one, 0, 2, type, 0),
      () -> SELF.Scatter(one, 0, 2, type, two, 0, 2, type, 0),
      () -> SELF.Scatterv(two, 0, counts, places, type, one, 0, 2, type, 0),
      () -> SELF.Allgather(one, 0, 2, type, two, 0, 2, type),
      () -> SELF.Allgatherv(one, 0, 2, type, two, 0, counts, places, type),
      () -> SELF.Alltoall(one, 0, 2, type, two, 0, 2, type),
      () -> SELF.Reduce(two, 0, one, 0, 2, type, MPI.SUM, 0),
      () -> SELF.Allreduce(two, 0, one, 0, 2, type, MPI.SUM),
      () -> SELF.Reduce_scatter(two, 0, one, 0, counts, type, MPI.SUM),
      () -> SELF.Scan(two, 0, one, 0, 2, type, MPI.SUM),
      () -> SELF.exScan(two, one, 2, type, MPI.SUM),
      () -> SELF.Bcast(one, 0, 2, type, 0),
    };
    for (int i = 0; i < calls.length; i++) {
      int which = i;
      MPIException e = catchThrowableOfType(MPIException.class, calls[i]);
      assertThat(e).as("call %d", which).isNotNull();
      assertThat(e.getErrorClass()).as("call %d: %s", which, e).isEqualTo(MPI.ERR_BUFFER);
    }
    refuses(
        MPI.ERR_ARG,
        "Gatherv: counts",
        () -> SELF.Gatherv(two, 0, 2, type, two, 0, new int[0], places, type, 0));
  }

  /** They are errors of the communicator, as those of messages are, and nothing else. */
  @Test
  void callsOnTopologiesAndKeysNameTheirErrors() {
    boolean[] no = {false};
    int[] one = {1};
    CartComm grid = SELF.createCart(one, no, false);
    Cartcomm upper = SELF.Create_cart(one, no, false);
    GraphComm graph = SELF.createGraph(one, new int[1], false);
    refuses(MPI.ERR_DIMS, "Comm.createCart: ", () -> SELF.createCart(one, new boolean[2], false));
    refuses(MPI.ERR_DIMS, "Comm.Create_cart: ", () -> SELF.Create_cart(new int[1], no, false));
    refuses(MPI.ERR_DIMS, "Cartcomm.Dims_create: ", () -> Cartcomm.Dims_create(0, new int[1]));
    refuses(MPI.ERR_ARG, "Comm.createGraph: ", () -> SELF.createGraph(one, new int[0], false));
    refuses(MPI.ERR_ARG, "Comm.Create_graph: ", () -> SELF.Create_graph(one, new int[] {3}, false));
    refuses(MPI.ERR_ARG, "Comm.splitType: ", () -> SELF.splitType(77, 0, MPI.INFO_NULL));
    refuses(MPI.ERR_ARG, "Comm.shift: ", () -> grid.shift(1, 1));
    refuses(MPI.ERR_ARG, "Comm.Rank: ", () -> upper.Rank(one));
    refuses(MPI.ERR_ARG, "0 coordinates", () -> grid.getRank(new int[0]));
    refuses(MPI.ERR_ARG, "Comm.sub: 0 dimensions", () -> grid.sub(new boolean[0]));
    refuses(MPI.ERR_RANK, "Comm.Coords: ", () -> upper.Coords(1));
    refuses(MPI.ERR_RANK, "Comm.getNeighbors: ", () -> graph.getNeighbors(1));
    refuses(MPI.ERR_TOPOLOGY, "Comm.getDistGraphNeighbors: ", graph::getDistGraphNeighbors);
    refuses(
        MPI.ERR_TOPOLOGY,
        "Comm.neighborAllGather: the communicator has no topology",
        () -> SELF.neighborAllGather(one, 1, MPI.INT, one, 1, MPI.INT));
    IntBuffer in = MPI.newIntBuffer(1);
    refuses(
        MPI.ERR_TOPOLOGY,
        "Comm.iNeighborAllGather: ",
        () -> SELF.iNeighborAllGather(in, 1, MPI.INT, in, 1, MPI.INT));
    refuses(MPI.ERR_KEYVAL, "Comm.setAttr: ", () -> SELF.setAttr(99_999, "value"));
    refuses(MPI.ERR_KEYVAL, "Comm.freeKeyval: ", () -> Comm.freeKeyval(99_999));
    refuses(MPI.ERR_KEYVAL, "Datatype.getAttr: ", () -> MPI.INT.getAttr(99_999));
    refuses(MPI.ERR_REQUEST, "Comm.iBarrier: ", () -> SELF.iBarrier().cancel());
  }

  @Test
  void whatIsPredefinedCannotBeFreed() {
    refuses(MPI.ERR_INFO, "predefined", MPI.INFO_ENV::free);
    assertThat(MPI.INFO_ENV.get("maxprocs")).isEqualTo("1");
    refuses(MPI.ERR_COMM, "Comm.free: a predefined", SELF::free);
    refuses(MPI.ERR_GROUP, "predefined", MPI.GROUP_EMPTY::free);
    refuses(MPI.ERR_TYPE, "predefined", MPI.INT::free);
    refuses(MPI.ERR_OP, "predefined", MPI.SUM::free);
  }

  /** All tags of messages are such of groups, too; a negative one could be that of a collective. */
  @Test
  void tagsOfGroupsAreThoseOfMessages() {
    Group group = SELF.getGroup();
    int most = (Integer) SELF.getAttr(MPI.TAG_UB);
    assertThat(SELF.createGroup(group, most).getSize()).isEqualTo(1);
    refuses(MPI.ERR_TAG, "Comm.createGroup: tag -10; allowed", () -> SELF.createGroup(group, -10));
    refuses(
        MPI.ERR_BUFFER, "Comm.Send: java.lang.String", () -> SELF.Send("x", 1, 1, MPI.INT, 0, 0));
  }

  /** The grid that is left has the dimensions that there are; more answers do not matter. */
  @Test
  void longerChoicesOfDimensionsDo() {
    CartComm grid = SELF.createCart(new int[] {1, 1}, new boolean[2], false);
    CartParms rest = grid.sub(new boolean[] {false, true, true}).getTopo();
    assertThat(rest.getDimCount()).isEqualTo(1);
  }

  // Graphs.

  @Test
  void graphsMayBeGivenInLongerArrays() {
    int[] edges = {0, 0, 99};
    GraphComm graph =
        SELF.createDistGraph(new int[] {0}, new int[] {2}, edges, MPI.INFO_NULL, false);
    assertThat(graph.getDistGraphNeighbors().getInDegree()).isEqualTo(2);
    assertThat(graph.getDistGraphNeighbors().getOutDegree()).isEqualTo(2);
    int[] weights = Arrays.copyOf(edges, 5);
    GraphComm weighted =
        SELF.createDistGraph(new int[] {0}, new int[] {1}, edges, weights, MPI.INFO_NULL, true);
    assertThat(weighted.getDistGraphNeighbors().getOutDegree()).isEqualTo(1);
    assertThatThrownBy(
            () -> SELF.createDistGraph(new int[] {0}, new int[] {4}, edges, MPI.INFO_NULL, false))
        .hasMessageContaining("degrees of 4 edges");
  }
}
