package mpi;

import io.busbar.mpi.Request;

/** What came of a receive, or of another request. */
public class Status implements Freeable {
  /** Who sent it. */
  public int source = MPI.ANY_SOURCE;

  /** Its tag. */
  public int tag = MPI.ANY_TAG;

  /** Which one of several requests it was. */
  public int index = MPI.UNDEFINED;

  /** How many elements there were, of the type that they were received as. */
  public int count;

  /** How many bytes there were. */
  public int countInBytes;

  /** How many basic elements there were. */
  public int numEls;

  private final io.busbar.mpi.Status core = new io.busbar.mpi.Status();
  private int error;
  private boolean setCancelled;

  /** Of nothing. */
  public Status() {
    core.set(MPI.ANY_SOURCE, MPI.ANY_TAG, 0, 0, false);
  }

  io.busbar.mpi.Status core() {
    return core;
  }

  private static io.busbar.mpi.Datatype core(String call, Datatype type) {
    return BusbarErrors.get("Status." + call, () -> Comm.core(type));
  }

  /** Takes over what the core says. */
  Status update(io.busbar.mpi.Datatype type) {
    source = core.source();
    tag = core.tag();
    countInBytes = (int) Math.min(core.bytes(), Integer.MAX_VALUE);
    if (type != null) {
      count = core.count(type);
      numEls = core.elements(type);
    } else { // nobody has said yet what it is to be received as
      numEls = core.sentElements();
      count = numEls;
    }
    return this;
  }

  static Status of(Request request, io.busbar.mpi.Datatype type, int index) {
    Status made = new Status();
    made.core.set(request);
    made.index = index;
    made.error = request.error() == null ? MPI.SUCCESS : BusbarErrors.code(request.error().kind());
    return made.update(type);
  }

  /** How many whole elements of a type; UNDEFINED if there is a part of one. */
  public int Get_count(Datatype datatype) throws MPIException {
    return core.count(core("Get_count", datatype));
  }

  /** How many basic elements. */
  public int Get_elements(Datatype datatype) throws MPIException {
    return core.elements(core("Get_elements", datatype));
  }

  /** Whether the request was cancelled. */
  public boolean Test_cancelled() throws MPIException {
    return isCancelled();
  }

  /** How many whole elements of a type; UNDEFINED if there is a part of one. */
  public int getCount(Datatype datatype) throws MPIException {
    return core.count(core("getCount", datatype));
  }

  /** Whether the request was cancelled. */
  public boolean isCancelled() throws MPIException {
    return setCancelled || core.isCancelled();
  }

  /** How many basic elements. */
  public int getElements(Datatype datatype) throws MPIException {
    return core.elements(core("getElements", datatype));
  }

  /** How many basic elements. */
  public Count getElementsX(Datatype datatype) throws MPIException {
    return new Count(core.elements(core("getElementsX", datatype)));
  }

  /** Says how many basic elements there were. */
  public void setElements(Datatype datatype, int count) throws MPIException {
    setElementsX(datatype, new Count(count));
  }

  /** Says how many basic elements there were. */
  public void setElementsX(Datatype datatype, Count count) throws MPIException {
    io.busbar.mpi.Datatype type = core("setElementsX", datatype);
    long basic = Math.max(1, type.elements(type.size()));
    core.set(source, tag, type.size() / basic * count.getCount(), (int) count.getCount(), false);
    Status _ = update(type);
  }

  /** Says whether it was cancelled. */
  public void setCancelled(boolean cancelled) throws MPIException {
    setCancelled = cancelled;
  }

  /** Who sent it. */
  public int getSource() {
    return source;
  }

  /** Its tag. */
  public int getTag() {
    return tag;
  }

  /** The class of its error. */
  public int getError() {
    return error;
  }

  /** Which one of several requests it was. */
  public int getIndex() {
    return index;
  }

  /** Nothing is held. */
  @Override
  public void free() {}
}
