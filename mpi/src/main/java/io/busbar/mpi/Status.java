package io.busbar.mpi;

import io.busbar.wire.MpiEnvelope;
import org.jspecify.annotations.Nullable;

/** What a message was. */
public final class Status {
  /** Part of an element. */
  public static final int UNDEFINED = -1;

  private int source;
  private int tag;
  private long bytes;
  private int objects;
  private boolean cancelled;

  /** What it was sent as, as far as that was said. */
  private @Nullable Base base;

  /** Of no message yet. */
  public Status() {}

  /** Who sent it. */
  public int source() {
    return source;
  }

  /** Its tag. */
  public int tag() {
    return tag;
  }

  /** Its bytes. */
  public long bytes() {
    return bytes;
  }

  /** Its objects. */
  public int objects() {
    return objects;
  }

  /** Whether there was none, because the request was cancelled. */
  public boolean isCancelled() {
    return cancelled;
  }

  /** Says what it was. */
  public void set(int from, int withTag, long length, int objectCount, boolean wasCancelled) {
    source = from;
    tag = withTag;
    bytes = length;
    objects = objectCount;
    cancelled = wasCancelled;
    base = null;
  }

  /** Says what waits to be received. */
  void set(Arrived arrived) {
    set(arrived.source, arrived.tag, arrived.length, arrived.objects, false);
    base = Base.of(MpiEnvelope.base(arrived.flags));
  }

  /** How many basic elements it was sent as; 0 if that is not known. */
  public int sentElements() {
    Base sent = base;
    if (sent == null) {
      return 0;
    }
    return sent == Base.OBJECT ? objects : (int) Math.min(bytes / sent.bytes(), Integer.MAX_VALUE);
  }

  /** What a request has come to. */
  public void set(Request request) {
    set(request.source(), request.tag(), request.bytes(), request.objects(), request.isCancelled());
  }

  /** How many whole elements of a type it had; {@link #UNDEFINED} if one was there in part. */
  public int count(Datatype type) {
    return count(type, bytes, objects);
  }

  /** How many whole elements so many bytes, or objects, are. */
  public static int count(Datatype type, long bytes, int objects) {
    long all = type.base() == Base.OBJECT ? objects : bytes;
    if (type.size() == 0) {
      return 0;
    }
    return all % type.size() == 0 ? Math.toIntExact(all / type.size()) : UNDEFINED;
  }

  /** How many basic elements it had. */
  public int elements(Datatype type) {
    return elements(type, bytes, objects);
  }

  /** How many basic elements so many bytes, or objects, are. */
  public static int elements(Datatype type, long bytes, int objects) {
    long all = type.base() == Base.OBJECT ? objects : type.elements(bytes);
    return all < 0 ? UNDEFINED : Math.toIntExact(all);
  }
}
