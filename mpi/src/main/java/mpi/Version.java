package mpi;

/** A version of the standard. */
public final class Version {
  private final int version;
  private final int subVersion;

  Version(int version, int subVersion) {
    this.version = version;
    this.subVersion = subVersion;
  }

  /** The number before the dot. */
  public int getVersion() {
    return version;
  }

  /** The number after the dot. */
  public int getSubVersion() {
    return subVersion;
  }
}
