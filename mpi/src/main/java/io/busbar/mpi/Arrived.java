package io.busbar.mpi;

import io.busbar.messages.InMessage;
import io.busbar.wire.MpiEnvelope;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * A message that has come before anybody asked for it: its envelope, and as much of its payload as
 * has come with it or follows.
 */
final class Arrived implements Sink {
  final int context;
  final int node;
  final int source;
  final int tag;
  final int flags;
  final long length;
  final int name;
  final int objects;
  byte @Nullable [] payload;

  /** How much of a payload that follows is here; the extractor's. */
  private int got;

  // Of a payload that follows; under the lock of Matching.
  boolean isComing;
  @Nullable Receive taker;
  @Nullable MpiError broken;

  /** The send of this very process that waits for a match. */
  @Nullable Send local;

  // Where it waits.
  @Nullable Context keeper;
  @Nullable Arrived next;
  @Nullable Arrived previous;

  Arrived(
      int context, int node, int source, int tag, int flags, long length, int name, int objects) {
    this.context = context;
    this.node = node;
    this.source = source;
    this.tag = tag;
    this.flags = flags;
    this.length = length;
    this.name = name;
    this.objects = objects;
  }

  /** Whether it was sent to all. */
  boolean isCast() {
    return (flags & MpiEnvelope.CAST) != 0;
  }

  /** Whether its sender knows it by a name, under which it waits for an answer. */
  boolean isKnownAs(int sender, int as) {
    return node == sender && name == as && (flags & (MpiEnvelope.LATER | MpiEnvelope.SYNC)) != 0;
  }

  @Override
  public boolean takeSome(InMessage in) {
    byte[] all = payload;
    if (all == null) {
      return true;
    }
    int more = (int) Math.min(in.available(), all.length - got);
    if (more > 0) {
      in.receive(MemorySegment.ofArray(all), got, more);
      got += more;
    }
    return got == all.length;
  }
}
