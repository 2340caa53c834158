package mpi;

import java.nio.Buffer;

/** Memory that others may read and write. Not here yet: every call refuses. */
public final class Win implements Freeable {
  /** The null window. */
  public static final int WIN_NULL = 0;

  /** The memory is this process's own. */
  public static final int FLAVOR_PRIVATE = 0;

  /** The memory is shared. */
  public static final int FLAVOR_SHARED = 1;

  private static MPIException later(String call) {
    return BusbarErrors.refusal("Win." + call, "one-sided communication comes with the room shmem");
  }

  /** Refused: one-sided communication comes with the room shmem. */
  public Win(Buffer arg0, int arg1, int arg2, Info arg3, Comm arg4) throws MPIException {
    throw later("Win");
  }

  /** Refused: one-sided communication comes with the room shmem. */
  public Win(int arg0, int arg1, Info arg2, Comm arg3, Buffer arg4, int arg5) throws MPIException {
    throw later("Win");
  }

  /** Refused: one-sided communication comes with the room shmem. */
  public Win(Info arg0, Comm arg1) throws MPIException {
    throw later("Win");
  }

  /** Refused: one-sided communication comes with the room shmem. */
  public void attach(Buffer arg0, int arg1) throws MPIException {
    throw later("attach");
  }

  /** Refused: one-sided communication comes with the room shmem. */
  public void detach(Buffer arg0) throws MPIException {
    throw later("detach");
  }

  /** Refused: one-sided communication comes with the room shmem. */
  public Group getGroup() throws MPIException {
    throw later("getGroup");
  }

  /** Refused: one-sided communication comes with the room shmem. */
  public void put(Buffer arg0, int arg1, Datatype arg2, int arg3, int arg4, int arg5, Datatype arg6)
      throws MPIException {
    throw later("put");
  }

  /** Refused: one-sided communication comes with the room shmem. */
  public void get(Buffer arg0, int arg1, Datatype arg2, int arg3, int arg4, int arg5, Datatype arg6)
      throws MPIException {
    throw later("get");
  }

  /** Refused: one-sided communication comes with the room shmem. */
  public void accumulate(
      Buffer arg0, int arg1, Datatype arg2, int arg3, int arg4, int arg5, Datatype arg6, Op arg7)
      throws MPIException {
    throw later("accumulate");
  }

  /** Refused: one-sided communication comes with the room shmem. */
  public void fence(int arg0) throws MPIException {
    throw later("fence");
  }

  /** Refused: one-sided communication comes with the room shmem. */
  public void start(Group arg0, int arg1) throws MPIException {
    throw later("start");
  }

  /** Refused: one-sided communication comes with the room shmem. */
  public void complete() throws MPIException {
    throw later("complete");
  }

  /** Refused: one-sided communication comes with the room shmem. */
  public void post(Group arg0, int arg1) throws MPIException {
    throw later("post");
  }

  /** Refused: one-sided communication comes with the room shmem. */
  public void waitFor() throws MPIException {
    throw later("waitFor");
  }

  /** Refused: one-sided communication comes with the room shmem. */
  public boolean test() throws MPIException {
    throw later("test");
  }

  /** Refused: one-sided communication comes with the room shmem. */
  public void lock(int arg0, int arg1, int arg2) throws MPIException {
    throw later("lock");
  }

  /** Refused: one-sided communication comes with the room shmem. */
  public void unlock(int arg0) throws MPIException {
    throw later("unlock");
  }

  /** Refused: one-sided communication comes with the room shmem. */
  public void setErrhandler(Errhandler arg0) throws MPIException {
    throw later("setErrhandler");
  }

  /** Refused: one-sided communication comes with the room shmem. */
  public Errhandler getErrhandler() throws MPIException {
    throw later("getErrhandler");
  }

  /** Refused: one-sided communication comes with the room shmem. */
  public void callErrhandler(int arg0) throws MPIException {
    throw later("callErrhandler");
  }

  /** Refused: one-sided communication comes with the room shmem. */
  public static int createKeyval() throws MPIException {
    throw later("createKeyval");
  }

  /** Refused: one-sided communication comes with the room shmem. */
  public static void freeKeyval(int arg0) throws MPIException {
    throw later("freeKeyval");
  }

  /** Refused: one-sided communication comes with the room shmem. */
  public void setAttr(int arg0, Object arg1) throws MPIException {
    throw later("setAttr");
  }

  /** Refused: one-sided communication comes with the room shmem. */
  public Object getAttr(int arg0) throws MPIException {
    throw later("getAttr");
  }

  /** Refused: one-sided communication comes with the room shmem. */
  public void deleteAttr(int arg0) throws MPIException {
    throw later("deleteAttr");
  }

  /** Refused: one-sided communication comes with the room shmem. */
  @Override
  public void free() throws MPIException {
    throw later("free");
  }

  /** Refused: one-sided communication comes with the room shmem. */
  public Info getInfo() throws MPIException {
    throw later("getInfo");
  }

  /** Refused: one-sided communication comes with the room shmem. */
  public void setInfo(Info arg0) throws MPIException {
    throw later("setInfo");
  }

  /** Refused: one-sided communication comes with the room shmem. */
  public Request rPut(
      Buffer arg0, int arg1, Datatype arg2, int arg3, int arg4, int arg5, Datatype arg6)
      throws MPIException {
    throw later("rPut");
  }

  /** Refused: one-sided communication comes with the room shmem. */
  public Request rGet(
      Buffer arg0, int arg1, Datatype arg2, int arg3, int arg4, int arg5, Datatype arg6)
      throws MPIException {
    throw later("rGet");
  }

  /** Refused: one-sided communication comes with the room shmem. */
  public Request rAccumulate(
      Buffer arg0, int arg1, Datatype arg2, int arg3, int arg4, int arg5, Datatype arg6, Op arg7)
      throws MPIException {
    throw later("rAccumulate");
  }

  /** Refused: one-sided communication comes with the room shmem. */
  public void getAccumulate(
      Buffer arg0,
      int arg1,
      Datatype arg2,
      Buffer arg3,
      int arg4,
      Datatype arg5,
      int arg6,
      int arg7,
      int arg8,
      Datatype arg9,
      Op arg10)
      throws MPIException {
    throw later("getAccumulate");
  }

  /** Refused: one-sided communication comes with the room shmem. */
  public Request rGetAccumulate(
      Buffer arg0,
      int arg1,
      Datatype arg2,
      Buffer arg3,
      int arg4,
      Datatype arg5,
      int arg6,
      int arg7,
      int arg8,
      Datatype arg9,
      Op arg10)
      throws MPIException {
    throw later("rGetAccumulate");
  }

  /** Refused: one-sided communication comes with the room shmem. */
  public void lockAll(int arg0) throws MPIException {
    throw later("lockAll");
  }

  /** Refused: one-sided communication comes with the room shmem. */
  public void unlockAll() throws MPIException {
    throw later("unlockAll");
  }

  /** Refused: one-sided communication comes with the room shmem. */
  public void sync() throws MPIException {
    throw later("sync");
  }

  /** Refused: one-sided communication comes with the room shmem. */
  public void flush(int arg0) throws MPIException {
    throw later("flush");
  }

  /** Refused: one-sided communication comes with the room shmem. */
  public void flushAll() throws MPIException {
    throw later("flushAll");
  }

  /** Refused: one-sided communication comes with the room shmem. */
  public void compareAndSwap(
      Buffer arg0, Buffer arg1, Buffer arg2, Datatype arg3, int arg4, int arg5)
      throws MPIException {
    throw later("compareAndSwap");
  }

  /** Refused: one-sided communication comes with the room shmem. */
  public void fetchAndOp(Buffer arg0, Buffer arg1, Datatype arg2, int arg3, int arg4, Op arg5)
      throws MPIException {
    throw later("fetchAndOp");
  }

  /** Refused: one-sided communication comes with the room shmem. */
  public void flushLocal(int arg0) throws MPIException {
    throw later("flushLocal");
  }

  /** Refused: one-sided communication comes with the room shmem. */
  public void flushLocalAll() throws MPIException {
    throw later("flushLocalAll");
  }

  /** Refused: one-sided communication comes with the room shmem. */
  public String getName() throws MPIException {
    throw later("getName");
  }

  /** Refused: one-sided communication comes with the room shmem. */
  public void setName(String arg0) throws MPIException {
    throw later("setName");
  }
}
