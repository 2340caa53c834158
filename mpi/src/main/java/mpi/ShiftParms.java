package mpi;

/** From whom, and to whom data go in a shift. */
public final class ShiftParms {
  /** From whom they come. */
  public int rank_source;

  /** To whom they go. */
  public int rank_dest;

  ShiftParms(int source, int dest) {
    this.rank_source = source;
    this.rank_dest = dest;
  }

  /** From whom they come. */
  public int getRankSource() {
    return rank_source;
  }

  /** To whom they go. */
  public int getRankDest() {
    return rank_dest;
  }
}
