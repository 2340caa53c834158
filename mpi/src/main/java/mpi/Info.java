package mpi;

import io.busbar.mpi.MpiError;
import io.busbar.mpi.MpiError.Kind;
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
      throw missing();
    }
    return values;
  }

  private static MpiError missing() {
    return new MpiError(Kind.INFO, "the info is null, or was freed");
  }

  /** Another one with the same hints. */
  static Info copy(Info hints) {
    if (hints == null) {
      throw missing();
    }
    return new Info(new LinkedHashMap<>(hints.values()));
  }

  private static String checked(String key) {
    if (key == null || key.isEmpty() || key.length() > MPI.MAX_INFO_KEY) {
      throw new MpiError(
          Kind.INFO_KEY, "a key has 1 to %d characters, not %s".formatted(MPI.MAX_INFO_KEY, key));
    }
    return key;
  }

  private void put(String key, String value) {
    if (value == null || value.length() > MPI.MAX_INFO_VAL) {
      throw new MpiError(
          Kind.INFO_VALUE, "a value has at most %d characters".formatted(MPI.MAX_INFO_VAL));
    }
    values().put(checked(key), value);
  }

  private void remove(String key) {
    if (values().remove(checked(key)) == null) {
      throw new MpiError(Kind.INFO_NOKEY, "there is no key " + key);
    }
  }

  private String key(int i) {
    List<String> keys = new ArrayList<>(values().keySet());
    if (i < 0 || i >= keys.size()) {
      throw new MpiError(Kind.ARG, "key %d; there are %d keys".formatted(i, keys.size()));
    }
    return keys.get(i);
  }

  /** Sets a value. */
  public void set(String key, String value) throws MPIException {
    BusbarErrors.run("Info.set", () -> put(key, value));
  }

  /** A value; null if there is none. */
  public String get(String key) throws MPIException {
    return BusbarErrors.get("Info.get", () -> values().get(checked(key)));
  }

  /** Takes a key away. */
  public void delete(String key) throws MPIException {
    BusbarErrors.run("Info.delete", () -> remove(key));
  }

  /** How many keys there are. */
  public int size() throws MPIException {
    return BusbarErrors.get("Info.size", () -> values().size());
  }

  /** A key by its number. */
  public String getKey(int i) throws MPIException {
    return BusbarErrors.get("Info.getKey", () -> key(i));
  }

  /** A copy. */
  @Override
  public Info clone() {
    return dup();
  }

  /** A copy. */
  public Info dup() throws MPIException {
    return BusbarErrors.get("Info.dup", () -> copy(this));
  }

  /** Gives it back. */
  @Override
  public void free() throws MPIException {
    if (equals(MPI.INFO_ENV)) {
      throw new MPIException(MPI.ERR_INFO, "Info.free: a predefined object cannot be freed");
    }
    Map<String, String> _ = BusbarErrors.get("Info.free", this::values);
    values = null;
  }

  /** Whether it was freed. */
  public boolean isNull() {
    return values == null;
  }
}
