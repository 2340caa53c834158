package io.busbar.mpi;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The contexts of one epoch: those of communicators that this process has, and those in which
 * something waits. So a message may come for a communicator that is not here yet, or not any more,
 * and as much is kept for it as has come.
 *
 * <p>Changed under the lock of {@link Matching}; {@link #find} is for any thread: it finds what was
 * in when its caller knew of that, because a context has one place until all move to other places
 * together, and places are published when they are filled. It costs two reads.
 */
final class Contexts {
  private static final int PLACES_MIN = 16;

  /** Or more, after all have moved: less than half of the places are ever used. */
  private static final int PLACES_FOR_EACH = 4;

  /** Spreads numbers that go up in equal steps: the golden ratio. */
  private static final int SPREAD = 0x9E37_79B9;

  /** Where one was; no message has its number. */
  private static final Context GONE = new Context(Integer.MIN_VALUE);

  private volatile @Nullable Context[] places = new @Nullable Context[PLACES_MIN];
  private int count;

  /** Places that are not null. */
  private int used;

  /** The context of a number; null if nothing can wait in it. */
  @Nullable Context find(int number) {
    @Nullable Context[] all = places;
    int i = first(number, all.length);
    Context one = all[i];
    while (one != null && one.number != number) {
      i = (i + 1) & (all.length - 1);
      one = all[i];
    }
    return one;
  }

  private static int first(int number, int length) {
    return (number * SPREAD) >>> Integer.numberOfLeadingZeros(length - 1);
  }

  /** The same, which is made if there is none. */
  Context obtain(int number) {
    if (number < 0) {
      throw new MpiError(MpiError.Kind.INTERN, "there is no context %d".formatted(number));
    }
    Context known = find(number);
    if (known != null) {
      return known;
    }
    if (2 * (used + 1) > places.length) {
      move();
    }
    Context made = new Context(number);
    put(made, places);
    count++;
    return made;
  }

  private void put(Context one, @Nullable Context[] into) {
    int i = first(one.number, into.length);
    Context there = into[i];
    while (there != null && there != GONE) {
      i = (i + 1) & (into.length - 1);
      there = into[i];
    }
    used += there == null ? 1 : 0;
    into[i] = one;
  }

  /** All to other places, as many as they need now. */
  private void move() {
    @Nullable Context[] more =
        new @Nullable
            Context[Math.max(PLACES_MIN, 2 * Integer.highestOneBit(PLACES_FOR_EACH * count))];
    used = 0;
    for (Context one : places) {
      if (one != null && one != GONE) {
        put(one, more);
      }
    }
    places = more;
  }

  /** A communicator uses it from now on. */
  void hold(int number) {
    obtain(number).isHeld = true;
  }

  /** No communicator uses it any more: it stays as long as something waits in it. */
  void letGo(int number) {
    Context one = find(number);
    if (one != null) {
      one.isHeld = false;
      dropIfIdle(one);
    }
  }

  /** After something was taken out of it. */
  void dropIfIdle(Context one) {
    if (one.isIdle()) {
      drop(one);
    }
  }

  private void drop(Context one) {
    @Nullable Context[] all = places;
    int i = first(one.number, all.length);
    Context there = all[i];
    while (there != null && there != one) {
      i = (i + 1) & (all.length - 1);
      there = all[i];
    }
    if (there != null) { // else it is of another epoch
      all[i] = GONE;
      count--;
    }
  }

  /** Those of another epoch, which begins, instead of these. */
  void become(Contexts other) {
    places = other.places;
    count = other.count;
    used = other.used;
  }

  int count() {
    return count;
  }

  /** Looks at all of them; it may take out what waits in them. */
  void forEach(Consumer<Context> action) {
    for (Context one : places) {
      if (one != null && one != GONE) {
        action.accept(one);
        dropIfIdle(one);
      }
    }
  }

  /** Those for messages of programs, in the order of their numbers. */
  List<Context> ofPrograms() {
    List<Context> all = new ArrayList<>();
    forEach(
        one -> {
          if (one.number % 2 == 0) {
            all.add(one);
          }
        });
    all.sort(Comparator.comparingInt(one -> one.number));
    return all;
  }
}
