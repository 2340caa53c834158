package io.busbar.mpi;

import io.busbar.messages.InMessage;
import io.busbar.mpi.MpiError.Kind;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** A receive that was asked for. */
final class Receive extends Request implements Sink {
  /** From anybody. */
  static final int ANY = -2;

  // What is asked for.
  Communicator communicator;
  int context;
  int wantedSource;
  int wantedTag;
  private @Nullable Object memory;
  private long at;
  private int count;
  private Datatype type = Datatype.BYTE;

  /** The thread that receives, while it does so without posting this. */
  @Nullable Thread receiver;

  // Where it waits.
  @Nullable Receive next;
  @Nullable Receive previous;
  boolean isPosted;

  /** Whether a message was found for it. */
  boolean isMatched;

  // Of a payload that comes by itself, or has to be looked at when all of it is there.
  int name;
  private @Nullable MemorySegment direct;
  private byte @Nullable [] kept;
  private long got;

  /** What was sent, if that is more than there is room for; else 0. */
  private long tooLongBytes;

  Receive(Mail mail, Communicator communicator) {
    super(mail);
    this.communicator = communicator;
  }

  void ask(
      Communicator by,
      int inContext,
      @Nullable Object into,
      long offset,
      int elements,
      Datatype of,
      int from,
      int withTag) {
    communicator = by;
    context = inContext;
    memory = into;
    at = offset;
    count = elements;
    type = of;
    wantedSource = from;
    wantedTag = withTag;
    direct = null;
    kept = null;
    got = 0;
    tooLongBytes = 0;
    isMatched = false;
    reset();
  }

  /** The program's memory is not held any longer than it must be. */
  void forgetMemory() {
    memory = null;
    direct = null;
    kept = null;
  }

  /** Whether it can only come from a node of the world, or, if anybody will do, from that, too. */
  boolean needs(int node, boolean anybody) {
    if (wantedSource == ANY) {
      return anybody && communicator.hasNode(node);
    }
    return communicator.nodeOf(wantedSource) == node;
  }

  /** Whether what has matched comes from a node of the world. */
  boolean isFrom(int node) {
    return communicator.nodeOf(source) == node;
  }

  boolean matches(int from, int withTag) {
    return (wantedSource == ANY || wantedSource == from)
        && (wantedTag == ANY ? withTag >= 0 : wantedTag == withTag);
  }

  /** An envelope has matched. */
  void onMatched(int from, int withTag, long length, int objectCount) {
    isMatched = true;
    source = from;
    tag = withTag;
    objects = objectCount;
    boolean isTooLong = type.base() != Base.OBJECT && length > count * type.size();
    tooLongBytes = isTooLong ? length : 0;
    bytes = isTooLong ? count * type.size() : length;
  }

  private boolean isDirect() {
    return type.base() != Base.OBJECT;
  }

  /** The payload of a short message is here. */
  void take(InMessage in) {
    if (!isDirect()) {
      byte[] all = new byte[(int) bytes];
      in.receive(all);
      kept = all;
    } else if (bytes > 0 && memory != null) {
      type.receive(in, (int) bytes, memory, at);
    }
    over();
  }

  /** The payload lies here. */
  void take(byte[] payload) {
    if (!isDirect()) {
      kept = payload;
    } else if (bytes > 0 && memory != null) {
      type.unpackAll(MemorySegment.ofArray(payload), 0, bytes, memory, at);
    }
    over();
  }

  @Override
  public boolean takeSome(InMessage in) {
    long more = Math.min(in.available(), bytes - got);
    if (more > 0) {
      in.receive(destination(), (direct == null ? 0 : at) + got, more);
      got += more;
    }
    if (got < bytes) {
      return false;
    }
    byte[] all = kept;
    if (all != null && isDirect() && memory != null) {
      type.unpackAll(MemorySegment.ofArray(all), 0, bytes, memory, at);
    }
    over();
    return true;
  }

  /** Where a long payload goes: straight to the program's memory, if it can. */
  private MemorySegment destination() {
    MemorySegment to = direct;
    byte[] copy = kept;
    if (to == null && copy == null && isDirect() && type.isDense() && memory != null) {
      to = UserMemory.segment(memory);
      direct = to;
    }
    if (to == null && copy == null) {
      copy = new byte[Math.toIntExact(bytes)];
      kept = copy;
    }
    return to != null ? to : MemorySegment.ofArray(copy == null ? new byte[0] : copy);
  }

  private void over() {
    if (tooLongBytes > 0) {
      String what =
          context == communicator.collectiveContext()
              ? "rank %d gave %d bytes to this collective".formatted(source, tooLongBytes)
              : "a message of %d bytes from rank %d with tag %d"
                  .formatted(tooLongBytes, source, tag);
      fail(new MpiError(Kind.TRUNCATE, what + ", and there is room for " + bytes));
    } else if (Thread.currentThread().equals(receiver)) {
      completeHere();
    } else {
      complete();
    }
  }

  /** Objects are made by who wants them: that runs code of theirs. */
  @Override
  boolean hasRest() {
    return !isDirect();
  }

  @Override
  void onDone() {
    byte[] stream = kept;
    if (stream != null && memory instanceof Object[] array) {
      ObjectStream.read(stream, objects, array, at, count, type);
    }
    forgetMemory();
  }

  /** Whether it is the calling thread that waits for a message, and this is one. */
  boolean takesNow(int inContext, int from, int withTag) {
    return context == inContext
        && matches(from, withTag)
        && Thread.currentThread().equals(receiver)
        && !isMatched;
  }

  @Override
  public void cancel() {
    mail.cancel(this);
  }
}
