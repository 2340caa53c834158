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

  // In fields of its own: a status is made for each receive, and should be one object.
  private long bytes;
  private int objects;
  private boolean cancelled;
  private int error;

  /** Of nothing. */
  public Status() {}

  /** Of a message that nobody has said yet what it is to be received as. */
  Status(io.busbar.mpi.Status probed) {
    source = probed.source();
    tag = probed.tag();
    bytes = probed.bytes();
    objects = probed.objects();
    countInBytes = (int) Math.min(bytes, Integer.MAX_VALUE);
    numEls = probed.sentElements();
    count = numEls;
  }

  /** Of a request that is over. */
  Status(Request request, io.busbar.mpi.Datatype type) {
    source = request.source();
    tag = request.tag();
    bytes = request.bytes();
    objects = request.objects();
    cancelled = request.isCancelled();
    update(type);
  }

  private static io.busbar.mpi.Datatype core(String call, Datatype type) {
    return BusbarErrors.get("Status." + call, () -> Comm.core(type));
  }

  private void update(io.busbar.mpi.Datatype type) {
    countInBytes = (int) Math.min(bytes, Integer.MAX_VALUE);
    if (type == null) { // nothing was received
      return;
    }
    count = io.busbar.mpi.Status.count(type, bytes, objects);
    numEls = io.busbar.mpi.Status.elements(type, bytes, objects);
  }

  static Status of(Request request, io.busbar.mpi.Datatype type, int index) {
    Status made = new Status(request, type);
    made.index = index;
    made.error = request.error() == null ? MPI.SUCCESS : BusbarErrors.code(request.error().kind());
    return made;
  }

  private int count(String call, Datatype datatype) {
    return io.busbar.mpi.Status.count(core(call, datatype), bytes, objects);
  }

  private int elements(String call, Datatype datatype) {
    return io.busbar.mpi.Status.elements(core(call, datatype), bytes, objects);
  }

  /** How many whole elements of a type; UNDEFINED if there is a part of one. */
  public int Get_count(Datatype datatype) throws MPIException {
    return count("Get_count", datatype);
  }

  /** How many basic elements. */
  public int Get_elements(Datatype datatype) throws MPIException {
    return elements("Get_elements", datatype);
  }

  /** Whether the request was cancelled. */
  public boolean Test_cancelled() throws MPIException {
    return isCancelled();
  }

  /** How many whole elements of a type; UNDEFINED if there is a part of one. */
  public int getCount(Datatype datatype) throws MPIException {
    return count("getCount", datatype);
  }

  /** Whether the request was cancelled. */
  public boolean isCancelled() throws MPIException {
    return cancelled;
  }

  /** How many basic elements. */
  public int getElements(Datatype datatype) throws MPIException {
    return elements("getElements", datatype);
  }

  /** How many basic elements. */
  public Count getElementsX(Datatype datatype) throws MPIException {
    return new Count(elements("getElementsX", datatype));
  }

  /** Says how many basic elements there were. */
  public void setElements(Datatype datatype, int count) throws MPIException {
    setElementsX(datatype, new Count(count));
  }

  /** Says how many basic elements there were. */
  public void setElementsX(Datatype datatype, Count count) throws MPIException {
    io.busbar.mpi.Datatype type = core("setElementsX", datatype);
    long basic = Math.max(1, type.elements(type.size()));
    bytes = type.size() / basic * count.getCount();
    objects = (int) count.getCount();
    update(type);
  }

  /** Says whether it was cancelled. */
  public void setCancelled(boolean cancelled) throws MPIException {
    this.cancelled = cancelled;
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
