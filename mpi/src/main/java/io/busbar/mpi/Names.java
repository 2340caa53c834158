package io.busbar.mpi;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Numbers for things that another rank speaks of; never 0. A number is used again late. */
final class Names<T> {
  private static final int INDEX_BITS = 20;
  private static final int INDEX_MASK = (1 << INDEX_BITS) - 1;

  private final List<@Nullable T> things = new ArrayList<>();
  private final List<Integer> lives = new ArrayList<>();
  private final List<Integer> free = new ArrayList<>();

  int put(T thing) {
    int index;
    if (free.isEmpty()) {
      index = things.size();
      things.add(thing);
      lives.add(1);
    } else {
      index = free.removeLast();
      things.set(index, thing);
    }
    if (index > INDEX_MASK) {
      throw new MpiError(
          MpiError.Kind.OTHER, "more than %d long messages are under way".formatted(INDEX_MASK));
    }
    return (lives.get(index) << INDEX_BITS) | index;
  }

  /** What has a name, which it has no longer then; null if nothing has it. */
  @Nullable T remove(int name) {
    T thing = get(name);
    if (thing != null) {
      int index = name & INDEX_MASK;
      things.set(index, null);
      int life = (lives.get(index) + 1) & (0x7FFF_FFFF >> INDEX_BITS);
      lives.set(index, Math.max(1, life));
      free.add(index);
    }
    return thing;
  }

  @Nullable T get(int name) {
    int index = name & INDEX_MASK;
    boolean isKnown = index < things.size() && lives.get(index) == name >> INDEX_BITS;
    return isKnown ? things.get(index) : null;
  }

  int size() {
    return things.size() - free.size();
  }

  void forEach(Consumer<T> action) {
    for (T thing : List.copyOf(present())) {
      action.accept(thing);
    }
  }

  private List<T> present() {
    List<T> all = new ArrayList<>();
    for (T thing : things) {
      if (thing != null) {
        all.add(thing);
      }
    }
    return all;
  }
}
