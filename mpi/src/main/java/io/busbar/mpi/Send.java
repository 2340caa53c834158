package io.busbar.mpi;

import io.busbar.messages.OutMessage;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** A send that is not over at once. */
final class Send extends Request {
  /** What has to be done for it. */
  enum Stage {
    /** Its envelope has not left. */
    QUEUED,
    /** Its envelope has left; the receiver is to say something. */
    OUTSIDE,
    /** The payload has to leave, as a message of its own. */
    LEAVING,
    /** Nothing. */
    OVER
  }

  final int to;
  final int context;
  final int by;
  final int withTag;
  final boolean sync;

  /** What its envelope says of its payload. */
  final int flags;

  private @Nullable Object memory;
  private long at;
  private int count;
  private Datatype type;

  /** Whether what cannot leave at once is to be copied; changed before others know of it. */
  private boolean isApart;

  /** Whether the payload is a copy of ours. */
  private boolean isKept;

  /** Whether the program does not want it any more. */
  private volatile boolean isUnwanted;

  volatile Stage stage = Stage.QUEUED;
  int name;

  /** What the payload goes under: the name of who asked for it, or our own, if nobody did. */
  int payloadName;

  /** Whether the payload leaves in parts that nobody has asked for. */
  boolean inParts;

  @Nullable OutMessage out;
  long sent;
  long seenRoom;
  private @Nullable MemorySegment packed;

  Send(
      Mail mail,
      int to,
      int context,
      int by,
      int withTag,
      boolean sync,
      @Nullable Object memory,
      long at,
      int count,
      Datatype type,
      int objects) {
    super(mail);
    this.to = to;
    this.context = context;
    this.by = by;
    this.withTag = withTag;
    this.sync = sync;
    this.memory = memory;
    this.at = at;
    this.count = count;
    this.type = type;
    this.flags = Mail.flags(type, objects >= 0);
    this.objects = Math.max(0, objects);
    this.bytes = count * type.size();
  }

  /** What cannot leave at once is to be copied, if there is room; before it is started. */
  Send apart() {
    isApart = true;
    return this;
  }

  /** Whether the payload is to be copied now; not a second time. */
  boolean isToKeep() {
    boolean first = isApart;
    isApart = false;
    return first;
  }

  /** Copies the payload, which the program may change then; before others know of it. */
  void keep() {
    byte[] copy = new byte[Math.toIntExact(bytes)];
    pack(MemorySegment.ofArray(copy), 0);
    memory = copy;
    at = 0;
    count = copy.length;
    type = Datatype.BYTE;
    packed = null;
    isKept = true;
  }

  @Override
  void onOver() {
    if (isKept) {
      isKept = false;
      memory = null;
      mail.forgetKept(this);
    }
  }

  /** The payload goes with a letter. */
  void enclose(Letter letter) {
    letter.enclose(memory, at, count, type);
  }

  /** The payload leaves as a message of its own: it was asked for under a name. */
  void leave(int as) {
    payloadName = as;
    stage = Stage.LEAVING;
  }

  /** The first part of the payload has left; the others follow under a name. */
  void leaveInParts(int as, int bytesSent) {
    inParts = true;
    payloadName = as;
    sent = bytesSent;
    stage = Stage.LEAVING;
  }

  /** Copies the payload to one place. */
  void pack(MemorySegment into, long offset) {
    if (memory != null && bytes > 0) {
      type.packAll(memory, at, count, into, offset);
    }
  }

  /** The payload, as it lies; copied first if it does not lie in one piece. */
  MemorySegment payload() {
    MemorySegment all = packed;
    if (all == null) {
      MemorySegment whole = memory == null || !type.isDense() ? null : UserMemory.segment(memory);
      if (whole != null) {
        all = whole.asSlice(at, bytes);
      } else {
        all = Arena.ofAuto().allocate(Math.max(1, bytes), 8);
        pack(all, 0);
      }
      packed = all;
    }
    return all;
  }

  /** Nothing is left to do for it. */
  void over() {
    stage = Stage.OVER;
    complete();
  }

  void forgetPayload() {
    packed = null;
    out = null;
  }

  /** Nobody has received it, and nobody will. */
  void backHere() {
    stage = Stage.OVER;
    forgetPayload();
    completeCancelled();
  }

  /** Whether it was called back. */
  boolean isUnwanted() {
    return isUnwanted;
  }

  /** Calls it back; it comes if no receive has matched it before that is heard there. */
  @Override
  public void cancel() {
    isUnwanted = true;
    mail.callBack(this);
  }
}
