package mpi;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Hints: keys and values. */
public final class Info implements Freeable, Cloneable {
  private Map<String, String> values;

  /** Without any. */
  public Info() throws MPIException {
    values = new LinkedHashMap<>();
  }

  private Info(Map<String, String> values) {
    this.values = values;
  }

  static Info none() {
    return new Info((Map<String, String>) null);
  }

  /** What a predefined one holds from now on. */
  void become(Map<String, String> other) {
    values = new LinkedHashMap<>(other);
  }

  private Map<String, String> values() {
    if (values == null) {
      throw new MPIException(MPI.ERR_INFO, "Info: it is null, or was freed");
    }
    return values;
  }

  private static String checked(String key) {
    if (key == null || key.isEmpty() || key.length() > MPI.MAX_INFO_KEY) {
      throw new MPIException(
          MPI.ERR_INFO_KEY,
          "Info: a key has 1 to %d characters, not %s".formatted(MPI.MAX_INFO_KEY, key));
    }
    return key;
  }

  /** Sets a value. */
  public void set(String key, String value) throws MPIException {
    if (value == null || value.length() > MPI.MAX_INFO_VAL) {
      throw new MPIException(
          MPI.ERR_INFO_VALUE,
          "Info.set: a value has at most %d characters".formatted(MPI.MAX_INFO_VAL));
    }
    values().put(checked(key), value);
  }

  /** A value; null if there is none. */
  public String get(String key) throws MPIException {
    return values().get(checked(key));
  }

  /** Takes a key away. */
  public void delete(String key) throws MPIException {
    if (values().remove(checked(key)) == null) {
      throw new MPIException(MPI.ERR_INFO_NOKEY, "Info.delete: there is no key " + key);
    }
  }

  /** How many keys there are. */
  public int size() throws MPIException {
    return values().size();
  }

  /** A key by its number. */
  public String getKey(int i) throws MPIException {
    List<String> keys = new ArrayList<>(values().keySet());
    if (i < 0 || i >= keys.size()) {
      throw new MPIException(
          MPI.ERR_ARG, "Info.getKey: %d; there are %d keys".formatted(i, keys.size()));
    }
    return keys.get(i);
  }

  /** A copy. */
  @Override
  public Info clone() {
    return dup();
  }

  /** A copy. */
  public Info dup() throws MPIException {
    return new Info(new LinkedHashMap<>(values()));
  }

  /** Gives it back. */
  @Override
  public void free() throws MPIException {
    if (equals(MPI.INFO_ENV)) {
      throw new MPIException(MPI.ERR_INFO, "Info.free: a predefined object cannot be freed");
    }
    if (values == null) {
      throw new MPIException(MPI.ERR_INFO, "Info.free: it is null, or was freed before");
    }
    values = null;
  }

  /** Whether it was freed. */
  public boolean isNull() {
    return values == null;
  }
}
