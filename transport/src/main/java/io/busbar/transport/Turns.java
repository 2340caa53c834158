package io.busbar.transport;

import org.jspecify.annotations.Nullable;

/** Associations in the order of their turns, linked through themselves. */
final class Turns {
  private @Nullable Association first;
  private @Nullable Association last;

  boolean isEmpty() {
    return first == null;
  }

  Association first() {
    Association association = first;
    if (association == null) {
      throw new IllegalStateException("nobody waits for a turn");
    }
    return association;
  }

  void add(Association association) {
    association.turn = this;
    association.nextTurn = null;
    if (last == null) {
      first = association;
    } else {
      last.nextTurn = association;
    }
    last = association;
  }

  void removeFirst() {
    Association association = first();
    first = association.nextTurn;
    last = first == null ? null : last;
    association.turn = null;
    association.nextTurn = null;
  }

  /** The first goes to the end. */
  void rotate() {
    Association association = first();
    if (association.nextTurn != null) {
      removeFirst();
      add(association);
    }
  }

  /** Takes everything that another queue holds. */
  void takeAll(Turns other) {
    while (!other.isEmpty()) {
      Association association = other.first();
      other.removeFirst();
      add(association);
    }
  }
}
