package mpi;

import io.busbar.mpi.MpiError;
import io.busbar.mpi.MpiError.Kind;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Attributes that programs hang on objects, and the keys of a kind of object. */
final class BusbarKeys {
  private static final int FIRST = 100;

  private final Set<Integer> known = new HashSet<>();
  private int next = FIRST;

  synchronized int create() {
    known.add(next);
    return next++;
  }

  /** Gives a key back: nothing more can be hung on it. */
  synchronized void free(int key) {
    if (!known.remove(key)) {
      throw unknown(key);
    }
  }

  private static MpiError unknown(int key) {
    return new MpiError(Kind.KEYVAL, "keyval %d is no key".formatted(key));
  }

  private synchronized void check(int key) {
    if (!known.contains(key)) {
      throw unknown(key);
    }
  }

  /** Those of one object. */
  final class Attributes {
    private final Map<Integer, Object> values = new TreeMap<>();

    synchronized void set(int key, Object value) {
      check(key);
      values.put(key, value);
    }

    /** A key that was given back still leads to what it led to. */
    synchronized Object get(int key) {
      Object value = values.get(key);
      if (value == null) {
        check(key);
      }
      return value;
    }

    synchronized void delete(int key) {
      if (values.remove(key) == null) {
        check(key);
        throw new MpiError(Kind.KEYVAL, "there is no attribute with keyval %d".formatted(key));
      }
    }

    synchronized Attributes copy() {
      Attributes made = new Attributes();
      made.values.putAll(values);
      return made;
    }
  }
}
