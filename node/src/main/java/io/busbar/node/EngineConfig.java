package io.busbar.node;

import io.busbar.transport.TransportConfig;

/**
 * What an engine is told once.
 *
 * @param transport for the carriers that lose frames
 * @param ringWindowBytes what one peer may have sent over a reliable carrier without being dealt
 *     with: more lets it run further ahead, and is held here
 * @param pollFrames taken from a carrier in one round
 * @param idleRoundsPerTime of so many rounds that bring nothing, one looks at the clock
 * @param probeNs after such a silence a peer that lost frames could hide is asked whether it lives
 */
public record EngineConfig(
    TransportConfig transport,
    long ringWindowBytes,
    int pollFrames,
    int idleRoundsPerTime,
    long probeNs) {
  /** Refuses what cannot work, by name. */
  public EngineConfig {
    if (ringWindowBytes < 1024) {
      throw new IllegalArgumentException(
          "engine config: ringWindowBytes is %d; allowed: 1024 or more".formatted(ringWindowBytes));
    }
    if (probeNs < 1) {
      throw new IllegalArgumentException(
          "engine config: probeNs is %d; allowed: 1 or more".formatted(probeNs));
    }
    if (idleRoundsPerTime < 1) {
      throw new IllegalArgumentException(
          "engine config: idleRoundsPerTime is %d; allowed: 1 or more"
              .formatted(idleRoundsPerTime));
    }
    if (pollFrames < 1) {
      throw new IllegalArgumentException(
          "engine config: pollFrames is %d; allowed: 1 or more".formatted(pollFrames));
    }
  }
}
