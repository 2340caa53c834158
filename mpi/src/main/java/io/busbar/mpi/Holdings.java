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

  /** Bytes of payloads from a rank of the world that have come, and that nobody has asked for. */
  public long keptBytes(int from) {
    long[] sum = new long[1];
    matching.forEachKept(
        arrived -> {
          byte[] payload = arrived.payload;
          sum[0] += payload == null || arrived.node != from ? 0 : payload.length;
        });
    return sum[0];
  }

  /** Sends and receives that other ranks speak of by name. */
  public int named() {
    return matching.named();
  }

  /** What may be sent to a rank of the world without being asked. */
  public long credit(int to) {
    return peers[to].credit();
  }

  /** What a rank of the world has spent, and will be given back with more. */
  public long untold(int from) {
    return peers[from].untold();
  }
}
