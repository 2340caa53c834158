package io.busbar.mpi;

import org.jspecify.annotations.Nullable;

/**
 * Something that a thread is done with and that the same thread uses again the next time. Any
 * thread may ask; there is one, which is of the thread that gave back last, so it takes no word
 * that threads contend for. Threads that take turns make new ones.
 */
final class Spare<T> {
  /** Others read whose it is, and nothing else. */
  private static final class Place<T> {
    final Thread owner;
    @Nullable T item;

    Place(Thread owner) {
      this.owner = owner;
    }
  }

  /** Read and written without order: whatever a thread sees, it uses what is its own. */
  private @Nullable Place<T> place;

  /** What this thread gave back last; null when there is none. */
  @Nullable T take() {
    Place<T> known = place;
    if (known == null || !known.owner.equals(Thread.currentThread())) {
      return null;
    }
    T item = known.item;
    known.item = null;
    return item;
  }

  /** This thread is done with it. */
  void giveBack(T item) {
    Thread self = Thread.currentThread();
    Place<T> known = place;
    if (known == null || !known.owner.equals(self)) {
      known = new Place<>(self);
      place = known;
    }
    known.item = item;
  }
}
