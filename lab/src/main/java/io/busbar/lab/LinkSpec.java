package io.busbar.lab;

/**
 * What every node's link to the switch is like, and the switch's port to every node.
 *
 * @param bitsPerSecond rate of each direction
 * @param latencyNs from node to node, without queues and without the time a frame takes to leave
 * @param queueFrames frames that wait at a port of the switch; one more is dropped
 * @param nicFrames frames that wait in a sender's interface; one more is refused
 */
public record LinkSpec(long bitsPerSecond, long latencyNs, int queueFrames, int nicFrames) {
  /** Ethernet's preamble, header, checksum and gap, in bytes. */
  private static final int FRAMING_BYTES = 38;

  /** Refuses what cannot be a link. */
  public LinkSpec {
    if (bitsPerSecond <= 0 || latencyNs < 0 || queueFrames < 1 || nicFrames < 1) {
      throw new IllegalArgumentException("not a link: %d bit/s".formatted(bitsPerSecond));
    }
  }

  /** How long a frame takes to leave. */
  long durationNs(int bytes) {
    return (bytes + FRAMING_BYTES) * 8_000_000_000L / bitsPerSecond;
  }

  /** Bytes of payload a second that the link could carry in frames of this size. */
  public double payloadBytesPerSecond(int frameBytes, int payloadBytes) {
    return bitsPerSecond / 8.0 * payloadBytes / (frameBytes + FRAMING_BYTES);
  }
}
