package io.busbar.mpi;

/** What a rank holds for others, and they for it, at the moment of asking. From any thread. */
public final class Holdings {
  private final Peer[] peers;
  private final Matching matching;

  Holdings(Peer[] peers, Matching matching) {
    this.peers = peers;
    this.matching = matching;
  }

  /** Messages that have come, and that nobody has asked for. */
  public int kept() {
    int[] sum = new int[1];
    matching.forEachKept(_ -> sum[0]++);
    return sum[0];
  }

  /**
   * Bytes of payloads that a rank of the world has sent to this one by itself, that have come, and
   * that nobody has asked for.
   */
  public long keptBytes(int from) {
    return keptBytes(from, false);
  }

  /** The same of what it has sent to all. */
  public long keptCastBytes(int from) {
    return keptBytes(from, true);
  }

  private long keptBytes(int from, boolean isCast) {
    long[] sum = new long[1];
    matching.forEachKept(
        arrived -> {
          byte[] payload = arrived.payload;
          boolean counts = payload != null && arrived.node == from && arrived.isCast() == isCast;
          sum[0] += counts && payload != null ? payload.length : 0;
        });
    return sum[0];
  }

  /** Contexts of communicators that were not freed, and those in which something waits. */
  public int contexts() {
    return matching.contexts();
  }

  /** Sends and receives that other ranks speak of by name. */
  public int named() {
    return matching.named();
  }

  /** What may be sent to a rank of the world without being asked. */
  public long credit(int to) {
    return peers[to].mail.left();
  }

  /** What a rank of the world has spent, and will be given back with more. */
  public long untold(int from) {
    return peers[from].mail.untold();
  }

  /** What may be sent to all without being asked for by a rank of the world. */
  public long castCredit(int to) {
    return peers[to].casts.left();
  }

  /** What a rank of the world has spent on casts, and will be given back with more. */
  public long untoldCasts(int from) {
    return peers[from].casts.untold();
  }
}
