package io.busbar.mpi;

import org.jspecify.annotations.Nullable;

/** A message that has come before anybody asked for it: its envelope, and its payload if it did. */
final class Arrived {
  final int context;
  final int node;
  final int source;
  final int tag;
  final int flags;
  final long length;
  final int name;
  final int objects;
  byte @Nullable [] payload;

  /** The send of this very process that waits for a match. */
  @Nullable Send local;

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
}
