package mpi;

import io.busbar.mpi.Collectives;
import io.busbar.mpi.Communicator;
import io.busbar.mpi.MpiError;
import io.busbar.mpi.Operation;
import java.lang.foreign.MemorySegment;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Processes that exchange messages. Methods with a capital letter are those of mpiJava, as MPJ
 * Express has them: their buffers are arrays with an offset. The others are those of Open MPI.
 */
public class Comm implements Freeable, Cloneable {
  /** Processes that share memory. */
  public static final int TYPE_SHARED = 0;

  private static final BusbarKeys KEYS = new BusbarKeys();

  /** Its processes, as programs of MPJ Express read them; null where {@link #isNull} holds. */
  public Group group;

  private Communicator core;
  private String name = "";
  private Errhandler handler = MPI.ERRORS_ARE_FATAL;
  private boolean handlerChosen;
  private BusbarKeys.Attributes attributes = KEYS.new Attributes();
  private Info info;

  /** That of {@link #iDup}. */
  private Request making;

  Comm(Communicator core) {
    become(core);
  }

  /** What it is from now on. */
  final void become(Communicator other) {
    core = other;
    group = other == null ? null : new Group(other.group());
  }

  /** MPI has ended: what the program has chosen for it, and hung on it, ends with that. */
  final void forget() {
    handler = MPI.ERRORS_ARE_FATAL;
    handlerChosen = false;
    attributes = KEYS.new Attributes();
    info = null;
  }

  /** What it stands for. */
  final Communicator core() {
    Communicator usable = core;
    if (usable == null) {
      throw new MpiError(
          MpiError.Kind.COMM,
          MPI.wasInitialised()
              ? "the communicator is null, or was freed"
              : "MPI is not initialised");
    }
    usable.checkUsable();
    return usable;
  }

  /** What a datatype stands for now; what is done with it later does not matter any more. */
  static io.busbar.mpi.Datatype core(Datatype type) {
    if (type == null) {
      throw Datatype.missing();
    }
    return type.core();
  }

  static Operation core(Op op, Datatype type) {
    if (op == null) {
      throw new MpiError(MpiError.Kind.OP, "the operation is null");
    }
    return op.core(type);
  }

  // BusbarErrors.

  /** An error of a call: what the program chose is done about it. */
  final MPIException error(String call, MpiError error) {
    return raised(new MPIException("Comm." + call, error));
  }

  private MPIException raised(MPIException error) {
    if (handlerChosen && !handler.equals(MPI.ERRORS_RETURN)) {
      System.err.println("MPI error, and errors are fatal: " + error.getMessage());
      error.printStackTrace();
      MPI.end(error.getErrorClass());
    }
    return error;
  }

  final void run(String call, Runnable work) {
    try {
      work.run();
    } catch (MpiError e) {
      throw error(call, e);
    } catch (MPIException e) {
      throw raised(e); // of a group, or a type, that it was given
    }
  }

  final <T> T get(String call, Supplier<T> work) {
    try {
      return work.get();
    } catch (MpiError e) {
      throw error(call, e);
    } catch (MPIException e) {
      throw raised(e);
    }
  }

  private Request begin(
      String call, Datatype type, Function<io.busbar.mpi.Datatype, io.busbar.mpi.Request> work) {
    io.busbar.mpi.Datatype of = get(call, () -> core(type));
    return new Request(get(call, () -> work.apply(of)), of, this, call);
  }

  // Collectives that go on by themselves: what a type or an operation is, is known when they begin.

  /** Does something with elements of a type. */
  @FunctionalInterface
  interface OfType {
    void with(Collectives c, io.busbar.mpi.Datatype type);
  }

  /** Does something with elements of one type at one end, and of another at the other. */
  @FunctionalInterface
  interface OfTypes {
    void with(Collectives c, io.busbar.mpi.Datatype out, io.busbar.mpi.Datatype in);
  }

  /** Does something with elements of a type and an operation. */
  @FunctionalInterface
  interface OfOperation {
    void with(Collectives c, io.busbar.mpi.Datatype type, Operation operation);
  }

  final Request task(String call, Consumer<Collectives> work) {
    return new Request(get(call, () -> core().start(call, work)), null, this, call);
  }

  final Request task(String call, Datatype type, OfType work) {
    io.busbar.mpi.Datatype of = get(call, () -> core(type));
    return task(call, c -> work.with(c, of));
  }

  final Request task(String call, Datatype sendtype, Datatype recvtype, OfTypes work) {
    io.busbar.mpi.Datatype out = get(call, () -> core(sendtype));
    io.busbar.mpi.Datatype in = get(call, () -> core(recvtype));
    return task(call, c -> work.with(c, out, in));
  }

  final Request task(String call, Datatype type, Op op, OfOperation work) {
    io.busbar.mpi.Datatype of = get(call, () -> core(type));
    Operation operation = get(call, () -> core(op, type));
    return task(call, c -> work.with(c, of, operation));
  }

  /** What is done about errors from now on. */
  public void setErrhandler(Errhandler errhandler) throws MPIException {
    handler = errhandler;
    handlerChosen = true;
  }

  /** What is done about errors. */
  public Errhandler getErrhandler() throws MPIException {
    return handler;
  }

  /** As if an error had happened. */
  public void callErrhandler(int errorCode) throws MPIException {
    if (!handler.equals(MPI.ERRORS_RETURN)) {
      System.err.println("MPI error %d, and errors are fatal".formatted(errorCode));
      MPI.end(errorCode);
    }
  }

  /** What is done about errors from now on. */
  public void Errhandler_set(Errhandler errhandler) throws MPIException {
    setErrhandler(errhandler);
  }

  /** What is done about errors. */
  public Errhandler Errhandler_get() throws MPIException {
    return getErrhandler();
  }

  // What it is.

  /** How many processes there are. */
  public final int getSize() throws MPIException {
    return get("getSize", () -> core().size());
  }

  /** The rank of this one. */
  public final int getRank() throws MPIException {
    return get("getRank", () -> core().rank());
  }

  /** How many processes there are. */
  public int Size() throws MPIException {
    return getSize();
  }

  /** The rank of this one. */
  public int Rank() throws MPIException {
    return getRank();
  }

  /** How two compare: IDENT, CONGRUENT, SIMILAR or UNEQUAL. */
  public static int compare(Comm comm1, Comm comm2) throws MPIException {
    return BusbarErrors.get(
        "Comm.compare", () -> mpi.Group.code(comm1.core().compare(comm2.core())));
  }

  /** How two compare. */
  public static int Compare(Comm comm1, Comm comm2) throws MPIException {
    return compare(comm1, comm2);
  }

  /** Gives it back; what is under way goes on. */
  @Override
  public void free() throws MPIException {
    run("free", this::freeCore);
    core = null;
  }

  private void freeCore() {
    if (equals(MPI.COMM_WORLD) || equals(MPI.COMM_SELF)) {
      throw new MpiError(MpiError.Kind.COMM, "a predefined communicator cannot be freed");
    }
    core().free();
  }

  /** Gives it back. */
  public void Free() throws MPIException {
    free();
  }

  /** Whether it is none. */
  public final boolean isNull() {
    return core == null;
  }

  /** Gives it back, when all that is under way is over. */
  public final void disconnect() throws MPIException {
    barrier();
    free();
  }

  /** Sets hints. */
  public final void setInfo(Info hints) throws MPIException {
    info = get("setInfo", () -> Info.copy(hints));
  }

  /** Its hints. */
  public final Info getInfo() throws MPIException {
    return info == null ? new Info() : info.dup();
  }

  /** Its processes. */
  public final Group getGroup() throws MPIException {
    return get("getGroup", () -> new Group(core().group()));
  }

  /** Its processes. */
  public Group Group() throws MPIException {
    return getGroup();
  }

  /** Whether it has two sides. */
  public final boolean isInter() throws MPIException {
    return get("isInter", () -> core().isInter());
  }

  /** Whether it has two sides. */
  public boolean Test_inter() throws MPIException {
    return isInter();
  }

  /** Its topology: UNDEFINED, CART, GRAPH or DIST_GRAPH. */
  public int getTopology() throws MPIException {
    return MPI.UNDEFINED;
  }

  /** Its topology. */
  public int Topo_test() throws MPIException {
    return getTopology();
  }

  /** Gives it a name. */
  public final void setName(String other) throws MPIException {
    name = other;
    if (core != null) {
      core.setName(other);
    }
  }

  /** Its name. */
  public final String getName() throws MPIException {
    return name;
  }

  /** Ends all processes. */
  public final void abort(int errorcode) throws MPIException {
    MPI.abort(errorcode);
  }

  /** Ends all processes. */
  public void Abort(int errorcode) throws MPIException {
    MPI.abort(errorcode);
  }

  // Copies.

  /** What a copy takes over. */
  final <T extends Comm> T inherit(T made) {
    Comm copy = made;
    copy.attributes = attributes.copy();
    return descend(made);
  }

  /** What every communicator takes over that is made of this one. */
  final <T extends Comm> T descend(T made) {
    Comm child = made;
    child.handler = handler;
    child.handlerChosen = handlerChosen;
    return made;
  }

  /** A copy with hints; without any if they are null. */
  final <T extends Comm> T hinted(T copy, Info hints) {
    if (hints != null && !hints.isNull()) {
      copy.setInfo(hints);
    }
    return copy;
  }

  /** A copy that is null until its request is over. */
  final <T extends Comm> T later(T made) {
    T copy = inherit(made);
    Comm coming = copy;
    coming.making =
        new Request(get("iDup", () -> core().startDuplicate(copy::become)), null, this, "iDup");
    return copy;
  }

  /** One with the same processes. */
  @Override
  public Comm clone() {
    return dup();
  }

  /** One with the same processes. */
  public Comm dup() throws MPIException {
    return inherit(new Comm(get("dup", () -> core().duplicate())));
  }

  /** One with the same processes; it can be used when {@link #getRequest} is over. */
  public Comm iDup() throws MPIException {
    return later(new Comm(null));
  }

  /** One with the same processes, and hints. */
  public Comm dupWithInfo(Info hints) throws MPIException {
    return hinted(dup(), hints);
  }

  /** The request of {@link #iDup}; null, as isNull says, if this was made otherwise. */
  public final Request getRequest() {
    return making == null ? new Request(null, null, this, "getRequest") : making;
  }

  /** One with two sides: these processes, and those of another leader. */
  public final Intercomm createIntercomm(Comm localComm, int localLeader, int remoteLeader, int tag)
      throws MPIException {
    return localComm.descend(
        new Intercomm(
            get(
                "createIntercomm",
                () -> localComm.core().createInter(localLeader, core(), remoteLeader, tag))));
  }

  /** One with two sides: these processes, and those of another leader. */
  public Intercomm Create_intercomm(Comm localComm, int localLeader, int remoteLeader, int tag)
      throws MPIException {
    return createIntercomm(localComm, localLeader, remoteLeader, tag);
  }

  // Attributes.

  /** A key for attributes. */
  public static int createKeyval() throws MPIException {
    return KEYS.create();
  }

  /** Gives a key back. */
  public static void freeKeyval(int keyval) throws MPIException {
    BusbarErrors.run("Comm.freeKeyval", () -> KEYS.free(keyval));
  }

  /** Sets an attribute. */
  public final void setAttr(int keyval, Object value) throws MPIException {
    setAttr("setAttr", keyval, value);
  }

  /** An attribute; null if there is none. */
  public final Object getAttr(int keyval) throws MPIException {
    return getAttr("getAttr", keyval);
  }

  /** Takes an attribute away. */
  public final void deleteAttr(int keyval) throws MPIException {
    deleteAttr("deleteAttr", keyval);
  }

  /** An attribute; null if there is none. */
  public Object Attr_get(int keyval) throws MPIException {
    return getAttr("Attr_get", keyval);
  }

  /** Sets an attribute. */
  public void Attr_put(int keyval, Object value) throws MPIException {
    setAttr("Attr_put", keyval, value);
  }

  /** Takes an attribute away. */
  public void Attr_delete(int keyval) throws MPIException {
    deleteAttr("Attr_delete", keyval);
  }

  private void setAttr(String call, int keyval, Object value) {
    run(call, () -> attributes.set(keyval, value));
  }

  private Object getAttr(String call, int keyval) {
    Object predefined = MPI.attribute(keyval);
    return predefined != null ? predefined : get(call, () -> attributes.get(keyval));
  }

  private void deleteAttr(String call, int keyval) {
    run(call, () -> attributes.delete(keyval));
  }

  // Probes.

  /** What has come, if anything has; else null. */
  public final Status iProbe(int source, int tag) throws MPIException {
    io.busbar.mpi.Status probed = new io.busbar.mpi.Status();
    boolean found = get("iProbe", () -> core().tryProbe(source, tag, probed));
    return found ? new Status(probed) : null;
  }

  /** Waits for a message, and says what it is. */
  public final Status probe(int source, int tag) throws MPIException {
    io.busbar.mpi.Status probed = new io.busbar.mpi.Status();
    run("probe", () -> core().probe(source, tag, probed));
    return new Status(probed);
  }

  /** What has come, if anything has; else null. */
  public Status Iprobe(int source, int tag) throws MPIException {
    return iProbe(source, tag);
  }

  /** Waits for a message, and says what it is. */
  public Status Probe(int source, int tag) throws MPIException {
    return probe(source, tag);
  }

  // Point to point.

  /** Where a part of an array begins. */
  static long place(Object buf, int offset, Datatype type) {
    boolean isWrong = type == null || type.isNull(); // which is said by the call itself
    try {
      return buf == null || offset == 0 || isWrong ? 0 : type.core().place(buf, offset);
    } catch (MpiError e) {
      return 0; // so is that it is no array
    }
  }

  private void send(
      String call, Object buf, long at, int count, Datatype type, int dest, int tag, boolean sync) {
    try {
      core().send(buf, at, count, core(type), dest, tag, sync);
    } catch (MpiError e) {
      throw error(call, e);
    }
  }

  private Status recv(
      String call, Object buf, long at, int count, Datatype type, int source, int tag) {
    io.busbar.mpi.Request received = received(call, buf, at, count, type, source, tag);
    Status status = new Status(received, core(type));
    core().giveBack(received);
    return status;
  }

  private io.busbar.mpi.Request received(
      String call, Object buf, long at, int count, Datatype type, int source, int tag) {
    try {
      return core().receive(buf, at, count, core(type), source, tag);
    } catch (MpiError e) {
      throw error(call, e);
    }
  }

  /** How many elements an upper-case receive asks for: what does not fit is refused if it comes. */
  private int room(String call, Object buf, long at, int count, Datatype type) {
    boolean isWrong = type == null || type.isNull(); // which is said by the call itself
    try {
      return isWrong ? count : type.core().room(buf, at, count);
    } catch (MpiError e) {
      throw error(call, e);
    }
  }

  private Request isend(
      String call, Object buf, long at, int count, Datatype type, int dest, int tag, boolean sync) {
    return begin(call, type, of -> core().startSend(buf, at, count, of, dest, tag, sync));
  }

  /** As MPJ Express does it: a program may change its array as soon as this returns. */
  private Request isendApart(
      String call, Object buf, int offset, int count, Datatype type, int dest, int tag, boolean s) {
    long at = place(buf, offset, type);
    return begin(call, type, of -> core().startSendApart(buf, at, count, of, dest, tag, s));
  }

  private Request irecv(
      String call, Object buf, long at, int count, Datatype type, int source, int tag) {
    return begin(call, type, of -> core().startReceive(buf, at, count, of, source, tag));
  }

  /** A buffered send: what is sent is a copy, which may leave at any time. */
  private io.busbar.mpi.Request bsend(
      Object buf, long at, int count, io.busbar.mpi.Datatype type, int dest, int tag) {
    io.busbar.mpi.Request sent = core().startSendCopy(buf, at, count, type, dest, tag);
    MPI.onBuffered(sent);
    return sent;
  }

  private Prequest persistent(
      String call, Datatype type, Function<io.busbar.mpi.Datatype, io.busbar.mpi.Request> work) {
    io.busbar.mpi.Datatype of = get(call, () -> core(type));
    return new Prequest(of, this, call, () -> work.apply(of));
  }

  private Prequest persistentSend(
      String call, Object buf, long at, int count, Datatype type, int dest, int tag, boolean sync) {
    run(call, () -> core().checkSend(buf, at, count, core(type), dest, tag));
    return persistent(call, type, of -> core().startSend(buf, at, count, of, dest, tag, sync));
  }

  private Prequest persistentApart(
      String call, Object buf, int offset, int count, Datatype type, int dest, int tag, boolean s) {
    long at = place(buf, offset, type);
    run(call, () -> core().checkSend(buf, at, count, core(type), dest, tag));
    return persistent(call, type, of -> core().startSendApart(buf, at, count, of, dest, tag, s));
  }

  private static io.busbar.mpi.Request over(io.busbar.mpi.Request copied) {
    return copied.asOver();
  }

  /** Sends. */
  public final void send(Object buf, int count, Datatype type, int dest, int tag)
      throws MPIException {
    send("send", buf, 0, count, type, dest, tag, false);
  }

  /** Sends. */
  public void Send(Object buf, int offset, int count, Datatype type, int dest, int tag)
      throws MPIException {
    send("Send", buf, place(buf, offset, type), count, type, dest, tag, false);
  }

  /** Begins: sends. */
  public final Request iSend(Buffer buf, int count, Datatype type, int dest, int tag)
      throws MPIException {
    return isend("iSend", buf, 0, count, type, dest, tag, false);
  }

  /** Begins: sends. */
  public Request Isend(Object buf, int offset, int count, Datatype type, int dest, int tag)
      throws MPIException {
    return isendApart("Isend", buf, offset, count, type, dest, tag, false);
  }

  /** To be begun again and again: sends. */
  public final Prequest sendInit(Buffer buf, int count, Datatype type, int dest, int tag)
      throws MPIException {
    return persistentSend("sendInit", buf, 0, count, type, dest, tag, false);
  }

  /** To be begun again and again: sends. */
  public Prequest Send_init(Object buf, int offset, int count, Datatype type, int dest, int tag)
      throws MPIException {
    return persistentApart("Send_init", buf, offset, count, type, dest, tag, false);
  }

  /** Sends, and waits until a receive has matched. */
  public final void sSend(Object buf, int count, Datatype type, int dest, int tag)
      throws MPIException {
    send("sSend", buf, 0, count, type, dest, tag, true);
  }

  /** Sends, and waits until a receive has matched. */
  public void Ssend(Object buf, int offset, int count, Datatype type, int dest, int tag)
      throws MPIException {
    send("Ssend", buf, place(buf, offset, type), count, type, dest, tag, true);
  }

  /** Begins: sends, and waits until a receive has matched. */
  public final Request isSend(Buffer buf, int count, Datatype type, int dest, int tag)
      throws MPIException {
    return isend("isSend", buf, 0, count, type, dest, tag, true);
  }

  /** Begins: sends, and waits until a receive has matched. */
  public Request Issend(Object buf, int offset, int count, Datatype type, int dest, int tag)
      throws MPIException {
    return isendApart("Issend", buf, offset, count, type, dest, tag, true);
  }

  /** To be begun again and again: sends, and waits until a receive has matched. */
  public final Prequest sSendInit(Buffer buf, int count, Datatype type, int dest, int tag)
      throws MPIException {
    return persistentSend("sSendInit", buf, 0, count, type, dest, tag, true);
  }

  /** To be begun again and again: sends, and waits until a receive has matched. */
  public Prequest Ssend_init(Object buf, int offset, int count, Datatype type, int dest, int tag)
      throws MPIException {
    return persistentApart("Ssend_init", buf, offset, count, type, dest, tag, true);
  }

  /** Sends to a receive that was begun before. */
  public final void rSend(Object buf, int count, Datatype type, int dest, int tag)
      throws MPIException {
    send("rSend", buf, 0, count, type, dest, tag, false);
  }

  /** Sends to a receive that was begun before. */
  public void Rsend(Object buf, int offset, int count, Datatype type, int dest, int tag)
      throws MPIException {
    send("Rsend", buf, place(buf, offset, type), count, type, dest, tag, false);
  }

  /** Begins: sends to a receive that was begun before. */
  public final Request irSend(Buffer buf, int count, Datatype type, int dest, int tag)
      throws MPIException {
    return isend("irSend", buf, 0, count, type, dest, tag, false);
  }

  /** Begins: sends to a receive that was begun before. */
  public Request Irsend(Object buf, int offset, int count, Datatype type, int dest, int tag)
      throws MPIException {
    return isendApart("Irsend", buf, offset, count, type, dest, tag, false);
  }

  /** To be begun again and again: sends to a receive that was begun before. */
  public final Prequest rSendInit(Buffer buf, int count, Datatype type, int dest, int tag)
      throws MPIException {
    return persistentSend("rSendInit", buf, 0, count, type, dest, tag, false);
  }

  /** To be begun again and again: sends to a receive that was begun before. */
  public Prequest Rsend_init(Object buf, int offset, int count, Datatype type, int dest, int tag)
      throws MPIException {
    return persistentApart("Rsend_init", buf, offset, count, type, dest, tag, false);
  }

  /** Sends a copy, and never waits. */
  public final void bSend(Object buf, int count, Datatype type, int dest, int tag)
      throws MPIException {
    io.busbar.mpi.Request _ = get("bSend", () -> bsend(buf, 0, count, core(type), dest, tag));
  }

  /** Sends a copy, and never waits. */
  public void Bsend(Object buf, int offset, int count, Datatype type, int dest, int tag)
      throws MPIException {
    long at = place(buf, offset, type);
    io.busbar.mpi.Request _ = get("Bsend", () -> bsend(buf, at, count, core(type), dest, tag));
  }

  /** Sends a copy. */
  public final Request ibSend(Buffer buf, int count, Datatype type, int dest, int tag)
      throws MPIException {
    return begin("ibSend", type, of -> over(bsend(buf, 0, count, of, dest, tag)));
  }

  /** Sends a copy. */
  public Request Ibsend(Object buf, int offset, int count, Datatype type, int dest, int tag)
      throws MPIException {
    long at = place(buf, offset, type);
    return begin("Ibsend", type, of -> over(bsend(buf, at, count, of, dest, tag)));
  }

  /** To be begun again and again: sends a copy. */
  public final Prequest bSendInit(Buffer buf, int count, Datatype type, int dest, int tag)
      throws MPIException {
    return persistentCopy("bSendInit", buf, 0, count, type, dest, tag);
  }

  /** To be begun again and again: sends a copy. */
  public Prequest Bsend_init(Object buf, int offset, int count, Datatype type, int dest, int tag)
      throws MPIException {
    return persistentCopy("Bsend_init", buf, place(buf, offset, type), count, type, dest, tag);
  }

  private Prequest persistentCopy(
      String call, Object buf, long at, int count, Datatype type, int dest, int tag) {
    run(call, () -> core().checkSend(buf, at, count, core(type), dest, tag));
    return persistent(call, type, of -> over(bsend(buf, at, count, of, dest, tag)));
  }

  /** Receives. */
  public final Status recv(Object buf, int count, Datatype type, int source, int tag)
      throws MPIException {
    return recv("recv", buf, 0, count, type, source, tag);
  }

  /** Receives. */
  public Status Recv(Object buf, int offset, int count, Datatype type, int source, int tag)
      throws MPIException {
    long at = place(buf, offset, type);
    return recv("Recv", buf, at, room("Recv", buf, at, count, type), type, source, tag);
  }

  /** Begins to receive. */
  public final Request iRecv(Buffer buf, int count, Datatype type, int source, int tag)
      throws MPIException {
    return irecv("iRecv", buf, 0, count, type, source, tag);
  }

  /** Begins to receive. */
  public Request Irecv(Object buf, int offset, int count, Datatype type, int source, int tag)
      throws MPIException {
    long at = place(buf, offset, type);
    return irecv("Irecv", buf, at, room("Irecv", buf, at, count, type), type, source, tag);
  }

  /** To be begun again and again: receives. */
  public final Prequest recvInit(Buffer buf, int count, Datatype type, int source, int tag)
      throws MPIException {
    return persistentReceive("recvInit", buf, 0, count, type, source, tag);
  }

  /** To be begun again and again: receives. */
  public Prequest Recv_init(Object buf, int offset, int count, Datatype type, int source, int tag)
      throws MPIException {
    long at = place(buf, offset, type);
    int room = room("Recv_init", buf, at, count, type);
    return persistentReceive("Recv_init", buf, at, room, type, source, tag);
  }

  private Prequest persistentReceive(
      String call, Object buf, long at, int count, Datatype type, int source, int tag) {
    run(call, () -> core().checkReceive(buf, at, count, core(type), source, tag));
    return persistent(call, type, of -> core().startReceive(buf, at, count, of, source, tag));
  }

  /** Sends and receives at once. */
  public final Status sendRecv(
      Object sendbuf,
      int sendcount,
      Datatype sendtype,
      int dest,
      int sendtag,
      Object recvbuf,
      int recvcount,
      Datatype recvtype,
      int source,
      int recvtag)
      throws MPIException {
    return sendRecv(
        "sendRecv",
        sendbuf,
        0,
        sendcount,
        sendtype,
        dest,
        sendtag,
        recvbuf,
        0,
        recvcount,
        recvtype,
        source,
        recvtag);
  }

  /** Sends and receives at once. */
  public Status Sendrecv(
      Object sendbuf,
      int sendoffset,
      int sendcount,
      Datatype sendtype,
      int dest,
      int sendtag,
      Object recvbuf,
      int recvoffset,
      int recvcount,
      Datatype recvtype,
      int source,
      int recvtag)
      throws MPIException {
    long out = place(sendbuf, sendoffset, sendtype);
    long in = place(recvbuf, recvoffset, recvtype);
    return sendRecv(
        "Sendrecv",
        sendbuf,
        out,
        sendcount,
        sendtype,
        dest,
        sendtag,
        recvbuf,
        in,
        room("Sendrecv", recvbuf, in, recvcount, recvtype),
        recvtype,
        source,
        recvtag);
  }

  private Status sendRecv(
      String call,
      Object sendbuf,
      long out,
      int sendcount,
      Datatype sendtype,
      int dest,
      int sendtag,
      Object recvbuf,
      long in,
      int recvcount,
      Datatype recvtype,
      int source,
      int recvtag) {
    run(call, () -> core().checkSend(sendbuf, out, sendcount, core(sendtype), dest, sendtag));
    Request came = irecv(call, recvbuf, in, recvcount, recvtype, source, recvtag);
    boolean isSent = false;
    try {
      send(call, sendbuf, out, sendcount, sendtype, dest, sendtag, false);
      isSent = true;
    } finally {
      if (!isSent) {
        came.takeBack();
      }
    }
    return came.finish();
  }

  /** Sends what is in a buffer, and receives into it. */
  public final Status sendRecvReplace(
      Object buf, int count, Datatype type, int dest, int sendtag, int source, int recvtag)
      throws MPIException {
    return replace("sendRecvReplace", buf, 0, count, type, dest, sendtag, source, recvtag);
  }

  /** Sends what is in a buffer, and receives into it. */
  public Status Sendrecv_replace(
      Object buf,
      int offset,
      int count,
      Datatype type,
      int dest,
      int sendtag,
      int source,
      int recvtag)
      throws MPIException {
    long at = place(buf, offset, type);
    return replace("Sendrecv_replace", buf, at, count, type, dest, sendtag, source, recvtag);
  }

  private Status replace(
      String call,
      Object buf,
      long at,
      int count,
      Datatype type,
      int dest,
      int sendtag,
      int source,
      int recvtag) {
    run(call, () -> core().checkReceive(buf, at, count, core(type), source, recvtag));
    Request sent = begin(call, type, of -> core().startSendCopy(buf, at, count, of, dest, sendtag));
    Status status = recvOrCallBack(call, buf, at, count, type, source, recvtag, sent);
    sent.finishOrLeave();
    return status;
  }

  private Status recvOrCallBack(
      String call,
      Object buf,
      long at,
      int count,
      Datatype type,
      int source,
      int tag,
      Request sent) {
    try {
      return recv(call, buf, at, count, type, source, tag);
    } catch (MPIException e) {
      if (Thread.currentThread().isInterrupted()) {
        sent.cancel();
      }
      throw e;
    }
  }

  // Packing.

  /** How many bytes so many elements need. */
  public final int packSize(int incount, Datatype type) throws MPIException {
    return get("packSize", () -> (int) (incount * core(type).size()));
  }

  /** How many bytes so many elements need. */
  public int Pack_size(int incount, Datatype type) throws MPIException {
    return packSize(incount, type);
  }

  /** Puts elements into a buffer from a position on; the position behind them. */
  public final int pack(Object inbuf, int incount, Datatype type, byte[] outbuf, int position)
      throws MPIException {
    return packTo(inbuf, 0, incount, type, MemorySegment.ofArray(outbuf), position);
  }

  /** Puts elements into a buffer from a position on; the position behind them. */
  public int Pack(Object inbuf, int offset, int incount, Datatype type, byte[] outbuf, int position)
      throws MPIException {
    return packTo(
        inbuf, place(inbuf, offset, type), incount, type, MemorySegment.ofArray(outbuf), position);
  }

  /** Puts elements into a buffer from a position on; the position behind them. */
  public int Pack(
      Object inbuf, int offset, int incount, Datatype type, ByteBuffer outbuf, int position)
      throws MPIException {
    MemorySegment out = MemorySegment.ofBuffer(outbuf.duplicate().clear());
    return packTo(inbuf, place(inbuf, offset, type), incount, type, out, position);
  }

  /** Puts elements into a buffer from a position on; the position behind them. */
  public int Pack(
      Object inbuf, int offset, int incount, Datatype type, mpjbuf.Buffer outbuf, int position)
      throws MPIException {
    return Pack(inbuf, offset, incount, type, outbuf.bytes(), position);
  }

  /** Takes elements out of a buffer from a position on; the position behind them. */
  public int Unpack(
      mpjbuf.Buffer inbuf, int position, Object outbuf, int offset, int outcount, Datatype type)
      throws MPIException {
    return Unpack(inbuf.bytes(), position, outbuf, offset, outcount, type);
  }

  private int packTo(
      Object inbuf, long at, int incount, Datatype type, MemorySegment out, int position) {
    return get("pack", () -> position + core(type).pack(inbuf, at, incount, out, position));
  }

  /** Takes elements out of a buffer from a position on; the position behind them. */
  public final int unpack(byte[] inbuf, int position, Object outbuf, int outcount, Datatype type)
      throws MPIException {
    return unpackFrom(MemorySegment.ofArray(inbuf), position, outbuf, 0, outcount, type);
  }

  /** Takes elements out of a buffer from a position on; the position behind them. */
  public int Unpack(
      byte[] inbuf, int position, Object outbuf, int offset, int outcount, Datatype type)
      throws MPIException {
    return unpackFrom(
        MemorySegment.ofArray(inbuf),
        position,
        outbuf,
        place(outbuf, offset, type),
        outcount,
        type);
  }

  /** Takes elements out of a buffer from a position on; the position behind them. */
  public int Unpack(
      ByteBuffer inbuf, int position, Object outbuf, int offset, int outcount, Datatype type)
      throws MPIException {
    MemorySegment in = MemorySegment.ofBuffer(inbuf.duplicate().clear());
    return unpackFrom(in, position, outbuf, place(outbuf, offset, type), outcount, type);
  }

  private int unpackFrom(
      MemorySegment in, int position, Object outbuf, long at, int outcount, Datatype type) {
    return get("unpack", () -> position + core(type).unpack(in, position, outbuf, at, outcount));
  }

  // Collectives.

  /** An array that matters. */
  private static <T> T given(T array, String what) {
    if (array == null) {
      throw new MpiError(MpiError.Kind.ARG, "no " + what);
    }
    return array;
  }

  private static io.busbar.mpi.Datatype[] cores(Datatype[] types) {
    return Arrays.stream(given(types, "datatypes"))
        .map(Comm::core)
        .toArray(io.busbar.mpi.Datatype[]::new);
  }

  static io.busbar.mpi.Datatype[] cores(io.busbar.mpi.Datatype type, int count) {
    io.busbar.mpi.Datatype[] all = new io.busbar.mpi.Datatype[count];
    Arrays.fill(all, type);
    return all;
  }

  /** A type that matters at the root alone: elsewhere it may be null. */
  final Datatype ofRoot(Datatype type, int root) {
    boolean isNull = type == null || type.isNull();
    boolean isRoot = root == MPI.ROOT || (!isInter() && root == getRank());
    return isNull && !isRoot ? MPI.BYTE : type;
  }

  /** Where equal parts lie, from a place on. */
  static long[] places(long at, int count, io.busbar.mpi.Datatype type, int parts) {
    long[] made = new long[parts];
    Arrays.setAll(made, i -> at + (long) i * count * type.extent());
    return made;
  }

  static long[] places(long at, int[] displs, io.busbar.mpi.Datatype type) {
    long[] made = new long[given(displs, "displacements").length];
    Arrays.setAll(made, i -> at + displs[i] * type.extent());
    return made;
  }

  private static long[] places(int[] bytes) {
    return Arrays.stream(given(bytes, "displacements")).asLongStream().toArray();
  }

  static int[] equal(int count, int parts) {
    int[] made = new int[parts];
    Arrays.fill(made, count);
    return made;
  }

  final int others() {
    return get("getRemoteSize", () -> core().remoteSize());
  }

  /** Nobody returns before all have called it. */
  public final void barrier() throws MPIException {
    run("barrier", () -> core().collectives().barrier());
  }

  /** Begins a barrier. */
  public final Request iBarrier() throws MPIException {
    return task("iBarrier", Collectives::barrier);
  }

  /** All get what the root has. */
  public final void bcast(Object buf, int count, Datatype type, int root) throws MPIException {
    run("bcast", () -> core().collectives().broadcast(buf, 0, count, core(type), root));
  }

  /** Begins: all get what the root has. */
  public final Request iBcast(Buffer buf, int count, Datatype type, int root) throws MPIException {
    return task("iBcast", type, (c, t) -> c.broadcast(buf, 0, count, t, root));
  }

  /** The root gets what all have. */
  public final void gather(
      Object sendbuf,
      int sendcount,
      Datatype sendtype,
      Object recvbuf,
      int recvcount,
      Datatype recvtype,
      int root)
      throws MPIException {
    run(
        "gather",
        () ->
            core()
                .collectives()
                .gather(
                    sendbuf,
                    0,
                    sendcount,
                    core(sendtype),
                    recvbuf,
                    0,
                    recvcount,
                    core(ofRoot(recvtype, root)),
                    root));
  }

  /** Begins: the root gets what all have. */
  public final Request iGather(
      Buffer sendbuf,
      int sendcount,
      Datatype sendtype,
      Buffer recvbuf,
      int recvcount,
      Datatype recvtype,
      int root)
      throws MPIException {
    return task(
        "iGather",
        sendtype,
        ofRoot(recvtype, root),
        (c, s, r) -> c.gather(sendbuf, 0, sendcount, s, recvbuf, 0, recvcount, r, root));
  }

  /** The root gets what all have; its own is there. */
  public final void gather(Object buf, int count, Datatype type, int root) throws MPIException {
    boolean atRoot = getRank() == root;
    run(
        "gather",
        () ->
            core()
                .collectives()
                .gather(
                    atRoot ? Collectives.IN_PLACE : buf,
                    0,
                    count,
                    core(type),
                    buf,
                    0,
                    count,
                    core(type),
                    root));
  }

  /** Begins: the root gets what all have; its own is there. */
  public final Request iGather(Buffer buf, int count, Datatype type, int root) throws MPIException {
    boolean atRoot = getRank() == root;
    return task(
        "iGather",
        type,
        (c, t) ->
            c.gather(atRoot ? Collectives.IN_PLACE : buf, 0, count, t, buf, 0, count, t, root));
  }

  /** The root gets what all have, each at its place. */
  public final void gatherv(
      Object sendbuf,
      int sendcount,
      Datatype sendtype,
      Object recvbuf,
      int[] recvcount,
      int[] displs,
      Datatype recvtype,
      int root)
      throws MPIException {
    run(
        "gatherv",
        () ->
            core()
                .collectives()
                .gatherv(
                    sendbuf,
                    0,
                    sendcount,
                    core(sendtype),
                    recvbuf,
                    0,
                    recvcount,
                    displs,
                    core(ofRoot(recvtype, root)),
                    root));
  }

  /** Begins: the root gets what all have, each at its place. */
  public final Request iGatherv(
      Buffer sendbuf,
      int sendcount,
      Datatype sendtype,
      Buffer recvbuf,
      int[] recvcount,
      int[] displs,
      Datatype recvtype,
      int root)
      throws MPIException {
    return task(
        "iGatherv",
        sendtype,
        ofRoot(recvtype, root),
        (c, s, r) -> c.gatherv(sendbuf, 0, sendcount, s, recvbuf, 0, recvcount, displs, r, root));
  }

  /** At the root: gets what all have; its own is there. */
  public final void gatherv(
      Object recvbuf, int[] recvcount, int[] displs, Datatype recvtype, int root)
      throws MPIException {
    run(
        "gatherv",
        () ->
            core()
                .collectives()
                .gatherv(
                    Collectives.IN_PLACE,
                    0,
                    0,
                    core(recvtype),
                    recvbuf,
                    0,
                    recvcount,
                    displs,
                    core(recvtype),
                    root));
  }

  /** Begins: at the root: gets what all have; its own is there. */
  public final Request iGatherv(
      Buffer recvbuf, int[] recvcount, int[] displs, Datatype recvtype, int root)
      throws MPIException {
    return task(
        "iGatherv",
        recvtype,
        (c, t) -> c.gatherv(Collectives.IN_PLACE, 0, 0, t, recvbuf, 0, recvcount, displs, t, root));
  }

  /** Not at the root: gives what it has. */
  public final void gatherv(Object sendbuf, int sendcount, Datatype sendtype, int root)
      throws MPIException {
    run(
        "gatherv",
        () ->
            core()
                .collectives()
                .gatherv(
                    sendbuf,
                    0,
                    sendcount,
                    core(sendtype),
                    null,
                    0,
                    new int[0],
                    new int[0],
                    core(sendtype),
                    root));
  }

  /** Begins: not at the root: gives what it has. */
  public final Request iGatherv(Buffer sendbuf, int sendcount, Datatype sendtype, int root)
      throws MPIException {
    return task(
        "iGatherv",
        sendtype,
        (c, t) -> c.gatherv(sendbuf, 0, sendcount, t, null, 0, new int[0], new int[0], t, root));
  }

  /** Each gets its part of what the root has. */
  public final void scatter(
      Object sendbuf,
      int sendcount,
      Datatype sendtype,
      Object recvbuf,
      int recvcount,
      Datatype recvtype,
      int root)
      throws MPIException {
    run(
        "scatter",
        () ->
            core()
                .collectives()
                .scatter(
                    sendbuf,
                    0,
                    sendcount,
                    core(ofRoot(sendtype, root)),
                    recvbuf,
                    0,
                    recvcount,
                    core(recvtype),
                    root));
  }

  /** Begins: each gets its part of what the root has. */
  public final Request iScatter(
      Buffer sendbuf,
      int sendcount,
      Datatype sendtype,
      Buffer recvbuf,
      int recvcount,
      Datatype recvtype,
      int root)
      throws MPIException {
    return task(
        "iScatter",
        ofRoot(sendtype, root),
        recvtype,
        (c, s, r) -> c.scatter(sendbuf, 0, sendcount, s, recvbuf, 0, recvcount, r, root));
  }

  /** Each gets its part; that of the root stays. */
  public final void scatter(Object buf, int count, Datatype type, int root) throws MPIException {
    boolean atRoot = getRank() == root;
    run(
        "scatter",
        () ->
            core()
                .collectives()
                .scatter(
                    buf,
                    0,
                    count,
                    core(type),
                    atRoot ? Collectives.IN_PLACE : buf,
                    0,
                    count,
                    core(type),
                    root));
  }

  /** Begins: each gets its part; that of the root stays. */
  public final Request iScatter(Buffer buf, int count, Datatype type, int root)
      throws MPIException {
    boolean atRoot = getRank() == root;
    return task(
        "iScatter",
        type,
        (c, t) ->
            c.scatter(buf, 0, count, t, atRoot ? Collectives.IN_PLACE : buf, 0, count, t, root));
  }

  /** Each gets its part, which has its place. */
  public final void scatterv(
      Object sendbuf,
      int[] sendcount,
      int[] displs,
      Datatype sendtype,
      Object recvbuf,
      int recvcount,
      Datatype recvtype,
      int root)
      throws MPIException {
    run(
        "scatterv",
        () ->
            core()
                .collectives()
                .scatterv(
                    sendbuf,
                    0,
                    sendcount,
                    displs,
                    core(ofRoot(sendtype, root)),
                    recvbuf,
                    0,
                    recvcount,
                    core(recvtype),
                    root));
  }

  /** Begins: each gets its part, which has its place. */
  public final Request iScatterv(
      Buffer sendbuf,
      int[] sendcount,
      int[] displs,
      Datatype sendtype,
      Buffer recvbuf,
      int recvcount,
      Datatype recvtype,
      int root)
      throws MPIException {
    return task(
        "iScatterv",
        ofRoot(sendtype, root),
        recvtype,
        (c, s, r) -> c.scatterv(sendbuf, 0, sendcount, displs, s, recvbuf, 0, recvcount, r, root));
  }

  /** At the root: gives each its part; its own stays. */
  public final void scatterv(
      Object sendbuf, int[] sendcount, int[] displs, Datatype sendtype, int root)
      throws MPIException {
    run(
        "scatterv",
        () ->
            core()
                .collectives()
                .scatterv(
                    sendbuf,
                    0,
                    sendcount,
                    displs,
                    core(sendtype),
                    Collectives.IN_PLACE,
                    0,
                    0,
                    core(sendtype),
                    root));
  }

  /** Begins: at the root: gives each its part; its own stays. */
  public final Request iScatterv(
      Buffer sendbuf, int[] sendcount, int[] displs, Datatype sendtype, int root)
      throws MPIException {
    return task(
        "iScatterv",
        sendtype,
        (c, t) ->
            c.scatterv(sendbuf, 0, sendcount, displs, t, Collectives.IN_PLACE, 0, 0, t, root));
  }

  /** Not at the root: gets its part. */
  public final void scatterv(Object recvbuf, int recvcount, Datatype recvtype, int root)
      throws MPIException {
    run(
        "scatterv",
        () ->
            core()
                .collectives()
                .scatterv(
                    null,
                    0,
                    new int[0],
                    new int[0],
                    core(recvtype),
                    recvbuf,
                    0,
                    recvcount,
                    core(recvtype),
                    root));
  }

  /** Begins: not at the root: gets its part. */
  public final Request iScatterv(Buffer recvbuf, int recvcount, Datatype recvtype, int root)
      throws MPIException {
    return task(
        "iScatterv",
        recvtype,
        (c, t) -> c.scatterv(null, 0, new int[0], new int[0], t, recvbuf, 0, recvcount, t, root));
  }

  /** All get what all have. */
  public final void allGather(
      Object sendbuf,
      int sendcount,
      Datatype sendtype,
      Object recvbuf,
      int recvcount,
      Datatype recvtype)
      throws MPIException {
    run(
        "allGather",
        () ->
            core()
                .collectives()
                .allGather(
                    sendbuf, 0, sendcount, core(sendtype), recvbuf, 0, recvcount, core(recvtype)));
  }

  /** Begins: all get what all have. */
  public final Request iAllGather(
      Buffer sendbuf,
      int sendcount,
      Datatype sendtype,
      Buffer recvbuf,
      int recvcount,
      Datatype recvtype)
      throws MPIException {
    return task(
        "iAllGather",
        sendtype,
        recvtype,
        (c, s, r) -> c.allGather(sendbuf, 0, sendcount, s, recvbuf, 0, recvcount, r));
  }

  /** All get what all have; its own is there. */
  public final void allGather(Object buf, int count, Datatype type) throws MPIException {
    run(
        "allGather",
        () ->
            core()
                .collectives()
                .allGather(Collectives.IN_PLACE, 0, count, core(type), buf, 0, count, core(type)));
  }

  /** Begins: all get what all have; its own is there. */
  public final Request iAllGather(Buffer buf, int count, Datatype type) throws MPIException {
    return task(
        "iAllGather",
        type,
        (c, t) -> c.allGather(Collectives.IN_PLACE, 0, count, t, buf, 0, count, t));
  }

  /** All get what all have, each at its place. */
  public final void allGatherv(
      Object sendbuf,
      int sendcount,
      Datatype sendtype,
      Object recvbuf,
      int[] recvcount,
      int[] displs,
      Datatype recvtype)
      throws MPIException {
    run(
        "allGatherv",
        () ->
            core()
                .collectives()
                .allGatherv(
                    sendbuf,
                    0,
                    sendcount,
                    core(sendtype),
                    recvbuf,
                    0,
                    recvcount,
                    displs,
                    core(recvtype)));
  }

  /** Begins: all get what all have, each at its place. */
  public final Request iAllGatherv(
      Buffer sendbuf,
      int sendcount,
      Datatype sendtype,
      Buffer recvbuf,
      int[] recvcount,
      int[] displs,
      Datatype recvtype)
      throws MPIException {
    return task(
        "iAllGatherv",
        sendtype,
        recvtype,
        (c, s, r) -> c.allGatherv(sendbuf, 0, sendcount, s, recvbuf, 0, recvcount, displs, r));
  }

  /** All get what all have; its own is there. */
  public final void allGatherv(Object recvbuf, int[] recvcount, int[] displs, Datatype recvtype)
      throws MPIException {
    run(
        "allGatherv",
        () ->
            core()
                .collectives()
                .allGatherv(
                    Collectives.IN_PLACE,
                    0,
                    0,
                    core(recvtype),
                    recvbuf,
                    0,
                    recvcount,
                    displs,
                    core(recvtype)));
  }

  /** Begins: all get what all have; its own is there. */
  public final Request iAllGatherv(Buffer recvbuf, int[] recvcount, int[] displs, Datatype recvtype)
      throws MPIException {
    return task(
        "iAllGatherv",
        recvtype,
        (c, t) -> c.allGatherv(Collectives.IN_PLACE, 0, 0, t, recvbuf, 0, recvcount, displs, t));
  }

  /** Each gives each a part. */
  public final void allToAll(
      Object sendbuf,
      int sendcount,
      Datatype sendtype,
      Object recvbuf,
      int recvcount,
      Datatype recvtype)
      throws MPIException {
    int n = others();
    run(
        "allToAll",
        () ->
            core()
                .collectives()
                .allToAll(
                    sendbuf,
                    places(0, sendcount, core(sendtype), n),
                    equal(sendcount, n),
                    cores(core(sendtype), n),
                    recvbuf,
                    places(0, recvcount, core(recvtype), n),
                    equal(recvcount, n),
                    cores(core(recvtype), n)));
  }

  /** Begins: each gives each a part. */
  public final Request iAllToAll(
      Buffer sendbuf,
      int sendcount,
      Datatype sendtype,
      Buffer recvbuf,
      int recvcount,
      Datatype recvtype)
      throws MPIException {
    int n = others();
    return task(
        "iAllToAll",
        sendtype,
        recvtype,
        (c, s, r) ->
            c.allToAll(
                sendbuf,
                places(0, sendcount, s, n),
                equal(sendcount, n),
                cores(s, n),
                recvbuf,
                places(0, recvcount, r, n),
                equal(recvcount, n),
                cores(r, n)));
  }

  /** Each gives each a part, which has its length and place. */
  public final void allToAllv(
      Object sendbuf,
      int[] sendcount,
      int[] sdispls,
      Datatype sendtype,
      Object recvbuf,
      int[] recvcount,
      int[] rdispls,
      Datatype recvtype)
      throws MPIException {
    int n = others();
    run(
        "allToAllv",
        () ->
            core()
                .collectives()
                .allToAll(
                    sendbuf,
                    places(0, sdispls, core(sendtype)),
                    sendcount,
                    cores(core(sendtype), n),
                    recvbuf,
                    places(0, rdispls, core(recvtype)),
                    recvcount,
                    cores(core(recvtype), n)));
  }

  /** Begins: each gives each a part, which has its length and place. */
  public final Request iAllToAllv(
      Buffer sendbuf,
      int[] sendcount,
      int[] sdispls,
      Datatype sendtype,
      Buffer recvbuf,
      int[] recvcount,
      int[] rdispls,
      Datatype recvtype)
      throws MPIException {
    int n = others();
    return task(
        "iAllToAllv",
        sendtype,
        recvtype,
        (c, s, r) ->
            c.allToAll(
                sendbuf,
                places(0, sdispls, s),
                sendcount,
                cores(s, n),
                recvbuf,
                places(0, rdispls, r),
                recvcount,
                cores(r, n)));
  }

  /** Each gives each a part, which has its length, type and place in bytes. */
  public final void allToAllw(
      Object sendbuf,
      int[] sendcount,
      int[] sdispls,
      Datatype[] sendtypes,
      Object recvbuf,
      int[] recvcount,
      int[] rdispls,
      Datatype[] recvtypes)
      throws MPIException {
    run(
        "allToAllw",
        () ->
            core()
                .collectives()
                .allToAll(
                    sendbuf,
                    places(sdispls),
                    sendcount,
                    cores(sendtypes),
                    recvbuf,
                    places(rdispls),
                    recvcount,
                    cores(recvtypes)));
  }

  /** Begins: each gives each a part, which has its length, type and place in bytes. */
  public final Request iAllToAllw(
      Buffer sendbuf,
      int[] sendcount,
      int[] sdispls,
      Datatype[] sendtypes,
      Buffer recvbuf,
      int[] recvcount,
      int[] rdispls,
      Datatype[] recvtypes)
      throws MPIException {
    io.busbar.mpi.Datatype[] out = get("iAllToAllw", () -> cores(sendtypes));
    io.busbar.mpi.Datatype[] in = get("iAllToAllw", () -> cores(recvtypes));
    return task(
        "iAllToAllw",
        c ->
            c.allToAll(
                sendbuf, places(sdispls), sendcount, out, recvbuf, places(rdispls), recvcount, in));
  }

  /** The root gets the combination of what all have. */
  public final void reduce(
      Object sendbuf, Object recvbuf, int count, Datatype type, Op op, int root)
      throws MPIException {
    run(
        "reduce",
        () ->
            core()
                .collectives()
                .reduce(sendbuf, 0, recvbuf, 0, count, core(type), core(op, type), root));
  }

  /** Begins: the root gets the combination of what all have. */
  public final Request iReduce(
      Buffer sendbuf, Buffer recvbuf, int count, Datatype type, Op op, int root)
      throws MPIException {
    return task(
        "iReduce", type, op, (c, t, o) -> c.reduce(sendbuf, 0, recvbuf, 0, count, t, o, root));
  }

  /** The root gets the combination of what all have, in place of its own. */
  public final void reduce(Object buf, int count, Datatype type, Op op, int root)
      throws MPIException {
    boolean atRoot = getRank() == root;
    run(
        "reduce",
        () ->
            core()
                .collectives()
                .reduce(
                    atRoot ? Collectives.IN_PLACE : buf,
                    0,
                    buf,
                    0,
                    count,
                    core(type),
                    core(op, type),
                    root));
  }

  /** Begins: the root gets the combination of what all have, in place of its own. */
  public final Request iReduce(Buffer buf, int count, Datatype type, Op op, int root)
      throws MPIException {
    boolean atRoot = getRank() == root;
    return task(
        "iReduce",
        type,
        op,
        (c, t, o) -> c.reduce(atRoot ? Collectives.IN_PLACE : buf, 0, buf, 0, count, t, o, root));
  }

  /** All get the combination of what all have. */
  public final void allReduce(Object sendbuf, Object recvbuf, int count, Datatype type, Op op)
      throws MPIException {
    run(
        "allReduce",
        () ->
            core()
                .collectives()
                .allReduce(sendbuf, 0, recvbuf, 0, count, core(type), core(op, type)));
  }

  /** Begins: all get the combination of what all have. */
  public final Request iAllReduce(Buffer sendbuf, Buffer recvbuf, int count, Datatype type, Op op)
      throws MPIException {
    return task(
        "iAllReduce", type, op, (c, t, o) -> c.allReduce(sendbuf, 0, recvbuf, 0, count, t, o));
  }

  /** All get the combination of what all have, in place of their own. */
  public final void allReduce(Object buf, int count, Datatype type, Op op) throws MPIException {
    run(
        "allReduce",
        () ->
            core()
                .collectives()
                .allReduce(Collectives.IN_PLACE, 0, buf, 0, count, core(type), core(op, type)));
  }

  /** Begins: all get the combination of what all have, in place of their own. */
  public final Request iAllReduce(Buffer buf, int count, Datatype type, Op op) throws MPIException {
    return task(
        "iAllReduce",
        type,
        op,
        (c, t, o) -> c.allReduce(Collectives.IN_PLACE, 0, buf, 0, count, t, o));
  }

  /** Each gets its part of the combination of what all have. */
  public final void reduceScatter(
      Object sendbuf, Object recvbuf, int[] recvcounts, Datatype type, Op op) throws MPIException {
    run(
        "reduceScatter",
        () ->
            core()
                .collectives()
                .reduceScatter(sendbuf, 0, recvbuf, 0, recvcounts, core(type), core(op, type)));
  }

  /** Begins: each gets its part of the combination of what all have. */
  public final Request iReduceScatter(
      Buffer sendbuf, Buffer recvbuf, int[] recvcounts, Datatype type, Op op) throws MPIException {
    return task(
        "iReduceScatter",
        type,
        op,
        (c, t, o) -> c.reduceScatter(sendbuf, 0, recvbuf, 0, recvcounts, t, o));
  }

  /** Each gets its part of the combination of what all have, in place of its own. */
  public final void reduceScatter(Object buf, int[] recvcounts, Datatype type, Op op)
      throws MPIException {
    run(
        "reduceScatter",
        () ->
            core()
                .collectives()
                .reduceScatter(
                    Collectives.IN_PLACE, 0, buf, 0, recvcounts, core(type), core(op, type)));
  }

  /** Begins: each gets its part of the combination of what all have, in place of its own. */
  public final Request iReduceScatter(Buffer buf, int[] recvcounts, Datatype type, Op op)
      throws MPIException {
    return task(
        "iReduceScatter",
        type,
        op,
        (c, t, o) -> c.reduceScatter(Collectives.IN_PLACE, 0, buf, 0, recvcounts, t, o));
  }

  /** Each gets an equal part of the combination of what all have. */
  public final void reduceScatterBlock(
      Object sendbuf, Object recvbuf, int recvcount, Datatype type, Op op) throws MPIException {
    int n = getSize();
    run(
        "reduceScatterBlock",
        () ->
            core()
                .collectives()
                .reduceScatter(
                    sendbuf, 0, recvbuf, 0, equal(recvcount, n), core(type), core(op, type)));
  }

  /** Begins: each gets an equal part of the combination of what all have. */
  public final Request iReduceScatterBlock(
      Buffer sendbuf, Buffer recvbuf, int recvcount, Datatype type, Op op) throws MPIException {
    int n = getSize();
    return task(
        "iReduceScatterBlock",
        type,
        op,
        (c, t, o) -> c.reduceScatter(sendbuf, 0, recvbuf, 0, equal(recvcount, n), t, o));
  }

  /** Each gets an equal part of the combination of what all have, in place of its own. */
  public final void reduceScatterBlock(Object buf, int recvcount, Datatype type, Op op)
      throws MPIException {
    int n = getSize();
    run(
        "reduceScatterBlock",
        () ->
            core()
                .collectives()
                .reduceScatter(
                    Collectives.IN_PLACE,
                    0,
                    buf,
                    0,
                    equal(recvcount, n),
                    core(type),
                    core(op, type)));
  }

  /** Begins: each gets an equal part of the combination of what all have, in place of its own. */
  public final Request iReduceScatterBlock(Buffer buf, int recvcount, Datatype type, Op op)
      throws MPIException {
    int n = getSize();
    return task(
        "iReduceScatterBlock",
        type,
        op,
        (c, t, o) -> c.reduceScatter(Collectives.IN_PLACE, 0, buf, 0, equal(recvcount, n), t, o));
  }

  /** Combines two buffers of this process: {@code inOutBuf[i] = inBuf[i] op inOutBuf[i]}. */
  public static void reduceLocal(Object inBuf, Object inOutBuf, int count, Datatype type, Op op)
      throws MPIException {
    BusbarErrors.run(
        "Comm.reduceLocal",
        () -> Collectives.reduceHere(inBuf, 0, inOutBuf, 0, count, core(type), core(op, type)));
  }

  // Neighbours.

  /** Who sends to this process, in order. */
  int[] sources() {
    throw new MpiError(MpiError.Kind.TOPOLOGY, "the communicator has no topology");
  }

  /** To whom this process sends, in order. */
  int[] destinations() {
    return sources();
  }

  /** In which order what comes from one process is received: that of its sends. */
  int[] arrivalOrder() {
    int[] order = new int[sources().length];
    Arrays.setAll(order, i -> i);
    return order;
  }

  /** One that goes on by itself, if there are neighbours. */
  private Request amongNeighbours(String call, Datatype sendtype, Datatype recvtype, OfTypes work) {
    int[] _ = get(call, this::sources);
    return task(call, sendtype, recvtype, work);
  }

  private void neighbours(
      Collectives c,
      Object sendbuf,
      long[] sendAt,
      int[] sendcounts,
      io.busbar.mpi.Datatype sendtype,
      Object recvbuf,
      long[] recvAt,
      int[] recvcounts,
      io.busbar.mpi.Datatype recvtype) {
    c.exchangeWith(
        destinations(),
        sendbuf,
        sendAt,
        sendcounts,
        sendtype,
        sources(),
        arrivalOrder(),
        recvbuf,
        recvAt,
        recvcounts,
        recvtype);
  }

  /** All neighbours get what this process has. */
  public final void neighborAllGather(
      Object sendbuf,
      int sendcount,
      Datatype sendtype,
      Object recvbuf,
      int recvcount,
      Datatype recvtype)
      throws MPIException {
    run(
        "neighborAllGather",
        () ->
            neighbours(
                core().collectives(),
                sendbuf,
                new long[destinations().length],
                equal(sendcount, destinations().length),
                core(sendtype),
                recvbuf,
                places(0, recvcount, core(recvtype), sources().length),
                equal(recvcount, sources().length),
                core(recvtype)));
  }

  /** Begins: all neighbours get what this process has. */
  public final Request iNeighborAllGather(
      Buffer sendbuf,
      int sendcount,
      Datatype sendtype,
      Buffer recvbuf,
      int recvcount,
      Datatype recvtype)
      throws MPIException {
    return amongNeighbours(
        "iNeighborAllGather",
        sendtype,
        recvtype,
        (c, s, r) ->
            neighbours(
                c,
                sendbuf,
                new long[destinations().length],
                equal(sendcount, destinations().length),
                s,
                recvbuf,
                places(0, recvcount, r, sources().length),
                equal(recvcount, sources().length),
                r));
  }

  /** All neighbours get what this process has; what comes has its place. */
  public final void neighborAllGatherv(
      Object sendbuf,
      int sendcount,
      Datatype sendtype,
      Object recvbuf,
      int[] recvcount,
      int[] displs,
      Datatype recvtype)
      throws MPIException {
    run(
        "neighborAllGatherv",
        () ->
            neighbours(
                core().collectives(),
                sendbuf,
                new long[destinations().length],
                equal(sendcount, destinations().length),
                core(sendtype),
                recvbuf,
                places(0, displs, core(recvtype)),
                recvcount,
                core(recvtype)));
  }

  /** Begins: all neighbours get what this process has; what comes has its place. */
  public final Request iNeighborAllGatherv(
      Buffer sendbuf,
      int sendcount,
      Datatype sendtype,
      Buffer recvbuf,
      int[] recvcount,
      int[] displs,
      Datatype recvtype)
      throws MPIException {
    return amongNeighbours(
        "iNeighborAllGatherv",
        sendtype,
        recvtype,
        (c, s, r) ->
            neighbours(
                c,
                sendbuf,
                new long[destinations().length],
                equal(sendcount, destinations().length),
                s,
                recvbuf,
                places(0, displs, r),
                recvcount,
                r));
  }

  /** Each neighbour gets a part. */
  public final void neighborAllToAll(
      Object sendbuf,
      int sendcount,
      Datatype sendtype,
      Object recvbuf,
      int recvcount,
      Datatype recvtype)
      throws MPIException {
    run(
        "neighborAllToAll",
        () ->
            neighbours(
                core().collectives(),
                sendbuf,
                places(0, sendcount, core(sendtype), destinations().length),
                equal(sendcount, destinations().length),
                core(sendtype),
                recvbuf,
                places(0, recvcount, core(recvtype), sources().length),
                equal(recvcount, sources().length),
                core(recvtype)));
  }

  /** Begins: each neighbour gets a part. */
  public final Request iNeighborAllToAll(
      Buffer sendbuf,
      int sendcount,
      Datatype sendtype,
      Buffer recvbuf,
      int recvcount,
      Datatype recvtype)
      throws MPIException {
    return amongNeighbours(
        "iNeighborAllToAll",
        sendtype,
        recvtype,
        (c, s, r) ->
            neighbours(
                c,
                sendbuf,
                places(0, sendcount, s, destinations().length),
                equal(sendcount, destinations().length),
                s,
                recvbuf,
                places(0, recvcount, r, sources().length),
                equal(recvcount, sources().length),
                r));
  }

  /** Each neighbour gets a part, which has its length and place. */
  public final void neighborAllToAllv(
      Object sendbuf,
      int[] sendcount,
      int[] sdispls,
      Datatype sendtype,
      Object recvbuf,
      int[] recvcount,
      int[] rdispls,
      Datatype recvtype)
      throws MPIException {
    run(
        "neighborAllToAllv",
        () ->
            neighbours(
                core().collectives(),
                sendbuf,
                places(0, sdispls, core(sendtype)),
                sendcount,
                core(sendtype),
                recvbuf,
                places(0, rdispls, core(recvtype)),
                recvcount,
                core(recvtype)));
  }

  /** Begins: each neighbour gets a part, which has its length and place. */
  public final Request iNeighborAllToAllv(
      Buffer sendbuf,
      int[] sendcount,
      int[] sdispls,
      Datatype sendtype,
      Buffer recvbuf,
      int[] recvcount,
      int[] rdispls,
      Datatype recvtype)
      throws MPIException {
    return amongNeighbours(
        "iNeighborAllToAllv",
        sendtype,
        recvtype,
        (c, s, r) ->
            neighbours(
                c,
                sendbuf,
                places(0, sdispls, s),
                sendcount,
                s,
                recvbuf,
                places(0, rdispls, r),
                recvcount,
                r));
  }
}
