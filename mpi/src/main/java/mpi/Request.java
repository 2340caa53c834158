package mpi;

import io.busbar.mpi.MpiError;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Something that was begun. When it is over, and somebody has heard of it, the request is null, as
 * {@link #isNull} says; the object stays.
 */
public class Request implements Freeable {
  io.busbar.mpi.Request core;
  private final io.busbar.mpi.Datatype type;
  private final Comm comm;
  private final String call;

  /**
   * What a call has begun.
   *
   * @param type what is received; null if nothing is counted
   */
  Request(io.busbar.mpi.Request core, io.busbar.mpi.Datatype type, Comm comm, String call) {
    this.core = core;
    this.type = type;
    this.comm = comm;
    this.call = call;
  }

  /** Whether there is something to wait for. */
  boolean isActive() {
    return core != null;
  }

  /** It was waited for. */
  void onOver() {
    core = null;
  }

  /** Of the call that began it. */
  final MPIException error(MpiError why) {
    return comm == null ? new MPIException("Request", why) : comm.error(call, why);
  }

  private Status over(int index) {
    io.busbar.mpi.Request was = core;
    Status status = Status.of(was, type, index);
    onOver();
    MpiError error = was.error();
    if (error != null) {
      throw error(error);
    }
    return status;
  }

  private Status awaitOne(int index) {
    try {
      core.await();
    } catch (MpiError e) {
      throw error(e);
    }
    return over(index);
  }

  /**
   * Waits for the call that began it, whose program knows no request: an interrupt takes it back,
   * and is an error; if it is too late for that, the thread stays interrupted.
   */
  final Status finish() {
    try {
      core.awaitOrTakeBack();
    } catch (MpiError e) {
      throw error(e);
    }
    return over(0);
  }

  /** The same of a copy that is sent: who is interrupted leaves it to itself. */
  final void finishOrLeave() {
    try {
      waitFor();
    } catch (MPIException e) {
      if (!Thread.currentThread().isInterrupted()) {
        throw e;
      }
      free();
    }
  }

  /** The call that began it has failed: it is taken back, or comes to its end. */
  final void takeBack() {
    core.takeBack();
  }

  private boolean isOver() {
    try {
      return core.test();
    } catch (MpiError e) {
      throw error(e);
    }
  }

  // Both interfaces.

  /** Waits until it is over. */
  public Status waitStatus() throws MPIException {
    return isActive() ? awaitOne(0) : new Status();
  }

  /** Waits until it is over. */
  public final void waitFor() throws MPIException {
    Status _ = waitStatus();
  }

  /** What came of it, if it is over; else null. */
  public final Status testStatus() throws MPIException {
    if (!isActive()) {
      return new Status();
    }
    return isOver() ? over(0) : null;
  }

  /** What came of it, if it is over; the request stays as it is. */
  public final Status getStatus() throws MPIException {
    if (!isActive()) {
      return new Status();
    }
    return isOver() ? Status.of(core, type, 0) : null;
  }

  /** Whether it is over. */
  public final boolean test() throws MPIException {
    return testStatus() != null;
  }

  /** Waits until it is over. */
  public Status Wait() throws MPIException {
    return waitStatus();
  }

  /** What came of it, if it is over; else null. */
  public Status Test() throws MPIException {
    return testStatus();
  }

  /** Whether there is nothing to wait for. */
  public boolean Is_null() throws MPIException {
    return isNull();
  }

  /** Whether there is nothing to wait for. */
  public boolean isNull() {
    return core == null;
  }

  /** Ends it as if it had not begun, if nothing has come of it yet; to be waited for then. */
  public void cancel() throws MPIException {
    if (isActive()) {
      try {
        core.cancel();
      } catch (MpiError e) {
        throw error(e);
      }
    }
  }

  /** As {@link #cancel}. */
  public void Cancel() throws MPIException {
    cancel();
  }

  /** Nobody will wait for it; what was begun goes on. */
  @Override
  public void free() throws MPIException {
    if (isActive()) {
      core.abandon();
    }
    core = null;
  }

  /** As {@link #free}. */
  public void Free() throws MPIException {
    free();
  }

  // Several.

  private static boolean hasActive(Request[] requests) {
    for (Request request : requests) {
      if (request != null && request.isActive()) {
        return true;
      }
    }
    return false;
  }

  private static Status none() {
    Status status = new Status();
    status.index = MPI.UNDEFINED;
    return status;
  }

  /** Waits for all; a status each. */
  public static Status[] waitAllStatus(Request[] requests) throws MPIException {
    Status[] all = new Status[requests.length];
    MPIException failed = null;
    for (int i = 0; i < requests.length; i++) {
      Request request = requests[i];
      try {
        all[i] = request == null || !request.isActive() ? new Status() : request.awaitOne(i);
      } catch (MPIException e) {
        failed = failed == null ? e : failed;
      }
    }
    if (failed != null) {
      throw failed;
    }
    return all;
  }

  /** Waits for all. */
  public static void waitAll(Request[] requests) throws MPIException {
    Status[] _ = waitAllStatus(requests);
  }

  /** Waits for all; a status each. */
  public static Status[] Waitall(Request[] requests) throws MPIException {
    return waitAllStatus(requests);
  }

  /** A status each if all are over; else null, and nothing has changed. */
  public static Status[] testAllStatus(Request[] requests) throws MPIException {
    for (Request request : requests) {
      if (request != null && request.isActive() && !request.isOver()) {
        return null;
      }
    }
    return waitAllStatus(requests);
  }

  /** Whether all are over; if not, nothing has changed. */
  public static boolean testAll(Request[] requests) throws MPIException {
    return testAllStatus(requests) != null;
  }

  /** A status each if all are over; else null. */
  public static Status[] Testall(Request[] requests) throws MPIException {
    return testAllStatus(requests);
  }

  /** The status of one that is over, whose index it has; null if none is. */
  public static Status testAnyStatus(Request[] requests) throws MPIException {
    if (!hasActive(requests)) {
      return none();
    }
    for (int i = 0; i < requests.length; i++) {
      Request request = requests[i];
      if (request != null && request.isActive() && request.isOver()) {
        return request.over(i);
      }
    }
    return null;
  }

  /** The index of one that is over; UNDEFINED if none is. */
  public static int testAny(Request[] requests) throws MPIException {
    Status status = testAnyStatus(requests);
    return status == null ? MPI.UNDEFINED : status.index;
  }

  /** The status of one that is over, whose index it has; null if none is, or none is active. */
  public static Status Testany(Request[] requests) throws MPIException {
    return hasActive(requests) ? testAnyStatus(requests) : null;
  }

  /** Waits for one; its index is in the status. */
  public static Status waitAnyStatus(Request[] requests) throws MPIException {
    Status status = testAnyStatus(requests);
    while (status == null) {
      awaitOneOf(requests);
      status = testAnyStatus(requests);
    }
    return status;
  }

  private static void awaitOneOf(Request[] requests) {
    List<io.busbar.mpi.Request> active = new ArrayList<>();
    for (Request request : requests) {
      if (request != null && request.isActive()) {
        active.add(request.core);
      }
    }
    BusbarErrors.run("Request.waitAny", () -> io.busbar.mpi.Request.awaitAny(active));
  }

  /** Waits for one; its index. */
  public static int waitAny(Request[] requests) throws MPIException {
    return waitAnyStatus(requests).index;
  }

  /** Waits for one; its index is in the status. */
  public static Status Waitany(Request[] requests) throws MPIException {
    return waitAnyStatus(requests);
  }

  /** The statuses of all that are over; null if there is nothing to wait for. */
  public static Status[] testSomeStatus(Request[] requests) throws MPIException {
    if (!hasActive(requests)) {
      return null;
    }
    List<Status> over = new ArrayList<>();
    for (int i = 0; i < requests.length; i++) {
      Request request = requests[i];
      if (request != null && request.isActive() && request.isOver()) {
        over.add(request.over(i));
      }
    }
    return over.toArray(Status[]::new);
  }

  /** Waits for one or more; the statuses of all that are over. */
  public static Status[] waitSomeStatus(Request[] requests) throws MPIException {
    Status[] over = testSomeStatus(requests);
    while (over != null && over.length == 0) {
      awaitOneOf(requests);
      over = testSomeStatus(requests);
    }
    return over;
  }

  /** As {@link #waitSomeStatus}. */
  public static Status[] Waitsome(Request[] requests) throws MPIException {
    return waitSomeStatus(requests);
  }

  /** The statuses of all that are over; none if there is nothing to wait for. */
  public static Status[] Testsome(Request[] requests) throws MPIException {
    Status[] over = testSomeStatus(requests);
    return over == null ? new Status[0] : over;
  }

  private static int[] indices(Status[] over) {
    return over == null ? null : Arrays.stream(over).mapToInt(status -> status.index).toArray();
  }

  /** Waits for one or more; the indices of all that are over. */
  public static int[] waitSome(Request[] requests) throws MPIException {
    return indices(waitSomeStatus(requests));
  }

  /** The indices of all that are over. */
  public static int[] testSome(Request[] requests) throws MPIException {
    return indices(testSomeStatus(requests));
  }
}
